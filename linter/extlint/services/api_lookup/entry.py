"""The result of a look-up: one name of the schemas with everything known about it, and its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from extlint.analysis.facts.context import ContextKind
from extlint.checks.api.members import is_available_in
from extlint.checks.availability.browser_help import browsers_that_have
from extlint.schema.engine import Engine
from extlint.schema.matching.message_passing import REORDERED_FUNCTIONS
from extlint.schema.model import (
    Availability,
    Constant,
    Event,
    Function,
    Member,
    Namespace,
    SchemaSet,
)
from extlint.schema.targets import CHROME, FIREFOX
from extlint.schema.types import ArrayType, ObjectType, Parameter, Property, StringType, Type
from extlint.schema.words.types import signature, type_text
from extlint_schemas import namespace_loaders, successor, support

_MDN = "https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API/"
_CHROME = "https://developer.chrome.com/docs/extensions/reference/api/"
_CHROME_MV2 = "https://developer.chrome.com/docs/extensions/mv2/reference/"
"""Chrome's pages of the namespaces that exist only in Manifest V2."""

_ANCHORS = {"enum": "type", "event": "event", "function": "method", "property": "property", "type": "type"}
_TYPES_WITH_PAGE = frozenset({("storage", "StorageArea")})
"""The types with a page of their own on Chrome's site."""

_SINGLE_PAGE_NAMESPACE = "privacy"
"""The namespace whose nested namespaces share its page."""


