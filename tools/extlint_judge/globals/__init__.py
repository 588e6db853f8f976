"""The globals of the Web platform in each kind of context."""
