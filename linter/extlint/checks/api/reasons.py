"""Finds why a member of the API is not available to a script: the first reason, in order of importance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from extlint.checks.api.enum_constants import is_constant_in_another_browser
from extlint.checks.api.manifest_requests import is_requested, may_have_unknown_namespaces
from extlint.checks.api.namespaces import (
    CONTEXTS_WITHOUT_API,
    WEB_PAGE_MEMBERS,
    is_available_in,
    may_exist_in_web_pages,
)
from extlint.checks.api.schema_path import (
    MANIFEST_NAMESPACE,
    OBJECT_PROTOTYPE_MEMBERS,
    PathElement,
    SchemaPath,
    schema_path_of,
)
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.extension import Extension, once_per_extension
from extlint.schema.engine import Engine
from extlint.schema.model import MANIFEST_KEY_PREFIX, Event, SchemaSet
from extlint.schema.types import Versions
from extlint.script.facts.context import Context, ContextKind
from extlint.script.facts.script_facts import ApiPath
from extlint.targets.request import FACTS_OF
from extlint.text.nearest import nearest
from extlint_schemas import known_namespaces

EVENT_METHODS = frozenset({"addListener", "removeListener", "hasListener"})
"""The methods of every event."""

EXTRA_EVENT_METHODS: Mapping[Engine, frozenset[str]] = {
    Engine.CHROMIUM: frozenset({"addRules", "getRules", "hasListeners", "removeRules"}),
    Engine.GECKO: frozenset(),
}
"""More methods that events of a browser may have; in Chromium, those of declarative events."""

_OLD_MESSAGING_NAMES = frozenset(
    {
        "connect",
        "connectNative",
        "onConnect",
        "onConnectExternal",
        "onMessage",
        "onMessageExternal",
        "sendMessage",
        "sendNativeMessage",
    }
)
"""Members of `extension` from before `runtime`, in Manifest V2 only (extension_hooks_delegate.cc)."""


def unavailabilities_of(
    extension: Extension, path: ApiPath, contexts: tuple[Context, ...], on_load: bool = False
) -> tuple[Unavailability, ...]:
    """The reasons why a script cannot use the member at a path; empty where the schemas do not decide it.

    A use that certainly runs when the script loads must work in each of the contexts, any other in one.
    """
    key = (path, id(contexts), on_load)
    known = _answers(extension)
    if key not in known:
        known[key] = contexts, _find_unavailabilities(extension, path, contexts, on_load)
    return known[key][1]


@once_per_extension
def _answers(_extension: Extension) -> dict[object, tuple[tuple[Context, ...], tuple[Unavailability, ...]]]:
    """The answers so far. The contexts are kept with them, so that no others can have their identity."""
    return {}


def _find_unavailabilities(
    extension: Extension, path: ApiPath, contexts: tuple[Context, ...], on_load: bool
) -> tuple[Unavailability, ...]:
    schemas, manifest = extension.schemas, extension.manifest
    found = schema_path_of(extension, path)
    if not schemas.is_specification and path and path[0] in WEB_PAGE_MEMBERS:
        return ()
    if found is None:
        without_api = tuple(each for each in contexts if each.kind in CONTEXTS_WITHOUT_API)
        if _fails(without_api, contexts, on_load) and not may_exist_in_web_pages(
            extension, path, without_api
        ):
            in_others = len(without_api) < len(contexts)
            return (
                Unavailability(
                    Reason.CONTEXT, (), 2, contexts=without_api, exists_in_other_contexts=in_others
                ),
            )
        return _unknown_namespace(extension, path)
    outdated = next(
        (element for element in found.elements if manifest.version not in element.availability.versions), None
    )
    if outdated is not None:
        versions = outdated.availability.versions
        at = found.reported_length(outdated.path)
        return (Unavailability(Reason.MANIFEST_VERSION, outdated.path, at, versions=versions),)
    failing = tuple(each for each in contexts if not exists_in_context(schemas, each.kind, found))
    in_pages = [each for each in failing if each.kind in CONTEXTS_WITHOUT_API]
    if in_pages and may_exist_in_web_pages(extension, path, tuple(in_pages)):
        failing = ()
    if _fails(failing, contexts, on_load):
        unavailability = _wrong_context(schemas, failing, found)
        return (
            unavailability
            if len(failing) == len(contexts)
            else replace(unavailability, exists_in_other_contexts=True),
        )
    if found.only_in_versions is not None:
        missing = (*found.path, found.rest[0])
        return (
            Unavailability(Reason.MANIFEST_VERSION, missing, len(missing), versions=found.only_in_versions),
        )
    if found.known_names is not None:
        missing = (*found.path, found.rest[0])
        if _is_old_messaging(schemas, missing):
            return _only_in_version_2(missing) if manifest.version == 3 else ()
        is_there = _is_of_apps(extension, missing) or is_constant_in_another_browser(extension, missing)
        unavailability = _unknown(missing, found.known_names)
        may_be_there = schemas.may_have_more and unavailability.nearest is None
        return () if is_there or may_be_there else (unavailability,)
    if found.member is None:
        return ()
    reasons = tuple(_member_unavailabilities(extension, found))
    if not reasons and isinstance(found.member, Event) and found.rest:
        methods = (
            EVENT_METHODS if schemas.engine is None else EVENT_METHODS | EXTRA_EVENT_METHODS[schemas.engine]
        )
        if found.rest[0] not in methods | OBJECT_PROTOTYPE_MEMBERS:
            return (_unknown((*found.path, found.rest[0]), methods),)
    return reasons


def is_unavailable(extension: Extension, path: ApiPath, contexts: tuple[Context, ...]) -> bool:
    """Whether a member or a namespace by itself is certainly missing, so that a test for it fails."""
    found = schema_path_of(extension, path)
    return bool(unavailabilities_of(extension, path, contexts)) or (
        found is not None and found.member is None and any(_member_unavailabilities(extension, found))
    )


def exists_in_context(schemas: SchemaSet, kind: ContextKind, found: SchemaPath) -> bool:
    """Whether a member, and each namespace on the path to it, exists in one kind of context."""
    return all(is_available_in(schemas.engine, kind, element.availability) for element in found.elements)


def _fails(failing: tuple[Context, ...], contexts: tuple[Context, ...], on_load: bool) -> bool:
    """Whether a use is wrong that throws in some of the script's contexts."""
    at_once = on_load and any(each.certain for each in failing)
    return bool(failing) and (at_once or len(failing) == len(contexts))


