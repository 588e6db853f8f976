"""Searches for inputs that break extlint: generates random ones, runs `extlint check`, shrinks failures."""
