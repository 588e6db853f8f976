"""What keeps a script from a member of the API: the first reason, in the order in which it counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from extlint.contexts.model import Context, ContextKind
from extlint.extension import Extension
from extlint.judgment.kinds import NO_API, fits, may_be_in_pages
from extlint.judgment.routes import MANIFEST_NAMESPACE, OF_EVERY_OBJECT, Route, Stop, route
from extlint.manifest.manifest import Manifest
from extlint.near import nearest
from extlint.schema.model import Event, SchemaSet
from extlint.script.facts import Path
from extlint_schemas import known_namespaces

EVENT_METHODS = frozenset({"addListener", "removeListener", "hasListener"})
"""What scripts find on an event."""


class Reason(Enum):
    """Why a member is not there."""

    UNKNOWN = "nothing of that name exists"
    CONTEXT = "it does not exist where the script runs"
    UNSUPPORTED = "it is marked unsupported"
    PERMISSION = "the manifest does not request its permission"


class Lack(Struct, frozen=True):
    """Something that a script cannot reach.

    `path` is the shortest path that is missing; it is empty where there is no API at all. `at` is how
    many names long the path is in which people see the lack, that of a namespace in its member. Of the
    rest, `nearest` is for UNKNOWN, `contexts` (those that lack it) and `allowed` (the dialect's
    names of those that have it) for CONTEXT, `permissions` (alternatives) for PERMISSION. `elsewhere`
    is true if the script has other contexts, where the member is there.
    """

    reason: Reason
    path: Path
    at: int
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
    schemas, manifest = extension.schemas, extension.manifest
    found = route(schemas, path, manifest.version)
    if found is None:
        nowhere = tuple(each for each in contexts if each.kind in NO_API)
        if _fails(nowhere, contexts, on_load) and not may_be_in_pages(extension, path, nowhere):
            elsewhere = len(nowhere) < len(contexts)
            return (Lack(Reason.CONTEXT, (), 2, contexts=nowhere, elsewhere=elsewhere),)
        return _unknown_namespace(schemas, path)
    at = max(len(found.path), len(found.namespace) + 1)
    failing = tuple(each for each in contexts if not exists_in(schemas, each.kind, found))
    if _fails(failing, contexts, on_load):
        lack = _wrong_context(schemas, failing, found, at)
        return (lack if len(failing) == len(contexts) else replace(lack, elsewhere=True),)
    if found.instead is not None:
        return (_unknown((*found.path, found.rest[0]), found.instead),)
    if found.member is None:
        return ()
    lacks = tuple(_member_lacks(extension, found, at))
    is_event = isinstance(found.member, Event)
    if not lacks and is_event and found.rest and found.rest[0] not in EVENT_METHODS | OF_EVERY_OBJECT:
        return (_unknown((*found.path, found.rest[0]), EVENT_METHODS),)
    return lacks


def exists_in(schemas: SchemaSet, kind: ContextKind, found: Route) -> bool:
    """Whether all that is on the way to a member is there in one kind of script."""
    return all(fits(schemas.browser, kind, stop.availability.contexts) for stop in found.stops)


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
    return Lack(Reason.UNKNOWN, path, len(path), nearest=nearest(path[-1], names))


def _wrong_context(schemas: SchemaSet, failing: Sequence[Context], found: Route, at: int) -> Lack:
    def is_missing(stop: Stop) -> bool:
        return all(not fits(schemas.browser, each.kind, stop.availability.contexts) for each in failing)

    missing = next((stop.path for stop in found.stops if is_missing(stop)), found.path)
    if all(each.kind in NO_API for each in failing):
        missing = ()
    allowed = next((stop.availability.contexts for stop in found.stops if stop.availability.contexts), ())
    return Lack(Reason.CONTEXT, missing, at, contexts=tuple(failing), allowed=allowed)


def _member_lacks(extension: Extension, found: Route, at: int) -> Iterator[Lack]:
    for stop in found.stops:
        if stop.availability.unsupported:
            yield Lack(Reason.UNSUPPORTED, stop.path, at)
    if not extension.manifest.is_object:
        return
    for stop in found.stops:
        for names in stop.availability.permissions:
            if not any(is_granted(extension.manifest, name) for name in names):
                yield Lack(Reason.PERMISSION, stop.path, at, permissions=names)
                return


def is_granted(manifest: Manifest, permission: str) -> bool:
    """Whether a manifest requests a permission; for `manifest:KEY.KEY`, whether it has that key."""
    if permission.startswith("manifest:"):
        return manifest.get(*permission.removeprefix("manifest:").split(".")) is not None
    return permission in manifest.permissions
