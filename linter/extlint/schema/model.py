"""The API of a target: namespaces and their members, parsed from the schema dialect on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from extlint.queries.query import cached_method
from extlint.schema.engine import Engine
from extlint.schema.types import (
    EVERY_VERSION,
    ChoicesType,
    FunctionType,
    Parameter,
    RefType,
    StringType,
    Type,
    Versions,
    enum_descriptions,
    parse_parameters,
    parse_type,
    parse_versions,
)

if TYPE_CHECKING:
    from extlint.schema.merge import SchemaNode


MANIFEST_KEY_PREFIX = "manifest:"
"""The prefix of a manifest key among the permissions of the dialect."""


class Conditions(Struct, frozen=True):
    """Conditions in addition to permissions and contexts.

    An unspecified condition has the value None or is empty.

    One of `permissions` is required for the call, though the member exists without. `host` is "host" if the
    permission for a host is required, "activeTab" if that permission is also sufficient. `gesture` is true if
    a user gesture is required. `install` is the required kind of installation of the extension ("policy",
    "unpacked"), `channel` the most stable release channel and `platforms` the operating systems that have the
    member.
    """

    permissions: tuple[str, ...] = ()
    host: str | None = None
    gesture: bool = False
    install: str | None = None
    channel: str | None = None
    platforms: tuple[str, ...] = ()


NO_CONDITIONS = Conditions()


class Availability(Struct, frozen=True):
    """The conditions under which a member exists.

    One of each group in `permissions` is required; without groups, no permission is. `contexts` are the
    dialect's context names, empty for the default ones. `conditions` are additional requirements of a call.
    """

    permissions: tuple[tuple[str, ...], ...] = ()
    contexts: tuple[str, ...] = ()
    versions: Versions = EVERY_VERSION
    unsupported: bool = False
    deprecated: bool = False
    conditions: Conditions = NO_CONDITIONS


class Function(Struct, frozen=True):
    """A function of a namespace.

    `async_` is the name of its trailing callback, True if it returns a promise and does not accept a
    callback, or None. `ambiguous` means that neither number nor types of its arguments are checked.
    `promise_since` is the version of the browser that first returned a promise, if that is later than the
    function.
    """

    name: str
    parameters: tuple[Parameter, ...]
    availability: Availability
    async_: str | bool | None = None
    ambiguous: bool = False
    returns: Type | None = None
    description: str = ""
    promise_since: str | None = None

    @property
    def callback(self) -> Parameter | None:
        """The trailing callback that receives the result, if it has one."""
        last = self.parameters[-1] if self.parameters else None
        return last if last is not None and last.name == self.async_ else None

    @property
    def result(self) -> tuple[Parameter, ...] | None:
        """The parameters of its callback, or the result of its promise, or None if unknown."""
        kind = None if self.callback is None else self.callback.type
        return kind.parameters if isinstance(kind, FunctionType) else None


class Event(Struct, frozen=True):
    """An event of a namespace. `extra` are the parameters of `addListener` after the listener."""

    name: str
    availability: Availability
    listener: tuple[Parameter, ...] | None = None
    extra: tuple[Parameter, ...] = ()
    returns: Type | None = None
    description: str = ""


class Constant(Struct, frozen=True):
    """A property of a namespace, or an enum type that is visible as an object of constants.

    `inner` are members of the object in addition to those of its type.
    """

    name: str
    availability: Availability
    type: Type | None = None
    description: str = ""
    inner: tuple[Constant, ...] = ()


Member: TypeAlias = Function | Event | Constant


class Namespace:
    """One namespace, assembled from the parts in schema files.

    `open_events` is true if the schema does not list all events.
    """

    def __init__(self, name: str, parts: Iterable[Mapping[str, Any]]) -> None:
        self.name = name
        self._parts = tuple(parts)
        self._types: dict[str, Type] = {}

    def _strings(self, key: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each for part in self._parts for each in part.get(key, ())))

    @cached_property
    def availability(self) -> Availability:
        """The conditions under which the namespace itself exists."""
        merged = {key: value for part in self._parts for key, value in part.items()}
        return Availability(
            _groups(self._strings("permissions"), merged),
            (*self._strings("allowedContexts"), *_not_in_service_workers(merged)),
            parse_versions(merged),
            conditions=_conditions(merged),
        )

    @property
    def description(self) -> str:
        """A description of the namespace, or an empty string if the schema has none."""
        return next((part["description"] for part in self._parts if "description" in part), "")

    @cached_property
    def open_events(self) -> bool:
        """Whether the namespace may have events that the schema does not list."""
        return any(part.get("eventsNotShown", False) for part in self._parts)

    @cached_property
    def default_contexts(self) -> tuple[str, ...]:
        """The contexts of members that do not specify their own."""
        return self._strings("defaultContexts")

    def _availability(self, node: Mapping[str, Any]) -> Availability:
        return Availability(
            _groups(node.get("permissions", ()), node),
            (
                *(tuple(node.get("allowedContexts", ())) or self.default_contexts),
                *_not_in_service_workers(node),
            ),
            parse_versions(node),
            bool(node.get("unsupported", False)),
            bool(node.get("deprecated", False)),
            _conditions(node),
        )

    def _nodes(self, key: str) -> list[dict[str, Any]]:
        return [node for part in self._parts for node in part.get(key, ())]

    @cached_property
    def _type_nodes(self) -> Mapping[str, SchemaNode]:
        from extlint.schema.merge import merged_types

        return merged_types(self._nodes("types"))

    @property
    def type_names(self) -> tuple[str, ...]:
        """The names of its types, in the schema's order."""
        return tuple(self._type_nodes)

    def type(self, name: str) -> Type | None:
        """Returns a type by its id, with the additions of other schemas, or None if it does not exist."""
        if name not in self._types and name in self._type_nodes:
            self._types[name] = parse_type(self._type_nodes[name], self.name)
        return self._types.get(name)

    def type_description(self, name: str) -> str:
        """Returns a description of a type, or an empty string if the schema has none."""
        return str(self._type_nodes.get(name, {}).get("description", ""))

    def value_descriptions(self, name: str) -> Mapping[str, str]:
        """Returns the descriptions of the values of an enum type, if they have one."""
        return enum_descriptions(self._type_nodes.get(name, {}))

    @cached_property
    def members(self) -> Mapping[str, tuple[Member, ...]]:
        """The members that a script can access by name. A name may have one member per manifest version."""
        found = _by_name(self._members_in(self._parts))
        for name, enum in self._type_nodes.items():
            kind = self.type(name)
            if kind is not None and _has_constants(kind):
                shown = RefType(self.name, name)
                constant = Constant(name, self._availability(enum), shown, enum.get("description", ""))
                found[name] = (*found.get(name, ()), constant)
        return found

    @cached_method
    def members_of_type(self, name: str) -> Mapping[str, tuple[Member, ...]]:
        """Returns the members that a script can access in an object of a type, such as `StorageArea`.

        Empty if it is not an object.
        """
        node = self._type_nodes.get(name, {})
        return _by_name(self._members_in([node] if "type" in node else []))

    def _members_in(self, parts: Iterable[Mapping[str, Any]]) -> Iterator[Member]:
        for part in parts:
            yield from map(self._function, part.get("functions", ()))
            yield from map(self._event, part.get("events", ()))
            for name, node in (part.get("properties") or {}).items():
                kind = None if "value" in node and "type" not in node else parse_type(node, self.name)
                inner = self._members_in([{"properties": node.get("properties")}]) if "$ref" in node else ()
                constants = tuple(each for each in inner if isinstance(each, Constant))
                yield Constant(name, self._availability(node), kind, node.get("description", ""), constants)

    def _function(self, node: Mapping[str, Any]) -> Function:
        listed = node.get("parameters", [])
        callback = node.get("async")
        if "returns_async" in node:
            last = {"name": "callback", "type": "function", **node["returns_async"]}
            listed = [*listed, last]
            callback = None if last.get("does_not_support_promises") else last["name"]
        parameters = tuple(
            replace(each, optional=True) if "optional" not in raw and each.name == callback else each
            for raw, each in zip(listed, parse_parameters(listed, self.name), strict=True)
        )
        returns = node.get("returns")
        return Function(
            node["name"],
            parameters,
            self._availability(node),
            callback,
            bool(node.get("allowAmbiguousOptionalArguments", False)),
            None if returns is None else parse_type(returns, self.name),
            node.get("description", ""),
            node.get("promiseSince"),
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
            node.get("description", ""),
        )


