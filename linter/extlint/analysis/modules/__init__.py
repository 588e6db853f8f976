"""The relations between scripts: imports, exports, shared globals."""
