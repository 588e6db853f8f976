"""The configuration of a project, and names that users type."""
