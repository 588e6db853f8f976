"""Permissions and keys that calls require: without them, calls fail, or browsers hide fields of tabs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import CallSite, FailureHandling, FieldRead, Guards, Reference
from extlint.analysis.facts.values import ArrayValue, Field, FunctionValue, Literal, ObjectValue, Value
from extlint.checks.api.absent_globals import watched_globals
from extlint.checks.api.enum_constants import with_constant_values
from extlint.checks.api.manifest_requests import is_requested
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import SchemaPath, schema_path_of
from extlint.checks.availability.unguarded_references import (
    is_guarded_by_callers,
    is_never_called,
    unguarded_calls_in,
)
from extlint.checks.calls.types import PossibleType, possible_types
from extlint.checks.other_manifests import is_for_sibling_manifest
from extlint.checks.reachability.unreachable_code import in_each_script
from extlint.checks.reachability.unused_scripts import is_unused_script
from extlint.extension import Extension, Script
from extlint.manifest.manifest import REQUESTS
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.model import MANIFEST_KEY_PREFIX, Event, Function
from extlint.schema.types import ObjectType
from extlint.text.positions import ByteSpan

_BLOCKING_OPTIONS = {
    Engine.CHROMIUM: frozenset({"blocking", "asyncBlocking"}),
    Engine.GECKO: frozenset({"blocking"}),
}
"""The options of `webRequest` listeners for which Chromium 156 and Firefox 153 require a permission."""

_BLOCKING_PERMISSION = "webRequestBlocking"
_GET_TOKEN = "identity.getAuthToken"
_CONTAINER = "cookieStoreId"
_IN_CONTAINER = frozenset({"downloads.download", "tabs.create", "windows.create"})
"""The functions that Firefox 153 does not run in a container without permission for cookies."""

_COOKIES = ("cookies",)
_MANAGED = "storage.managed.get"
_MANAGED_SCHEMA = (f"{MANIFEST_KEY_PREFIX}storage.managed_schema",)
_LOGIN_PERMISSIONS = {"onAuthRequired": (_BLOCKING_PERMISSION, "webRequestAuthProvider")}


class RejectedCall(Struct, frozen=True):
    """A call that fails because of a missing permission, and the position at which it is reported.

    Any of `required` is enough: permissions, or keys with the prefix `manifest:`. `what` is the part of the
    source that requires it.
    """

    script: Script
    span: ByteSpan
    api: str
    what: str
    required: tuple[str, ...]


@query
def rejected_calls(extension: Extension) -> tuple[RejectedCall, ...]:
    """Returns each such call for the target of a browser, in the order of the scripts."""
    manifest = extension.manifest
    if extension.schemas.is_specification or not manifest.is_object or manifest.may_be_filled_in(*REQUESTS):
        return ()
    return tuple(_rejected_in_scripts(extension))


@in_each_script
def _rejected_in_scripts(extension: Extension, script: Script) -> Iterator[RejectedCall]:
    for reference, call in unguarded_calls_in(extension, script, FailureHandling.RECOVERED):
        found = schema_path_of(extension, reference.path)
        for refused in () if found is None else _rejections(extension, script, reference, call, found):
            if not _is_excused(extension, refused, reference, call):
                yield refused


def _is_excused(extension: Extension, rejected: RejectedCall, reference: Reference, call: CallSite) -> bool:
    """Whether a call is not a mistake there, or fails for another reason."""
    script, may_be_granted = rejected.script, partial(_may_be_granted, rejected)
    return (
        bool(unavailabilities_of(extension, reference.path, script.contexts))
        or is_unused_script(extension, script)
        or may_be_granted(reference.guards)
        or is_for_sibling_manifest(extension, script, reference, partial(_works, reference, call))
        or is_guarded_by_callers(extension, script, reference, may_be_granted, FailureHandling.RECOVERED)
        or is_never_called(extension, script, reference)
        or (rejected.what == _MANAGED and not _is_known_to_run(extension, script, reference))
        or _may_be_added(extension, rejected)
    )


def _is_known_to_run(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether known calls and events lead to a reference; wrappers of all storage areas use each of them."""
    return extension.searches.is_known_to_run(script, reference.span, watched_globals(extension))


def _works(reference: Reference, call: CallSite, extension: Extension, script: Script) -> bool:
    """Whether a call works in an extension that contains a script."""
    found = schema_path_of(extension, reference.path)
    return (
        found is not None
        and not unavailabilities_of(extension, reference.path, script.contexts)
        and not any(_rejections(extension, script, reference, call, found))
    )


