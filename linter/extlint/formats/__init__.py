"""What texts in manifests must look like: each format with the reason why a text is not of it."""
