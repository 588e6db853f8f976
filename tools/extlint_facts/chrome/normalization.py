"""Adjusts the facts where Chromium differs from a plain reading of the declarations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


UNCHECKED_PREFIX = "devtools."
"""The prefix of namespaces implemented by the developer tools, which do not check arguments."""


def normalized(namespaces: list[Json]) -> list[Json]:
    """Returns the namespaces, moving their permissions to the members if those of any member differ.

    In Chromium, the permissions of a member replace those of its namespace; in the dialect both apply.
    A member with an empty list of permissions requires none.
    """
    for namespace in namespaces:
        if namespace["namespace"].startswith(UNCHECKED_PREFIX):
            _uncheck(namespace)
        own = namespace.get("permissions")
        members = list(_members(namespace))
        if own and any(each.get("permissions") == [] for each in members):
            del namespace["permissions"]
            for each in members:
                each.setdefault("permissions", own)
        for each in members:
            if each.get("permissions") == []:
                del each["permissions"]
        worlds = {world for each in members for world in each.get("allowedContexts", ())}
        if worlds:
            namespace["allowedContexts"] = sorted(worlds | set(namespace.get("allowedContexts", ())))
    return namespaces


def _uncheck(node: Json) -> None:
    for each in node.get("functions", ()):
        each["allowAmbiguousOptionalArguments"] = True
    for each in node.get("types", ()):
        _uncheck(each)


def _members(namespace: Json) -> Iterator[Json]:
    for key in ("functions", "events"):
        yield from namespace.get(key, ())
    yield from namespace.get("properties", {}).values()