def _groups(alternatives: Iterable[str], node: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Returns the permissions of a schema node, in groups. One permission of each group is required."""
    first = tuple(alternatives)
    return (*((first,) if first else ()), *map(tuple, node.get("permissionsAll", ())))


def _not_in_service_workers(node: Mapping[str, Any]) -> tuple[str, ...]:
    return ("no_service_worker",) if node.get("noServiceWorker", False) else ()


_CONDITIONS = frozenset(
    {"callPermissions", "channel", "hostPermission", "installLocation", "platforms", "requireUserInput"}
)


def _conditions(node: Mapping[str, Any]) -> Conditions:
    if _CONDITIONS.isdisjoint(node):
        return NO_CONDITIONS
    host = node.get("hostPermission")
    return Conditions(
        tuple(node.get("callPermissions", ())),
        "host" if host is True else host,
        bool(node.get("requireUserInput", False)),
        node.get("installLocation"),
        node.get("channel"),
        tuple(node.get("platforms", ())),
    )


def _has_constants(kind: Type) -> bool:
    """Whether a type is an enumeration, or a choice of enumerations, as for manifest versions."""
    if isinstance(kind, ChoicesType):
        return any(_has_constants(choice.type) for choice in kind.choices)
    return isinstance(kind, StringType) and kind.enum is not None


def _by_name(members: Iterable[Member]) -> dict[str, tuple[Member, ...]]:
    found: dict[str, tuple[Member, ...]] = {}
    for member in members:
        found[member.name] = (*found.get(member.name, ()), member)
    return found


class UserSchemas(Struct, frozen=True, eq=False):
    """Parts of namespaces that a user adds to those of the targets. Compared by identity."""

    parts: tuple[SchemaNode, ...] = ()


NO_USER_SCHEMAS = UserSchemas()


class SchemaSet:
    """All namespaces of a target, by name.

    `engine` determines which members exist and how arguments match (Chromium for Safari, whose rules are
    unknown). The specification has the engine None. `stored` are namespaces whose parts are read on demand.
    `is_complete` is false for a set of only some namespaces of a browser, and `is_narrowed` true for a
    browser that is described by the facts of another, as far as those exist. `may_have_more` is true if
    members are known by name only in some versions, so that only near misses of unknown names are certain
    mistakes. `user_schemas` are the user's additions; `parts` contains those that belong to this set.
    """

    def __init__(
        self,
        target: str,
        parts: Iterable[SchemaNode] = (),
        *,
        engine: Engine | None = None,
        stored: Mapping[str, Callable[[], Iterable[SchemaNode]]] | None = None,
        is_complete: bool = True,
        is_narrowed: bool = False,
        may_have_more: bool = False,
        user_schemas: UserSchemas = NO_USER_SCHEMAS,
    ) -> None:
        self.target = target
        self.engine = engine
        self.is_complete = is_complete
        self.is_narrowed = is_narrowed
        self.may_have_more = may_have_more
        self.user_schemas = user_schemas
        self._by_name: dict[str, list[SchemaNode]] = {}
        for part in parts:
            self._by_name.setdefault(part["namespace"], []).append(part)
        self._stored = dict(stored or {})
        self._namespaces: dict[str, Namespace] = {}
        self.names = tuple(dict.fromkeys((*self._by_name, *self._stored)))
        """The names of the namespaces, in the schemas' order."""
        self.parents = frozenset(
            ".".join(parts[:length])
            for parts in (name.split(".") for name in self.names)
            for length in range(1, len(parts))
        )
        """The parents of namespaces with a dot in their name: `devtools`."""

    @property
    def is_specification(self) -> bool:
        """Whether the rules of the specification apply instead of those of a browser."""
        return self.engine is None

    def namespace(self, name: str) -> Namespace | None:
        """Returns a namespace by its name (`management`), or None."""
        if name not in self._namespaces:
            own = self._parts_of(name)
            if not own:
                return None
            from extlint.schema.merge import imported_parts

            self._namespaces[name] = Namespace(name, [*imported_parts(self._parts_of, own), *own])
        return self._namespaces[name]

    def _parts_of(self, name: str) -> list[SchemaNode]:
        """Returns the parts of a namespace, stored parts first."""
        stored = self._stored[name]() if name in self._stored else ()
        return [*stored, *self._by_name.get(name, ())]

    def resolve(self, ref: RefType) -> Type | None:
        """Returns the type that a reference points to, or None if it is undefined."""
        namespace = self.namespace(ref.namespace)
        return None if namespace is None else namespace.type(ref.name)
