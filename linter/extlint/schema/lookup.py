"""Everything that the schemas of a target say of one name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from extlint.judgment.elsewhere import browsers_that_have
from extlint.near import nearest
from extlint.schema.model import Availability, Constant, Event, Function, Member, Namespace, SchemaSet
from extlint.schema.notation import signature, type_text
from extlint.schema.types import ArrayType, ObjectType, Parameter, Property, StringType

ROOTS = ("browser.", "chrome.")


class Part(Struct, frozen=True):
    """A parameter, a property or a result. `parts` are the properties of an object."""

    name: str
    type: str
    optional: bool = False
    description: str = ""
    parts: tuple[Part, ...] = ()


class Entry(Struct, frozen=True):
    """One name of the schemas.

    `kind` is namespace, function, event, property, enum or type. Of each group in `permissions` one
    is needed. `contexts` are the dialect's names, empty for background scripts and extension pages.
    `result` is None where the schema says nothing, and `result_by` is callback, promise or return.
    `browsers` tells which have today what the target lacks or does not support. `members` are the
    entries of a namespace.
    """

    name: str
    kind: str
    signature: str
    description: str
    status: str = "supported"
    permissions: tuple[tuple[str, ...], ...] = ()
    contexts: tuple[str, ...] = ()
    manifest_versions: tuple[int, ...] = (2, 3)
    type: str | None = None
    parameters: tuple[Part, ...] = ()
    parameters_judged: bool = True
    result: tuple[Part, ...] | None = None
    result_by: str | None = None
    properties: tuple[Part, ...] = ()
    values: tuple[Part, ...] = ()
    browsers: str | None = None
    members: tuple[Entry, ...] = ()


def entries(schemas: SchemaSet) -> tuple[Entry, ...]:
    """An entry for each namespace of a target."""
    return tuple(_namespace_entry(schemas, each) for each in _namespaces(schemas))


def find(schemas: SchemaSet, name: str) -> tuple[Entry, ...]:
    """The entries of a name, one for each manifest version that differs; empty if there is none.

    The name may begin with `browser.` or `chrome.`, and end in a call or in a method of an event.
    """
    plain = _plain(name)
    owner = plain.rpartition(".")[0]
    found = [
        entry
        for namespace in _namespaces(schemas)
        if f"{plain}.".startswith(f"{namespace.name}.")
        for each in [_namespace_entry(schemas, namespace)]
        for entry in (each, *each.members)
    ]
    return tuple(
        [entry for entry in found if entry.name == plain]
        or [entry for entry in found if entry.name == owner and entry.kind == "event"]
    )


def unknown_name(schemas: SchemaSet, name: str) -> str:
    """What to say of a name that the target lacks: who has it, or the nearest name that exists."""
    plain = _plain(name)
    message = f"no such API in the target {schemas.target}: {name}"
    browsers = browsers_that_have(plain, schemas.target)
    if browsers is not None:
        return f"{message}; it exists in today's {browsers}"
    near = _nearest(plain, [entry.name for each in entries(schemas) for entry in (each, *each.members)])
    if near is not None:
        return f"{message}; did you mean {near}?"
    return f"{message}; there is {', '.join(schemas.names)}"


def _namespaces(schemas: SchemaSet) -> Iterator[Namespace]:
    found = map(schemas.namespace, schemas.names)
    return (namespace for namespace in found if namespace is not None)


def _plain(name: str) -> str:
    plain = name.partition("(")[0].strip()
    for root in ROOTS:
        plain = plain.removeprefix(root)
    return plain


def _nearest(name: str, names: Iterable[str]) -> str | None:
    """The nearest name.

    A name without its namespace is looked for in all of them, and of a longer one, as that of a
    type's property, what it begins with counts.
    """
    known = tuple(dict.fromkeys(names))
    while True:
        near = name if name in known else nearest(name, known)
        if near is not None or "." not in name:
            break
        name = name.rpartition(".")[0]
    by_member = {each.rpartition(".")[2]: each for each in known}
    return near or by_member.get(name) or by_member.get(nearest(name, by_member) or "")


def _namespace_entry(schemas: SchemaSet, namespace: Namespace) -> Entry:
    there = namespace.availability
    return Entry(
        namespace.name,
        "namespace",
        namespace.name,
        namespace.description,
        permissions=there.permissions,
        contexts=there.contexts,
        manifest_versions=_versions(there),
        members=tuple(_member_entries(schemas, namespace)),
    )


def _member_entries(schemas: SchemaSet, namespace: Namespace) -> Iterator[Entry]:
    types = frozenset(namespace.type_names)
    for members in namespace.members.values():
        yield from (_member_entry(schemas, namespace, each) for each in members if each.name not in types)
    for name in namespace.type_names:
        yield _type_entry(schemas, namespace, name)


def _member_entry(schemas: SchemaSet, namespace: Namespace, member: Member) -> Entry:
    there = member.availability
    name = f"{namespace.name}.{member.name}"
    entry = Entry(
        name,
        "property",
        name,
        member.description,
        status="unsupported" if there.unsupported else "deprecated" if there.deprecated else "supported",
        permissions=(*namespace.availability.permissions, *there.permissions),
        contexts=there.contexts or namespace.availability.contexts,
        manifest_versions=_versions(there),
        browsers=browsers_that_have(name, schemas.target) if there.unsupported else None,
    )
    match member:
        case Function(parameters=parameters):
            result, result_by = _result(member)
            return replace(
                entry,
                kind="function",
                signature=signature(name, parameters),
                parameters=_parts(parameters),
                parameters_judged=not member.ambiguous,
                result=result,
                result_by=result_by,
            )
        case Event(listener=listener):
            return replace(entry, kind="event", parameters=_parts(listener or ()))
        case Constant(type=kind):
            return replace(entry, type=None if kind is None else type_text(kind))


def _result(function: Function) -> tuple[tuple[Part, ...] | None, str | None]:
    """What a function gives back, and how: to its callback, by a promise, or as it returns."""
    if function.async_ is True:
        return None, "promise"
    if function.result is not None:
        return _parts(function.result), "callback"
    if function.returns is not None:
        return (Part("", type_text(function.returns)),), "return"
    return None, None


def _type_entry(schemas: SchemaSet, namespace: Namespace, name: str) -> Entry:
    kind = namespace.type(name)
    described = namespace.type_description(name)
    qualified = f"{namespace.name}.{name}"
    entry = Entry(qualified, "type", qualified, described, type=None if kind is None else type_text(kind))
    if isinstance(kind, ObjectType):
        return replace(entry, properties=_properties(kind))
    if isinstance(kind, StringType) and kind.enum is not None:
        meanings = namespace.value_descriptions(name)
        values = tuple(Part(each, "string", description=meanings.get(each, "")) for each in kind.enum)
        shown = _member_entry(schemas, namespace, namespace.members[name][0])
        return replace(shown, kind="enum", type=None, values=values)
    return entry


def _versions(there: Availability) -> tuple[int, ...]:
    return tuple(version for version in (2, 3) if version in there.versions)


def _parts(parameters: Iterable[Parameter]) -> tuple[Part, ...]:
    return tuple(_part(each.name, each) for each in parameters)


def _properties(kind: ObjectType) -> tuple[Part, ...]:
    return tuple(_part(name, each) for name, each in kind.properties.items() if not each.unsupported)


def _part(name: str, node: Parameter | Property) -> Part:
    inner = node.type
    while isinstance(inner, ArrayType):
        inner = inner.items
    parts = _properties(inner) if isinstance(inner, ObjectType) else ()
    return Part(name, type_text(node.type), node.optional, node.description, parts)
