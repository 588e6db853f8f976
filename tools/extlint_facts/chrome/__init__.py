"""Reads Chrome's API from the declarations of chrome-types, and its manifest from those of @types/chrome."""
