"""The npm packages that the facts are read from, each pinned to a version and the hash of its archive."""
