"""The API schemas of extlint, as data, and the one module that loads them.

`reference/` holds the schemas of the reference target in the namespace dialect, `dialect.schema.json`
is a JSON Schema of that dialect, and the other files hold facts about today's browsers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

TARGETS: tuple[str, ...] = ("reference",)
"""The names of the targets, the default one first."""

_HERE = Path(__file__).parent


class BrowserMembers(Struct, frozen=True):
    """What scripts find in one namespace of one browser, and where that fact comes from.

    The members that a browser marks unsupported are not among them. `enums` are the string enum
    types, which scripts see as objects of constants, with their values; `types` are the types of
    objects that are given to scripts, with their fields.
    """

    browser: str
    namespace: str
    source: str
    functions: tuple[str, ...]
    events: tuple[str, ...]
    enums: Mapping[str, tuple[str, ...]]
    types: Mapping[str, tuple[str, ...]]

    @property
    def members(self) -> tuple[str, ...]:
        """The names of all of them."""
        return (*self.functions, *self.events, *self.enums)


@cache
def load(target: str) -> list[dict[str, Any]]:
    """The namespaces of a target in the schema dialect; the same list each time, not to be changed.

    Raises KeyError for a target that does not exist.
    """
    if target not in TARGETS:
        raise KeyError(target)
    return [namespace for path in schema_files(target) for namespace in json.loads(path.read_bytes())]


def schema_files(target: str) -> list[Path]:
    """The files of a target's schemas, in the order in which they are read."""
    return sorted((_HERE / target).glob("*.json"))


@cache
def dialect() -> dict[str, Any]:
    """The JSON Schema (draft 7) of the schema dialect: a file's list of namespaces."""
    schema: dict[str, Any] = json.loads((_HERE / "dialect.schema.json").read_bytes())
    return schema


@cache
def browser_support() -> tuple[BrowserMembers, ...]:
    """What today's browsers have of the namespaces that the reference target describes."""
    return tuple(
        BrowserMembers(
            browser=record["browser"],
            namespace=record["namespace"],
            source=record["source"],
            functions=tuple(record["functions"]),
            events=tuple(record["events"]),
            enums={name: tuple(values) for name, values in record["enums"].items()},
            types={name: tuple(fields) for name, fields in record["types"].items()},
        )
        for record in json.loads((_HERE / "browser_members.json").read_bytes())
    )


def browsers_with(namespace: str, member: str) -> tuple[str, ...]:
    """The browsers that have a member of a namespace today, sorted: `("chrome", "firefox")`."""
    return tuple(
        sorted(
            record.browser
            for record in browser_support()
            if record.namespace == namespace and member in record.members
        )
    )


def browsers_with_part(namespace: str, type_name: str, part: str) -> tuple[str, ...]:
    """The browsers, sorted, in which an object type has a field today, or a string enum a value."""
    return tuple(
        sorted(
            record.browser
            for record in browser_support()
            if record.namespace == namespace
            and part in (*record.types.get(type_name, ()), *record.enums.get(type_name, ()))
        )
    )


@cache
def _known_names(kind: str) -> frozenset[str]:
    by_browser = json.loads((_HERE / "known_names.json").read_bytes())
    return frozenset(name for names in by_browser.values() for name in names[kind])


def known_namespaces() -> frozenset[str]:
    """Every namespace that Chrome or Firefox has in any kind of extension (`tabs`, `devtools.panels`)."""
    return _known_names("namespaces")


def known_permissions() -> frozenset[str]:
    """Every permission string that Chrome or Firefox knows in any kind of extension."""
    return _known_names("permissions")
