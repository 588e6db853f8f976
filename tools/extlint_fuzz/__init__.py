"""Looks for inputs that break extlint: makes them by chance, runs `extlint check`, and shrinks what fails."""
