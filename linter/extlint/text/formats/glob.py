"""Globs that select the pages of content scripts (`include_globs`, `exclude_globs`)."""

from __future__ import annotations

from extlint.text.formats.problem import Problem


def glob(_text: str) -> Problem | None:
    """Accepts any text: `*` matches any characters, and `?` one character, in Chrome at most one."""
    return None


def is_glob(_text: str) -> bool:
    """Whether a text is a glob, as any text is."""
    return True
