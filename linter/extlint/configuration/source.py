"""A file that may have a configuration: its text, its table, and the places in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, Protocol, TypeAlias

from msgspec import Struct

from extlint.json_text.values import Step
from extlint.package.disk import read_file
from extlint.package.files import UnreadableError
from extlint.package.paths import with_slashes
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, Position, TextIndex

MAX_CONFIG_BYTES = 256 * 1024
"""How large a file may be that holds a configuration."""

MAX_DOTS = 500
"""How many dots a line of TOML may have: Python's reader takes quadratic time for the parts of a key."""


_PLACE = lazy(r"line (\d+), column (\d+)")
_BARE_WORD = lazy(r"[A-Za-z]")


class Places(Protocol):
    """The places of keys and values in a text."""

    def value(self, steps: Sequence[Step]) -> ByteSpan | None:
        """The byte range of the value at a path, None if there is nothing."""
        ...

    def key(self, steps: Sequence[Step]) -> ByteSpan | None:
        """The byte range of the key that a path ends with, None if there is none."""
        ...


class Form(Struct, frozen=True):
    """A file name under which configurations are found, and the keys in such a file that lead to one.

    `parse` raises `_SyntaxError`; `places` takes a text that can be parsed.
    """

    name: str
    keys: tuple[str, ...]
    parse: _Parse
    places: Callable[[bytes], Places]

    def table_in(self, value: object) -> object:
        """What the value of a file has at the keys; None if that is nothing."""
        for key in self.keys:
            if not isinstance(value, dict) or key not in value:
                return None
            value = value[key]
        return value


class Source(Struct, frozen=True):
    """A file in `folder`, which users call `called_folder`."""

    folder: str
    called_folder: str
    form: Form

    @property
    def path(self) -> str:
        """The file's path on the disk."""
        return os.path.join(self.folder, self.form.name)

    @property
    def called(self) -> str:
        """What users call the file."""
        return with_slashes(os.path.join(self.called_folder, self.form.name))

    def table(self) -> object:
        """What the file says at its keys; None if that is nothing. Raises UnreadableError."""
        data = read_file(self.path, self.called)
        if self.form.keys and b"extlint" not in data:
            return None
        if len(data) > MAX_CONFIG_BYTES:
            raise UnreadableError(f"{self.called} is larger than {MAX_CONFIG_BYTES // 1024} KiB")
        return self.form.table_in(self.parsed(data))

    def parsed(self, data: bytes) -> object:
        """The value of a text that the file has, or may get. Raises UnreadableError."""
        try:
            return self.form.parse(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise UnreadableError(f"{self.called} is not UTF-8 text") from None
        except RecursionError:
            raise UnreadableError(f"{self.called} is nested too deeply") from None
        except _SyntaxError as error:
            raise UnreadableError(f"{self.at(error.position)}: {error}") from None

    def at(self, position: Position | None) -> str:
        """A position in the file, as terminals and editors open it."""
        return self.called if position is None else f"{self.called}:{position.line}:{position.column}"

    def positions(self) -> Positions:
        """The positions in the file, once its table has been read. Raises UnreadableError."""
        data = read_file(self.path, self.called).removeprefix(b"\xef\xbb\xbf")
        return Positions(data, self.form.places(data), self.form.keys)


class Positions:
    """Where keys and values of a configuration are, by the steps from its own table."""

    def __init__(self, data: bytes, places: Places, above: tuple[str, ...]) -> None:
        self._index = TextIndex(data)
        self._places = places
        self._above = above

    def of(
        self, steps: tuple[Step, ...], *, at_key: bool = False, part: str | None = None
    ) -> Position | None:
        """Where a value, its key, or the text `part` in it begins; or what is around."""
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
    """Why a text cannot be parsed, and where."""

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
        _refuse(
            "TOML",
            f"{what}; a string requires quotes" if is_bare and what == "Invalid value" else what,
            position,
        )


def _position(text: str, where: str) -> Position | None:
    """The position that a message of Python's reader of TOML names."""
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
        from extlint.json_text.reader import read_json

        data = text.encode()
        problem = read_json(data, strict=True).problem
        if problem is None:
            _refuse("JSON", error.msg, Position(error.lineno, error.colno))
        raise _SyntaxError(problem.message, TextIndex(data).position(problem.span[0])) from None
    except ValueError as error:
        _refuse("JSON", str(error), None)


def _refuse(language: str, what: str, position: Position | None) -> NoReturn:
    raise _SyntaxError(f"invalid {language}: {what[:1].lower()}{what[1:]}", position)


def _toml_places(data: bytes) -> Places:
    from extlint.configuration.toml_places import TomlPlaces

    return TomlPlaces(data)


def _json_places(data: bytes) -> Places:
    from extlint.json_text.positions import JsonPlaces

    return JsonPlaces(data)


_Parse: TypeAlias = Callable[[str], Any]

FORMS = (
    Form("extlint.toml", (), _toml, _toml_places),
    Form(".extlint.toml", (), _toml, _toml_places),
    Form("pyproject.toml", ("tool", "extlint"), _toml, _toml_places),
    Form("package.json", ("extlint",), _json, _json_places),
)
"""The files in which configurations are found. Of those in one folder the first one counts."""
