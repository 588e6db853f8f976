"""`extlint serve`: checks packages over HTTP, each in a process of its own."""
