"""References to members that are not available at their position, and the reasons that excuse them."""
