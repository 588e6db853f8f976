"""Files that the manifest and pages name."""
