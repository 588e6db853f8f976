"""The first configuration of a project, which `extlint init` writes."""
