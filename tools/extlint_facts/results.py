"""Finds, in the facts of a browser, the objects that it returns or passes to scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from extlint_facts.ordering import Node

ITEM = "[]"
"""The step from an array to one of its items."""

CALLBACK, LISTENER, PROMISE, RETURN = "callback", "listener", "promise", "return"
"""The ways in which a script receives a value."""

MAX_NESTED_CHOICES = 8


class TypeNode(Struct, frozen=True):
    """A node of the facts, its address (`tabs.Tab`, `menus.onShown.info`), and its namespace."""

    at: str
    node: Node
    namespace: str


class ResultTypes:
    """The namespaces of a browser, in the dialect. They must not change while this is in use."""

    def __init__(self, namespaces: Iterable[Node]) -> None:
        self._parts: dict[str, list[Node]] = {}
        for each in namespaces:
            self._parts.setdefault(each["namespace"], []).append(each)

    def values(self) -> Iterator[TypeNode]:
        """Yields every value that any member returns or passes."""
        for name in self._parts:
            for part in self._parts[name]:
                yield from _values(TypeNode(name, part, name))

    def values_at(self, path: str, channel: str, index: int) -> list[TypeNode] | None:
        """Returns the values that a member returns, or passes at that index.

        Returns None if the member does not exist.

        The list is empty if the member has no such value.
        """
        members = self._members(path)
        if not members:
            return None
        return [
            value
            for member in members
            for value in _passed_values(member, channel)[index : index + 1]
            if value.node
        ]

    def value_count(self, path: str, channel: str) -> int | None:
        """Returns the number of values that a member passes, or None if unknown."""
        members = [each for each in self._members(path) if "parameters" in each.node or channel == PROMISE]
        return max((len(_passed_values(each, channel)) for each in members), default=None)

    def step_into(self, step: str, places: Iterable[TypeNode]) -> list[TypeNode]:
        """Returns the types reached by a step into values of these types."""
        found = []
        for each in self.resolve(places):
            items = each.node.get("items")
            if step == ITEM and items is not None:
                found.append(TypeNode(f"{each.at}.items", items, each.namespace))
            elif step in each.node.get("properties", {}):
                found.append(TypeNode(f"{each.at}.{step}", each.node["properties"][step], each.namespace))
            elif step != ITEM and isinstance(each.node.get("additionalProperties"), dict):
                inner = each.node["additionalProperties"]
                found.append(TypeNode(f"{each.at}.additionalProperties", inner, each.namespace))
        return found

    def resolve(self, places: Iterable[TypeNode]) -> list[TypeNode]:
        """Returns the types that references and choices lead to."""
        found: dict[int, TypeNode] = {}
        waiting = [(each, 0) for each in places]
        while waiting:
            place, depth = waiting.pop(0)
            if depth > MAX_NESTED_CHOICES or id(place.node) in found:
                continue
            if "$ref" in place.node:
                waiting += [(each, depth + 1) for each in self._types(place)]
            elif "choices" in place.node:
                waiting += [
                    (TypeNode(f"{place.at}.{number}", each, place.namespace), depth + 1)
                    for number, each in enumerate(place.node["choices"])
                ]
            else:
                found[id(place.node)] = place
        return list(found.values())

    def objects(self) -> dict[str, list[Node]]:
        """Returns every described object that scripts may receive, by its address. Overloads have several."""
        found: dict[str, list[Node]] = {}
        known: set[int] = set()
        waiting = list(self.values())
        while waiting:
            for each in self.resolve([waiting.pop()]):
                if id(each.node) in known:
                    continue
                known.add(id(each.node))
                if is_described(each.node):
                    found.setdefault(each.at, []).append(each.node)
                waiting += (
                    inner
                    for step in (ITEM, *each.node.get("properties", {}), "")
                    for inner in self.step_into(step, [each])
                )
        return found

    def _members(self, path: str) -> list[TypeNode]:
        parts = path.split(".")
        for length in range(len(parts) - 1, 0, -1):
            name = ".".join(parts[:length])
            places = [TypeNode(name, part, name) for part in self._parts.get(name, ())]
            if places:
                for step in parts[length:]:
                    places = [inner for each in places for inner in self._named_members(each, step)]
                return places
        return []

    def _named_members(self, place: TypeNode, name: str) -> Iterator[TypeNode]:
        holders = self._types(place) if "$ref" in place.node else [place]
        for holder in holders:
            for each in (*holder.node.get("functions", ()), *holder.node.get("events", ())):
                if each["name"] == name:
                    yield TypeNode(f"{holder.at}.{name}", each, holder.namespace)
            properties = holder.node.get("properties", {})
            if name in properties:
                yield TypeNode(f"{holder.at}.{name}", properties[name], holder.namespace)

    def _types(self, place: TypeNode) -> list[TypeNode]:
        scope, _, name = place.node["$ref"].rpartition(".")
        scope = scope or place.namespace
        found = [each for part in self._parts.get(scope, ()) for each in part.get("types", ())]
        named = [each for each in found if each.get("id") == name and "$extend" not in each]
        return [TypeNode(f"{scope}.{name}", each, scope) for each in named]


def is_described(node: Mapping[str, Any]) -> bool:
    """Whether a node is an object with exactly the fields that it lists."""
    is_open = any(
        node.get(key)
        for key in ("patternProperties", "additionalProperties", "ignoreAdditionalProperties", "isInstanceOf")
    )
    return bool(node.get("properties")) and not is_open and not {"functions", "events"} & node.keys()


def _values(holder: TypeNode) -> Iterator[TypeNode]:
    node = holder.node
    for each in node.get("functions", ()):
        member = TypeNode(f"{holder.at}.{each['name']}", each, holder.namespace)
        yield from (*_passed_values(member, RETURN), *_passed_values(member, CALLBACK))
    for each in node.get("events", ()):
        yield from _passed_values(TypeNode(f"{holder.at}.{each['name']}", each, holder.namespace), LISTENER)
    for each in node.get("types", ()):
        if "id" in each:
            yield from _values(TypeNode(f"{holder.at}.{each['id']}", each, holder.namespace))


def _passed_values(member: TypeNode, channel: str) -> Sequence[TypeNode]:
    """Returns the values that a function or an event passes."""
    at, node = member.at, member.node
    if channel == LISTENER:
        return _parameter_nodes(at, node.get("parameters", ()), member.namespace)
    if channel == RETURN or node.get("async") is None:
        return [TypeNode(f"{at}.returns", node["returns"], member.namespace)] if "returns" in node else []
    name = node["async"]
    callbacks = [each for each in node.get("parameters", ()) if each["name"] == name]
    passed = [
        place
        for each in callbacks
        for place in _parameter_nodes(f"{at}.{name}", each.get("parameters", ()), member.namespace)
    ]
    return [] if channel == PROMISE and len(passed) > 1 else passed


def _parameter_nodes(at: str, parameters: Iterable[Node], namespace: str) -> list[TypeNode]:
    return [TypeNode(f"{at}.{each['name']}", each, namespace) for each in parameters]
