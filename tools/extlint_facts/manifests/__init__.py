"""Converts facts about browsers to the JSON Schema of each target's manifest."""
