"""What a single rule needs beyond its own file, one idea each; what several rules share is in the engine."""
