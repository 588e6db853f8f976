"""Operating system resources of a run: its worker processes, and the processors that it may use."""
