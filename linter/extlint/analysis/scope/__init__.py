"""Names and the scopes that declare them: bindings, identifiers, and the writes that reach a place."""
