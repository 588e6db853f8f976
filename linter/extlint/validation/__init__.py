"""From a JSON value that its schema refuses to the mistakes that its author made."""
