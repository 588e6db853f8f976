"""The API schemas of extlint, as data, and the one module that loads them.

`reference/` holds the schemas of the reference target in the namespace dialect, `dialect.schema.json`
is a JSON Schema of that dialect, and the other files hold facts about today's browsers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.json import decode

TARGETS: tuple[str, ...] = ("reference", "firefox", "chrome", "firefox_android", "edge", "safari")
"""The names of the targets, the default one first."""

Parts: TypeAlias = list[dict[str, Any]]
"""Namespaces, or parts of them, in the schema dialect. Not to be changed."""

INDEX = "index.json"
"""The file of a browser's folder that tells which file holds which namespace."""

JSON_SCHEMAS = ("manifests", "messages", "request_rules")
"""The folders of JSON Schemas of what extensions contain."""

_HERE = os.path.dirname(__file__)

_BASE = b'"base"'
"""What the stored text has of a JSON Schema that is made of another one."""

WEB_GLOBALS = os.path.join(_HERE, "web_globals.json")
"""The file of `web_globals`."""

PERMISSION_PROMPTS = os.path.join(_HERE, "permission_prompts.json")
"""The file of `permission_prompts`."""


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
def load(target: str) -> Parts:
    """All namespaces of a target; the same list each time.

    Raises KeyError for a target that does not exist.
    """
    if target not in TARGETS:
        raise KeyError(target)
    return [part for path in schema_files(target) for part in _parts(path)]


@cache
def stored(browser: str) -> Mapping[str, Callable[[], Parts]]:
    """The namespaces of a browser by name, each with what reads it: a file is read when it is needed."""
    index = decode(_read(f"{browser}/{INDEX}"))
    return {name: partial(_parts_of, f"{browser}/{file}", name) for name, file in index["namespaces"].items()}


def _parts_of(file: str, namespace: str) -> Parts:
    return [part for part in _parts(os.path.join(_HERE, file)) if part["namespace"] == namespace]


@cache
def _parts(path: str) -> Parts:
    content = decode(_read(path))
    parts: Parts = content if isinstance(content, list) else content["namespaces"]
    return parts


def schema_files(target: str) -> list[str]:
    """The files of a target's schemas, in the order in which they are read; none if it has no own ones."""
    return [path for path in _json_files(target) if not path.endswith(INDEX)]


def _json_files(folder: str) -> list[str]:
    """The paths of the JSON files in a folder of this package, sorted; none if there is no such folder."""
    place = os.path.join(_HERE, folder)
    names = os.listdir(place) if os.path.isdir(place) else ()
    return [os.path.join(place, name) for name in sorted(names) if name.endswith(".json")]


def _read(file: str) -> bytes:
    """The bytes of a file of this package, by its path, which may begin in this folder."""
    with open(os.path.join(_HERE, file), "rb") as stream:
        return stream.read()


@cache
def dialect() -> dict[str, Any]:
    """The JSON Schema (draft 7) of the schema dialect: a file's list of namespaces."""
    schema: dict[str, Any] = decode(_read("dialect.schema.json"))
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
        for record in decode(_read("browser_members.json"))
    )


class LackingGlobals(Struct, frozen=True):
    """The globals of the Web platform that one kind of context lacks, and another kind has.

    `missing` are not there, and `empty` are null. `navigator.x` and `URL.x` are members.
    """

    missing: frozenset[str]
    empty: frozenset[str]


@cache
def web_globals(browser: str) -> Mapping[str, LackingGlobals]:
    """What each kind of context lacks in a browser, `firefox` or `chrome`.

    As Firefox 153 and Chromium 156 answer; `extlint_judge globals` asks again. Raises KeyError for others.
    """
    return {kind: _lacking(names) for kind, names in _web_globals()[browser].items()}


@cache
def globals_lacking_in(browser: str, kind: str) -> LackingGlobals | None:
    """What one kind of context lacks in a browser; None if nothing is recorded of that kind."""
    names = _web_globals()[browser].get(kind)
    return None if names is None else _lacking(names)


@cache
def globals_lacking_outside(kinds: frozenset[str]) -> frozenset[str]:
    """The globals that any context of a browser lacks whose kind is none of these."""
    return frozenset().union(
        *(
            text.split()
            for found in _web_globals().values()
            for kind, names in found.items()
            if kind not in kinds
            for text in names.values()
        )
    )


@cache
def words_of_lacking_globals() -> frozenset[bytes]:
    """The words in the names of the globals that any context of a browser lacks."""
    kinds = (names for found in _web_globals().values() for names in found.values())
    return frozenset(
        " ".join(text for each in kinds for text in each.values()).replace(".", " ").encode().split()
    )


def _lacking(names: Mapping[str, str]) -> LackingGlobals:
    return LackingGlobals(frozenset(names["missing"].split()), frozenset(names["empty"].split()))


@cache
def _web_globals() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    found: Mapping[str, Mapping[str, Mapping[str, str]]] = decode(_read(WEB_GLOBALS))
    return found


class PermissionPrompts(Struct, frozen=True):
    """What a browser asks the user about when an extension is installed.

    `groups` are the permissions about which it asks the same, by the first of them; `https://example.com/*`
    stands for a single site. `covered` has, for the first of a group, those beside which it is not asked
    about: whoever grants one of them grants it too.
    """

    groups: Mapping[str, tuple[str, ...]]
    covered: Mapping[str, tuple[str, ...]]


