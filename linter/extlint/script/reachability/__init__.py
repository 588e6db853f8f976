"""Whether and where code runs: by which calls a place is reached, and where a function goes."""
