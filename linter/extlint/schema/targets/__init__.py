"""The browsers that an extension is checked against."""
