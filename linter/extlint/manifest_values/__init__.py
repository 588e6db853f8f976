"""What is wrong with the keys and values of a manifest, for a target."""
