"""Which scripts and branches run in the target, and whether all code of an extension is known."""
