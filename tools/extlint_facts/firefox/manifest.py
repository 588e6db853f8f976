"""The types of the manifest, to which every document adds keys and permissions."""

from __future__ import annotations

from extlint_facts.firefox.conversion import Inverse
from extlint_facts.firefox.type_namespaces import MANIFEST, Homes
from extlint_facts.ordering import Node

_WHOLE = "WebExtensionManifest"


def manifest_types(homes: Homes) -> list[Node]:
    """Every type of the namespace `manifest`. Raises ValueError if two documents differ in one."""
    found: dict[str, Node] = {}
    for document, names in homes.of_manifest.items():
        for name in sorted(names):
            node = {"id": name, **manifest_type(homes, document, name)}
            if found.setdefault(name, node) != node:
                raise ValueError(f"two documents differ in the type {name} of the manifest")
    return list(found.values())


def manifest_type(homes: Homes, document: str, name: str) -> Node:
    """One type of the manifest, with what other documents add to it."""
    node = homes.documents[document]["types"][name]
    inverse = Inverse(homes, document, MANIFEST)
    if name == _WHOLE and "allOf" in node:
        whole = inverse.type(node["allOf"][0])
        for part in node["allOf"][1:]:
            other, _, added = homes.target(part["$ref"], document)
            whole["properties"].update(Inverse(homes, other, MANIFEST).keys(added)["properties"])
        return whole
    if any(_is_added(choice) for choice in node.get("anyOf", ())):
        return {"choices": [each for choice in node["anyOf"] for each in _choices(homes, document, choice)]}
    return inverse.type(node)


def _is_added(choice: Node) -> bool:
    return "#/definitions/" in choice.get("$ref", "")


def _choices(homes: Homes, document: str, choice: Node) -> list[Node]:
    if not _is_added(choice):
        return [Inverse(homes, document, MANIFEST).type(choice)]
    other, _, added = homes.target(choice["$ref"], document)
    converted: list[Node] = Inverse(homes, other, MANIFEST).type(added)["choices"]
    return converted


def permissions(types: list[Node], name: str) -> frozenset[str]:
    """The permission strings of a type of the manifest, with those of the types that it refers to."""
    by_name = {each["id"]: each for each in types}
    return frozenset(_strings(by_name, {"$ref": name}))


def _strings(types: dict[str, Node], node: Node) -> list[str]:
    node = types[node["$ref"]] if "$ref" in node else node
    if "choices" in node:
        return [each for choice in node["choices"] for each in _strings(types, choice)]
    return list(node.get("enum", ()))
