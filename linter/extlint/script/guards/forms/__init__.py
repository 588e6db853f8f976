"""The forms in which a condition tests something, one module each."""
