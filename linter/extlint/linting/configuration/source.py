"""A file that may contain a configuration: its text, its table, and the positions in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from extlint.package.disk import exists, is_file, is_folder, read_file, with_slashes
from extlint.package.files import UnreadableError
from extlint.text.json.reader import read_json
from extlint.text.json.values import Step
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, Position, TextIndex

MAX_CONFIG_BYTES = 256 * 1024
"""The maximum size of a configuration file."""

MAX_DOTS = 500
"""The maximum number of dots in a line of TOML: Python's parser is quadratic in the parts of a key."""


_PLACE = lazy(r"line (\d+), column (\d+)")
_BARE_WORD = lazy(r"[A-Za-z]")


class Places(Protocol):
    """The positions of keys and values in a text."""

    def value(self, steps: Sequence[Step]) -> ByteSpan | None:
        """Returns the byte range of the value at a path, or None if it does not exist."""
        ...

    def key(self, steps: Sequence[Step]) -> ByteSpan | None:
        """Returns the byte range of the key that a path ends with, or None if it does not exist."""
        ...


class Form(Struct, frozen=True):
    """A file name of configurations, and the keys that lead to the configuration in such a file.

    `parse` raises `_SyntaxError`; `places` accepts only a text that can be parsed.
    """

    name: str
    keys: tuple[str, ...]
    parse: _Parse
    places: Callable[[bytes], Places]

    def table_in(self, value: object) -> object:
        """Returns the value at the keys in the value of a file, or None if it does not exist."""
        for key in self.keys:
            if not isinstance(value, dict) or key not in value:
                return None
            value = value[key]
        return value


class Source(Struct, frozen=True):
    """A file in `folder`, which users call `display_folder`."""

    folder: str
    display_folder: str
    form: Form

    @property
    def path(self) -> str:
        """The file's path on the disk."""
        return os.path.join(self.folder, self.form.name)

    @property
    def display_path(self) -> str:
        """The file's path as users write it."""
        return with_slashes(os.path.join(self.display_folder, self.form.name))

    def table(self) -> object:
        """Returns the value at the file's keys, or None if it does not exist. Raises UnreadableError."""
        data = read_file(self.path, self.display_path)
        if self.form.keys and b"extlint" not in data:
            return None
        if len(data) > MAX_CONFIG_BYTES:
            raise UnreadableError(f"{self.display_path} is larger than {MAX_CONFIG_BYTES // 1024} KiB")
        return self.form.table_in(self.parse(data))

    @property
    def may_have_table(self) -> bool:
        """Whether the file contains a configuration, or cannot be read."""
        try:
            return self.table() is not None
        except UnreadableError:
            return True

    def parse(self, data: bytes) -> object:
        """Parses the current or a planned text of the file. Raises UnreadableError."""
        try:
            return self.form.parse(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise UnreadableError(f"{self.display_path} is not UTF-8 text") from None
        except RecursionError:
            raise UnreadableError(f"{self.display_path} is nested too deeply") from None
        except _SyntaxError as error:
            raise UnreadableError(f"{self.at(error.position)}: {error}") from None

    def at(self, position: Position | None) -> str:
        """Returns a position in the file in a form that terminals and editors can open."""
        return (
            self.display_path
            if position is None
            else f"{self.display_path}:{position.line}:{position.column}"
        )

    def positions(self) -> Positions:
        """Returns the positions in the file; its table must have been read before. Raises UnreadableError."""
        data = read_file(self.path, self.display_path).removeprefix(b"\xef\xbb\xbf")
        return Positions(data, self.form.places(data), self.form.keys)


class Positions:
    """The positions of the keys and values of a configuration, by the steps from its own table."""

    def __init__(self, data: bytes, places: Places, above: tuple[str, ...]) -> None:
        self._index = TextIndex(data)
        self._places = places
        self._above = above

    def of(
        self, steps: tuple[Step, ...], *, at_key: bool = False, part: str | None = None
    ) -> Position | None:
        """Returns the start of a value, its key, or the text `part` in it, or else of the enclosing value."""
        path = (*self._above, *steps)
        span = self._places.key(path) if at_key else self._places.value(path)
        if span is None:
            return self.of(steps[:-1]) if steps else None
        start, end = span
        if part:
            inside = self._index.text.find(part.encode(), start, end)
            start = inside if inside >= 0 else start
        return self._index.position(start)


class _SyntaxError(Exception):
    """A syntax error with its position."""

    def __init__(self, sentence: str, position: Position | None) -> None:
        super().__init__(sentence)
        self.position = position


def _toml(text: str) -> object:
    import tomllib

    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MAX_DOTS:
            raise _SyntaxError(f"more than {MAX_DOTS} dots in a line", Position(number, 1))
    try:
        return tomllib.loads(text)
    except ValueError as error:
        what, _, where = str(error).partition(" (at ")
        position = _position(text, where)
        is_bare = position is not None and _BARE_WORD.match(
            text.split("\n")[position.line - 1], position.column - 1
        )
        _raise_syntax_error(
            "TOML",
            f"{what}; a string requires quotes" if is_bare and what == "Invalid value" else what,
            position,
        )


def _position(text: str, where: str) -> Position | None:
    """Returns the position in an error message of Python's TOML parser."""
    found = _PLACE.match(where)
    if found is not None:
        return Position(int(found[1]), int(found[2]))
    if where.startswith("end of document"):
        data = text.encode()
        return TextIndex(data).position(len(data))
    return None


def _json(text: str) -> object:
    import json

    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        data = text.encode()
        problem = read_json(data, strict=True).problem
        if problem is None:
            _raise_syntax_error("JSON", error.msg, Position(error.lineno, error.colno))
        raise _SyntaxError(problem.message, TextIndex(data).position(problem.span[0])) from None
    except ValueError as error:
        _raise_syntax_error("JSON", str(error), None)


def _raise_syntax_error(language: str, what: str, position: Position | None) -> NoReturn:
    raise _SyntaxError(f"invalid {language}: {what[:1].lower()}{what[1:]}", position)


def _toml_places(data: bytes) -> Places:
    from extlint.linting.configuration.toml import TomlPlaces

    return TomlPlaces(data)


def _json_places(data: bytes) -> Places:
    from extlint.text.json.strict_reader import JsonPlaces

    return JsonPlaces(data)


_Parse: TypeAlias = Callable[[str], Any]

FORMS = (
    Form("extlint.toml", (), _toml, _toml_places),
    Form(".extlint.toml", (), _toml, _toml_places),
    Form("pyproject.toml", ("tool", "extlint"), _toml, _toml_places),
    Form("package.json", ("extlint",), _json, _json_places),
)
"""The files in which configurations are found. The first one in a folder takes precedence."""


def sources_in(folder: str, called: str) -> Iterator[Source]:
    """Yields the files in a folder that may contain a configuration, in order of precedence."""
    for form in FORMS:
        source = Source(folder, called, form)
        if is_candidate(source):
            yield source


def is_candidate(source: Source) -> bool:
    """Whether the file exists. A file of extlint's own counts even if it cannot be read.

    Files in a folder without access are not found.
    """
    if source.form.keys:
        return is_file(source.path)
    return exists(source.path) and not is_folder(source.path)


def source_at(file: str) -> Source:
    """Returns the source at a path. Its name decides its form; any other name is like `extlint.toml`."""
    from pathlib import Path

    path = Path(file)
    form = next((each for each in FORMS if each.name == path.name), FORMS[0])
    folder = path.parent.as_posix()
    return Source(
        os.path.abspath(folder),
        "" if folder == "." else folder,
        replace(form, name=path.name),
    )
