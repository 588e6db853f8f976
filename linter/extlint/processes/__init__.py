"""What a run is to the operating system: its worker processes, and the processors that it may use."""
