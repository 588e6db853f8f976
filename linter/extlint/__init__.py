"""Checks browser extensions against the schemas of the extension APIs."""

from __future__ import annotations

__version__ = "0.1.0"
