"""Looks up names of any kind: of APIs, of keys of the manifest, of permissions."""