def _unknown_namespace(extension: Extension, path: ApiPath) -> tuple[Unavailability, ...]:
    """For a browser, a namespace that no extension has; for the specification, only a misspelled one."""
    schemas = extension.schemas
    if len(path) != 1 or path[0] in OBJECT_PROTOTYPE_MEMBERS:
        return ()
    if schemas.engine is not None and schemas.is_whole:
        known = known_namespaces(FACTS_OF[schemas.engine]) | WEB_PAGE_MEMBERS
        is_known = may_have_unknown_namespaces(extension.manifest) or path[0] in known
        return () if is_known else (_unknown(path, schemas.names),)
    if path[0] in known_namespaces() or extension.manifest.get("experiment_apis", path[0]) is not None:
        return ()
    own = [name for name in schemas.names if name != MANIFEST_NAMESPACE]
    unavailability = _unknown(path, [*known_namespaces(), *own])
    return (unavailability,) if unavailability.nearest in own else ()


def _is_old_messaging(schemas: SchemaSet, path: ApiPath) -> bool:
    """Whether Chromium has a member under an old name that its published types do not have."""
    return schemas.engine is Engine.CHROMIUM and path[0] == "extension" and path[-1] in _OLD_MESSAGING_NAMES


def _only_in_version_2(path: ApiPath) -> tuple[Unavailability, ...]:
    return (Unavailability(Reason.MANIFEST_VERSION, path, len(path), versions=Versions(2, 2)),)


def _is_of_apps(extension: Extension, path: ApiPath) -> bool:
    """Whether a member may exist as in Chrome apps: `app.window`."""
    engine = extension.schemas.engine
    return engine is not None and (
        (not extension.schemas.is_narrowed and ".".join(path) in known_namespaces(FACTS_OF[engine]))
        or may_have_unknown_namespaces(extension.manifest)
    )


def _unknown(path: ApiPath, names: Iterable[str]) -> Unavailability:
    known = tuple(names)
    return Unavailability(Reason.UNKNOWN, path, len(path), nearest=nearest(path[-1], known), candidates=known)


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
