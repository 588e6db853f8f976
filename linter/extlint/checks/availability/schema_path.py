"""Which part of a target's schemas a path of the API leads to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from extlint.extension import Extension, once_per_extension
from extlint.schema.constants import constants
from extlint.schema.model import Availability, Constant, Member, SchemaSet
from extlint.schema.types import ObjectType, RefType, Versions
from extlint.script.facts.script_facts import ApiPath
from extlint.targets.request import BROWSERS, editions_of
from extlint.targets.supported_versions import support_of
from extlint.targets.target import schema_set
from extlint.text.patterns import lazy

MANIFEST_NAMESPACE = "manifest"
"""The namespace that describes manifest.json; no script sees it."""

OF_EVERY_OBJECT = frozenset(
    {
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
        "__proto__",
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    }
)
"""The members of `Object.prototype`, which every namespace and event inherits."""

_EVENT_NAME = lazy(r"on[A-Z]")


class Stop(Struct, frozen=True):
    """A namespace or member that a path of the API passes, and when it is there."""

    path: ApiPath
    availability: Availability


class SchemaPath(Struct, frozen=True):
    """Where a path of the API leads.

    `stops` are the namespace and the members on the way, of which the last is `member`; there is none
    if the path ends in the namespace. `rest` is what the path names behind it: an event's method, a
    field of a value. If `rest` begins with what the schemas lack, `instead` are the names they have;
    it is None where that is right or not decided. If `rest` begins with what only extensions of another
    manifest version have, `only_in` are those versions.
    """

    namespace: ApiPath
    stops: tuple[Stop, ...]
    member: Member | None = None
    rest: ApiPath = ()
    instead: tuple[str, ...] | None = None
    only_in: Versions | None = None

    @property
    def path(self) -> ApiPath:
        """The part of the path that the schemas have."""
        return self.stops[-1].path if self.stops else self.namespace

    def shown_at(self, part: ApiPath) -> int:
        """How many names long the path is in which people see a part of it: a namespace in its member."""
        return max(len(part), len(self.namespace) + 1)


Members: TypeAlias = Mapping[str, tuple[Member, ...]]


def route_of(extension: Extension, path: ApiPath) -> SchemaPath | None:
    """Where a path leads for an extension; None for a namespace that its target lacks."""
    known = _routes(extension)
    if path not in known:
        known[path] = route(extension.schemas, path, extension.manifest.version)
    return known[path]


@once_per_extension
def _routes(_extension: Extension) -> dict[ApiPath, SchemaPath | None]:
    """Where paths lead, as far as somebody has asked."""
    return {}


def route(schemas: SchemaSet, path: ApiPath, version: int) -> SchemaPath | None:
    """Where a path leads in a manifest version; None for a namespace that the schemas lack."""
    found = _full_route(schemas, path, version)
    return _narrowed(schemas, found, version) if found is not None and schemas.is_narrowed else found


@cache
def lacked_by(version: int) -> Callable[[ApiPath], frozenset[str]]:
    """Tells of a function the targets that lack it in a manifest version in which another browser has it."""

    @cache
    def lacking(path: ApiPath) -> frozenset[str]:
        without = [each for each in BROWSERS if not _has(schema_set(each), path, version)]
        return frozenset().union(*map(editions_of, without)) if len(without) < len(BROWSERS) else frozenset()

    return lacking


def _has(schemas: SchemaSet, path: ApiPath, version: int) -> bool:
    found = route(schemas, path, version)
    return found is not None and found.member is not None and not found.rest


def is_there(extension: Extension, path: ApiPath) -> bool:
    """Whether an extension of this manifest version finds something at a path, and may use it."""
    found = route_of(extension, path)
    if found is None or found.instead is not None or found.only_in is not None:
        return False
    version = extension.manifest.version
    stops = (stop.availability for stop in found.stops)
    return all(version in each.versions and not each.unsupported for each in stops)


def _narrowed(schemas: SchemaSet, found: SchemaPath, version: int) -> SchemaPath:
    """The part of a route that a browser has which goes by the facts of another one."""
    for before, stop in zip((None, *found.stops), found.stops, strict=False):
        known = support_of(".".join(stop.path), schemas.target, version)
        if known is not None and known.added is None:
            rest = (*found.path, *found.rest)[len(stop.path) - 1 :]
            stops = () if before is None else found.stops[: found.stops.index(before) + 1]
            return SchemaPath(stop.path[:-1], stops, rest=rest, instead=())
    return found


def _full_route(schemas: SchemaSet, path: ApiPath, version: int) -> SchemaPath | None:
    if not path or path[0] == MANIFEST_NAMESPACE:
        return None
    length = 0
    while length < len(path) and _is_in(schemas, path[: length + 1]):
        length += 1
    if length == 0:
        return None
    namespace = schemas.namespace(".".join(path[:length]))
    if namespace is None:
        inner = [name.split(".") for name in schemas.names]
        names = tuple(
            dict.fromkeys(
                name[length] for name in inner if tuple(name[:length]) == path[:length] and name[length:]
            )
        )
        rest = path[length:]
        return SchemaPath(path[:length], (), rest=rest, instead=None if _inherits(rest) else names)
    above = ((path[:size], schemas.namespace(".".join(path[:size]))) for size in range(1, length + 1))
    stops = [Stop(part, each.availability) for part, each in above if each is not None]
    members: Members | None = namespace.members
    member: Member | None = None
    while members is not None and len(path) > len(stops[-1].path):
        at = stops[-1].path
        rest = path[len(at) :]
        named = members.get(rest[0], ())
        found = next((each for each in named if version in each.availability.versions), None)
        if found is None:
            may_be = member is None and namespace.open_events and _EVENT_NAME.match(rest[0])
            is_unknown = not named and not may_be and not _inherits(rest)
            instead = tuple(members) if is_unknown else None
            only_in = named[0].availability.versions if named else None
            return SchemaPath(path[:length], tuple(stops), member, rest, instead, only_in)
        member = found
        stops.append(Stop((*at, rest[0]), member.availability))
        members = inside(schemas, member)
    rest = path[len(stops[-1].path) :]
    listed = constants_of(schemas, member, version) if rest else {}
    instead = tuple(listed) if listed and rest[0] not in {*listed, *OF_EVERY_OBJECT} else None
    return SchemaPath(path[:length], tuple(stops), member, rest, instead)


def _is_in(schemas: SchemaSet, path: ApiPath) -> bool:
    name = ".".join(path)
    return name in schemas.parents or name in schemas.names


def _inherits(rest: ApiPath) -> bool:
    return not rest or rest[0] in OF_EVERY_OBJECT


def constants_of(schemas: SchemaSet, member: Member | None, version: int) -> Mapping[str, str]:
    """The values of the constants that scripts find in a member; nothing in one that is no enumeration."""
    if not isinstance(member, Constant) or not isinstance(member.type, RefType):
        return {}
    kind = schemas.resolve(member.type)
    if kind is None or member.type.name != member.name:
        return {}
    return constants(kind, schemas.engine, version)


def inside(schemas: SchemaSet, member: Member) -> Members | None:
    """The members of an object that stands in a namespace, such as `storage.local`."""
    if not isinstance(member, Constant) or not isinstance(member.type, RefType):
        return None
    kind = schemas.resolve(member.type)
    owner = schemas.namespace(member.type.namespace)
    if owner is None or not isinstance(kind, ObjectType) or not kind.has_methods:
        return None
    return {**owner.members_of_type(member.type.name), **{each.name: (each,) for each in member.inner}}
