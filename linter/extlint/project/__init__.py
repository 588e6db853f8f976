"""The project around an extension: builds, tools that rewrite its manifest, and files that Git ignores."""
