"""The HTML report: `page` combines its excerpts and tables, its style sheet and its script."""
