"""Matches names against patterns with a `*`, as in tsconfig.json and package.json."""

from __future__ import annotations

from collections.abc import Iterable


def best_match(name: str, patterns: Iterable[str]) -> tuple[str, str] | None:
    """Returns the best matching pattern for a name, and the text that its `*` matches, or None.

    An exact match takes precedence, then the pattern with the longest text before `*`.
    """
    best: tuple[str, str] | None = None
    length = -1
    for pattern in patterns:
        before, star, after = pattern.partition("*")
        if not star:
            if pattern == name:
                return pattern, ""
        elif (
            len(before) > length
            and len(name) >= len(before) + len(after)
            and name.startswith(before)
            and name.endswith(after)
        ):
            best, length = (pattern, name[len(before) : len(name) - len(after)]), len(before)
    return best
