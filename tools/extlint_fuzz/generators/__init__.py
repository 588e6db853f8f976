"""What makes cases by chance, one module for each kind of input."""
