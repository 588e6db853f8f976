"""Parsers for the values of keys: targets, rules, globs, and the tables of severities and ignored files."""

from __future__ import annotations

from collections.abc import Sequence
from glob import escape
from pathlib import Path

from extlint.finding import Severity
from extlint.linting.configuration.configuration import Configuration, PerFileIgnore
from extlint.linting.configuration.kinds import Names, OneOf, Table, comma_separated_schema
from extlint.linting.configuration.names import (
    LEVELS,
    check_name,
    load_user_schemas,
    parse_rule_names,
    parse_targets,
    severity_named,
)
from extlint.linting.configuration.usage_error import ConfigurationError, Place, UsageError
from extlint.registry import GROUPS, RULES
from extlint.schema.model import UserSchemas
from extlint.schema.targets.request import Target
from extlint_schemas import TARGETS

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
