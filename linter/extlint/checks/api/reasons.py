"""Finds the most important reason why a member of the API is not available to a script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import ApiPath
from extlint.checks.api.manifest_requests import is_requested
from extlint.checks.api.members import (
    CONTEXTS_WITHOUT_API,
    WEB_PAGE_MEMBERS,
    is_available_in,
    may_exist_in_web_pages,
    uncalled_function,
    unknown_member,
    unknown_method,
    unknown_namespace,
)
from extlint.checks.api.schema_path import (
    PathElement,
    SchemaPath,
    schema_path_of,
)
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.extension import Extension
from extlint.queries.query import query
from extlint.schema.model import MANIFEST_KEY_PREFIX, SchemaSet
from extlint.schema.types import Versions


def unavailabilities_of(
    extension: Extension, path: ApiPath, contexts: tuple[Context, ...], on_load: bool = False
) -> tuple[Unavailability, ...]:
    """Returns the reasons why a script cannot use the member at a path.

    Returns an empty tuple if the schemas do not decide it.

    A use that certainly runs when the script loads must work in each of the contexts, any other in one.
    """
    key = (path, id(contexts), on_load)
    known = _known_unavailabilities(extension)
    if key not in known:
        known[key] = contexts, _in_like_contexts(extension, path, contexts, on_load)
    return known[key][1]


@query
def _known_unavailabilities(
    _extension: Extension,
) -> dict[object, tuple[tuple[Context, ...], tuple[Unavailability, ...]]]:
    """Returns the known results.

    The contexts are stored with them, so that no others can have their identity.
    """
    return {}


def _in_like_contexts(
    extension: Extension, path: ApiPath, contexts: tuple[Context, ...], on_load: bool
) -> tuple[Unavailability, ...]:
    """Returns the reasons. Unless they name contexts, they depend only on the kinds and the certainty."""
    key = (path, tuple([(each.kind, each.certain) for each in contexts]), on_load)
    known = _known_by_kinds(extension)
    if key in known:
        return known[key]
    found = _find_unavailabilities(extension, path, contexts, on_load)
    if not any(each.contexts for each in found):
        known[key] = found
    return found


@query
def _known_by_kinds(_extension: Extension) -> dict[object, tuple[Unavailability, ...]]:
    """Returns the known results that name no contexts."""
    return {}


def _find_unavailabilities(
    extension: Extension, path: ApiPath, contexts: tuple[Context, ...], on_load: bool
) -> tuple[Unavailability, ...]:
    if not extension.schemas.is_specification and path and path[0] in WEB_PAGE_MEMBERS:
        return ()
    found = schema_path_of(extension, path)
    if found is None:
        return _namespace_unavailability(extension, path, contexts, on_load)
    reason = _version_unavailability(extension, found) or _context_unavailability(
        extension, path, found, contexts, on_load
    )
    if reason is not None:
        return (reason,)
    if found.only_in_versions is not None:
        missing = (*found.path, found.rest[0])
        return (_only_in_versions(found.only_in_versions, missing, len(missing)),)
    if found.known_names is not None:
        return unknown_member(extension, (*found.path, found.rest[0]), found.known_names)
    if found.member is None:
        return ()
    return tuple(_member_unavailabilities(extension, found)) or (
        *unknown_method(extension.schemas, found),
        *uncalled_function(extension, found),
    )


def _namespace_unavailability(
    extension: Extension, path: ApiPath, contexts: tuple[Context, ...], on_load: bool
) -> tuple[Unavailability, ...]:
    """Returns the reason for a missing namespace: a context without API, or an unknown name."""
    failing = tuple(each for each in contexts if each.kind in CONTEXTS_WITHOUT_API)
    if not _fails(failing, contexts, on_load) or may_exist_in_web_pages(extension, path, failing):
        return unknown_namespace(extension, path)
    exists_elsewhere = len(failing) < len(contexts)
    return (
        Unavailability(Reason.CONTEXT, (), 2, contexts=failing, exists_in_other_contexts=exists_elsewhere),
    )


def _version_unavailability(extension: Extension, found: SchemaPath) -> Unavailability | None:
    """Returns the reason if an element of a path exists only in the other manifest version."""
    version = extension.manifest_version
    for element in found.elements:
        versions = element.availability.versions
        if version not in versions:
            return _only_in_versions(versions, element.path, found.reported_length(element.path))
    return None


def _only_in_versions(versions: Versions, path: ApiPath, reported_length: int) -> Unavailability:
    return Unavailability(Reason.MANIFEST_VERSION, path, reported_length, versions=versions)


def _context_unavailability(
    extension: Extension, path: ApiPath, found: SchemaPath, contexts: tuple[Context, ...], on_load: bool
) -> Unavailability | None:
    """Returns the reason if a member is missing in contexts where it must work."""
    schemas = extension.schemas
    failing = tuple(each for each in contexts if not exists_in_context(schemas, each.kind, found))
    without_api = tuple(each for each in failing if each.kind in CONTEXTS_WITHOUT_API)
    if without_api and may_exist_in_web_pages(extension, path, without_api):
        return None
    if not _fails(failing, contexts, on_load):
        return None
    reason = _wrong_context(schemas, failing, found)
    return reason if len(failing) == len(contexts) else replace(reason, exists_in_other_contexts=True)


def is_unavailable(extension: Extension, path: ApiPath, contexts: tuple[Context, ...]) -> bool:
    """Whether a member, or a namespace by itself, is certainly missing, so that a test for it fails."""
    found = schema_path_of(extension, path)
    return bool(unavailabilities_of(extension, path, contexts)) or (
        found is not None and found.member is None and any(_member_unavailabilities(extension, found))
    )


def exists_in_context(schemas: SchemaSet, kind: ContextKind, found: SchemaPath) -> bool:
    """Whether a member, and each namespace on the path to it, exists in one kind of context."""
    return all(is_available_in(schemas.engine, kind, element.availability) for element in found.elements)


def _fails(failing: tuple[Context, ...], contexts: tuple[Context, ...], on_load: bool) -> bool:
    """Whether a use is a mistake, given the contexts of the script in which it throws."""
    at_once = on_load and any(each.certain for each in failing)
    return bool(failing) and (at_once or len(failing) == len(contexts))


def _wrong_context(schemas: SchemaSet, failing: Sequence[Context], found: SchemaPath) -> Unavailability:
    def is_missing(element: PathElement) -> bool:
        return all(not is_available_in(schemas.engine, each.kind, element.availability) for each in failing)

    missing = next((element.path for element in found.elements if is_missing(element)), found.path)
    at = found.reported_length(missing)
    if all(each.kind in CONTEXTS_WITHOUT_API for each in failing):
        return Unavailability(Reason.CONTEXT, (), at, contexts=tuple(failing))
    availabilities = [element.availability for element in found.elements if len(element.path) <= len(missing)]
    kinds = (
        kind
        for kind in ContextKind
        if all(is_available_in(schemas.engine, kind, each) for each in availabilities)
    )
    return Unavailability(
        Reason.CONTEXT,
        missing,
        at,
        contexts=tuple(failing),
        exists_in=frozenset(kinds) - {ContextKind.UNKNOWN},
    )


def _member_unavailabilities(extension: Extension, found: SchemaPath) -> Iterator[Unavailability]:
    for element in found.elements:
        if element.availability.unsupported:
            yield Unavailability(Reason.UNSUPPORTED, element.path, found.reported_length(element.path))
    if not extension.manifest.is_object:
        return
    for element in found.elements:
        for names in element.availability.permissions:
            if not any(is_requested(extension.manifest, name) for name in names):
                are_keys = all(name.startswith(MANIFEST_KEY_PREFIX) for name in names)
                reason = Reason.MANIFEST_KEY if are_keys else Reason.PERMISSION
                yield Unavailability(
                    reason, element.path, found.reported_length(element.path), permissions=names
                )
                return
