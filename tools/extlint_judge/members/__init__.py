"""The members of the API that extensions have, and browsers' verdicts on calls."""
