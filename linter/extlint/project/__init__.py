"""The project around an extension: builds, the tools that rewrite its manifest, and what Git ignores."""
