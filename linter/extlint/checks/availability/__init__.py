"""References to members that are not available where scripts name them, and what excuses them."""
