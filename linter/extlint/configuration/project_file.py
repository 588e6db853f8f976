"""The configuration of a project, in a file in or above the folders of its extensions."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from extlint.configuration.configuration import NO_CONFIGURATION, Configuration
from extlint.package.disk import read_file
from extlint.package.files import UnreadableError

MAX_CONFIG_BYTES = 256 * 1024
"""How large a file may be that holds a configuration."""

MAX_DOTS = 500
"""How many dots a line of TOML may have: Python's reader takes quadratic time for the parts of a key."""


class Configurations:
    """The configurations of a run's extensions. Each file is read once, and its schemas with it."""

    def __init__(self) -> None:
        self._known: dict[str, Configuration | None] = {}

    def of(self, name: str) -> Configuration:
        """The configuration of the folder or archive at a path, or of the nearest folder above it.

        Raises UnreadableError if a file there cannot be read, or says what it may not.
        """
        place = Path(os.path.abspath(name))  # noqa: PTH100 (links are not followed, as in the name)
        for folder in map(str, (place, *place.parents)):
            if folder not in self._known:
                called = folder if os.path.isabs(name) else os.path.relpath(folder)  # noqa: PTH117
                self._known[folder] = _configuration(folder, "" if called == "." else called)
            found = self._known[folder]
            if found is not None:
                return found
        return NO_CONFIGURATION


def _configuration(folder: str, called: str) -> Configuration | None:
    """The configuration in a folder's own file, the first if it has several; None if it has none."""
    for name, keys, parse in _FILES:
        path = os.path.join(folder, name)  # noqa: PTH118
        if os.path.isfile(path):  # noqa: PTH113 (of a folder that may not be entered it says no)
            file = Path(called, name).as_posix()
            table = _table(path, file, keys, parse)
            if table is not None:
                return _checked(table, file, called, folder)
    return None


def _table(path: str, file: str, keys: Sequence[str], parse: _Parse) -> object:
    """What a file has at these keys; None if it has nothing there."""
    data = read_file(path, file)
    if keys and b"extlint" not in data:
        return None
    if len(data) > MAX_CONFIG_BYTES:
        raise UnreadableError(f"{file} is larger than {MAX_CONFIG_BYTES // 1024} KiB")
    try:
        found = parse(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UnreadableError(f"{file} is not UTF-8 text") from None
    except RecursionError:
        raise UnreadableError(f"{file} is nested too deeply") from None
    except ValueError as error:
        raise UnreadableError(f"{file} cannot be parsed: {error}") from None
    for key in keys:
        if not isinstance(found, dict) or key not in found:
            return None
        found = found[key]
    return found


def _toml(text: str) -> object:
    import tomllib

    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MAX_DOTS:
            raise ValueError(f"more than {MAX_DOTS} dots (at line {number})")
    return tomllib.loads(text)


def _json(text: str) -> object:
    import json

    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} (at line {error.lineno}, column {error.colno})") from None


_Parse: TypeAlias = Callable[[str], object]

_FILES: tuple[tuple[str, tuple[str, ...], _Parse], ...] = (
    ("extlint.toml", (), _toml),
    (".extlint.toml", (), _toml),
    ("pyproject.toml", ("tool", "extlint"), _toml),
    ("package.json", ("extlint",), _json),
)


def _checked(table: object, file: str, called: str, folder: str) -> Configuration:
    """The configuration that a table means. Raises UnreadableError for what it may not say."""
    from extlint.configuration.keys import read_table
    from extlint.configuration.mistakes import ConfigurationError, Place

    try:
        values = read_table(table, Place(called))
    except ConfigurationError as error:
        raise UnreadableError(f"{file}: {error.sentence}") from None
    return Configuration(**values, file=file, folder=folder)
