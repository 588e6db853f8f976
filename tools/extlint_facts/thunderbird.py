"""The names in Thunderbird's API and manifest, from its types: @types/thunderbird-webext-browser.

Thunderbird is not a target: its names identify packages that are for it, and members that only Thunderbird
has. The types are of Thunderbird 127; the corrections have newer members.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from extlint_facts.corrections.rows import corrected_values
from extlint_facts.firefox.facts import files as firefox_files
from extlint_facts.packages.access import Packages
from extlint_facts.serialization import to_text

PACKAGE = "@types/thunderbird-webext-browser"
ROOT = "messenger"
MANIFEST = "_manifest"
TARGET = "thunderbird"

Names: TypeAlias = dict[str, set[str]]

_NAMESPACE = re.compile(r"( *)(?:export |declare )?namespace (\w+) \{")
_MEMBER = re.compile(r" *(?:export )?(?:function|const|let) (\w+)\b")
_EXPORT_ALIAS = re.compile(r" *export \{ (\w+) as (\w+) \};")
_INTERFACE = re.compile(r" *export interface (\w+)(?: extends \w+)? \{")
_KEY = re.compile(r" *(\w+)\??:(?: (\w+)(?: \| undefined)?;)?")
_ALIAS = re.compile(r" *export type (_?(?:Optional)?Permission\w*) =")
_STRING = re.compile(r'"([^"]+)"')


def files(packages: Packages) -> dict[str, str]:
    """Returns the file of names, by its path."""
    text = packages.read(PACKAGE, "index.d.ts")
    namespaces = members(text)
    own = {name for name in namespaces if name not in _firefox_namespaces(packages)}
    own |= corrected_values(TARGET, "namespace", "own").keys()
    newer = corrected_values(TARGET, "namespace", "members")
    for name, found in newer.items():
        namespaces.setdefault(name, set()).update(found)
    content = {
        "own": sorted(own),
        "namespaces": {
            name: sorted(found) for name, found in sorted(namespaces.items()) if name in own or name in newer
        },
        "keys": {key: sorted(found) for key, found in sorted(keys(text).items())},
        "permissions": sorted(permissions(text) | corrected_values(TARGET, "permission", "known").keys()),
    }
    return {"thunderbird/names.json": to_text(content)}


def _firefox_namespaces(packages: Packages) -> frozenset[str]:
    """Returns the namespaces that Firefox has."""
    index: Mapping[str, Any] = json.loads(firefox_files(packages)["firefox/index.json"])
    return frozenset(index["namespaces"])


def members(text: str) -> Names:
    """Returns the names of the members of each namespace."""
    found: Names = {}
    hidden: set[tuple[str, str]] = set()
    for name, line in _lines(text):
        if name == MANIFEST:
            continue
        own = found.setdefault(name, set())
        if renamed := _EXPORT_ALIAS.match(line):
            hidden.add((name, renamed[1]))
            own.add(renamed[2])
        elif member := _MEMBER.match(line):
            own.add(member[1])
    return {name: {each for each in own if (name, each) not in hidden} for name, own in found.items()}


def keys(text: str) -> Names:
    """Returns the keys of a manifest: top-level keys under an empty name, an object's keys under its own."""
    interfaces: dict[str, dict[str, str | None]] = {}
    current: dict[str, str | None] | None = None
    depth = 0
    for name, line in _lines(text):
        if name != MANIFEST:
            continue
        if interface := _INTERFACE.match(line):
            current, depth = interfaces.setdefault(interface[1], {}), len(line) - len(line.lstrip())
        elif (
            current is not None and len(line) - len(line.lstrip()) == depth + 4 and (key := _KEY.match(line))
        ):
            current[key[1]] = key[2]
    top = interfaces["WebExtensionManifest"]
    inner = {key: set(interfaces[kind]) for key, kind in top.items() if kind in interfaces}
    return {"": set(top), **inner}


def permissions(text: str) -> set[str]:
    """Returns the names of permissions."""
    found: set[str] = set()
    is_inside = False
    for name, line in _lines(text):
        is_inside = name == MANIFEST and (is_inside or _ALIAS.match(line) is not None)
        if is_inside:
            found.update(_STRING.findall(line))
            is_inside = not line.rstrip().endswith(";")
    return found


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Yields each line of the root namespace, with the name of the innermost namespace around it."""
    inside: list[tuple[int, str]] = []
    for line in text.splitlines():
        if opened := _NAMESPACE.match(line):
            inside.append((len(opened[1]), opened[2]))
        elif inside and line == " " * inside[-1][0] + "}":
            inside.pop()
        elif len(inside) > 1 and inside[0][1] == ROOT and not line.lstrip().startswith(("*", "/")):
            yield ".".join(name for _, name in inside[1:]), line
