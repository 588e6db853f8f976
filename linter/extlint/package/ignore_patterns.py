"""Parses patterns in the syntax of `.gitignore`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from extlint.text.patterns import lazy
from extlint.text.positions import decode

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_STARS = 5
"""Stars in one part of a pattern. A pattern with more is ignored, as matching it may take very long."""

_TOO_MANY_STARS = lazy(rf"(?:\*[^/*]+){{{MAX_STARS},}}\*")
_ALL_INSIDE = lazy(r"(?<=/)\*\*(?=/?\s*\Z)", re.ASCII)
"""Git matches only the contents of a folder, but the library also matches the folder."""


def parse_patterns(data: bytes) -> GitIgnoreSpec:
    """Parses the patterns in a file. Skips invalid lines, like Git."""
    return compile_patterns(decode(data).decode("utf-8", "replace").splitlines())


def compile_patterns(lines: Iterable[str]) -> GitIgnoreSpec:
    """Compiles these patterns, skipping invalid ones."""
    from pathspec import GitIgnoreSpec

    comparable = [_ALL_INSIDE.sub("**/*", line) for line in lines if not _TOO_MANY_STARS.search(line)]
    try:
        return GitIgnoreSpec.from_lines(comparable)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in comparable if _is_valid(line))


def _is_valid(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
