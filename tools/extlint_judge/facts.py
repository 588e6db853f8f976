"""The committed facts for each browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

import extlint_schemas
from extlint.schema.model import SchemaSet
from extlint.schema.targets import schema_set
from extlint_judge.browsers.processes import facts_target

PLATFORM = "linux"
"""The platform of the browsers that are queried."""

Node: TypeAlias = dict[str, Any]

_FOLDER = Path(extlint_schemas.__file__).parent


def permissions_of(browser: str) -> list[str]:
    """Returns every permission in the facts."""
    index = json.loads((_FOLDER / facts_target(browser) / extlint_schemas.INDEX).read_bytes())
    found: list[str] = index["permissions"]
    return found


class Limits(Struct, frozen=True):
    """The limits of a member in the facts, apart from its extensions and contexts.

    `since` is a major version of the browser. No platforms mean every platform, no channel is the stable one.
    """

    since: int = 0
    platforms: tuple[str, ...] = ()
    channel: str | None = None
    no_service_worker: bool = False

    def excludes(self, version: int, platform: str, in_service_worker: bool) -> bool:
        """Whether the member does not exist in a browser of the stable channel."""
        elsewhere = bool(self.platforms) and platform not in self.platforms
        hidden = in_service_worker and self.no_service_worker
        return self.since > version or elsewhere or self.channel is not None or hidden


def limits_of(browser: str) -> dict[str, Limits]:
    """Returns the limits of every namespace and member that has any, by path."""
    folder = _FOLDER / facts_target(browser)
    found: dict[str, Limits] = {}
    for path in sorted(folder.glob("*.json")):
        for namespace in json.loads(path.read_bytes()).get("namespaces", ()):
            if isinstance(namespace, dict):
                found |= {path: limits for path, limits in _limits_in(namespace) if limits != Limits()}
    for member, since in _versions(facts_target(browser)):
        if since > found.get(member, Limits()).since:
            found[member] = replace(found.get(member, Limits()), since=since)
    return found


def _versions(target: str) -> Iterator[tuple[str, int]]:
    """Yields the version in which each member was added, from the compatibility data."""
    for path in sorted((_FOLDER / "compat").glob("*.json")):
        for member, support in json.loads(path.read_bytes())["members"].items():
            since = support.get(target)
            if since and path.stem != "manifest":
                yield member, int(since[0].removeprefix("<=").partition(".")[0])


def _limits_in(namespace: Node) -> Iterator[tuple[str, Limits]]:
    name = namespace["namespace"]
    yield name, _limits(namespace)
    types = {each["id"]: each for each in namespace.get("types", ()) if "id" in each}
    for member, node in _members_in(namespace):
        yield f"{name}.{member}", _limits(node)
        for inner, part in _members_in(types.get(node.get("$ref", ""), {})):
            yield f"{name}.{member}.{inner}", _limits(part)
    for type_name, node in types.items():
        yield f"{name}.{type_name}", _limits(node)


def _members_in(node: Node) -> Iterator[tuple[str, Node]]:
    for key in ("functions", "events"):
        yield from ((each["name"], each) for each in node.get(key, ()))
    yield from node.get("properties", {}).items()


def _limits(node: Node) -> Limits:
    return Limits(
        int(node.get("since", "0").partition(".")[0]),
        tuple(node.get("platforms", ())),
        node.get("channel"),
        bool(node.get("noServiceWorker", False)),
    )


def schemas_of(browser: str) -> SchemaSet:
    """Returns the schemas by which extensions for a browser are checked."""
    return schema_set(facts_target(browser))
