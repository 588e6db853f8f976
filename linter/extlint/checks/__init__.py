"""Checks that several rules share: uses of the API against the schemas, and the images in a manifest."""
