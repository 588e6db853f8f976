"""The names of the API in the targets of an extension: what is known of each, and the members at a path."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct, field

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import ApiPath
from extlint.checks.api.members import is_available_in
from extlint.checks.api.schema_path import (
    MANIFEST_NAMESPACE,
    enum_constants_of,
    find_schema_path,
    nested_members,
    schema_path_of,
)
from extlint.manifest.manifest import with_supported_versions
from extlint.schema.model import (
    MANIFEST_KEY_PREFIX,
    Availability,
    Constant,
    Event,
    Function,
    Member,
    SchemaSet,
    UserSchemas,
)
from extlint.schema.targets import BROWSERS, Version, schema_set, support_of
from extlint.schema.types import AnyType, ObjectType, RefType, Type
from extlint.schema.words.types import signature, type_text
from extlint.services.api_lookup.entry import Entry, Subject, entry_of
from extlint.services.api_lookup.lookup import find_entries
from extlint.services.editor.audience import Audience
from extlint.services.editor.markdown import code_block, entries_markdown
from extlint_schemas import thunderbird_names

_NameT = TypeVar("_NameT", str, ApiPath)

MAX_AUDIENCES = 4
"""The maximum number of sets of targets for which texts are remembered."""


def entries_of(audience: Audience, path: ApiPath) -> Sequence[Entry]:
    """Returns the entries of a name, one for each target that has it, or else those of other browsers."""
    name = ".".join(path)
    found = _entries(audience, name, [each.target.name for each in audience.extensions])
    return found or _entries(audience, name, BROWSERS)


def member_markdown(audience: Audience, path: ApiPath) -> str:
    """Returns what is known about a name of the API, or an empty text. It is kept for the next request."""
    return _kept(audience, path, _member_markdown)


def namespace_markdown(audience: Audience, name: str) -> str:
    """Returns what is known about a namespace, apart from its members. It is kept for the next request."""
    return _kept(audience, name, _namespace_markdown)


def _kept(audience: Audience, name: _NameT, find: Callable[[Audience, _NameT], str]) -> str:
    targets = *audience.names, audience.is_for_thunderbird
    texts = _texts(targets, audience.version, audience.user_schemas)
    if name not in texts:
        texts[name] = find(audience, name)
    return texts[name]


@lru_cache(MAX_AUDIENCES)
def _texts(targets: tuple[object, ...], version: int, user_schemas: UserSchemas) -> dict[object, str]:  # noqa: ARG001
    """Returns the texts that are kept for some targets."""
    return {}


def _member_markdown(audience: Audience, path: ApiPath) -> str:
    entries = entries_of(audience, path)
    if not entries:
        return ""
    if audience.is_for_thunderbird and path[0] in thunderbird_names().own:
        return code_block(".".join(path)) + "\n\nThunderbird has its own version of this API."
    return entries_markdown(audience, entries)


def _namespace_markdown(audience: Audience, name: str) -> str:
    entries = [
        entry_of(each.schemas, "namespace", name, Subject(name), (namespace.availability,))
        for each in audience.extensions
        if (namespace := each.schemas.namespace(name)) is not None
    ]
    return entries_markdown(audience, entries) if entries else ""


def _entries(audience: Audience, name: str, targets: Sequence[str]) -> Sequence[Entry]:
    found: list[Entry] = []
    by_name = {each.target.name: each.schemas for each in audience.extensions}
    for target in targets:
        schemas = by_name.get(target) or schema_set(target, audience.user_schemas)
        entries = find_entries(schemas, name)
        current = [each for each in entries if audience.version in each.manifest_versions]
        found += current[:1] or entries[:1]
    return found


EVENT_METHODS = {
    "addListener": "addListener(callback)",
    "hasListener": "hasListener(callback)",
    "removeListener": "removeListener(callback)",
}
"""The methods of events, with their signatures."""


class ApiMember(Struct):
    """A name after a path of the API. `targets` has the names of the targets with it.

    `kind` is namespace, function, event, property, enum or constant, and `text` its signature or type.
    `deprecated_in` are the targets that declare it deprecated, and `usable_in` those in which the script has
    it. `required` names, by target, the permission or key for it that the manifest does not have. `newer` has
    the versions since which targets have it, if the manifest supports older ones.
    """

    name: str
    kind: str
    text: str = ""
    targets: set[str] = field(default_factory=set)
    deprecated_in: set[str] = field(default_factory=set)
    usable_in: set[str] = field(default_factory=set)
    required: dict[str, str] = field(default_factory=dict)
    newer: dict[str, Version] = field(default_factory=dict)

    @property
    def is_deprecated(self) -> bool:
        """Whether each target that has it declares it deprecated."""
        return self.deprecated_in == self.targets


def members_at(audience: Audience, path: ApiPath, *, in_content: bool = False) -> list[ApiMember]:
    """Returns the members that the targets have at a path: namespaces at the empty path.

    `in_content` is true for a content script.
    """
    found: dict[str, ApiMember] = {}
    for extension in audience.extensions:
        schemas = extension.schemas
        target = extension.target.name
        at = schema_path_of(extension, path) if path else None
        oldest = with_supported_versions(extension.target, extension.manifest).minimum
        above = () if at is None else tuple(each.availability for each in at.elements)
        for name, kind, text, availability in _members(schemas, path, audience.version):
            if availability is not None and not _exists(audience, schemas, (*path, name), availability):
                continue
            member = found.setdefault(name, ApiMember(name, kind, text))
            member.targets.add(target)
            stops = above if availability is None else (*above, availability)
            if not in_content or all(_is_in_content_scripts(schemas, each) for each in stops):
                member.usable_in.add(target)
            added = None if oldest is None else _added(audience, (*path, name), target)
            if added is not None and oldest is not None and added > oldest:
                member.newer[target] = added
            if required := _missing_requirement(audience, availability):
                member.required[target] = required
            if availability is not None and availability.deprecated:
                member.deprecated_in.add(target)
    return list(found.values())


def _is_in_content_scripts(schemas: SchemaSet, availability: Availability) -> bool:
    return is_available_in(schemas.engine, ContextKind.CONTENT_SCRIPT, availability)


def _missing_requirement(audience: Audience, availability: Availability | None) -> str:
    """Returns the permission or key that a member itself requires, and the manifest does not have."""
    manifest = audience.manifest
    for group in () if availability is None else availability.permissions:
        names = [each for each in group if not each.startswith(MANIFEST_KEY_PREFIX)]
        keys = [each.removeprefix(MANIFEST_KEY_PREFIX) for each in group if each not in names]
        if not manifest.permissions.isdisjoint(names) or any(manifest.get(*each.split(".")) for each in keys):
            continue
        return f"requires the permission {names[0]}" if names else f"requires the key {keys[0]}"
    return ""


def _added(audience: Audience, path: ApiPath, target: str) -> Version | None:
    """Returns the version of a browser since which it has a member, if known."""
    known = support_of(".".join(path), target, audience.version)
    return None if known is None else known.added


def _exists(audience: Audience, schemas: SchemaSet, path: ApiPath, availability: Availability) -> bool:
    if audience.version not in availability.versions or availability.unsupported:
        return False
    if not schemas.is_narrowed:
        return True
    known = support_of(".".join(path), schemas.target, audience.version)
    return known is None or known.added is not None


def _members(
    schemas: SchemaSet, path: ApiPath, version: int
) -> Iterator[tuple[str, str, str, Availability | None]]:
    """Yields the name, kind, text and availability of each member at a path."""
    if not path:
        yield from _namespaces(schemas, ())
        return
    found = find_schema_path(schemas, path, version)
    if found is None or found.rest or found.only_in_versions is not None:
        return
    member = found.member
    if member is None:
        yield from _namespaces(schemas, path)
        namespace = schemas.namespace(".".join(path))
        if namespace is not None:
            yield from _of_members(namespace.members)
        return
    within = nested_members(schemas, member)
    if within is not None:
        yield from _of_members(within)
    elif isinstance(member, Event):
        yield from ((name, "function", text, None) for name, text in EVENT_METHODS.items())
    elif isinstance(member, Constant):
        constants = enum_constants_of(schemas, member, version)
        if constants:
            yield from ((name, "constant", f'"{value}"', None) for name, value in constants.items())
        else:
            yield from _fields(schemas, member.type, version)


def _namespaces(schemas: SchemaSet, path: ApiPath) -> Iterator[tuple[str, str, str, Availability | None]]:
    for name in dict.fromkeys((*schemas.names, *schemas.parents)):
        steps = tuple(name.split("."))
        if steps[:-1] != path or steps[0] == MANIFEST_NAMESPACE:
            continue
        namespace = schemas.namespace(name)
        availability = Availability() if namespace is None else namespace.availability
        yield steps[-1], "namespace", "", availability


def _of_members(members: Mapping[str, tuple[Member, ...]]) -> Iterator[tuple[str, str, str, Availability]]:
    for named in members.values():
        for member in named:
            kind, text = described_member(member)
            yield member.name, kind, text, member.availability


def described_member(member: Member) -> tuple[str, str]:
    """Returns the kind of a member, and its signature or type."""
    match member:
        case Function():
            return "function", signature(member.name, member.parameters)
        case Event():
            return "event", ""
        case Constant(name=name, type=RefType(name=kind_name) as kind) if kind_name == name:
            return "enum", type_text(kind)
        case Constant(type=kind):
            return "property", "" if kind is None or isinstance(kind, AnyType) else type_text(kind)


def _fields(
    schemas: SchemaSet, kind: Type | None, version: int
) -> Iterator[tuple[str, str, str, Availability | None]]:
    target = schemas.resolve(kind) if isinstance(kind, RefType) else kind
    if isinstance(target, ObjectType) and target.is_instance_of is None:
        for name, each in target.properties.items():
            if version in each.versions and not each.unsupported:
                yield name, "property", type_text(each.type), None
