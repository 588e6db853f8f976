"""The versions of the browsers that have each member, from browser-compat-data and chrome-types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from extlint_facts.chrome.facts import chrome_namespaces, chrome_since, undated_parts
from extlint_facts.corrections.rows import corrections
from extlint_facts.corrections.versions import correct_versions
from extlint_facts.menus import menus_by_name
from extlint_facts.packages.access import Packages
from extlint_facts.serialization import to_text
from extlint_facts.version_ranges import AT_MOST, BROWSERS, Range, Statement, statements, version_key, widest

Tree: TypeAlias = Mapping[str, Any]
Members: TypeAlias = dict[str, dict[str, Range]]

PACKAGE = "@mdn/browser-compat-data"
COMPAT = "__compat"
LEGACY = "userScripts_legacy"
"""The name in browser-compat-data of the `userScripts` of Manifest V2, which is a different API."""

NOT_NAMESPACES = frozenset({"contentScriptGlobalScope", LEGACY})


def files(packages: Packages) -> dict[str, str]:
    """Returns the files about versions, by path."""
    namespaces = chrome_namespaces(packages)
    tree = json.loads(packages.read(PACKAGE, "data.json"))["webextensions"]
    by_namespace = api_files(tree["api"], chrome_since(namespaces))
    members = {path: each for found in by_namespace.values() for path, each in found["members"].items()}
    remove_unconfirmed(members, undated_parts(namespaces))
    for browser in BROWSERS:
        correct_versions(members, browser, corrections(browser, "versions"))
    return {
        f"compat/{name}.json": to_text(content)
        for name, content in {**by_namespace, "manifest": manifest_file(tree)}.items()
    }


def api_files(api: Tree, chrome: Mapping[str, str]) -> dict[str, dict[str, Members]]:
    """Returns the content of each file, by its top-level namespace.

    `chrome` has the version of Chrome that first had a path (`tabs.query`), according to chrome-types.
    `members` has paths with the namespace (`tabs.query.queryInfo`). `members_mv2` has members that are
    different in Manifest V2.
    """
    files: dict[str, dict[str, Members]] = {}
    for name in sorted({*api, *(path.partition(".")[0] for path in chrome)} - NOT_NAMESPACES):
        files[name] = {"members": with_chrome(dict(_members(api.get(name, {}), name)), name, chrome)}
    for name, members in menus_by_name(api.get("menus", {})).items():
        files[name] = {"members": with_chrome(members, name, chrome)}
    if LEGACY in api:
        files["userScripts"]["members_mv2"] = dict(sorted(_members(api[LEGACY], "userScripts")))
    return {name: content for name, content in files.items() if content["members"]}


def manifest_file(tree: Tree) -> dict[str, Members]:
    """Returns the keys of the manifest (`background.scripts`), and the permissions by name."""
    keys = dict(tree["manifest"])
    found: dict[str, Members] = {"permissions": {}, "optional_permissions": {}}
    for key, permissions in found.items():
        listed = keys.get(key, {})
        for name, each in listed.items():
            if name != COMPAT:
                permissions.update(_members(each, name.replace("_", ".")))
        keys[key] = {COMPAT: listed[COMPAT]} if COMPAT in listed else {}
    return {"members": dict(_children(keys, "")), **found}


def with_chrome(members: Members, namespace: str, chrome: Mapping[str, str]) -> Members:
    """Returns a namespace's members, sorted, with chrome-types' Chrome versions where these are earliest."""
    found = {path: dict(ranges) for path, ranges in members.items()}
    for path, since in chrome.items():
        if path.partition(".")[0] == namespace:
            ranges = found.setdefault(path, {})
            ranges["chrome"] = _extended_back(ranges.get("chrome", False), since)
    return {path: dict(sorted(found[path].items())) for path in sorted(found) if found[path]}


def _extended_back(versions: Range, since: str) -> Range:
    """Returns a range, extended to start no later than a version if that is earlier than its start."""
    if isinstance(versions, bool):
        return [since]
    number = since.removeprefix(AT_MOST)
    is_earlier = version_key(number) < version_key(versions[0].removeprefix(AT_MOST))
    return [AT_MOST + number, *versions[1:]] if is_earlier else versions


def remove_unconfirmed(members: dict[str, dict[str, Range]], undated: Iterable[str]) -> None:
    """Removes Chrome's versions of parts of parameters that only browser-compat-data knows, in place.

    It often dates a parameter, and all of its properties, by one that was added later. Chrome's own schemas
    state the version of a property that was added to a function (`undated` are the parts without one).
    """
    for path in undated:
        known = members.get(path, {})
        function = next((members[each] for each in _paths_above(path) if each in members), {})
        part, whole = known.get("chrome"), function.get("chrome")
        if not isinstance(part, list) or not isinstance(whole, list):
            continue
        if version_key(part[0]) > version_key(whole[0]):
            del known["chrome"]


def _paths_above(path: str) -> Iterator[str]:
    """Yields a function's path given that of a part of its parameters, shortest first."""
    names = path.split(".")
    return (".".join(names[:length]) for length in range(2, len(names)))


def _members(node: Tree, path: str) -> Iterator[tuple[str, dict[str, Range]]]:
    if COMPAT in node:
        found = {
            browser: widest(_without_alternatives(statements(node[COMPAT], browser))) for browser in BROWSERS
        }
        yield path, {browser: each for browser, each in found.items() if each is not None}
    yield from _children(node, f"{path}.")


_PROPERTY = re.compile(r"\A([A-Za-z]+)_([A-Za-z]+)_parameter\Z")
"""The other name of a property of a parameter in browser-compat-data: `details_windowId_parameter`."""


def _children(node: Tree, prefix: str) -> Iterator[tuple[str, dict[str, Range]]]:
    for name in sorted(node):
        if name != COMPAT:
            yield from _members(node[name], prefix + _PROPERTY.sub(r"\1.\2", name))


def _without_alternatives(found: Iterable[Statement]) -> Iterator[Statement]:
    """Yields the statements for the name itself.

    A browser that has only an alternative name does not have this one.
    """
    for each in found:
        yield {"version_added": False} if "alternative_name" in each else each
