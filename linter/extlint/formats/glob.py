"""Globs that choose the pages of content scripts (`include_globs`, `exclude_globs`)."""

from __future__ import annotations

from extlint.formats.problem import Problem


def glob(_text: str) -> Problem | None:
    """`*` stands for any characters and `?` for one, or none in Chrome; any text is a glob."""
    return None


def is_glob(_text: str) -> bool:
    """Any text is one."""
    return True
