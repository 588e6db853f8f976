"""The API schemas of extlint, as data, and the one module that loads them.

`reference/` contains the schemas of the reference target in the namespace dialect, `dialect.schema.json`
is a JSON Schema of that dialect, and the other files contain facts about today's browsers.
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
"""Namespaces, or parts of them, in the schema dialect. Must not be modified."""

INDEX = "index.json"
"""The file in a browser's folder that maps namespaces to their files."""

JSON_SCHEMAS = ("manifests", "messages", "request_rules")
"""The folders of JSON Schemas for the files of extensions."""

_HERE = os.path.dirname(__file__)

_BASE_MARK = b'"base"'
"""The text that occurs in a stored JSON Schema that is derived from another."""

KNOWN_GLOBALS = os.path.join(_HERE, "known_globals.json")
"""The file of `known_globals`."""

WEB_GLOBALS = os.path.join(_HERE, "web_globals.json")
"""The file of `web_globals`."""

SECURE_GLOBALS = os.path.join(_HERE, "secure_globals.json")
"""The file of `secure_globals`."""

PERMISSION_PROMPTS = os.path.join(_HERE, "permission_prompts.json")
"""The file of `permission_prompts`."""


class BrowserMembers(Struct, frozen=True):
    """The members of one namespace that scripts find in one browser, and the source of that fact.

    Members that a browser marks as unsupported are excluded. `enums` are the string enum
    types, which scripts see as objects of constants, with their values; `types` are the types of
    objects that are passed to scripts, with their fields.
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
        """The names of all members."""
        return (*self.functions, *self.events, *self.enums)


@cache
def load(target: str) -> Parts:
    """Returns all namespaces of a target; the same list each time.

    Raises KeyError if the target does not exist.
    """
    if target not in TARGETS:
        raise KeyError(target)
    return [part for path in schema_files(target) for part in _parts(path)]


@cache
def namespace_loaders(browser: str) -> Mapping[str, Callable[[], Parts]]:
    """Returns a browser's namespaces by name, each with its loader: a file is only read when required."""
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
    """Returns the files of a target's schemas, in the order in which they are read.

    Returns an empty list without own schemas.
    """
    return [path for path in _json_files(target) if not path.endswith(INDEX)]


def _json_files(folder: str) -> list[str]:
    """Returns the paths of the JSON files in a folder of this package, sorted.

    Returns an empty list without such a folder.
    """
    place = os.path.join(_HERE, folder)
    names = os.listdir(place) if os.path.isdir(place) else ()
    return [os.path.join(place, name) for name in sorted(names) if name.endswith(".json")]


def _read(file: str) -> bytes:
    """Returns the bytes of a file of this package, by an absolute path or one relative to this folder."""
    with open(os.path.join(_HERE, file), "rb") as stream:
        return stream.read()


@cache
def versions_of_facts() -> Mapping[str, str]:
    """Returns the versions of the browsers and packages that the facts come from, by name, sorted."""
    sources = _sources()
    packages = {each["package"]: each["version"] for each in sources["packages"]}
    browsers = {each["browser"]: each["version"] for each in sources["browsers"]}
    return dict(sorted({**packages, **browsers}.items()))


def date_of_facts() -> str:
    """Returns the day on which the facts were last renewed: `2026-11-22`."""
    date: str = _sources()["date"]
    return date


@cache
def _sources() -> Mapping[str, Any]:
    found: Mapping[str, Any] = decode(_read("sources.json"))
    return found


@cache
def dialect() -> dict[str, Any]:
    """The JSON Schema (draft 7) of the schema dialect: a file's list of namespaces."""
    schema: dict[str, Any] = decode(_read("dialect.schema.json"))
    return schema


@cache
def browser_support() -> tuple[BrowserMembers, ...]:
    """The members that today's browsers have of the namespaces that the reference target describes."""
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


class AbsentGlobals(Struct, frozen=True):
    """The globals of the Web platform that one kind of context does not have, and another kind has.

    `missing` do not exist, and `empty` are null. The functions of those that are `failing` always fail.
    `navigator.x` and `URL.x` are members.
    """

    missing: frozenset[str]
    empty: frozenset[str]
    failing: frozenset[str] = frozenset()


