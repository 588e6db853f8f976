"""What Chromium does otherwise than a plain reading of the declarations says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


UNCHECKED = "devtools."
"""The namespaces that the developer tools implement by themselves: nothing checks arguments there."""


def normalized(namespaces: list[Json]) -> list[Json]:
    """The namespaces, with permissions at their members where one of these needs none or another one.

    In Chromium, what a member says of permissions stands in place of what its namespace says; in the
    dialect both hold. A list without permissions is how a member says that it needs none.
    """
    for namespace in namespaces:
        if namespace["namespace"].startswith(UNCHECKED):
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
