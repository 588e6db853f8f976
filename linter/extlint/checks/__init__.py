"""What several rules check: uses of the API against the schemas, and the images in a manifest."""
