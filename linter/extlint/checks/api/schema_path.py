"""Resolves a path of the API, such as `management.getAll`, in the schemas of a target.

`runtime.OnInstalledReason.CHROME_UPDATE` is `"chrome_update"`. Firefox 153 converts the values to upper case
(Schemas.sys.mjs). Chromium 156 also inserts an underscore between words, and replaces other characters than
letters and digits. `extlint_judge members --compare` compares the names of all constants with both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import OBJECT_MEMBERS
from extlint.extension import Extension
from extlint.schema.engine import Engine
from extlint.schema.model import Availability, Constant, Event, Function, Member, SchemaSet
from extlint.schema.targets import BROWSERS, editions_of, schema_set, support_of
from extlint.schema.types import ChoicesType, ObjectType, RefType, StringType, Type, Versions
from extlint.text.patterns import lazy

_HUMP = lazy(r"([a-z])([A-Z])")
_NO_LETTER = lazy(r"[^A-Z0-9.]")


def constant_name(value: str, engine: Engine) -> str:
    """Returns the name of the constant for a value: `requestHeaders` is `REQUEST_HEADERS` in Chromium."""
    if engine is Engine.GECKO:
        return value.upper()
    return _NO_LETTER.sub("_", _HUMP.sub(r"\1_\2", value).upper())


def constants(kind: Type, engine: Engine | None, version: int) -> Mapping[str, str]:
    """Returns the values of an enumeration in a manifest version, by the names of their constants.

    For the specification, the names in any browser.
    """
    engines = (Engine.CHROMIUM, Engine.GECKO) if engine is None else (engine,)
    return {constant_name(value, each): value for each in engines for value in values_of(kind, version)}


def values_of(kind: Type, version: int) -> Iterator[str]:
    """Yields the strings of an enumeration in a manifest version."""
    if isinstance(kind, StringType):
        yield from kind.enum or ()
    elif isinstance(kind, ChoicesType):
        for choice in kind.choices:
            if version in choice.versions:
                yield from values_of(choice.type, version)


MANIFEST_NAMESPACE = "manifest"
"""The namespace that describes manifest.json; scripts do not see it."""

_MAX_CACHED = 5_000
"""The maximum number of paths, each in one target, whose results are kept from one package to the next."""

_EVENT_NAME = lazy(r"on[A-Z]")


class PathElement(Struct, frozen=True):
    """A namespace or member on a path of the API, and its availability."""

    path: ApiPath
    availability: Availability


class SchemaPath(Struct, frozen=True):
    """The result of resolving a path of the API.

    `elements` are the namespaces and members on the path. The last one is `member`, or None if the path ends
    at a namespace. `rest` is the remaining path after it: an event's method, a field of a value. If `rest`
    begins with a name that is not in the schemas, `known_names` are the names in the schemas, or None if the
    name is correct or undecided. If the name exists only in other manifest versions, these are
    `only_in_versions`.
    """

    namespace: ApiPath
    elements: tuple[PathElement, ...]
    member: Member | None = None
    rest: ApiPath = ()
    known_names: tuple[str, ...] | None = None
    only_in_versions: Versions | None = None

    @property
    def path(self) -> ApiPath:
        """The part of the path that exists in the schemas."""
        return self.elements[-1].path if self.elements else self.namespace

    def reported_length(self, part: ApiPath) -> int:
        """Returns the path length at which a part is reported: a namespace is reported at its member."""
        return max(len(part), len(self.namespace) + 1)


Members: TypeAlias = Mapping[str, tuple[Member, ...]]


def schema_path_of(extension: Extension, path: ApiPath) -> SchemaPath | None:
    """Resolves a path for an extension, or returns None for a namespace that its target does not have."""
    return find_schema_path(extension.schemas, path, extension.manifest_version)


def function_at(extension: Extension, path: ApiPath) -> Function | None:
    """Returns the function at a path in the target, or None for anything else."""
    found = schema_path_of(extension, path)
    member = None if found is None or found.rest else found.member
    return member if isinstance(member, Function) else None


def event_of_listener(extension: Extension, path: ApiPath) -> Event | None:
    """Returns the event to which a function adds a listener, or None for any other function."""
    found = schema_path_of(extension, path)
    member = found.member if found is not None and found.rest == ("addListener",) else None
    return member if isinstance(member, Event) else None


@lru_cache(_MAX_CACHED)
def find_schema_path(schemas: SchemaSet, path: ApiPath, version: int) -> SchemaPath | None:
    """Resolves a path in a manifest version, or returns None for a namespace that the schemas do not have."""
    found = _find_full_path(schemas, path, version)
    return _narrowed(schemas, found, version) if found is not None and schemas.is_narrowed else found


@cache
def targets_without(version: int) -> Callable[[ApiPath], frozenset[str]]:
    """Maps a function to the targets without it, if some browser has it in that manifest version."""

    @cache
    def without(path: ApiPath) -> frozenset[str]:
        without = [each for each in BROWSERS if not _has_member(schema_set(each), path, version)]
        return frozenset().union(*map(editions_of, without)) if len(without) < len(BROWSERS) else frozenset()

    return without


def _has_member(schemas: SchemaSet, path: ApiPath, version: int) -> bool:
    found = find_schema_path(schemas, path, version)
    return found is not None and found.member is not None and not found.rest


def is_available(extension: Extension, path: ApiPath) -> bool:
    """Whether the target has a member in the extension's manifest version, and supports it."""
    found = schema_path_of(extension, path)
    if found is None or found.known_names is not None or found.only_in_versions is not None:
        return False
    version = extension.manifest_version
    elements = (element.availability for element in found.elements)
    return all(version in each.versions and not each.unsupported for each in elements)


