"""The uses of extlint other than the command line: the API, the language server, the service, lookups."""
