"""The output formats: a module for each family of them."""
