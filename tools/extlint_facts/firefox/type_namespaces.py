"""In which namespace each type is.

The documents are one for each of Mozilla's files. Types of the manifest are in many of them; in Firefox
all of those are in the namespace `manifest`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from extlint_facts.corrections.rows import corrected_values
from extlint_facts.ordering import Node

MANIFEST = "manifest"
_OWN_TYPES = frozenset({"experiments"})
"""Documents that keep the types of their part of the manifest in a namespace of their own."""

_IMPORTS = {"browserAction": "action"}
"""Documents that have the functions of the one that they import, but not its types."""


class TypeNamespaces(Struct, frozen=True):
    """The documents, and the types of each that are in the namespace `manifest`.

    `nested` has the namespaces of types that the package puts into the enclosing namespace.
    """

    documents: Mapping[str, Node]
    manifest_types: Mapping[str, frozenset[str]]
    nested: Mapping[str, str]

    def namespace_of(self, document: str, name: str) -> str:
        """Returns the namespace of a type of a document."""
        if name in self.manifest_types[document]:
            return MANIFEST
        nested = self.nested.get(name, document)
        return nested if nested.startswith(f"{document}.") else document

    def resolve(self, reference: str, document: str) -> tuple[str, str]:
        """Returns the namespace and name that a reference names, even if no such type exists."""
        other, _, path = reference.partition("#/")
        name = path.partition("/")[2]
        return self.namespace_of(other or document, name), name

    def target(self, reference: str, document: str) -> tuple[str, str, Node]:
        """Returns the target of a reference: the document, the name and the node (`tabs#/types/Tab`).

        Raises KeyError if the node does not exist.
        """
        other, _, path = reference.partition("#/")
        where, _, name = path.partition("/")
        found = self._defining_document(other or document, name)
        return found, name, self.documents[found][where][name]

    def _defining_document(self, document: str, name: str) -> str:
        """Returns the document that defines a type: Mozilla's other files add to the manifest's."""
        if document != MANIFEST or name in self.documents[MANIFEST]["types"]:
            return document
        return next((each for each in self.manifest_types if name in self.manifest_types[each]), MANIFEST)


def type_namespaces(documents: Mapping[str, Node]) -> TypeNamespaces:
    """Finds the types that belong to the manifest: those that its keys refer to, and entire manifests."""
    whole = {name: _with_imported_types(documents, name) for name in documents}
    of_manifest = {name: frozenset(_manifest_type_names(name, each)) for name, each in whole.items()}
    return TypeNamespaces(whole, of_manifest, corrected_values("firefox", "nested type", "namespace"))


def _with_imported_types(documents: Mapping[str, Node], name: str) -> Node:
    document, other = documents[name], documents.get(_IMPORTS.get(name, ""))
    if other is None:
        return document
    return {**document, "types": {**other["types"], **document["types"]}}


def _manifest_type_names(name: str, document: Node) -> Iterator[str]:
    types = document.get("types", {})
    if name in _OWN_TYPES:
        return
    if name == MANIFEST:
        yield from types
        return
    waiting = [each for each in types if each.endswith("Manifest")]
    waiting += _own_references(document.get("definitions", {}))
    found: set[str] = set()
    while waiting:
        each = waiting.pop()
        if each in types and each not in found:
            found.add(each)
            waiting += _own_references(types[each])
    yield from found


def _own_references(value: Any) -> Iterator[str]:
    """Yields the names of the types of the same document that a value refers to."""
    if isinstance(value, list):
        for each in value:
            yield from _own_references(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key == "$ref" and isinstance(each, str) and each.startswith("#/types/"):
                yield each.removeprefix("#/types/")
            else:
                yield from _own_references(each)
