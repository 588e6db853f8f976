"""What the schemas say of the places that scripts name: shared by the rules."""
