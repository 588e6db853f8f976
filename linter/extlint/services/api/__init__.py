"""The API for programs. `extlint` exports its names, which are documented in `docs/api.md`."""