@cache
def web_globals(browser: str) -> Mapping[str, AbsentGlobals]:
    """Returns the globals that each kind of context does not have in a browser, `firefox` or `chrome`.

    Verified in Firefox 153 and Chromium 156; `extlint_judge globals` repeats the test. Raises KeyError for
    other browsers.
    """
    return {kind: _absent_globals(names) for kind, names in _web_globals()[browser].items()}


@cache
def known_globals(browser: str) -> frozenset[str]:
    """Returns the globals that any kind of context has in a browser, `firefox` or `chrome`.

    Recorded from Firefox 153 and Chromium 156 by `extlint_judge all-globals`. Raises KeyError for others.
    """
    found: Mapping[str, Mapping[str, str]] = decode(_read(KNOWN_GLOBALS))
    return frozenset(found[browser]["globals"].split())


@cache
def secure_globals(browser: str) -> frozenset[str]:
    """Returns the globals that content scripts do not have in pages of `http:` in a browser.

    They are named as in `web_globals`. Recorded from Firefox 153 and Chromium 156 by
    `extlint_judge secure-globals`. Raises KeyError for other browsers.
    """
    found: Mapping[str, Mapping[str, str]] = decode(_read(SECURE_GLOBALS))
    return frozenset(found[browser]["globals"].split())


@cache
def globals_absent_in(browser: str, kind: str) -> AbsentGlobals | None:
    """Returns the globals that one kind of context does not have in a browser.

    Returns None if the kind is not recorded.
    """
    names = _web_globals()[browser].get(kind)
    return None if names is None else _absent_globals(names)


@cache
def globals_absent_outside(kinds: frozenset[str]) -> frozenset[str]:
    """Returns the globals that are absent in any context of a browser other than these kinds."""
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
def words_of_absent_globals() -> frozenset[bytes]:
    """The words in the names of the globals that are absent in any context of a browser."""
    names = globals_absent_outside(frozenset())
    return frozenset(" ".join(names).replace(".", " ").encode().split())


@cache
def absent_members() -> frozenset[str]:
    """The members of globals, such as `navigator.usb`, that are absent in any context of a browser."""
    return frozenset(each for each in globals_absent_outside(frozenset()) if "." in each)


def _absent_globals(names: Mapping[str, str]) -> AbsentGlobals:
    return AbsentGlobals(
        frozenset(names["missing"].split()),
        frozenset(names["empty"].split()),
        frozenset(names.get("failing", "").split()),
    )


@cache
def _web_globals() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    found: Mapping[str, Mapping[str, Mapping[str, str]]] = decode(_read(WEB_GLOBALS))
    return found


class PermissionPrompts(Struct, frozen=True):
    """The permission prompts of a browser when an extension is installed.

    `groups` are the permissions with the same prompt, by the first of them; `https://example.com/*` stands
    for a single site. `covered` maps the first permission of a group to those that suppress its prompt,
    because granting one of them grants it too.
    """

    groups: Mapping[str, tuple[str, ...]]
    covered: Mapping[str, tuple[str, ...]]


@cache
def permission_prompts(browser: str) -> PermissionPrompts:
    """Returns the permission prompts of a browser, `firefox` or `chrome`.

    Verified in Firefox 153 and Chromium 156; `extlint_judge permission-prompts` repeats the test. Raises
    KeyError for other browsers.
    """
    found: Mapping[str, Mapping[str, str]] = decode(_read(PERMISSION_PROMPTS))[browser]
    groups, covered = (
        {name: tuple(names.split()) for name, names in found[what].items()} for what in ("groups", "covered")
    )
    return PermissionPrompts(groups, covered)


class ThunderbirdNames(Struct, frozen=True):
    """The names of Thunderbird's API and manifest, which no target represents.

    `own` are the namespaces that it implements itself, even if browsers have one of that name, and
    `namespaces` the members of those, and its additions to others. `keys` are those of the manifest: the
    top-level ones under an empty name, and nested ones under the name of their parent. They come from the
    types of Thunderbird 127, and newer ones from its documentation.
    """

    own: frozenset[str]
    namespaces: Mapping[str, tuple[str, ...]]
    keys: Mapping[str, frozenset[str]]
    permissions: frozenset[str]


@cache
def thunderbird_names() -> ThunderbirdNames:
    """The names of Thunderbird's API and manifest."""
    found: ThunderbirdNames = decode(_read("thunderbird/names.json"), type=ThunderbirdNames)
    return found


