"""Determines the files that a configuration excludes."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from extlint.linting.configuration.configuration import Configuration
from extlint.package.git_ignore import compile_patterns

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def excludes(configuration: Configuration, file: str) -> bool:
    """Whether a configuration excludes a file, by its absolute path, or a folder on the way to it."""
    if not configuration.exclude:
        return False
    parts = Path(os.path.relpath(file, configuration.folder)).parts
    if ".." in parts:
        return False
    spec = _spec(configuration.exclude)
    folders = ("/".join(parts[:count]) + "/" for count in range(1, len(parts)))
    return any(spec.check_file(each).include for each in (*folders, "/".join(parts)))


@cache
def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    return compile_patterns(patterns)
