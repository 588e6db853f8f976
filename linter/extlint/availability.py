"""Whether the members of the API that scripts name are there, where they are named.

The four rules about availability share this one reading of an extension, so that a use that cannot
work earns one answer: a member of a namespace that does not exist in a script is that, and is not
also called unsupported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from extlint.contexts.model import Context, ContextKind
from extlint.extension import Extension, Script, once_per_extension
from extlint.near import nearest
from extlint.schema.model import Event, Member, Namespace, SchemaSet
from extlint.script.facts import Guards, Naming, Path
from extlint.text import Span
from extlint.values import ArrayValue, FunctionValue, Literal, ObjectValue, Value
from extlint_schemas import known_namespaces

MANIFEST_NAMESPACE = "manifest"
"""The namespace that describes manifest.json; no script sees it."""

EVENT_METHODS = frozenset({"addListener", "removeListener", "hasListener"})
"""What scripts find on an event."""

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

NO_API = frozenset({ContextKind.MAIN_WORLD, ContextKind.SANDBOX, ContextKind.WORKER, ContextKind.WORKLET})
"""The worlds in which no extension API exists."""

OF_WEB_PAGES = frozenset({"app", "browser", "csi", "loadTimes", "webstore"})
"""What the `chrome` of web pages has, or had, that is no API of extensions."""

_MESSAGING = frozenset({"connect", "sendMessage"})
_RUNTIME_OF_WEB_PAGES = _MESSAGING | {"id", "lastError"}
"""What `runtime` has in web pages that some extension's `externally_connectable` matches."""

_EXTENSION_ID = re.compile(r"[a-p]{32}|.*@.*|\{[0-9a-fA-F-]+\}")
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


class Absence(Struct, frozen=True):
    """A place where a script names what it cannot reach. `api` is the member that it names."""

    lack: Lack
    api: str
    path: str
    span: Span


def absences(extension: Extension, reason: Reason) -> Iterator[Absence]:
    """The places where a script names what is not there, for one reason and without a guard."""
    return (absence for absence in _all_absences(extension) if absence.lack.reason is reason)


@once_per_extension
def _all_absences(extension: Extension) -> tuple[Absence, ...]:
    found: dict[tuple[str, Span, Path], Absence] = {}
    for script in extension.scripts:
        for naming in script.facts.namings:
            for lack in _unexcused(extension, script, naming):
                absence = Absence(lack, ".".join(naming.path[:2]), script.path, script.span(naming.span))
                found.setdefault((script.path, absence.span, (lack.reason.name, *lack.path)), absence)
    return tuple(found.values())


def _unexcused(extension: Extension, script: Script, naming: Naming) -> Iterator[Lack]:
    guards = naming.guards
    if naming.only_tested or guards.caught:
        return
    own = [
        lack
        for lack in _lacks(extension, naming.path, script.contexts, naming.on_load)
        if len(naming.path) == (len(lack.path) if lack.reason is Reason.UNKNOWN else 2)
    ]
    if own and not cannot_run(extension, script, guards):
        for lack in own:
            if not _covers(guards, lack) and not _may_address_another(script, naming, lack):
                yield lack


def _may_address_another(script: Script, naming: Naming, lack: Lack) -> bool:
    """Whether a script in a web page may send a message to another extension, which allows it."""
    if naming.path[0] != "runtime" or naming.path[1] not in _MESSAGING:
        return False
    if all(each.kind is not ContextKind.MAIN_WORLD for each in lack.contexts):
        return False
    call = next((each for each in script.facts.calls if each.callee == naming.span), None)
    if call is None or (call.open and not call.arguments):
        return True
    return bool(call.arguments) and _may_be_extension_id(call.arguments[0])


def _may_be_extension_id(value: Value) -> bool:
    match value:
        case Literal(value=str() as text):
            return _EXTENSION_ID.fullmatch(text) is not None
        case Literal() | ObjectValue() | ArrayValue() | FunctionValue():
            return False
    return True


def _covers(guards: Guards, lack: Lack) -> bool:
    return any(tested[: len(lack.path)] == lack.path for tested in guards.tested)


def cannot_run(extension: Extension, script: Script, guards: Guards) -> bool:
    """Whether the target decides the tests around a place such that its code never runs."""
    return any(_certainly_absent(extension, path, script.contexts) for path in guards.tested) or any(
        _certainly_there(extension, path, script.contexts) for path in guards.missing
    )


