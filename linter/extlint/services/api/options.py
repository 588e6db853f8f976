"""The options of a check by a program: the same as those of `extlint check`, with the same meaning."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from extlint.linting.configuration.configuration import Configuration
from extlint.linting.configuration.names import (
    LEVELS,
    check_name,
    load_user_schemas,
    parse_rule_names,
    parse_targets,
)
from extlint.linting.configuration.usage_error import UsageError

Names: TypeAlias = str | Sequence[str]
"""One or more names. A string may have several, separated by commas."""

Path: TypeAlias = str | os.PathLike[str]
"""A path on the disk."""

Paths: TypeAlias = Path | Sequence[Path]
"""One or more paths."""


def configuration_of(
    *,
    targets: Names,
    select: Names,
    ignore: Names,
    extend_select: Names,
    schemas: Paths,
    fail_level: str | None,
    baseline: Path | None,
    gitignore: bool | None,
) -> Configuration:
    """Returns the keys that options set. Raises UsageError."""
    if fail_level is not None:
        check_name("fail level", fail_level, LEVELS)
    patterns = paths_of(schemas)
    return Configuration(
        target=_names("targets", targets, parse_targets),
        schemas=load_user_schemas(patterns) if patterns else None,
        select=_names("select", select, parse_rule_names),
        ignore=_names("ignore", ignore, parse_rule_names),
        extend_select=_names("extend_select", extend_select, parse_rule_names),
        fail_level=fail_level,
        baseline=None if baseline is None else os.fspath(baseline),
        gitignore=gitignore,
    )


def paths_of(paths: Paths) -> tuple[str, ...]:
    """Returns paths as strings."""
    given = (paths,) if isinstance(paths, str | os.PathLike) else tuple(paths)
    return tuple(os.fspath(each) for each in given)


def _names(option: str, given: Names, parse: Callable[[Sequence[str]], tuple[Any, ...]]) -> tuple[Any, ...]:
    texts = (given,) if isinstance(given, str) else tuple(given)
    found = parse(texts)
    if texts and not found:
        raise UsageError(f"{option} requires at least one name")
    return found
