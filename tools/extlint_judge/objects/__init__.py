"""Which fields the objects have that the API gives to extensions."""
