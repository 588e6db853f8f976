"""The members that each permission is for: a small table that saves reading every namespace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from extlint_facts.ordering import Node

MEMBER_LISTS = ("functions", "events")


def members_by_permission(namespaces: Iterable[Node]) -> dict[str, list[str]]:
    """Returns, for each permission, the namespaces, functions, events and properties that may require it.

    A namespace represents everything in it, including the methods of its types. Match patterns and keys
    of the manifest do not count as permissions here.
    """
    found: dict[str, set[str]] = {}
    for namespace in namespaces:
        for path, node in _parts(namespace):
            for name in _permissions(node):
                found.setdefault(name, set()).add(path)
    return {name: sorted(_outermost(paths)) for name, paths in sorted(found.items())}


def _parts(namespace: Node) -> Iterator[tuple[str, Node]]:
    name = namespace["namespace"]
    yield name, namespace
    for key in MEMBER_LISTS:
        yield from ((f"{name}.{each['name']}", each) for each in namespace.get(key, ()))
        for kind in namespace.get("types", ()):
            yield from ((name, each) for each in kind.get(key, ()))
    for key, node in namespace.get("properties", {}).items():
        yield f"{name}.{key}", node


def _permissions(node: Node) -> Iterator[str]:
    groups: Iterable[Any] = chain(
        (node.get("permissions", ()), node.get("callPermissions", ())), node.get("permissionsAll", ())
    )
    yield from (name for group in groups for name in group if not any(mark in name for mark in ":/*<"))


def _outermost(paths: set[str]) -> Iterator[str]:
    """Yields the paths that are not inside another one."""
    return (each for each in paths if not any(each.startswith(f"{other}.") for other in paths))
