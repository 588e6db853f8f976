"""Scripts and the contexts in which they run."""
