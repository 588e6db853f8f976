"""The types of the manifest, to which every document adds keys and permissions."""

from __future__ import annotations

from extlint_facts.firefox.conversion import Converter
from extlint_facts.firefox.type_namespaces import MANIFEST, TypeNamespaces
from extlint_facts.ordering import Node

_MANIFEST_TYPE = "WebExtensionManifest"


def manifest_types(owners: TypeNamespaces) -> list[Node]:
    """Returns every type of the namespace `manifest`. Raises ValueError if two documents differ in one."""
    found: dict[str, Node] = {}
    for document, names in owners.manifest_types.items():
        for name in sorted(names):
            node = {"id": name, **manifest_type(owners, document, name)}
            if found.setdefault(name, node) != node:
                raise ValueError(f"two documents differ in the type {name} of the manifest")
    return list(found.values())


def manifest_type(owners: TypeNamespaces, document: str, name: str) -> Node:
    """Returns one type of the manifest, with the additions of other documents."""
    node = owners.documents[document]["types"][name]
    converter = Converter(owners, document, MANIFEST)
    if name == _MANIFEST_TYPE and "allOf" in node:
        whole = converter.type(node["allOf"][0])
        for part in node["allOf"][1:]:
            other, _, added = owners.target(part["$ref"], document)
            whole["properties"].update(Converter(owners, other, MANIFEST).keys(added)["properties"])
        return whole
    if any(_is_added(choice) for choice in node.get("anyOf", ())):
        return {"choices": [each for choice in node["anyOf"] for each in _choices(owners, document, choice)]}
    return converter.type(node)


def _is_added(choice: Node) -> bool:
    return "#/definitions/" in choice.get("$ref", "")


def _choices(owners: TypeNamespaces, document: str, choice: Node) -> list[Node]:
    if not _is_added(choice):
        return [Converter(owners, document, MANIFEST).type(choice)]
    other, _, added = owners.target(choice["$ref"], document)
    converted: list[Node] = Converter(owners, other, MANIFEST).type(added)["choices"]
    return converted


def permissions(types: list[Node], name: str) -> frozenset[str]:
    """Returns the permission strings of a manifest type, including those of types that it refers to."""
    by_name = {each["id"]: each for each in types}
    return frozenset(_strings(by_name, {"$ref": name}))


def _strings(types: dict[str, Node], node: Node) -> list[str]:
    node = types[node["$ref"]] if "$ref" in node else node
    if "choices" in node:
        return [each for choice in node["choices"] for each in _strings(types, choice)]
    return list(node.get("enum", ()))