def browsers_with(namespace: str, member: str) -> tuple[str, ...]:
    """Returns the browsers that have a member of a namespace today, sorted: `("chrome", "firefox")`."""
    return tuple(
        sorted(
            record.browser
            for record in browser_support()
            if record.namespace == namespace and member in record.members
        )
    )


def browsers_with_part(namespace: str, type_name: str, part: str) -> tuple[str, ...]:
    """Returns the browsers, sorted, in which an object type has a field today, or a string enum a value."""
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
    """Returns every namespace that Chrome or Firefox, or one of them, has in any kind of extension or app."""
    by_browser = decode(_read("known_names.json"))
    selected = [names for name, names in by_browser.items() if browser in (None, name)]
    return frozenset(name for names in selected for name in names["namespaces"])


@cache
def paths_by_permission() -> Mapping[str, frozenset[tuple[str, ...]]]:
    """The paths of the members that may require each permission in Firefox or Chrome.

    A path such as `("downloads", "open")`; a namespace stands for all of its members.
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
    """Returns the replacement of a member, or its namespace, that is deprecated or only in Manifest V2.

    The sources are the browsers' own guides for the migration to Manifest V3, and Chrome's documentation of
    deprecated members, as of 2026.
    """
    return own_successor(name) or _successors().get(name.partition(".")[0])


def own_successor(name: str) -> str | None:
    """Returns the replacement of a member, ignoring replacements of its namespace."""
    return _successors().get(name)


@cache
def support(namespace: str, manifest_version: int = 3) -> Mapping[str, Mapping[str, list[str] | bool]]:
    """Returns the versions since which each browser has a top-level namespace's members, empty if unknown.

    The keys are the member's full name and then the browser; the values are `[added]`, `[added, removed]` as
    versions, or false.
    """
    try:
        data = _read(f"compat/{namespace}.json")
    except (OSError, ValueError):
        return {}
    content = decode(data)
    found: Mapping[str, Mapping[str, list[str] | bool]] = content["members"]
    return content.get("members_mv2", found) if manifest_version == 2 else found


@cache
def release_gaps(browser: str) -> tuple[tuple[str, str], ...]:
    """Returns the versions that a browser skipped: the first of each gap, and the release after it."""
    found: Mapping[str, list[tuple[str, str]]] = _releases()["gaps"]
    return tuple((first, after) for first, after in found.get(browser, ()))


def newest_releases() -> Mapping[str, str]:
    """Returns the newest major version of each browser that was released or planned."""
    found: Mapping[str, str] = _releases()["newest"]
    return found


@cache
def _releases() -> Mapping[str, Any]:
    found: Mapping[str, Any] = decode(_read("releases/releases.json"))
    return found


@cache
def json_schema(name: str) -> dict[str, Any]:
    """Returns a JSON Schema (draft 7) by its folder and name, `manifests/firefox_3`. Must not be modified.

    The schema of a browser's edition is that of the browser, changed by a JSON Merge Patch.
    Raises FileNotFoundError if no schema has the name.
    """
    stored = _stored_json_schema(name)
    if "base" not in stored:
        return stored
    base = json_schema(stored["base"])
    from extlint_schemas.merge_patch import merge_patch

    return merge_patch(base, stored["patch"]) if "patch" in stored else base


def schema_name(name: str) -> str:
    """Returns the name of a JSON Schema, or of the schema that it is an alias of.

    `manifests/edge_3` is `manifests/chrome_3`. Raises FileNotFoundError if no schema has the name.
    """
    if _BASE_MARK not in _json_schema_text(name):
        return name
    stored = _stored_json_schema(name)
    return stored["base"] if "base" in stored and "patch" not in stored else name


def json_schema_texts(name: str) -> tuple[bytes, ...]:
    """Returns the stored texts of a JSON Schema: its own, and that of the schema that it changes.

    Raises FileNotFoundError if no schema has the name.
    """
    text = _json_schema_text(name)
    base = _stored_json_schema(name).get("base") if _BASE_MARK in text else None
    return (text,) if base is None else (text, *json_schema_texts(base))


def json_schema_names() -> tuple[str, ...]:
    """Returns the names of all JSON Schemas, sorted."""
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
