"""Findings as text for people and programs."""
