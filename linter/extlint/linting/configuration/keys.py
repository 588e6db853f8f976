"""The keys of a configuration: a table of their meanings, parsers and defaults, also as a JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from extlint.linting.configuration.configuration import Configuration, ExtensionEntry
from extlint.linting.configuration.usage_error import Place, UsageError, check_name
from extlint.linting.configuration.values import (
    DEFINITIONS,
    EXTENDED_FILES,
    FAIL_LEVEL,
    GLOBS,
    PER_FILE_IGNORES,
    RULE_LIST,
    SCHEMA_FILES,
    SEVERITIES,
    TARGET_LIST,
    Flag,
    Kind,
    Text,
)


class Key(Struct, frozen=True):
    """A row of the table. `about` describes the key in one sentence; `default` applies if the key is not set.

    `in_entries` is true if a `[[extension]]` entry may have the key too.
    """

    name: str
    kind: Kind
    about: str
    default: str
    in_entries: bool = True

    @property
    def field(self) -> str:
        """The name of the key's field in `Configuration`."""
        return self.name.replace("-", "_")


class _Entries(Struct, frozen=True):
    """The list of `[[extension]]` entries."""

    def read(self, value: object, place: Place) -> tuple[ExtensionEntry, ...]:
        """Parses and checks a value. Raises ConfigurationError."""
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise place.mistake(f"extension must be {self.description}: write [[extension]]", at_key=True)
        return tuple(_entry(each, place.at(index)) for index, each in enumerate(value))

    @property
    def description(self) -> str:
        """The expected values, as text for messages and documentation."""
        return "a list of tables"

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the values."""
        properties = {each.name: schema_with_description(each.kind, each.about) for each in ENTRY_KEYS}
        properties |= {
            each.name: schema_with_description(each.kind, each.about)
            for each in KEYS.values()
            if each.in_entries
        }
        entry = {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
            "oneOf": [{"required": ["path"], "not": {"required": ["root"]}}, {"required": ["manifest"]}],
        }
        return {"type": "array", "items": entry}


def schema_with_description(kind: Kind, about: str) -> dict[str, Any]:
    """Returns the JSON Schema of a kind of values, with a description."""
    return {"description": about, **kind.schema}


def _entry(table: Mapping[str, object], place: Place) -> ExtensionEntry:
    own = {each.name: each for each in ENTRY_KEYS}
    values = read_table({key: value for key, value in table.items() if key not in own}, place, in_entry=True)
    which = {
        name: key.kind.read(table[name], place.at(name)) if name in table else None
        for name, key in own.items()
    }
    if which["path"] is None and which["manifest"] is None:
        raise place.mistake("an extension entry requires path or manifest")
    if which["path"] is not None and which["manifest"] is not None:
        second = max(("path", "manifest"), key=[*table].index)
        raise place.at(second).mistake(
            "an extension entry has either path or manifest, not both", at_key=True
        )
    if which["root"] is not None and which["manifest"] is None:
        raise place.at("root").mistake("root requires manifest, the file whose paths it is for", at_key=True)
    return ExtensionEntry(**which, configuration=Configuration(**values))


ENTRY_KEYS = (
    Key("path", Text(), "The extensions that the entry is about: a glob of folders and archives.", ""),
    Key("manifest", Text(), "The extensions that the entry is about: a glob of manifests.", ""),
    Key(
        "root", Text(), "The folder that the paths in the manifest are relative to.", "the manifest's folder"
    ),
)
"""The keys of a `[[extension]]` entry that select its extensions."""

_TABLE = (
    Key(
        "extends",
        EXTENDED_FILES,
        'Configurations whose values apply where this one sets none: paths such as "../extlint.base.toml", '
        'or packages of npm or Python, such as "@team/extlint-config" or "@team/extlint-config/strict.toml".',
        "none",
        in_entries=False,
    ),
    Key(
        "target",
        TARGET_LIST,
        'The browsers to check for, such as "firefox" or "chrome>=120".',
        "the browsers that the extension is made for",
    ),
    Key(
        "schemas",
        SCHEMA_FILES,
        "Globs of files with schemas of your own APIs, relative to the folder of the configuration.",
        "none",
    ),
    Key("select", RULE_LIST, "The rules to run, or groups of rules.", "all rules"),
    Key("ignore", RULE_LIST, "Rules or groups that do not run.", "none"),
    Key("extend-select", RULE_LIST, "Rules or groups that run in addition.", "none"),
    Key(
        "severity",
        SEVERITIES,
        "Severities of rules or groups, in place of their own.",
        "the severities of the rules",
    ),
    Key(
        "per-file-ignores",
        PER_FILE_IGNORES,
        "Rules or groups to ignore in some files: the key is a glob relative to the extension's root, which "
        'a JSON pointer may follow, as in "manifest.json#/permissions/3".',
        "none",
    ),
    Key(
        "fail-level",
        FAIL_LEVEL,
        "The lowest severity that sets the exit status to 1.",
        "error",
    ),
    Key(
        "baseline",
        Text(),
        "A file with known findings, which are not reported, relative to the folder of the configuration.",
        "none",
        in_entries=False,
    ),
    Key(
        "exclude",
        GLOBS,
        "Extensions, and files of extensions, to leave out: globs in the syntax of .gitignore, relative to "
        "the folder of the configuration.",
        "none",
        in_entries=False,
    ),
    Key(
        "gitignore", Flag(), "Whether to leave out the extensions that Git ignores.", "true", in_entries=False
    ),
    Key(
        "extension",
        _Entries(),
        "Extensions of the project, and keys that are for each of them only.",
        "the extensions that are found",
        in_entries=False,
    ),
)

KEYS = {each.name: each for each in _TABLE}
"""The keys by name, in the order in which they are listed."""

RUN_OPTIONS = frozenset(
    (
        "add-ignores",
        "changed-since",
        "color",
        "config",
        "diff",
        "fix",
        "jobs",
        "no-cache",
        "output-file",
        "output-format",
        "quiet",
        "skip-foreign-files",
        "statistics",
        "stdin-filename",
        "unsafe-fixes",
    )
)
"""Options of `check` that configure a run, which may check the extensions of several configurations."""

_HINTS = {
    "rules": "severity is for severities, and select and ignore are for which rules run",
    "tool": "[tool.extlint] is for pyproject.toml; write its keys without a table here",
    "extlint": "write its keys without it",
}
"""Hints for keys that belong to other tools or to other configuration files."""


def read_table(table: object, place: Place, *, in_entry: bool = False) -> dict[str, Any]:
    """Returns the values that a table sets, by the fields of `Configuration`. Raises ConfigurationError."""
    if not isinstance(table, dict):
        raise place.mistake("the configuration must be a table of keys")
    known = [key for key in KEYS.values() if key.in_entries or not in_entry]
    names = [key.name for key in known]
    if in_entry:
        names = [*(key.name for key in ENTRY_KEYS), *names]
    values: dict[str, Any] = {}
    for name, value in table.items():
        where = place.at(name)
        if name in RUN_OPTIONS:
            raise where.mistake(
                f"{name} is about a run, not about an extension: use the option --{name}", at_key=True
            )
        if name in _HINTS:
            raise where.mistake(f"no such key: {name}; {_HINTS[name]}", at_key=True)
        if in_entry and name in KEYS and name not in names:
            raise where.mistake(
                f"{name} is for the whole project: write it above the [[extension]] entries", at_key=True
            )
        try:
            check_name("key", name, names)
        except UsageError as error:
            raise where.mistake(str(error), at_key=True) from None
        values[KEYS[name].field] = KEYS[name].kind.read(value, where)
    return values


def configuration_schema() -> dict[str, Any]:
    """Returns the JSON Schema, in draft 7, which most editors know."""
    properties = {
        key.name: schema_with_description(key.kind, f"{key.about} Default: {key.default}.")
        for key in KEYS.values()
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "extlint",
        "description": "How extlint checks the browser extensions of a project.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "definitions": DEFINITIONS,
    }
