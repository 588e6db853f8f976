"""The mistakes in the keys and values of a manifest, for a target."""
