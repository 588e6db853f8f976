"""From an extension to its findings."""
