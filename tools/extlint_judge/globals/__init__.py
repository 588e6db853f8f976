"""Which globals of the Web platform there are in each kind of context."""
