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

    return GitIgnoreSpec.from_lines(_ALL_INSIDE.sub("**/*", line) for line in lines if is_pattern(line))


def is_pattern(line: str) -> bool:
    """Whether a line is valid, and can be compared with paths in little time."""
    from pathspec import GitIgnoreSpec

    if _TOO_MANY_STARS.search(line):
        return False
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
