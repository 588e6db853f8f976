"""Whether the arguments of calls of the API are right, and of which types the results are."""
