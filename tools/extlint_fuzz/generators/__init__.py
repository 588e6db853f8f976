"""The generators of random cases, one module for each kind of input."""