class Subject(Struct, frozen=True):
    """The documented position of a name; `way` are the names between its namespace and the name.

    In `storage.local.get` these are `local`; `owner` is the type that describes the members of such an object
    (`StorageArea`), if it is in the same namespace.
    """

    namespace: str
    way: tuple[str, ...] = ()
    name: str = ""
    owner: str | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the root to the subject."""
        return (*self.namespace.split("."), *self.way, *([self.name] if self.name else ()))

    @property
    def documented_path(self) -> tuple[str, ...]:
        """The names after the namespace in the documentation, such as `StorageArea` and `get`."""
        within = self.way if self.owner is None else (self.owner,)
        return (*within, *([self.name] if self.name else ()))


def versions(subject: Subject, manifest_version: int) -> Mapping[str, list[str] | bool]:
    """Returns the support in each browser, if known: `[added]`, `[added, removed]` or false."""
    known = support(subject.path[0], manifest_version)
    described = ".".join((subject.namespace, *subject.documented_path))
    found = known.get(".".join(subject.path)) or known.get(described) or {}
    return {browser: each for browser, each in found.items() if each is not True}


def documentation(engine: Engine | None, kind: str, subject: Subject, is_mv2_only: bool) -> str | None:
    """Returns the address of the page about a subject, or None if no such page exists.

    `is_mv2_only` is true if its namespace does not exist in Manifest V3.
    Links to Chrome's own documentation for Chromium, else to MDN, which has pages for Firefox.
    Source: the forms of the two sites' addresses, and the addresses in @mdn/browser-compat-data 8.1.9.
    """
    return _chrome(kind, subject, is_mv2_only) if engine is Engine.CHROMIUM else _mdn(kind, subject)


def _mdn(kind: str, subject: Subject) -> str | None:
    namespace = "menus" if subject.namespace == "contextMenus" else subject.namespace
    known = support(namespace.partition(".")[0])
    path = (*namespace.split("."), *subject.documented_path)
    if kind == "property" and subject.owner is not None:
        path = path[:-1]
    if not isinstance(known.get(".".join(path), {}).get(FIREFOX), list):
        return None
    if subject.path[0] == _SINGLE_PAGE_NAMESPACE:
        path = path[:2]
    return _MDN + "/".join(path)


def _chrome(kind: str, subject: Subject, is_mv2_only: bool) -> str | None:
    page = subject.namespace.split(".")
    within = list(subject.documented_path)
    if page == ["manifest"] or subject.namespace not in namespace_loaders(CHROME):
        return None
    if page[0] == _SINGLE_PAGE_NAMESPACE:
        page, within = page[:1], page[1:] + within
    if (subject.namespace, subject.owner) in _TYPES_WITH_PAGE:
        page = [*page, str(subject.owner)]
    elif subject.owner is not None:
        kind, within = "type", [subject.owner]
    anchor = _ANCHORS.get(kind, "property")
    return (_CHROME_MV2 if is_mv2_only else _CHROME) + "/".join(page) + _fragment(anchor, within)


def _fragment(anchor: str, names: Sequence[str]) -> str:
    return f"#{anchor}-{'-'.join(names)}" if names else ""


_KINDS_OF_CONTEXT = (
    ContextKind.BACKGROUND,
    ContextKind.SERVICE_WORKER,
    ContextKind.EXTENSION_PAGE,
    ContextKind.DEVTOOLS_PAGE,
    ContextKind.OFFSCREEN,
    ContextKind.CONTENT_SCRIPT,
)
_USER_SCRIPT = "user script"

AvailabilityPath: TypeAlias = tuple[Availability, ...]
"""The availability of each object on the path to a member: its namespace first, the member last."""


class Part(Struct, frozen=True):
    """A parameter, a property or a result. `parts` are the properties of an object."""

    name: str
    type: str
    optional: bool = False
    description: str = ""
    parts: tuple[Part, ...] = ()


class Entry(Struct, frozen=True):
    """One name of the schemas of a target.

    `kind` is namespace, function, event, property, enum or type. The member exists if the extension has at
    least one permission of each group in `permissions`; a manifest key has the prefix "manifest:". A call
    requires one permission of each group in `call_permissions`. `host` is "host" if a call requires the host
    permission, and "activeTab" if that permission is sufficient too. `contexts` are the kinds of script that
    have the member. `versions` contains the first version of each browser with it and, if it was removed, the
    first version without it; false if no version has it. `result` is set only if the schema declares it;
    `result_by` is callback, promise or return. `extra` are the parameters of `addListener` after the
    listener. `browsers` names the current browsers that have a member which is missing or unsupported in the
    target. `successor` is the replacement of a removed or deprecated member. `documentation` is an address.
    `members` are the entries of a namespace, or of an object with methods.
    """

    name: str
    kind: str
    target: str
    signature: str
    description: str = ""
    status: str = "supported"
    permissions: tuple[tuple[str, ...], ...] = ()
    call_permissions: tuple[tuple[str, ...], ...] = ()
    host: str | None = None
    user_gesture: bool = False
    install: str | None = None
    channel: str | None = None
    platforms: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    manifest_versions: tuple[int, ...] = (2, 3)
    versions: Mapping[str, list[str] | bool] = field(default_factory=dict)
    type: str | None = None
    parameters: tuple[Part, ...] = ()
    parameters_judged: bool = True
    extra: tuple[Part, ...] = ()
    result: tuple[Part, ...] | None = None
    result_by: str | None = None
    properties: tuple[Part, ...] = ()
    values: tuple[Part, ...] = ()
    browsers: str | None = None
    successor: str | None = None
    documentation: str | None = None
    members: tuple[Entry, ...] = ()


def entry_of(schemas: SchemaSet, kind: str, name: str, subject: Subject, stops: AvailabilityPath) -> Entry:
    """Returns an entry with the fields that all kinds share: its availability, versions and documentation."""
    groups = dict.fromkeys(group for stop in stops for group in stop.permissions)
    conditions = [stop.conditions for stop in stops]
    manifest_versions = tuple(
        version for version in (2, 3) if all(version in stop.versions for stop in stops)
    )
    known = versions(subject, max(manifest_versions, default=3))
    is_missing = schemas.is_narrowed and known.get(schemas.target) is False
    unsupported = is_missing or any(stop.unsupported for stop in stops)
    deprecated = any(stop.deprecated for stop in stops)
    return Entry(
        name,
        kind,
        schemas.target,
        name,
        status="unsupported" if unsupported else "deprecated" if deprecated else "supported",
        permissions=tuple(groups),
        call_permissions=tuple(each.permissions for each in conditions if each.permissions),
        host=next((each.host for each in reversed(conditions) if each.host), None),
        user_gesture=any(each.gesture for each in conditions),
        install=next((each.install for each in conditions if each.install), None),
        channel=next((each.channel for each in reversed(conditions) if each.channel), None),
        platforms=next((each.platforms for each in reversed(conditions) if each.platforms), ()),
        contexts=_contexts(schemas.engine, stops),
        manifest_versions=manifest_versions,
        versions=known,
        browsers=browsers_that_have(name, schemas) if unsupported else None,
        successor=successor(name) if deprecated or 3 not in manifest_versions else None,
        documentation=documentation(schemas.engine, kind, subject, 3 not in stops[0].versions),
    )


def _contexts(engine: Engine | None, stops: AvailabilityPath) -> tuple[str, ...]:
    there = [
        kind.value
        for kind in _KINDS_OF_CONTEXT
        if (kind is not ContextKind.OFFSCREEN or engine is not Engine.GECKO)
        and all(is_available_in(engine, kind, stop) for stop in stops)
    ]
    if all("user_script" in stop.contexts for stop in stops):
        there.append(_USER_SCRIPT)
    return tuple(there)


def member_entry(
    schemas: SchemaSet, member: Member, name: str, subject: Subject, stops: AvailabilityPath
) -> Entry:
    """Returns the entry of a function, an event or a property."""
    match member:
        case Function(parameters=parameters):
            result, result_by = _result(member)
            return replace(
                entry_of(schemas, "function", name, subject, stops),
                signature=signature(name, parameters),
                description=member.description,
                parameters=_parts(parameters),
                parameters_judged=not member.ambiguous or name in REORDERED_FUNCTIONS,
                result=result,
                result_by=result_by,
            )
        case Event(listener=listener):
            return replace(
                entry_of(schemas, "event", name, subject, stops),
                description=member.description,
                parameters=_parts(listener or ()),
                extra=_parts(member.extra),
            )
        case Constant(type=kind):
            shown = None if kind is None else type_text(kind)
            found = entry_of(schemas, "property", name, subject, stops)
            return replace(found, description=member.description, type=shown)


def _result(function: Function) -> tuple[tuple[Part, ...] | None, str | None]:
    """Returns the result of a function, and how it is passed: to the callback, as a promise, or returned."""
    if function.async_ is True:
        return None, "promise"
    if function.result is not None:
        return _parts(function.result), "callback"
    if function.returns is not None:
        return (Part("", type_text(function.returns)),), "return"
    return None, None


def type_entry(schemas: SchemaSet, namespace: Namespace, name: str) -> Entry:
    """Returns the entry of a type, or of an enum, which scripts see as an object of constants."""
    kind = namespace.type(name)
    place = Subject(namespace.name, (), name)
    qualified = f"{namespace.name}.{name}"
    described = namespace.type_description(name)
    if isinstance(kind, StringType) and kind.enum is not None:
        meanings = namespace.value_descriptions(name)
        values = tuple(Part(each, "string", description=meanings.get(each, "")) for each in kind.enum)
        stops = (namespace.availability, namespace.members[name][0].availability)
        found = entry_of(schemas, "enum", qualified, place, stops)
        return replace(found, description=described, values=values)
    found = entry_of(schemas, "type", qualified, place, (namespace.availability,))
    shown = None if kind is None else type_text(kind)
    return replace(found, description=described, type=shown, properties=_properties_of(kind))


def _properties_of(kind: Type | None) -> tuple[Part, ...]:
    return _properties(kind) if isinstance(kind, ObjectType) else ()


def _parts(parameters: Iterable[Parameter]) -> tuple[Part, ...]:
    return tuple(_part(each.name, each) for each in parameters)


def _properties(kind: ObjectType) -> tuple[Part, ...]:
    return tuple(_part(name, each) for name, each in kind.properties.items() if not each.unsupported)


def _part(name: str, node: Parameter | Property) -> Part:
    inner = node.type
    while isinstance(inner, ArrayType):
        inner = inner.items
    return Part(name, type_text(node.type), node.optional, node.description, _properties_of(inner))


def without_members(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Returns entries as they are shown in lists."""
    return tuple(replace(each, members=()) for each in entries)
