"""Reads the namespaces of declarations, in the schema dialect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from extlint_facts.chrome.forms import Json, is_event, type_parameters
from extlint_facts.chrome.members import event, function
from extlint_facts.chrome.syntax import (
    Declared,
    UnknownFormError,
    declarations,
    modules,
    part,
    text,
    with_comments,
)
from extlint_facts.chrome.tags import facts, is_for_apps
from extlint_facts.chrome.types import Known, TypeReader, constant

_TYPES = frozenset({"class_declaration", "interface_declaration", "type_alias_declaration"})


def namespaces(root: Node) -> list[Json]:
    """Returns the namespaces that extensions have, from the tree of a file that declares `chrome`.

    Namespaces with only types are included only if another namespace refers to one of them; the same holds
    for the types of namespaces that only packaged apps have.
    """
    declared = list(modules(root))
    known = {each.name: dict(_declared_types(each)) for each in declared}
    found = [namespace for each in declared for namespace in _namespace(each, known)]
    needed = {
        name
        for each in found
        if _has_members(each)
        for name in (each["namespace"], *_referenced_namespaces(each))
    }
    by_name = {each["namespace"]: each for each in found}
    waiting = list(needed)
    while waiting:
        for name in _referenced_namespaces(by_name[waiting.pop()]):
            if name not in needed:
                needed.add(name)
                waiting.append(name)
    return [each for each in found if each["namespace"] in needed]


def _declared_types(namespace: Declared) -> Iterator[tuple[str, Declared]]:
    for each in declarations(part(namespace.node, "body")):
        if each.node.type in _TYPES:
            yield each.name, each


def _namespace(declared: Declared, known: Known) -> Iterator[Json]:
    """Yields a namespace, and the namespaces declared in it as constants: `privacy` has `privacy.network`."""
    reader = TypeReader(known, declared.name)
    own = facts(declared.comment)
    types: list[Json] = []
    events: list[Json] = []
    properties: dict[str, Json] = {}
    functions: dict[str, list[Declared]] = {}
    for each in declarations(part(declared.node, "body")):
        match each.node.type:
            case "function_signature":
                functions.setdefault(each.name, []).append(each)
            case "lexical_declaration":
                declarator = each.node.named_children[0]
                if is_event(declarator):
                    events.append(event(reader, each, part(declarator, "type")))
                elif (settings := _settings_type(declarator)) is not None:
                    yield _nested_namespace(declared.name, each, settings, own, known)
                else:
                    properties[each.name] = {
                        **constant(reader, part(declarator, "type")),
                        **facts(each.comment),
                    }
            case kind if kind in _TYPES:
                if not type_parameters(each.node):
                    types.append(_named_type(reader, each))
                if kind == "class_declaration":
                    properties[each.name] = {"type": "function", **facts(each.comment)}
            case kind if kind != "internal_module":
                raise UnknownFormError(each.node)
    folded = [function(reader, overloads) for overloads in functions.values()]
    types += ({"id": name, **instance} for name, instance in reader.instances.items())
    parts: Mapping[str, object] = {
        "types": types,
        "functions": folded,
        "events": events,
        "properties": properties,
    }
    if is_for_apps(declared.comment):
        parts = {"types": types}
    yield {"namespace": declared.name, **own, **{key: value for key, value in parts.items() if value}}


def _named_type(reader: TypeReader, declared: Declared) -> Json:
    node = declared.node
    if node.type == "interface_declaration" and any(
        each.type == "extends_type_clause" for each in node.named_children
    ):
        raise UnknownFormError(node)
    kind = reader.type(part(node, "value")) if node.type == "type_alias_declaration" else None
    return {"id": declared.name, **(kind or reader.object(part(node, "body"))), **facts(declared.comment)}


def _settings_type(declarator: Node) -> Node | None:
    """Returns the object type of a constant whose properties are all settings with methods, or None."""
    kind = part(declarator, "type").named_children[0]
    if kind.type != "object_type":
        return None
    member_types = [part(each, "type").named_children[0] for each, _ in with_comments(kind)]
    return kind if member_types and all(each.type == "generic_type" for each in member_types) else None


def _nested_namespace(outer: str, declared: Declared, settings: Node, own: Json, known: Known) -> Json:
    reader = TypeReader(known, outer, f"{outer}.{declared.name}")
    properties = {
        text(part(each, "name")): {**reader.type(part(each, "type")), **facts(comment)}
        for each, comment in with_comments(settings)
    }
    types = [{"id": name, **instance} for name, instance in reader.instances.items()]
    inherited = {**own, **facts(declared.comment)}
    return {"namespace": reader.target, **inherited, "types": types, "properties": properties}


def _has_members(namespace: Json) -> bool:
    return any(namespace.get(key) for key in ("functions", "events", "properties"))


def _referenced_namespaces(node: object) -> Iterator[str]:
    """Yields the other namespaces whose types a node refers to."""
    if isinstance(node, dict):
        if "." in (name := str(node.get("$ref", "")).partition("<")[0]):
            yield name.rpartition(".")[0]
        for each in node.values():
            yield from _referenced_namespaces(each)
    elif isinstance(node, list):
        for each in node:
            yield from _referenced_namespaces(each)
