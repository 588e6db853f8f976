"""The keys of Chrome's manifest, and its permissions, from the declarations of @types/chrome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

from extlint_facts.chrome.forms import Json, members_of_union
from extlint_facts.chrome.syntax import Declared, UnknownFormError, declarations, modules, part, text
from extlint_facts.chrome.types import TypeReader

NAMESPACE = "manifest"
MANIFEST = "WebExtensionManifest"
"""The name of the type of the entire manifest, taken from Firefox's schemas."""

PARTS = ("ManifestAction", "ManifestIcons", "SearchProvider")
PERMISSION, OPTIONAL = "ManifestPermission", "ManifestOptionalPermission"
BASE, BY_VERSION = "ManifestBase", {2: "ManifestV2", 3: "ManifestV3"}


class ManifestReader(TypeReader):
    """Reads types of the manifest. Types of API namespaces become references if the facts have them."""

    def __init__(self, parts: Mapping[str, Declared], api_types: Iterable[str]) -> None:
        super().__init__({NAMESPACE: parts}, NAMESPACE)
        self.api_types = frozenset(api_types)

    def object(self, body: Node) -> Json:
        """Returns an object type. Chrome accepts unknown keys."""
        return {**super().object(body), "additionalProperties": {"type": "any"}}

    def named(self, node: Node) -> Json:
        """Returns a reference to a type that is declared here or in the API, or `any` for other names."""
        name = text(node).removeprefix("chrome.")
        known = {PERMISSION: "Permission", OPTIONAL: "OptionalPermission"}
        if name in known or name in self.known[NAMESPACE] or name in self.api_types:
            return {"$ref": known.get(name, name)}
        return {"type": "any"}

    def generic(self, node: Node) -> Json:
        """Returns an array type, or a type without some of its keys, which the browser ignores anyway."""
        name, first = text(part(node, "name")), part(node, "type_arguments").named_children[0]
        if name == "Array":
            return {"type": "array", "items": self.type(first)}
        if name == "Omit":
            return self.type(first)
        raise UnknownFormError(node)

    def intersection(self, node: Node) -> Json:
        """Returns one object type; properties that only some union members have or require are optional."""
        properties: Json = {}
        for each in _intersection_members(node):
            ways = list(_alternatives(each))
            for way in ways:
                for key, kind in self.object(way).get("properties", {}).items():
                    properties[key] = kind if len(ways) == 1 else {**kind, "optional": True}
        return {"type": "object", "properties": properties, "additionalProperties": {"type": "any"}}


def manifest(root: Node, api_types: Iterable[str], api_permissions: Iterable[str]) -> Json:
    """Returns the namespace that describes the manifest, from the tree of @types/chrome.

    `api_types` are the types of the API (`extensionTypes.RunAt`), `api_permissions` the permissions that it
    requires.
    """
    declared = {each.name: each for each in _runtime(root)}
    reader = ManifestReader({name: declared[name] for name in PARTS}, api_types)
    properties = _keys(reader, declared[BASE])
    for version, name in BY_VERSION.items():
        for key, kind in _keys(reader, declared[name]).items():
            bound = "max_manifest_version" if version == 2 else "min_manifest_version"
            limited = {**kind, bound: version}
            properties[key] = _version_choices(properties[key], limited) if key in properties else limited
    del properties["manifest_version"]
    properties["manifest_version"] = {"type": "integer", "minimum": 2, "maximum": 3}
    permissions = sorted({*permission_names(declared[PERMISSION].node), *api_permissions})
    never = excluded_permissions(declared[OPTIONAL].node)
    return {
        "namespace": NAMESPACE,
        "types": [
            {
                "id": MANIFEST,
                "type": "object",
                "properties": properties,
                "additionalProperties": {"type": "any"},
            },
            *({"id": name, **reader.object(part(declared[name].node, "body"))} for name in PARTS),
            {"id": "Permission", "type": "string", "enum": permissions},
            {
                "id": "OptionalPermission",
                "type": "string",
                "enum": [each for each in permissions if each not in never],
            },
        ],
    }


def required_only_permissions(root: Node) -> list[str]:
    """Returns the permissions that are not allowed in `optional_permissions`, sorted."""
    declared = {each.name: each for each in _runtime(root)}
    return sorted(excluded_permissions(declared[OPTIONAL].node))


def permission_names(alias: Node) -> list[str]:
    """Returns the strings of a union of string literals."""
    return [text(each)[1:-1] for each in members_of_union(part(alias, "value"))]


def excluded_permissions(alias: Node) -> list[str]:
    """Returns the strings that `Exclude` removes from the union."""
    _, taken = part(part(alias, "value"), "type_arguments").named_children
    return [text(each)[1:-1] for each in members_of_union(taken)]


def _runtime(root: Node) -> Iterator[Declared]:
    for module in modules(root):
        if module.name == "runtime":
            yield from declarations(part(module.node, "body"))


def _keys(reader: ManifestReader, declared: Declared) -> Json:
    keys: Json = reader.object(part(declared.node, "body"))["properties"]
    return keys


def _version_choices(first: Json, second: Json) -> Json:
    """Returns a key with one type per manifest version. It is required if both versions require it."""
    optional = {"optional": True} if first.get("optional") or second.get("optional") else {}
    choices = [{key: value for key, value in each.items() if key != "optional"} for each in (first, second)]
    return {"choices": choices, **optional}


def _intersection_members(node: Node) -> Iterator[Node]:
    for each in node.named_children:
        if each.type == "intersection_type":
            yield from _intersection_members(each)
        else:
            yield each


def _alternatives(node: Node) -> Iterator[Node]:
    inner = node.named_children[0] if node.type == "parenthesized_type" else node
    if inner.type == "union_type":
        yield from members_of_union(inner)
    else:
        yield inner
