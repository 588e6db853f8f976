"""Whether a member of the API is available where a script names it, and if not, why."""
