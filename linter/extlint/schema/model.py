"""The API of a target: namespaces and their members, parsed from the schema dialect on demand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from extlint.schema.types import (
    EVERY_VERSION,
    Parameter,
    RefType,
    StringType,
    Type,
    Versions,
    parse_parameters,
    parse_type,
    parse_versions,
)


@dataclass(frozen=True, slots=True)
class Availability:
    """When a member is there.

    `permissions` are alternatives: any one of them is enough, and none means that none is needed.
    `contexts` are the dialect's context names, empty for the default ones.
    """

    permissions: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    versions: Versions = EVERY_VERSION
    unsupported: bool = False
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a namespace.

    `async_` is the name of its trailing callback, True if it gives a promise and takes no callback,
    or None. `ambiguous` means that neither number nor types of its arguments are judged.
    """

    name: str
    parameters: tuple[Parameter, ...]
    availability: Availability
    async_: str | bool | None = None
    ambiguous: bool = False
    returns: Type | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a namespace; `extra` are what `addListener` takes after the listener."""

    name: str
    availability: Availability
    listener: tuple[Parameter, ...] | None = None
    extra: tuple[Parameter, ...] = ()
    returns: Type | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """A property of a namespace, or an enum type that is visible as an object of constants."""

    name: str
    availability: Availability
    type: Type | None = None


Member: TypeAlias = Function | Event | Constant


class Namespace:
    """One namespace, from the parts of it that schema files give.

    `open_events` is true where the schema does not say which events there are.
    """

    def __init__(self, name: str, parts: Iterable[Mapping[str, Any]]) -> None:
        self.name = name
        self._parts = tuple(parts)

    def _strings(self, key: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each for part in self._parts for each in part.get(key, ())))

    @cached_property
    def availability(self) -> Availability:
        """When the namespace itself is there."""
        merged = {key: value for part in self._parts for key, value in part.items()}
        return Availability(
            self._strings("permissions"), self._strings("allowedContexts"), parse_versions(merged)
        )

    @cached_property
    def open_events(self) -> bool:
        """Whether the namespace may have events that the schema does not list."""
        return any(part.get("eventsNotShown", False) for part in self._parts)

    @cached_property
    def default_contexts(self) -> tuple[str, ...]:
        """The contexts of members that name none of their own."""
        return self._strings("defaultContexts")

    def _availability(self, node: Mapping[str, Any]) -> Availability:
        return Availability(
            tuple(node.get("permissions", ())),
            tuple(node.get("allowedContexts", ())) or self.default_contexts,
            parse_versions(node),
            bool(node.get("unsupported", False)),
            bool(node.get("deprecated", False)),
        )

    def _nodes(self, key: str) -> list[dict[str, Any]]:
        return [node for part in self._parts for node in part.get(key, ())]

    def _type_node(self, name: str) -> dict[str, Any] | None:
        found = next((dict(node) for node in self._nodes("types") if node.get("id") == name), None)
        if found is None:
            return None
        for extension in self._nodes("types"):
            if extension.get("$extend") == name:
                if "choices" in extension:
                    found["choices"] = [*found.get("choices", ()), *extension["choices"]]
                if "properties" in extension:
                    found["properties"] = {**found.get("properties", {}), **extension["properties"]}
        return found

    @cached_property
    def type_names(self) -> tuple[str, ...]:
        """The ids of its types, in the schema's order."""
        return tuple(node["id"] for node in self._nodes("types") if "id" in node)

    def type(self, name: str) -> Type | None:
        """A type by its id, with what other schemas add to it; None if there is none."""
        node = self._type_node(name)
        return None if node is None else parse_type(node, self.name)

    @cached_property
    def members(self) -> Mapping[str, tuple[Member, ...]]:
        """What a script can reach by name; a name may stand for one member per manifest version."""
        found: dict[str, tuple[Member, ...]] = {}

        def add(member: Member) -> None:
            found[member.name] = (*found.get(member.name, ()), member)

        for node in self._nodes("functions"):
            add(self._function(node))
        for node in self._nodes("events"):
            add(self._event(node))
        for part in self._parts:
            for name, node in part.get("properties", {}).items():
                kind = None if "value" in node and "type" not in node else parse_type(node, self.name)
                add(Constant(name, self._availability(node), kind))
        for name in self.type_names:
            node = self._type_node(name) or {}
            kind = parse_type(node, self.name)
            if isinstance(kind, StringType) and kind.enum is not None:
                add(Constant(name, self._availability(node), RefType(self.name, name)))
        return found

    def _function(self, node: Mapping[str, Any]) -> Function:
        callback = node.get("async")
        parameters = tuple(
            Parameter(each.name, each.type, True)
            if "optional" not in raw and isinstance(callback, str) and each.name == callback
            else each
            for raw, each in zip(
                node.get("parameters", ()),
                parse_parameters(node.get("parameters", []), self.name),
                strict=True,
            )
        )
        returns = node.get("returns")
        return Function(
            node["name"],
            parameters,
            self._availability(node),
            callback,
            bool(node.get("allowAmbiguousOptionalArguments", False)),
            None if returns is None else parse_type(returns, self.name),
        )

    def _event(self, node: Mapping[str, Any]) -> Event:
        listed = node.get("parameters")
        returns = node.get("returns")
        return Event(
            node["name"],
            self._availability(node),
            None if listed is None else parse_parameters(listed, self.name),
            parse_parameters(node.get("extraParameters", []), self.name),
            None if returns is None else parse_type(returns, self.name),
        )


class SchemaSet:
    """Every namespace that a target knows, by name."""

    def __init__(self, target: str, parts: Iterable[Mapping[str, Any]]) -> None:
        self.target = target
        by_name: dict[str, list[Mapping[str, Any]]] = {}
        for part in parts:
            by_name.setdefault(part["namespace"], []).append(part)
        self._namespaces = {name: Namespace(name, found) for name, found in by_name.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the namespaces, in the schemas' order."""
        return tuple(self._namespaces)

    def namespace(self, name: str) -> Namespace | None:
        """A namespace by its name (`management`), or None."""
        return self._namespaces.get(name)

    def resolve(self, ref: RefType) -> Type | None:
        """The type that a reference points at, or None if nothing defines it."""
        namespace = self._namespaces.get(ref.namespace)
        return None if namespace is None else namespace.type(ref.name)