def _narrowed(schemas: SchemaSet, found: SchemaPath, version: int) -> SchemaPath:
    """Returns the part of a path that exists in a browser whose schemas narrow those of another browser."""
    for before, element in zip((None, *found.elements), found.elements, strict=False):
        known = support_of(".".join(element.path), schemas.target, version)
        if known is not None and known.added is None:
            rest = (*found.path, *found.rest)[len(element.path) - 1 :]
            elements = () if before is None else found.elements[: found.elements.index(before) + 1]
            return SchemaPath(element.path[:-1], elements, rest=rest, known_names=())
    return found


def _find_full_path(schemas: SchemaSet, path: ApiPath, version: int) -> SchemaPath | None:
    if not path or path[0] == MANIFEST_NAMESPACE:
        return None
    length = 0
    while length < len(path) and _is_namespace_or_parent(schemas, path[: length + 1]):
        length += 1
    if length == 0:
        return None
    namespace = schemas.namespace(".".join(path[:length]))
    if namespace is None:
        return _namespace_parent(schemas, path[:length], path[length:])
    above = ((path[:size], schemas.namespace(".".join(path[:size]))) for size in range(1, length + 1))
    elements = [PathElement(part, each.availability) for part, each in above if each is not None]
    members: Members | None = namespace.members
    member: Member | None = None
    while members is not None and len(path) > len(elements[-1].path):
        at = elements[-1].path
        rest = path[len(at) :]
        named = members.get(rest[0], ())
        found = next((each for each in named if version in each.availability.versions), None)
        if found is None:
            may_be = member is None and namespace.open_events and _EVENT_NAME.match(rest[0])
            is_unknown = not named and not may_be and not _inherits(rest)
            known_names = tuple(members) if is_unknown else None
            only_in_versions = named[0].availability.versions if named else None
            return SchemaPath(path[:length], tuple(elements), member, rest, known_names, only_in_versions)
        member = found
        elements.append(PathElement((*at, rest[0]), member.availability))
        members = nested_members(schemas, member)
    rest = path[len(elements[-1].path) :]
    listed = enum_constants_of(schemas, member, version) if rest else {}
    known_names = tuple(listed) if listed and rest[0] not in {*listed, *OBJECT_MEMBERS} else None
    return SchemaPath(path[:length], tuple(elements), member, rest, known_names)


def _namespace_parent(schemas: SchemaSet, path: ApiPath, rest: ApiPath) -> SchemaPath:
    """Returns the path to a parent of namespaces that is not a namespace itself, such as `devtools`."""
    names = (name.split(".") for name in schemas.names)
    inner = (name[len(path)] for name in names if tuple(name[: len(path)]) == path and name[len(path) :])
    known_names = None if _inherits(rest) else tuple(dict.fromkeys(inner))
    return SchemaPath(path, (), rest=rest, known_names=known_names)


def _is_namespace_or_parent(schemas: SchemaSet, path: ApiPath) -> bool:
    name = ".".join(path)
    return name in schemas.parents or name in schemas.names


def _inherits(rest: ApiPath) -> bool:
    return not rest or rest[0] in OBJECT_MEMBERS


def enum_constants_of(schemas: SchemaSet, member: Member | None, version: int) -> Mapping[str, str]:
    """Returns the constants of an enumeration with their values, or an empty mapping for any other member."""
    if not isinstance(member, Constant) or not isinstance(member.type, RefType):
        return {}
    kind = schemas.resolve(member.type)
    if kind is None or member.type.name != member.name:
        return {}
    return constants(kind, schemas.engine, version)


def nested_members(schemas: SchemaSet, member: Member) -> Members | None:
    """Returns the members of an object in a namespace, such as `storage.local`, or None for other members."""
    if not isinstance(member, Constant) or not isinstance(member.type, RefType):
        return None
    kind = schemas.resolve(member.type)
    owner = schemas.namespace(member.type.namespace)
    if owner is None or not isinstance(kind, ObjectType) or not kind.has_methods:
        return None
    return {**owner.members_of_type(member.type.name), **{each.name: (each,) for each in member.inner}}
