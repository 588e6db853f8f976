"""The language server: what `extlint check` reports, in editors."""
