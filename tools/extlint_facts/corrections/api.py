"""Corrects APIs: namespaces, members and types as they were read from packages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from extlint_facts.corrections.rows import Correction, CorrectionError, report_stale
from extlint_facts.ordering import SETS, Node, ordered

PROPERTIES = "properties"
MEMBERS = {"functions": "name", "events": "name", "types": "id"}
"""The lists to which a correction adds, and the key that names each item."""

LISTS = {
    "functions": "name",
    "events": "name",
    "types": "id",
    "parameters": "name",
    "extraParameters": "name",
}
"""The lists of parts that a node may have, and the key that names each part."""


def correct(namespaces: Iterable[Node], browser: str, found: Iterable[Correction]) -> None:
    """Applies corrections to an API in place.

    Raises StaleCorrectionError for a correction that changes nothing, and CorrectionError for one that sets
    an unknown key of the dialect.

    A place is a namespace (`menus`), a member or type of one (`management.getSelf`), or a part of one of
    these: a function, event, parameter or property by its name (`storage.StorageArea.get`), a choice by its
    number, or `items` or `additionalProperties`. A null removes a key. `properties`, `functions`, `events`
    and `types` are added to the existing ones.
    """
    by_name = {each["namespace"]: each for each in namespaces}
    for row in found:
        for path in row.at:
            nodes = list(nodes_at(by_name, path))
            if not nodes:
                report_stale(
                    f"corrections: there is no {path} in {browser}; {_nearest_parts(by_name, path)}. "
                    f"Correct the place, or delete it if the packages no longer have it"
                )
                continue
            if all(_is_already_set(node, key, value) for node in nodes for key, value in row.keys.items()):
                report_stale(
                    f"corrections: {path} in {browser} is so without it; delete the place, "
                    f"or the row if it has no other"
                )
            _check_keys(path, browser, row.keys)
            for node in nodes:
                _apply_keys(node, row.keys)


def new_namespaces(namespaces: Iterable[Node], found: Iterable[Correction]) -> list[Node]:
    """Returns the namespaces that corrections add. Raises StaleCorrectionError for one that exists."""
    existing = {each["namespace"] for each in namespaces}
    added: list[Node] = []
    for row in found:
        for name in row.at:
            if name in existing:
                report_stale(f"corrections: the packages have {name}; delete the row")
                continue
            _check_keys(name, "a new namespace", row.keys)
            added.append({"namespace": name, **row.keys})
    return added


def _nearest_parts(by_name: Mapping[str, Node], path: str) -> str:
    """Returns the parts of the innermost existing node on a path."""
    around, _, _ = path.rpartition(".")
    while around:
        nodes = list(nodes_at(by_name, around))
        if nodes:
            parts = sorted({name for node in nodes for name in _part_names(node)})
            return f"{around} has {', '.join(parts) or 'no parts'}"
        around, _, _ = around.rpartition(".")
    return "no namespace has that name"


def _check_keys(path: str, browser: str, keys: Mapping[str, Any]) -> None:
    """Raises CorrectionError if a correction sets a key or value that the dialect does not have."""
    try:
        ordered({key: value for key, value in keys.items() if value is not None})
    except KeyError as error:
        raise CorrectionError(
            f"corrections: {path} in {browser} sets {error}, which is no key in extlint_facts/ordering.py; "
            f"dialect.schema.json says what each key means"
        ) from None
    for key in sorted(SETS):
        if isinstance(keys.get(key), str):
            raise CorrectionError(f"corrections: {path} in {browser} sets '{key}' to a string, not a list")


def _is_already_set(node: Node, key: str, value: Any) -> bool:
    if key == PROPERTIES and value is not None:
        there = node.get(key, {})
        return all(there.get(name) == each for name, each in value.items())
    if key in MEMBERS and value is not None:
        return all(each in node.get(key, ()) for each in value)
    return bool(node.get(key) == value)


def _apply_keys(node: Node, keys: Mapping[str, Any]) -> None:
    for key, value in keys.items():
        if value is None:
            node.pop(key, None)
        elif key == PROPERTIES:
            node[key] = node.get(key, {}) | value
        elif key in MEMBERS:
            names = {each[MEMBERS[key]] for each in value}
            node[key] = [*(each for each in node.get(key, ()) if each.get(MEMBERS[key]) not in names), *value]
        else:
            node[key] = value


def nodes_at(namespaces: Mapping[str, Node], path: str) -> Iterator[Node]:
    """Yields the nodes that a dotted path names; several members may share one name."""
    if path in namespaces:
        yield namespaces[path]
        return
    scope, _, name = path.rpartition(".")
    if scope:
        for holder in nodes_at(namespaces, scope):
            yield from _parts(holder, name)


def _part_names(holder: Node) -> Iterator[str]:
    for key, label in LISTS.items():
        yield from (each[label] for each in holder.get(key, ()) if label in each)
    yield from holder.get(PROPERTIES, ())


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
