"""Queries real browsers about their behavior toward extensions, and compares it with extlint's."""
