"""Converts the documents of addons-linter to Firefox's namespaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from extlint_facts.firefox.conversion import Converter
from extlint_facts.firefox.manifest import manifest_types
from extlint_facts.firefox.type_namespaces import MANIFEST, TypeNamespaces
from extlint_facts.ordering import Node

_DOCUMENT_KEYS = frozenset({"$id", "definitions", "refs", "types", "properties", "functions", "events"})
_VALUE_KEYS = frozenset({"type", "$ref", "allOf", "anyOf", "value"})
_NAMESPACE_KEYS = frozenset({"functions", "events", "properties"})


def namespaces(owners: TypeNamespaces) -> list[Node]:
    """Returns every top-level namespace, and those nested in one (`devtools.panels`).

    A document with only parts of the manifest is not a namespace.
    """
    found = []
    for name, document in owners.documents.items():
        if "refs" not in document:  # the package's own document: the messages of a locale
            continue
        own = [*_namespace(owners, name, name, document)]
        if name == MANIFEST:
            own[0]["types"] = manifest_types(owners)
        found += [each for each in own if each.keys() - {"namespace"}]
    return found


def _namespace(owners: TypeNamespaces, document: str, name: str, node: Node) -> Iterator[Node]:
    """Yields a namespace, followed by the namespaces nested in it."""
    converter = Converter(owners, document, name)
    nested = {key: each for key, each in node.get("properties", {}).items() if _is_namespace(each)}
    parts: dict[str, Any] = {
        "types": [
            {"id": key, **converter.type(each)}
            for key, each in owners.documents[document].get("types", {}).items()
            if owners.namespace_of(document, key) == name != MANIFEST
        ],
        "functions": [converter.keys(each) for each in node.get("functions", ())],
        "events": [converter.keys(each) for each in node.get("events", ())],
        "properties": {
            key: converter.type(each) for key, each in node.get("properties", {}).items() if key not in nested
        },
    }
    remaining = {key: value for key, value in node.items() if key not in _DOCUMENT_KEYS}
    yield {
        "namespace": name,
        **converter.keys(remaining),
        **{key: each for key, each in parts.items() if each},
    }
    for key, each in nested.items():
        yield from _namespace(owners, document, f"{name}.{key}", each)


def _is_namespace(node: Node) -> bool:
    """Whether a property of a namespace is itself a namespace."""
    return node.keys().isdisjoint(_VALUE_KEYS) and not node.keys().isdisjoint(_NAMESPACE_KEYS)
