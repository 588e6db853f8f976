"""What keeps a script from a member of the API: the first reason, in the order in which it counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from extlint.contexts.model import Context
from extlint.extension import Extension
from extlint.judgment.kinds import NO_API, exists_in, fits, may_be_in_pages
from extlint.judgment.members import MANIFEST_NAMESPACE, OF_EVERY_OBJECT, member_of, namespace_of
from extlint.near import nearest
from extlint.schema.model import Event, Member, Namespace, SchemaSet
from extlint.script.facts import Path
from extlint_schemas import known_namespaces

EVENT_METHODS = frozenset({"addListener", "removeListener", "hasListener"})
"""What scripts find on an event."""

_EVENT_NAME = re.compile(r"on[A-Z]")


class Reason(Enum):
    """Why a member is not there."""

    UNKNOWN = "nothing of that name exists"
    CONTEXT = "it does not exist where the script runs"
    UNSUPPORTED = "it is marked unsupported"
    PERMISSION = "the manifest does not request its permission"


class Lack(Struct, frozen=True):
    """Something that a script cannot reach.

    `path` is the shortest path that is missing; it is empty where there is no API at all. Of the
    rest, `nearest` is for UNKNOWN, `contexts` (those that lack it) and `allowed` (the dialect's
    names of those that have it) for CONTEXT, `permissions` (alternatives) for PERMISSION. `elsewhere`
    is true if the script has other contexts, where the member is there.
    """

    reason: Reason
    path: Path
    nearest: str | None = None
    contexts: tuple[Context, ...] = ()
    allowed: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()
    elsewhere: bool = False


def lacks_of(
    extension: Extension, path: Path, contexts: tuple[Context, ...], on_load: bool = False
) -> tuple[Lack, ...]:
    """What keeps a script from the member at a path; nothing for what the schemas do not decide.

    A use that certainly runs when the script loads must work in every context, any other in one.
    """
    namespace = namespace_of(extension.schemas, path)
    if namespace is None:
        nowhere = tuple(each for each in contexts if each.kind in NO_API)
        if _fails(nowhere, contexts, on_load) and not may_be_in_pages(extension, path, nowhere):
            return (Lack(Reason.CONTEXT, (), contexts=nowhere, elsewhere=len(nowhere) < len(contexts)),)
        return _unknown_namespace(extension.schemas, path)
    member = member_of(extension, namespace, path)
    failing = tuple(each for each in contexts if not exists_in(each.kind, namespace, member))
    if _fails(failing, contexts, on_load):
        lack = _wrong_context(failing, namespace, member, path)
        return (lack if len(failing) == len(contexts) else replace(lack, elsewhere=True),)
    if len(path) == 1 or path[-1] in OF_EVERY_OBJECT:
        return ()
    if member is None:
        undecided = path[1] in namespace.members or _may_be_event(namespace, path[1])
        return () if undecided else (_unknown(path[:2], namespace.members),)
    lacks = tuple(_member_lacks(extension, namespace, member, path[:2]))
    if not lacks and len(path) > 2 and isinstance(member, Event) and path[2] not in EVENT_METHODS:
        return (_unknown(path[:3], EVENT_METHODS),)
    return lacks


def _fails(failing: tuple[Context, ...], contexts: tuple[Context, ...], on_load: bool) -> bool:
    """Whether a use fails that cannot work in some of the script's contexts."""
    at_once = on_load and any(each.certain for each in failing)
    return bool(failing) and (at_once or len(failing) == len(contexts))


def _unknown_namespace(schemas: SchemaSet, path: Path) -> tuple[Lack, ...]:
    """Only near misses, as long as the schemas do not know every namespace."""
    if len(path) != 1 or path[0] in OF_EVERY_OBJECT or path[0] in known_namespaces():
        return ()
    own = [name for name in schemas.names if name != MANIFEST_NAMESPACE]
    lack = _unknown(path, [*known_namespaces(), *own])
    return (lack,) if lack.nearest in own else ()


def _unknown(path: Path, names: Iterable[str]) -> Lack:
    return Lack(Reason.UNKNOWN, path, nearest=nearest(path[-1], names))


def _may_be_event(namespace: Namespace, name: str) -> bool:
    return namespace.open_events and _EVENT_NAME.match(name) is not None


def _wrong_context(
    failing: tuple[Context, ...], namespace: Namespace, member: Member | None, path: Path
) -> Lack:
    if all(each.kind in NO_API for each in failing):
        missing: Path = ()
    elif all(not fits(each.kind, namespace.availability.contexts) for each in failing):
        missing = path[:1]
    else:
        missing = path[:2]
    allowed = namespace.availability.contexts or (() if member is None else member.availability.contexts)
    return Lack(Reason.CONTEXT, missing, contexts=failing, allowed=allowed)


def _member_lacks(extension: Extension, namespace: Namespace, member: Member, path: Path) -> Iterator[Lack]:
    if member.availability.unsupported:
        yield Lack(Reason.UNSUPPORTED, path)
    if not extension.manifest.is_object:
        return
    for missing, names in zip((path[:1], path), needed_permissions(namespace, member), strict=False):
        if names and extension.manifest.permissions.isdisjoint(names):
            yield Lack(Reason.PERMISSION, missing, permissions=names)
            return


def needed_permissions(namespace: Namespace, member: Member | None) -> tuple[tuple[str, ...], ...]:
    """What the namespace and the member need: one of each that is not empty."""
    return (namespace.availability.permissions, () if member is None else member.availability.permissions)
