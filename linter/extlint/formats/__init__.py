"""What texts must look like: each format with the reason why a text is not of it."""
