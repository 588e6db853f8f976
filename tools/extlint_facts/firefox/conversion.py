"""From the JSON Schema form of addons-linter back to a node of the dialect.

What had become what:

| in the dialect | in the package |
|---|---|
| `optional` of a property | not in the `required` of its object |
| `choices` | `anyOf` |
| `$ref` with other keys | `allOf` of the reference and the others |
| `type: any` | no type |
| `$import` of a type | `$merge` of the reference and the others |
| `namespace.Type` | `namespace#/types/Type` |

Sentences are left out: descriptions, and why something is deprecated.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from extlint_facts.firefox.type_namespaces import TypeNamespaces
from extlint_facts.ordering import Node

_OF_THE_PACKAGE = frozenset(
    {"description", "required", "uniqueItems", "nocompile", "minProperties", "validatePrivilegedPermissions"}
)
"""Keys that say nothing about the API, or only to that package."""

_KINDS = frozenset({"type", "$ref", "choices", "isInstanceOf", "value"})
_IMPORTED = ("patternProperties", "additionalProperties")
_LISTS = frozenset({"parameters", "extraParameters", "filters"})
_NODES = frozenset({"items", "returns"})


class Converter(Struct, frozen=True):
    """Turns nodes of one document into nodes of a namespace, which is not always the document's own."""

    owners: TypeNamespaces
    document: str
    namespace: str

    def type(self, node: Node) -> Node:
        """A node that describes a value: a type, a parameter, a property, a choice."""
        if "$merge" in node:
            return self._merged(node)
        found = self.keys(_flat(node))
        if not _KINDS & found.keys():
            found["type"] = "any"
        return found

    def keys(self, node: Node) -> Node:
        """A node of any kind, key by key; it is given no type."""
        found = {key: self._value(key, value) for key, value in node.items() if key not in _OF_THE_PACKAGE}
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
        """The properties of a type. Those beside a reference, and values, are not asked for: no flag."""
        required = node["properties"] if "$ref" in node else node.get("required", ())
        found = {}
        for name, each in node["properties"].items():
            converted = self.type(each)
            if name not in required:
                converted["optional"] = True
            found[name] = converted
        return found

    def _reference(self, reference: str) -> str:
        home, name = self.owners.name(reference, self.document)
        return name if home == self.namespace else f"{home}.{name}"

    def _merged(self, node: Node) -> Node:
        """An object that imports the properties of another one; its own win."""
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
    """Whether a property is not defined, but changed by the package for its own checks."""
    return "properties" in node and "type" not in node


def _flat(node: Node) -> Node:
    """A reference with the keys that were put beside it. Raises ValueError for any other `allOf`."""
    if "allOf" not in node:
        return node
    parts = node["allOf"]
    if len(parts) != 2 or set(parts[0]) != {"$ref"}:
        raise ValueError(f"an allOf that is not a reference with other keys: {node!r}")
    return {**{key: node[key] for key in node if key not in ("allOf", "anyOf")}, **parts[0], **parts[1]}