def _certainly_absent(extension: Extension, path: Path, contexts: tuple[Context, ...]) -> bool:
    return bool(_lacks(extension, path, contexts))


def _certainly_there(extension: Extension, path: Path, contexts: tuple[Context, ...]) -> bool:
    namespace = namespace_of(extension.schemas, path)
    if namespace is None or len(path) > 2 or not contexts:
        return False
    member = member_of(extension, namespace, path)
    if len(path) == 2 and member is None:
        return False
    required = {name for name, _ in extension.manifest.strings("permissions")}
    return (
        not _lacks(extension, path, contexts)
        and all(_exists_in(context.kind, namespace, member) for context in contexts)
        and all(not names or required.intersection(names) for names in _permissions(namespace, member))
    )


def namespace_of(schemas: SchemaSet, path: Path) -> Namespace | None:
    """The namespace that a path of the API leads into, if the schemas have it."""
    return None if not path or path[0] == MANIFEST_NAMESPACE else schemas.namespace(path[0])


def member_of(extension: Extension, namespace: Namespace, path: Path) -> Member | None:
    """The member that a path of the API names, as the extension's manifest version has it."""
    members = namespace.members.get(path[1], ()) if len(path) > 1 else ()
    version = extension.manifest.version
    return next((each for each in members if version in each.availability.versions), None)


def _lacks(
    extension: Extension, path: Path, contexts: tuple[Context, ...], on_load: bool = False
) -> tuple[Lack, ...]:
    """What keeps a script from the member at a path; nothing for what the schemas do not decide.

    A use that certainly runs when the script loads must work in every context, any other in one.
    """
    namespace = namespace_of(extension.schemas, path)
    if namespace is None:
        nowhere = tuple(each for each in contexts if each.kind in NO_API)
        if _fails(nowhere, contexts, on_load) and not _may_be_in_pages(extension, path, nowhere):
            return (Lack(Reason.CONTEXT, (), contexts=nowhere, elsewhere=len(nowhere) < len(contexts)),)
        return _unknown_namespace(extension.schemas, path)
    member = member_of(extension, namespace, path)
    failing = tuple(each for each in contexts if not _exists_in(each.kind, namespace, member))
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


def _may_be_in_pages(extension: Extension, path: Path, contexts: tuple[Context, ...]) -> bool:
    """Whether something of this name may be there without the API, or is no API that is known."""
    if path[0] in OF_WEB_PAGES or path[0] not in known_namespaces():
        return True
    if path[0] != "runtime" or all(each.kind is not ContextKind.MAIN_WORLD for each in contexts):
        return False
    connectable = extension.manifest.get("externally_connectable") is not None
    return len(path) == 1 or (connectable and path[1] in _RUNTIME_OF_WEB_PAGES)


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


def _exists_in(kind: ContextKind, namespace: Namespace, member: Member | None) -> bool:
    return _fits(kind, namespace.availability.contexts) and (
        member is None or _fits(kind, member.availability.contexts)
    )


def _fits(kind: ContextKind, allowed: tuple[str, ...]) -> bool:
    """Whether a member with these contexts is there in one kind of script.

    Chrome's offscreen documents have `runtime` alone.
    """
    if kind is ContextKind.UNKNOWN:
        return True
    if kind in NO_API:
        return False
    if kind is ContextKind.OFFSCREEN:
        return "offscreen" in allowed
    return ("content" in allowed) == (kind is ContextKind.CONTENT_SCRIPT)


def _wrong_context(
    failing: tuple[Context, ...], namespace: Namespace, member: Member | None, path: Path
) -> Lack:
    if all(each.kind in NO_API for each in failing):
        missing: Path = ()
    elif all(not _fits(each.kind, namespace.availability.contexts) for each in failing):
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
    for missing, names in zip((path[:1], path), _permissions(namespace, member), strict=False):
        if names and extension.manifest.permissions.isdisjoint(names):
            yield Lack(Reason.PERMISSION, missing, permissions=names)
            return


def _permissions(namespace: Namespace, member: Member | None) -> tuple[tuple[str, ...], ...]:
    """What the namespace and the member need: one of each that is not empty."""
    return (namespace.availability.permissions, () if member is None else member.availability.permissions)