def _rejections(
    extension: Extension, script: Script, reference: Reference, call: CallSite, found: SchemaPath
) -> Iterator[RejectedCall]:
    if found.member is None:
        return
    required = found.member.availability.conditions.permissions
    api = ".".join(found.path)
    if isinstance(found.member, Function) and not found.rest and _is_missing(extension, required):
        yield RejectedCall(script, reference.span, api, api, required)
    elif api == _GET_TOKEN and _requests_no_scopes(extension, call):
        yield RejectedCall(script, reference.span, api, api, (f"{MANIFEST_KEY_PREFIX}oauth2.scopes",))
    elif api == _MANAGED and extension.schemas.engine is Engine.CHROMIUM:
        if _is_missing(extension, _MANAGED_SCHEMA):  # without a schema, Chromium 156 gives nothing
            yield RejectedCall(script, reference.span, api, api, _MANAGED_SCHEMA)
    elif api in _IN_CONTAINER and extension.schemas.engine is Engine.GECKO:
        container = _container(call)
        if container is not None and _is_missing(extension, _COOKIES):
            yield RejectedCall(script, container.key or reference.span, api, _CONTAINER, _COOKIES)
    elif isinstance(found.member, Event) and found.path[0] == "webRequest" and found.rest == ("addListener",):
        required = _LOGIN_PERMISSIONS.get(found.path[-1], (_BLOCKING_PERMISSION,))
        if _is_missing(extension, required):
            yield from (
                RejectedCall(script, option.span or reference.span, api, str(option.value), required)
                for option in _blocking(extension, call)
            )


def _is_missing(extension: Extension, required: tuple[str, ...]) -> bool:
    manifest = extension.manifest
    if not required or any(is_requested(manifest, name) for name in required):
        return False
    return not manifest.may_be_filled_in(*(name.removeprefix(MANIFEST_KEY_PREFIX) for name in required))


def _requests_no_scopes(extension: Extension, call: CallSite) -> bool:
    """Whether neither the manifest nor a call has a scope: "Invalid OAuth2 scopes." (Chromium 156)."""
    scopes = extension.manifest.get("oauth2", "scopes")
    details = call.arguments[0] if call.arguments else None
    is_named = isinstance(details, ObjectValue) and (details.open or "scopes" in details.fields)
    is_known = details is None or isinstance(details, ObjectValue | FunctionValue)
    return scopes is not None and scopes.plain == [] and is_known and not is_named


def _container(call: CallSite) -> Field | None:
    """Returns the property of the first argument that names a container, if it certainly exists."""
    argument = call.arguments[0] if call.arguments else None
    field = argument.fields.get(_CONTAINER) if isinstance(argument, ObjectValue) else None
    if field is None or field.maybe_absent:
        return None
    return None if isinstance(field.value, Literal) and not isinstance(field.value.value, str) else field


def _blocking(extension: Extension, call: CallSite) -> Iterator[Literal]:
    """Yields the first option of a listener that makes requests wait for it."""
    options: Value | None = call.arguments[2] if len(call.arguments) > 2 else None
    if options is None or extension.schemas.engine is None:
        return
    options = with_constant_values(extension, options)
    listed = options.items if isinstance(options, ArrayValue) else ()
    blocking_options = _BLOCKING_OPTIONS[extension.schemas.engine]
    yield from islice(
        (each for each in listed if isinstance(each, Literal) and each.value in blocking_options), 1
    )


def _may_be_granted(rejected: RejectedCall, guards: Guards) -> bool:
    """Whether guards test for the permission, or the call runs in an unknown context.

    The member exists without the permission, so that a test of it shows nothing.
    """
    return guards.runs_in is ContextKind.UNKNOWN or guards.is_granted(rejected.required)


def _may_be_added(extension: Extension, rejected: RejectedCall) -> bool:
    """Whether a tool of the project may add the required request to the manifest. Check this last."""
    from extlint.project.rewritten_keys import may_add_request

    return may_add_request(extension, rejected.required)


def requires_key(rejected: RejectedCall) -> bool:
    """Whether keys of the manifest are required, rather than permissions."""
    return all(name.startswith(MANIFEST_KEY_PREFIX) for name in rejected.required)


TABS = "tabs"
"""The permission that reveals the hidden fields of every tab."""

HIDDEN_FIELDS = frozenset({"favIconUrl", "title", "url"})
_MARKER_FIELD = "favIconUrl"
"""A field that only tabs and changes of tabs have."""

_TAB_NAMESPACES = frozenset({"tabs", "windows"})


def reads_hidden_field(extension: Extension, read: FieldRead) -> bool:
    """Whether a read field is such a field, in a value returned or passed by the API."""
    return (
        read.name in HIDDEN_FIELDS
        and read.of.path[0] in _TAB_NAMESPACES
        and any(map(_is_tab, possible_types(extension, read.of)))
    )


def _is_tab(possible: PossibleType) -> bool:
    return isinstance(possible.type, ObjectType) and _MARKER_FIELD in possible.type.properties
