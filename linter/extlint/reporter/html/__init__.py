"""The HTML report: `page` puts together its excerpts and tables, its style sheet and its script."""
