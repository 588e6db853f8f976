"""Converts the JSON Schema form of addons-linter back to a node of the dialect.

The conversions:

| in the dialect | in the package |
|---|---|
| `optional` of a property | not in the `required` of its object |
| `choices` | `anyOf` |
| `$ref` with other keys | `allOf` of the reference and the others |
| `type: any` | no type |
| `$import` of a type | `$merge` of the reference and the others |
| `namespace.Type` | `namespace#/types/Type` |

Prose is left out: descriptions, and reasons for deprecations.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from extlint_facts.firefox.type_namespaces import TypeNamespaces
from extlint_facts.ordering import Node

_PACKAGE_KEYS = frozenset(
    {"description", "required", "uniqueItems", "nocompile", "minProperties", "validatePrivilegedPermissions"}
)
"""Keys that do not describe the API, or matter only to that package."""

_KINDS = frozenset({"type", "$ref", "choices", "isInstanceOf", "value"})
_IMPORTED = ("patternProperties", "additionalProperties")
_LISTS = frozenset({"parameters", "extraParameters", "filters"})
_NODES = frozenset({"items", "returns"})


class Converter(Struct, frozen=True):
    """Converts nodes of one document to nodes of a namespace, which is not always the document's own."""

    owners: TypeNamespaces
    document: str
    namespace: str

    def type(self, node: Node) -> Node:
        """Converts a node that describes a value: a type, a parameter, a property or a choice."""
        if "$merge" in node:
            return self._merged(node)
        found = self.keys(_flatten(node))
        if not _KINDS & found.keys():
            found["type"] = "any"
        return found

    def keys(self, node: Node) -> Node:
        """Converts a node of any kind, key by key, without adding a type."""
        found = {key: self._value(key, value) for key, value in node.items() if key not in _PACKAGE_KEYS}
        if "properties" in found:
            found["properties"] = self._properties(node)
        if "anyOf" in found:
            found["choices"] = found.pop("anyOf")
            found.pop("items", None)
        if found.get("additionalProperties") is False:
            del found["additionalProperties"]
        return found

    def _value(self, key: str, value: Any) -> Any:
        if key in ("anyOf", *_LISTS):
            return [self.type(each) for each in value]
        if key in ("functions", "events"):
            return [self.keys(each) for each in value]
        if key in _NODES or (key == "additionalProperties" and isinstance(value, dict)):
            return self.type(value)
        if key == "patternProperties":
            return {pattern: self.type(each) for pattern, each in value.items()}
        if key == "$ref":
            return self._reference(value)
        if key == "enum":
            return [each["name"] if isinstance(each, dict) else each for each in value]
        if key == "deprecated":
            return bool(value)
        return value

    def _properties(self, node: Node) -> Node:
        """Returns the properties of a type. Those next to a reference are constants, and never optional."""
        required = node["properties"] if "$ref" in node else node.get("required", ())
        found = {}
        for name, each in node["properties"].items():
            converted = self.type(each)
            if name not in required:
                converted["optional"] = True
            found[name] = converted
        return found

    def _reference(self, reference: str) -> str:
        home, name = self.owners.resolve(reference, self.document)
        return name if home == self.namespace else f"{home}.{name}"

    def _merged(self, node: Node) -> Node:
        """Returns an object that imports another's properties. Its own properties take precedence."""
        merge = node["$merge"]
        document, _, source = self.owners.target(merge["source"]["$ref"], self.document)
        base = Converter(self.owners, document, self.namespace).type(source)
        added = merge["with"]
        patches = [name for name, each in added["properties"].items() if _is_patch(each)]
        own = self.type(added)
        for name in patches:
            del own["properties"][name]
        imported = {key: base[key] for key in _IMPORTED if key in base}
        return {**imported, **own, "properties": {**base["properties"], **own["properties"]}}


def _is_patch(node: Node) -> bool:
    """Whether a property is not a definition but a change by the package for its own checks."""
    return "properties" in node and "type" not in node


def _flatten(node: Node) -> Node:
    """Merges a reference with the keys added next to it. Raises ValueError for any other `allOf`."""
    if "allOf" not in node:
        return node
    parts = node["allOf"]
    if len(parts) != 2 or set(parts[0]) != {"$ref"}:
        raise ValueError(f"an allOf that is not a reference with other keys: {node!r}")
    return {**{key: node[key] for key in node if key not in ("allOf", "anyOf")}, **parts[0], **parts[1]}
