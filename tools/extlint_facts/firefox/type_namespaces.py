"""In which namespace each type is.

The documents are one for each of Mozilla's files. Types of the manifest are in many of them; in Firefox
all of those are in the namespace `manifest`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from extlint_facts.corrections.rows import settings
from extlint_facts.ordering import Node

MANIFEST = "manifest"
_OWN_TYPES = frozenset({"experiments"})
"""Documents that have what their part of the manifest needs in a namespace of their own."""

_IMPORTS = {"browserAction": "action"}
"""Documents that have the functions of the one that they import, but not its types."""


class TypeNamespaces(Struct, frozen=True):
    """The documents, and which types of each are in the namespace `manifest`.

    `nested` are the namespaces of types that the package puts into the namespace around theirs.
    """

    documents: Mapping[str, Node]
    of_manifest: Mapping[str, frozenset[str]]
    nested: Mapping[str, str]

    def of(self, document: str, name: str) -> str:
        """The namespace of a type of a document."""
        if name in self.of_manifest[document]:
            return MANIFEST
        nested = self.nested.get(name, document)
        return nested if nested.startswith(f"{document}.") else document

    def name(self, reference: str, document: str) -> tuple[str, str]:
        """The namespace and name of the type that a reference names, even if there is none."""
        other, _, path = reference.partition("#/")
        name = path.partition("/")[2]
        return self.of(other or document, name), name

    def target(self, reference: str, document: str) -> tuple[str, str, Node]:
        """What a reference points at: the document, the name and the node (`tabs#/types/Tab`).

        Raises KeyError if there is no such node.
        """
        other, _, path = reference.partition("#/")
        where, _, name = path.partition("/")
        found = self._defining(other or document, name)
        return found, name, self.documents[found][where][name]

    def _defining(self, document: str, name: str) -> str:
        """The document that has a type: Mozilla's other files add to the manifest's."""
        if document != MANIFEST or name in self.documents[MANIFEST]["types"]:
            return document
        return next((each for each in self.of_manifest if name in self.of_manifest[each]), MANIFEST)


def type_namespaces(documents: Mapping[str, Node]) -> TypeNamespaces:
    """Finds the types that are the manifest's: what its keys refer to, and whole manifests."""
    whole = {name: _with_imported(documents, name) for name in documents}
    of_manifest = {name: frozenset(_of_manifest(name, each)) for name, each in whole.items()}
    return TypeNamespaces(whole, of_manifest, settings("firefox", "nested type", "namespace"))


def _with_imported(documents: Mapping[str, Node], name: str) -> Node:
    document, other = documents[name], documents.get(_IMPORTS.get(name, ""))
    if other is None:
        return document
    return {**document, "types": {**other["types"], **document["types"]}}


def _of_manifest(name: str, document: Node) -> Iterator[str]:
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
    """The names of the types of its own document to which a value refers."""
    if isinstance(value, list):
        for each in value:
            yield from _own_references(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key == "$ref" and isinstance(each, str) and each.startswith("#/types/"):
                yield each.removeprefix("#/types/")
            else:
                yield from _own_references(each)
