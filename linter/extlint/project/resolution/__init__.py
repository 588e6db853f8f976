"""Resolves the name in an import to a file of the package, like browsers, TypeScript and bundlers."""
