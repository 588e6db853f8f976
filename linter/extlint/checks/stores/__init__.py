"""The requirements of browser stores for a manifest, shared by the rules about it."""
