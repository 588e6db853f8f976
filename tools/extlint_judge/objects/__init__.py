"""The fields of the objects that the API passes to extensions."""
