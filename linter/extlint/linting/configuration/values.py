"""The values of keys: how each kind is parsed and checked, and its JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from glob import escape
from pathlib import Path
from typing import Any, ClassVar, Protocol

from msgspec import Struct

from extlint.finding import Severity
from extlint.linting.configuration.configuration import Configuration, PerFileIgnore
from extlint.linting.configuration.usage_error import (
    LEVELS,
    ConfigurationError,
    Place,
    UsageError,
    check_name,
    load_user_schemas,
    parse_rule_names,
    parse_targets,
    severity_named,
)
from extlint.registry import GROUPS, RULES
from extlint.schema.model import UserSchemas
from extlint.schema.targets import Target
from extlint.text.wording import listed
from extlint_schemas import TARGETS


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


RULE_NAMES = (*RULES, *GROUPS)


def _targets(texts: Sequence[str], _folder: str) -> tuple[Target, ...]:
    return parse_targets(texts)


def _rules(texts: Sequence[str], _folder: str) -> tuple[str, ...]:
    return parse_rule_names(texts)


def _extends(texts: Sequence[str], _folder: str) -> tuple[str, ...]:
    if not all(each.strip() for each in texts):
        raise UsageError("extends is empty")
    return tuple(texts)


def _schemas(texts: Sequence[str], folder: str) -> UserSchemas | None:
    patterns = [Path(escape(folder), each).as_posix() for each in texts]
    return load_user_schemas(patterns) if patterns else None


def _globs(texts: Sequence[str], _folder: str) -> tuple[str, ...]:
    from pathspec import GitIgnoreSpec

    for each in texts:
        try:
            GitIgnoreSpec.from_lines([each])
        except ValueError:
            raise UsageError(f"not a glob: {each}") from None
    return tuple(dict.fromkeys(each for each in texts if each.strip()))


def _severity(rule: str, level: object, place: Place) -> tuple[str, Severity]:
    misplaced = _misplaced_key_error(rule, "severity", place)
    if misplaced is not None:
        raise misplaced
    _check_rule(rule, place)
    if level in ("off", "ignore", "none", False):
        raise place.mistake(
            f'a severity must be error, warning or info; for no findings, write ignore = "{rule}"'
        )
    return rule, _LEVEL.read(level, place)


def _misplaced_key_error(name: str, table: str, place: Place) -> ConfigurationError | None:
    """Returns the error for a project-wide key inside a table: in TOML, keys after its head belong to it."""
    if name.replace("-", "_") not in Configuration.__struct_fields__:
        return None
    return place.mistake(f"{name} is in the table {table}: write it above [{table}]", at_key=True)


def _check_rule(rule: str, place: Place) -> None:
    try:
        check_name("rule", rule, RULE_NAMES)
    except UsageError as error:
        raise place.mistake(str(error), at_key=True) from None


def _per_file_ignore(pattern: str, rules: object, place: Place) -> PerFileIgnore:
    glob, mark, pointer = pattern.partition("#")
    if not glob.strip():
        raise place.mistake("per-file-ignores requires a glob before the #", at_key=True)
    if pointer and not pointer.startswith("/"):
        raise place.mistake(f"a JSON pointer begins with /: {glob}#/{pointer}", at_key=True)
    try:
        _globs([glob], place.folder)
    except UsageError as error:
        raise place.mistake(str(error), at_key=True) from None
    steps = tuple(each.replace("~1", "/").replace("~0", "~") for each in pointer.split("/")[1:])
    try:
        names = RULE_LIST.read(rules, place)
    except ConfigurationError as error:
        raise _misplaced_key_error(pattern, "per-file-ignores", place) or error from None
    return PerFileIgnore(pattern, glob, steps if mark else None, names)


_LEVEL = OneOf("severity", LEVELS, severity_named)

FAIL_LEVEL = OneOf("fail level", LEVELS)
TARGET_LIST = Names(_targets, {"$ref": "#/definitions/targets"})
EXTENDED_FILES = Names(_extends, {"type": "string", "pattern": r"\S"})
SCHEMA_FILES = Names(_schemas, {"type": "string"})
RULE_LIST = Names(_rules, {"$ref": "#/definitions/rules"})
GLOBS = Names(_globs, {"type": "string"})
SEVERITIES = Table(
    "from rules or groups to severities",
    _severity,
    dict,
    {
        "properties": {name: {"$ref": "#/definitions/severity"} for name in RULE_NAMES},
        "additionalProperties": False,
    },
)
PER_FILE_IGNORES = Table(
    "from globs to rules",
    _per_file_ignore,
    tuple,
    {
        "propertyNames": {"pattern": r"^[^#]*[^#\s][^#]*(?:#(?:/.*)?)?$"},
        "additionalProperties": RULE_LIST.schema,
    },
)

DEFINITIONS = {
    "rule": {"enum": list(RULE_NAMES)},
    "severity": _LEVEL.schema,
    "rules": comma_separated_schema(RULE_NAMES, {"$ref": "#/definitions/rule"}),
    "targets": comma_separated_schema(
        TARGETS, {"enum": list(TARGETS)}, r"\s*(?:>=\s*\d+(?:\.\d+)*)?\s*(?:<=\s*\d+(?:\.\d+)*)?"
    ),
}
"""Parts of the JSON Schema that several keys share."""
