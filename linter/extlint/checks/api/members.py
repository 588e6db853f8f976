"""The namespaces and members that exist in each kind of context, and the names that certainly are not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import EVENT_METHODS, OBJECT_MEMBERS
from extlint.analysis.values.constants import ARRAY_MEMBERS, PROMISE_METHODS, STRING_MEMBERS
from extlint.checks.api.enum_constants import is_constant_in_another_browser
from extlint.checks.api.manifest_requests import may_have_unknown_namespaces
from extlint.checks.api.schema_path import MANIFEST_NAMESPACE, SchemaPath
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.extension import Extension
from extlint.schema.engine import Engine
from extlint.schema.model import Availability, Event, Function, SchemaSet
from extlint.schema.targets import FACTS_OF
from extlint.schema.types import ArrayType, ObjectType, RefType, StringType, Versions
from extlint.text.nearest import nearest
from extlint_schemas import known_namespaces

CONTEXTS_WITHOUT_API = frozenset(
    {ContextKind.MAIN_WORLD, ContextKind.SANDBOX, ContextKind.WORKER, ContextKind.WORKLET}
)
"""The kinds of context in which no extension API exists."""

WEB_PAGE_MEMBERS = frozenset({"app", "browser", "csi", "loadTimes", "webstore"})
"""Members of `chrome` in web pages, now or formerly, that are not extension APIs."""

MESSAGING_FUNCTIONS = frozenset({"connect", "sendMessage"})
"""The functions of `runtime` that can send messages to another extension."""

_WEB_PAGE_RUNTIME_MEMBERS = MESSAGING_FUNCTIONS | {"id", "lastError"}
"""The members of `runtime` in web pages that match `externally_connectable` of some extension."""


def is_available_in(engine: Engine | None, kind: ContextKind, availability: Availability) -> bool:
    """Whether a member exists in one kind of context, apart from permissions and versions.

    Without an `engine`, the specification applies: "content" means only content scripts. Firefox's rules are
    those of `shouldInject` in its ExtensionChild. Too little is known about the members that are missing in
    the developer tools pages of Chromium. Chrome's offscreen documents have only `runtime`.
    """
    allowed = availability.contexts
    if kind is ContextKind.UNKNOWN:
        return True
    if kind in CONTEXTS_WITHOUT_API:
        return False
    in_content = kind is ContextKind.CONTENT_SCRIPT
    in_offscreen = kind is ContextKind.OFFSCREEN and engine is not Engine.GECKO
    if engine is None:
        return "offscreen" in allowed if in_offscreen else ("content" in allowed) == in_content
    if "content_only" in allowed and not in_content:
        return False
    in_devtools = kind is ContextKind.DEVTOOLS_PAGE
    if "devtools_only" in allowed and not in_devtools:
        return False
    if in_content:
        return "content" in allowed or "content_only" in allowed
    if in_devtools:
        return engine is Engine.CHROMIUM or "devtools" in allowed or "devtools_only" in allowed
    if in_offscreen:
        return "offscreen" in allowed
    return not (kind is ContextKind.SERVICE_WORKER and "no_service_worker" in allowed)


def may_exist_in_web_pages(extension: Extension, path: ApiPath, contexts: tuple[Context, ...]) -> bool:
    """Whether a name may exist in web pages without the extension API, or is not a known API."""
    if path[0] in WEB_PAGE_MEMBERS or path[0] not in known_namespaces():
        return True
    if path[0] != "runtime" or all(each.kind is not ContextKind.MAIN_WORLD for each in contexts):
        return False
    connectable = extension.manifest.get("externally_connectable") is not None
    return len(path) == 1 or (connectable and path[1] in _WEB_PAGE_RUNTIME_MEMBERS)


_FUNCTION_MEMBERS = OBJECT_MEMBERS | {
    *("apply", "arguments", "bind", "call", "caller", "length", "name", "prototype"),
}
"""The members that every function has."""

_MANIFEST = ("runtime", "getManifest")

EXTRA_EVENT_METHODS: Mapping[Engine, frozenset[str]] = {
    Engine.CHROMIUM: frozenset({"addRules", "getRules", "hasListeners", "removeRules"}),
    Engine.GECKO: frozenset(),
}
"""Additional methods that events of a browser may have; in Chromium, those of declarative events."""

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


def unknown_namespace(extension: Extension, path: ApiPath) -> tuple[Unavailability, ...]:
    """Returns the unavailability of an unknown namespace: for the specification, only of a misspelled one."""
    schemas = extension.schemas
    if len(path) != 1 or path[0] in OBJECT_MEMBERS:
        return ()
    if schemas.engine is not None and schemas.is_complete:
        known = known_namespaces(FACTS_OF[schemas.engine]) | WEB_PAGE_MEMBERS
        is_known = may_have_unknown_namespaces(extension.manifest) or path[0] in known
        return () if is_known else (_unknown(path, schemas.names),)
    if path[0] in known_namespaces() or extension.manifest.get("experiment_apis", path[0]) is not None:
        return ()
    own = [name for name in schemas.names if name != MANIFEST_NAMESPACE]
    unavailability = _unknown(path, [*known_namespaces(), *own])
    return (unavailability,) if unavailability.nearest in own else ()


def unknown_member(
    extension: Extension, path: ApiPath, known_names: tuple[str, ...]
) -> tuple[Unavailability, ...]:
    """Returns the unavailability of an unknown member, unless one that is not in the schemas may exist."""
    schemas = extension.schemas
    if _is_old_messaging(schemas, path):
        unavailability = Unavailability(Reason.MANIFEST_VERSION, path, len(path), versions=Versions(2, 2))
        return (unavailability,) if extension.manifest_version == 3 else ()
    if _may_be_app_member(extension, path) or is_constant_in_another_browser(extension, path):
        return ()
    reason = _unknown(path, known_names)
    return () if schemas.may_have_more and reason.nearest is None else (reason,)


def unknown_method(schemas: SchemaSet, found: SchemaPath) -> tuple[Unavailability, ...]:
    """Returns the unavailability of an unknown method of an event."""
    if not isinstance(found.member, Event) or not found.rest:
        return ()
    extra = frozenset() if schemas.engine is None else EXTRA_EVENT_METHODS[schemas.engine]
    methods = EVENT_METHODS | extra
    is_known = found.rest[0] in methods | OBJECT_MEMBERS
    return () if is_known else (_unknown((*found.path, found.rest[0]), methods),)


def uncalled_function(extension: Extension, found: SchemaPath) -> tuple[Unavailability, ...]:
    """Returns the unavailability of a member that the result of a function has, and not the function."""
    function, name = found.member, found.rest[0] if found.rest else None
    if not isinstance(function, Function) or name is None or name in _FUNCTION_MEMBERS:
        return ()
    is_there = found.path == _MANIFEST and extension.manifest.get(name) is not None
    if not is_there and name not in _members_of_result(function, extension.schemas):
        return ()
    return (Unavailability(Reason.UNKNOWN, (*found.path, name), len(found.path) + 1),)


def _members_of_result(function: Function, schemas: SchemaSet) -> Collection[str]:
    """Returns the names of members of what a function returns, if they are known."""
    if function.async_ is not None:
        return PROMISE_METHODS
    kind = function.returns
    kind = schemas.resolve(kind) if isinstance(kind, RefType) else kind
    match kind:
        case StringType():
            return STRING_MEMBERS
        case ArrayType():
            return ARRAY_MEMBERS
        case ObjectType():
            return kind.properties
    return ()


def _unknown(path: ApiPath, names: Iterable[str]) -> Unavailability:
    known = tuple(names)
    return Unavailability(Reason.UNKNOWN, path, len(path), nearest=nearest(path[-1], known), candidates=known)


def _is_old_messaging(schemas: SchemaSet, path: ApiPath) -> bool:
    """Whether Chromium has a member under an old name that is not in its published types."""
    return schemas.engine is Engine.CHROMIUM and path[0] == "extension" and path[-1] in _OLD_MESSAGING_NAMES


def _may_be_app_member(extension: Extension, path: ApiPath) -> bool:
    """Whether a member may exist as in Chrome apps: `app.window`."""
    engine = extension.schemas.engine
    return engine is not None and (
        (not extension.schemas.is_narrowed and ".".join(path) in known_namespaces(FACTS_OF[engine]))
        or may_have_unknown_namespaces(extension.manifest)
    )
