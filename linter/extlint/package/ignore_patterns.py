"""Patterns as `.gitignore` files have them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from extlint.text.patterns import lazy
from extlint.text.positions import decode

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_STARS = 5
"""Stars in one part of a pattern; one with more is ignored, as it may take very long to compare."""

_TOO_MANY_STARS = lazy(rf"(?:\*[^/*]+){{{MAX_STARS},}}\*")
_ALL_INSIDE = lazy(r"(?<=/)\*\*(?=/?\s*\Z)", re.ASCII)
"""Git means what is inside of a folder, the library the folder as well."""


def patterns_in(data: bytes) -> GitIgnoreSpec:
    """The patterns in a file; like Git, it skips lines that are not valid."""
    return compiled(decode(data).decode("utf-8", "replace").splitlines())


def compiled(lines: Iterable[str]) -> GitIgnoreSpec:
    """These patterns, without those that are not valid."""
    from pathspec import GitIgnoreSpec

    comparable = [_ALL_INSIDE.sub("**/*", line) for line in lines if not _TOO_MANY_STARS.search(line)]
    try:
        return GitIgnoreSpec.from_lines(comparable)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in comparable if _is_valid(line))


def is_pattern(line: str) -> bool:
    """Whether a line is valid, and can be compared with paths in little time."""
    return not _TOO_MANY_STARS.search(line) and _is_valid(line)


def _is_valid(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
