"""The kinds of values that keys accept: how each is parsed and checked, and its JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from msgspec import Struct

from extlint.linting.configuration.names import check_name
from extlint.linting.configuration.usage_error import Place, UsageError
from extlint.text.wording import listed


class Kind(Protocol):
    """A kind of values."""

    def read(self, value: object, place: Place) -> Any:
        """Parses and checks a value. Raises ConfigurationError."""
        ...

    @property
    def description(self) -> str:
        """The expected values, as text for messages and documentation."""
        ...

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the values."""
        ...


class Flag(Struct, frozen=True):
    """True or false."""

    description: ClassVar[str] = "true or false"
    schema: ClassVar[dict[str, Any]] = {"type": "boolean"}

    def read(self, value: object, place: Place) -> bool:
        """Parses and checks a value. Raises ConfigurationError."""
        if not isinstance(value, bool):
            raise place.mistake(f"{place.key} must be {self.description}")
        return value


class Text(Struct, frozen=True):
    """A non-empty string."""

    description: ClassVar[str] = "a string"
    schema: ClassVar[dict[str, Any]] = {"type": "string", "pattern": r"\S"}

    def read(self, value: object, place: Place) -> str:
        """Parses and checks a value. Raises ConfigurationError."""
        if not isinstance(value, str):
            raise place.mistake(f"{place.key} must be {self.description}")
        if not value.strip():
            raise place.mistake(f"{place.key} is empty")
        return value


class OneOf(Struct, frozen=True):
    """One of a few names. `noun` describes the names in messages; `convert` converts a name to its value."""

    noun: str
    names: tuple[str, ...]
    convert: Callable[[str], Any] = str

    def read(self, value: object, place: Place) -> Any:
        """Parses and checks a value. Raises ConfigurationError."""
        if not isinstance(value, str):
            raise place.mistake(f"{place.key} must be {self.description}")
        try:
            check_name(self.noun, value, self.names)
        except UsageError as error:
            raise place.mistake(str(error)) from None
        return self.convert(value)

    @property
    def description(self) -> str:
        """The expected values, as text for messages and documentation."""
        return listed(self.names, "or")

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the values."""
        return {"enum": list(self.names)}


class Names(Struct, frozen=True):
    """A string or a list of strings, which `parse` parses, given the folder of the configuration file.

    `parse` raises UsageError for invalid strings. `item` is the JSON Schema of each string.
    """

    parse: Callable[[Sequence[str], str], Any]
    item: Mapping[str, Any]

    def read(self, value: object, place: Place) -> Any:
        """Parses and checks a value. Raises ConfigurationError."""
        texts: list[Any] = value if isinstance(value, list) else [value]
        for index, each in enumerate(texts):
            if not isinstance(each, str):
                where = place.at(index) if isinstance(value, list) else place
                raise where.mistake(f"{place.key} must be {self.description}")
        try:
            return self.parse(texts, place.folder)
        except UsageError as error:
            raise self._located_error(texts, isinstance(value, list), place, error) from None

    def _located_error(
        self, texts: Sequence[str], is_list: bool, place: Place, error: UsageError
    ) -> Exception:
        """Returns the error at the first string, and the first name in it, that is invalid on its own."""
        for index, text in enumerate(texts):
            for part in text.split(","):
                try:
                    self.parse([part], place.folder)
                except UsageError as own:
                    where = place.at(index) if is_list else place
                    return where.mistake(str(own), part=part.strip())
        return place.mistake(str(error))

    @property
    def description(self) -> str:
        """The expected values, as text for messages and documentation."""
        return "a string or a list of strings"

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the values."""
        return {"anyOf": [dict(self.item), {"type": "array", "items": dict(self.item)}]}


class Table(Struct, frozen=True):
    """A table. `parse_entry` parses a key, its value and the value's location; `combine` combines them."""

    about: str
    parse_entry: Callable[[str, object, Place], Any]
    combine: Callable[[Sequence[Any]], Any]
    entries: Mapping[str, Any]

    def read(self, value: object, place: Place) -> Any:
        """Parses and checks a value. Raises ConfigurationError."""
        if not isinstance(value, dict):
            raise place.mistake(f"{place.key} must be {self.description}")
        return self.combine([self.parse_entry(key, each, place.at(key)) for key, each in value.items()])

    @property
    def description(self) -> str:
        """The expected values, as text for messages and documentation."""
        return f"a table {self.about}"

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the values."""
        return {"type": "object", **self.entries}


def comma_separated_schema(
    names: Sequence[str], only_one: dict[str, Any], after_each: str = ""
) -> dict[str, Any]:
    """Returns the JSON Schema of a string that contains any of these names, separated by commas.

    `only_one` is the schema of a single name, which editors suggest; `after_each` is a regular expression for
    the text that may follow a name.
    """
    one = "|".join(re.escape(name).replace(r"\-", "-") for name in names)
    pattern = rf"^[\s,]*(?:(?:{one}){after_each}\s*(?:,[\s,]*|$))*$"
    return {"anyOf": [only_one, {"type": "string", "pattern": pattern}]}
