"""Code that handles the failure of a use: `try`, promises and callbacks."""
