"""From the name in an import to a file of the package, as browsers, TypeScript and bundlers find it."""
