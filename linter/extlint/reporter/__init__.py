"""From reports to output: one module per format."""
