"""Whether calls of the API are right, and what they return."""
