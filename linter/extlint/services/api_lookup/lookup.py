"""Looks a name up in the schemas of a target. Reads only the namespaces on its path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from extlint.checks.api.schema_path import nested_members
from extlint.schema.model import Constant, Member, Namespace, SchemaSet
from extlint.schema.types import ObjectType, RefType
from extlint.services.api_lookup.entry import (
    AvailabilityPath,
    Entry,
    Subject,
    entry_of,
    member_entry,
    type_entry,
    without_members,
)
from extlint_schemas import support

ROOTS = ("browser.", "chrome.")


def namespace_entries(schemas: SchemaSet) -> tuple[Entry, ...]:
    """Returns an entry for each namespace of a target."""
    found = map(schemas.namespace, schemas.names)
    return tuple(_namespace_entry(schemas, each) for each in found if each is not None)


def available_namespaces(schemas: SchemaSet) -> tuple[str, ...]:
    """Returns the names of a target's namespaces, except those known to be missing from it."""
    return tuple(
        name
        for name in schemas.names
        if support(name.partition(".")[0]).get(name, {}).get(schemas.target) is not False
    )


def find_entries(schemas: SchemaSet, name: str) -> tuple[Entry, ...]:
    """Returns the entries of a name, one for each manifest version that differs, or an empty tuple.

    The name may begin with `browser.` or `chrome.`, and end in a call or in a method of an event.
    """
    plain = plain_name(name)
    found = tuple(_find_plain(schemas, plain))
    owner = plain.rpartition(".")[0]
    return found or tuple(each for each in _find_plain(schemas, owner) if each.kind == "event")


def plain_name(name: str) -> str:
    """Returns a name without its root and the arguments of its call."""
    plain = name.partition("(")[0].strip()
    for root in ROOTS:
        plain = plain.removeprefix(root)
    return plain


def namespace_of(schemas: SchemaSet, plain: str) -> str | None:
    """Returns the longest namespace that is a prefix of a name, or None."""
    steps = plain.split(".", 8)
    names = (".".join(steps[:length]) for length in range(len(steps), 0, -1))
    return next((name for name in names if name in schemas.names), None)


def _find_plain(schemas: SchemaSet, plain: str) -> Iterator[Entry]:
    name = namespace_of(schemas, plain)
    namespace = None if name is None else schemas.namespace(name)
    if namespace is None:
        if plain in schemas.parents:
            yield _parent_entry(schemas, plain)
    elif plain == namespace.name:
        yield _namespace_entry(schemas, namespace)
    else:
        yield from _find_in_namespace(schemas, namespace, plain.removeprefix(f"{namespace.name}."))


def _find_in_namespace(schemas: SchemaSet, namespace: Namespace, rest: str) -> Iterator[Entry]:
    first, *more = rest.split(".")
    stops = (namespace.availability,)
    if first in namespace.type_names:
        if not more:
            yield _with_methods(schemas, namespace, type_entry(schemas, namespace, first))
        else:
            place = Subject(namespace.name, (first,), owner=first)
            yield from _follow_path(schemas, _type_members(namespace, first), more, place, stops)
    else:
        place = Subject(namespace.name)
        yield from _follow_path(schemas, namespace.members, [first, *more], place, stops)


def _follow_path(
    schemas: SchemaSet,
    members: Mapping[str, tuple[Member, ...]],
    names: list[str],
    at: Subject,
    stops: AvailabilityPath,
) -> Iterator[Entry]:
    """Yields the entries at the end of a path that starts at some members, through the objects among them."""
    first, *more = names
    for member in members.get(first, ()):
        here = (*stops, member.availability)
        within = nested_members(schemas, member)
        if not more:
            yield _member(schemas, member, at, first, here)
        elif within is not None:
            yield from _follow_path(schemas, within, more, _nested_subject(at, first, member), here)


def _nested_subject(at: Subject, name: str, member: Member) -> Subject:
    """Returns the subject for the members of an object in a namespace."""
    kind = member.type if isinstance(member, Constant) else None
    owner = kind.name if isinstance(kind, RefType) and kind.namespace == at.namespace else None
    return Subject(at.namespace, (*at.way, name), owner=owner)


def _member(schemas: SchemaSet, member: Member, at: Subject, name: str, stops: AvailabilityPath) -> Entry:
    place = replace(at, name=name)
    entry = member_entry(schemas, member, ".".join(place.path), place, stops)
    within = nested_members(schemas, member)
    if within is None:
        return entry
    inner = _nested_subject(at, name, member)
    members = tuple(
        _member(schemas, each, inner, each.name, (*stops, each.availability))
        for named in within.values()
        for each in named
    )
    return replace(entry, members=without_members(members))


def _with_methods(schemas: SchemaSet, namespace: Namespace, entry: Entry) -> Entry:
    """Returns the entry of a type, including the functions and events of its objects."""
    name = entry.name.removeprefix(f"{namespace.name}.")
    kind = namespace.type(name)
    if not isinstance(kind, ObjectType) or not kind.has_methods:
        return entry
    place = Subject(namespace.name, (name,), owner=name)
    members = tuple(
        _member(schemas, each, place, each.name, (namespace.availability, each.availability))
        for named in _type_members(namespace, name).values()
        for each in named
        if each.name not in kind.properties
    )
    return replace(entry, members=members)


def _type_members(namespace: Namespace, name: str) -> Mapping[str, tuple[Member, ...]]:
    """Returns the members of a type, available in the same contexts as its namespace."""
    contexts = namespace.availability.contexts
    return {
        key: tuple(
            replace(each, availability=replace(each.availability, contexts=contexts)) for each in members
        )
        for key, members in namespace.members_of_type(name).items()
    }


def _parent_entry(schemas: SchemaSet, name: str) -> Entry:
    """Returns the entry of a name that contains only other namespaces, such as `devtools`."""
    inner = [
        _namespace_entry(schemas, each)
        for each in map(schemas.namespace, _child_namespaces(schemas, name))
        if each is not None
    ]
    return Entry(name, "namespace", schemas.target, name, members=without_members(inner))


def _child_namespaces(schemas: SchemaSet, name: str) -> Iterator[str]:
    return (each for each in schemas.names if each.rpartition(".")[0] == name)


def _namespace_entry(schemas: SchemaSet, namespace: Namespace) -> Entry:
    name = namespace.name
    found = entry_of(schemas, "namespace", name, Subject(name), (namespace.availability,))
    inner = () if name not in schemas.parents else _parent_entry(schemas, name).members
    members = (*_member_entries(schemas, namespace), *inner)
    return replace(found, description=namespace.description, members=without_members(members))


def _member_entries(schemas: SchemaSet, namespace: Namespace) -> Iterator[Entry]:
    types = frozenset(namespace.type_names)
    stops = (namespace.availability,)
    for members in namespace.members.values():
        for each in members:
            if each.name not in types:
                yield _member(schemas, each, Subject(namespace.name), each.name, (*stops, each.availability))
    for name in namespace.type_names:
        yield type_entry(schemas, namespace, name)
