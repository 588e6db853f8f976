"""Which browsers an extension is written for, as its manifest and the names that builds give say."""
