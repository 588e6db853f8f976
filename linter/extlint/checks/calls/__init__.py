"""Checks the arguments of calls of the API, and determines the types of their results."""
