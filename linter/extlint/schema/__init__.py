"""The API of a target: namespaces, members and types."""
