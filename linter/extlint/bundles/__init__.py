"""The module systems that bundlers bring along, recognized by the shape of their code."""
