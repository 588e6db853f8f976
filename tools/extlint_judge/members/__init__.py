"""Which members of the API extensions have, and what browsers say to calls."""
