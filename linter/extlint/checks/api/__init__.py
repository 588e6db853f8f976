"""What the API of a target is to an extension: where a path leads, and why a script cannot use it."""