@cache
def permission_prompts(browser: str) -> PermissionPrompts:
    """What a browser, `firefox` or `chrome`, asks the user about.

    As Firefox 153 and Chromium 156 answer; `extlint_judge permission-prompts` asks again. Raises KeyError for
    others.
    """
    found: Mapping[str, Mapping[str, str]] = decode(_read(PERMISSION_PROMPTS))[browser]
    groups, covered = (
        {name: tuple(names.split()) for name, names in found[what].items()} for what in ("groups", "covered")
    )
    return PermissionPrompts(groups, covered)


class ThunderbirdNames(Struct, frozen=True):
    """The names of Thunderbird's API and manifest, which no target stands for.

    `own` are the namespaces that it implements itself, whatever browsers have of that name, and
    `namespaces` the members of those, and what it adds to others. `keys` are those of the manifest: at its
    top under an empty name, and inside of a key under that. The types of Thunderbird 127 have them, and its
    documentation what is newer.
    """

    own: frozenset[str]
    namespaces: Mapping[str, tuple[str, ...]]
    keys: Mapping[str, frozenset[str]]
    permissions: frozenset[str]


@cache
def thunderbird_names() -> ThunderbirdNames:
    """The names that Thunderbird has."""
    found: ThunderbirdNames = decode(_read("thunderbird/names.json"), type=ThunderbirdNames)
    return found


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
def known_namespaces(browser: str | None = None) -> frozenset[str]:
    """Every namespace that Chrome or Firefox, or one of them, has in any kind of extension or app."""
    by_browser = decode(_read("known_names.json"))
    wanted = [names for name, names in by_browser.items() if browser in (None, name)]
    return frozenset(name for names in wanted for name in names["namespaces"])


@cache
def needing() -> Mapping[str, frozenset[tuple[str, ...]]]:
    """For each permission the paths of what may need it in Firefox or Chrome: `("downloads", "open")`.

    A namespace stands for all that is in it.
    """
    found: dict[str, frozenset[tuple[str, ...]]] = {}
    for browser in ("firefox", "chrome"):
        index = decode(_read(f"{browser}/{INDEX}"))
        for name, paths in index["needing"].items():
            found[name] = found.get(name, frozenset()).union(tuple(path.split(".")) for path in paths)
    return found


@cache
def _successors() -> Mapping[str, str]:
    found: Mapping[str, str] = decode(_read("successors.json"))
    return found


def successor(name: str) -> str | None:
    """What does the work of a member, or of its namespace, that is deprecated or of manifest version 2 alone.

    From the browsers' own guides for the move to manifest version 3, and what Chrome's documentation says of
    deprecated members, as of 2026.
    """
    return own_successor(name) or _successors().get(name.partition(".")[0])


def own_successor(name: str) -> str | None:
    """What does the work of a member, whatever becomes of the other members of its namespace."""
    return _successors().get(name)


@cache
def support(namespace: str, manifest_version: int = 3) -> Mapping[str, Mapping[str, list[str] | bool]]:
    """Since when each browser has the members of a top-level namespace; empty if nothing is known.

    By the member's full name and then the browser: `[added]`, `[added, removed]` as versions, or false.
    """
    try:
        data = _read(f"compat/{namespace}.json")
    except (OSError, ValueError):
        return {}
    content = decode(data)
    found: Mapping[str, Mapping[str, list[str] | bool]] = content["members"]
    return content.get("members_mv2", found) if manifest_version == 2 else found


@cache
def json_schema(name: str) -> dict[str, Any]:
    """A JSON Schema (draft 7) by its folder and name, `manifests/firefox_3`. Not to be changed.

    That of an edition of a browser is the schema of that browser, changed by a JSON Merge Patch.
    Raises FileNotFoundError for a name that no schema has.
    """
    stored = _stored_json_schema(name)
    if "base" not in stored:
        return stored
    base = json_schema(stored["base"])
    from extlint_schemas.merge_patch import merge_patch

    return merge_patch(base, stored["patch"]) if "patch" in stored else base


def schema_name(name: str) -> str:
    """The name of a JSON Schema, or of the one that it is by another name.

    `manifests/edge_3` is `manifests/chrome_3`. Raises FileNotFoundError for a name that no schema has.
    """
    if _BASE not in _json_schema_text(name):
        return name
    stored = _stored_json_schema(name)
    return stored["base"] if "base" in stored and "patch" not in stored else name


def json_schema_texts(name: str) -> tuple[bytes, ...]:
    """The stored texts that a JSON Schema is made of: its own, and that of the schema which it changes.

    Raises FileNotFoundError for a name that no schema has.
    """
    text = _json_schema_text(name)
    base = _stored_json_schema(name).get("base") if _BASE in text else None
    return (text,) if base is None else (text, *json_schema_texts(base))


def json_schema_names() -> tuple[str, ...]:
    """The names of all JSON Schemas, sorted."""
    return tuple(
        sorted(
            f"{folder}/{os.path.basename(path).removesuffix('.json')}"
            for folder in JSON_SCHEMAS
            for path in _json_files(folder)
        )
    )


@cache
def _stored_json_schema(name: str) -> dict[str, Any]:
    content: dict[str, Any] = decode(_json_schema_text(name))
    return content


@cache
def _json_schema_text(name: str) -> bytes:
    return _read(f"{name}.json")
