"""Facts that no package says, or says wrongly: rows of by_hand.json that change what was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from extlint_facts.ordering import Node

PROPERTIES = "properties"

LISTS = {
    "functions": "name",
    "events": "name",
    "types": "id",
    "parameters": "name",
    "extraParameters": "name",
}
"""Where the parts of a node are, and what each of them is called by."""

ROWS = Path(__file__).with_name("by_hand.json")


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One correction: `keys` are given to each node of `at`, and a null takes the key away.

    `properties` are given to those that are there, so that one can be added.

    A node is a namespace (`menus`), a member or type of one (`management.getSelf`), or a part of one of
    these: a function, event, parameter or property by its name (`storage.StorageArea.get`), a choice by
    its number, or `items` or `additionalProperties`. `why` says what is so; `source` says where that was
    read, and `dated` of what day or year that is.
    """

    browser: str
    at: list[str]
    keys: dict[str, Any]
    why: str
    source: str
    dated: str


class StaleRowError(Exception):
    """A row that fits nothing or changes nothing any more; the text is a sentence for people."""


def rows(browser: str, path: Path = ROWS) -> list[Row]:
    """The corrections for one browser's facts."""
    listed = msgspec.json.decode(path.read_bytes(), type=list[Row])
    return [row for row in listed if row.browser == browser]


def correct(namespaces: Iterable[Node], corrections: Iterable[Row]) -> None:
    """Makes the corrections in place. Raises StaleRowError for one that is not needed."""
    by_name = {each["namespace"]: each for each in namespaces}
    for row in corrections:
        for path in row.at:
            found = list(nodes_at(by_name, path))
            if not found:
                raise StaleRowError(f"by_hand.json: there is no {path} in {row.browser}")
            if all(_has(node, key, value) for node in found for key, value in row.keys.items()):
                raise StaleRowError(f"by_hand.json: {path} in {row.browser} is so without it")
            for node in found:
                _change(node, row.keys)


def _has(node: Node, key: str, value: Any) -> bool:
    if key == PROPERTIES and value is not None:
        there = node.get(key, {})
        return all(there.get(name) == each for name, each in value.items())
    return bool(node.get(key) == value)


def _change(node: Node, keys: Mapping[str, Any]) -> None:
    for key, value in keys.items():
        if value is None:
            node.pop(key, None)
        elif key == PROPERTIES:
            node[key] = node.get(key, {}) | value
        else:
            node[key] = value


def nodes_at(namespaces: Mapping[str, Node], path: str) -> Iterator[Node]:
    """What a dotted path names; members of one name are several."""
    if path in namespaces:
        yield namespaces[path]
        return
    scope, _, name = path.rpartition(".")
    if scope:
        for holder in nodes_at(namespaces, scope):
            yield from _parts(holder, name)


def _parts(holder: Node, name: str) -> Iterator[Node]:
    for key, label in LISTS.items():
        yield from (each for each in holder.get(key, ()) if each.get(label) == name)
    properties = holder.get(PROPERTIES, {})
    if name in properties:
        yield properties[name]
    elif name in ("items", "additionalProperties") and isinstance(holder.get(name), dict):
        yield holder[name]
    elif name.isdecimal():
        yield from holder.get("choices", [])[int(name) : int(name) + 1]
