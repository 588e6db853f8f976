"""What the stores of browsers ask of a manifest: shared by the rules about it."""
