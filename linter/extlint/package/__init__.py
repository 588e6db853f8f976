"""From a path to a read-only set of files."""
