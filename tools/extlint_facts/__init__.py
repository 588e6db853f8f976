"""Generates extlint's facts about browsers from packages that describe them."""
