"""Whether a member of the API is there where a script names it."""
