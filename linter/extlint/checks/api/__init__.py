"""The API of a target for an extension: the member at a path, and the reasons why a script cannot use it."""
