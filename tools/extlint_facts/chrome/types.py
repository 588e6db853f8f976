"""Reads the types of declarations, in the schema dialect."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from tree_sitter import Node

from extlint_facts.chrome.forms import (
    Json,
    is_event,
    is_undefined,
    is_void,
    literal,
    may_be_undefined,
    members_of_union,
    property_name,
    string_text,
    type_parameters,
    without_repeats,
)
from extlint_facts.chrome.members import events_and_functions
from extlint_facts.chrome.syntax import Declared, UnknownFormError, part, text, with_comments
from extlint_facts.chrome.tags import facts

Known: TypeAlias = Mapping[str, Mapping[str, Declared]]
"""The types that each namespace declares, by namespace and name."""

_OMITTED_CHARACTERS = re.compile(r"[^\w|]")
"""The characters that are removed from the arguments in the name of a generic type."""

PREDEFINED = {"any": "any", "boolean": "boolean", "number": "number", "string": "string", "null": "null"}
BINARY = "ArrayBuffer"
CLASSES = frozenset(
    {
        *("Blob", "DOMFileSystem", "Date", "DirectoryEntry", "Entry", "FileEntry", "FileSystem"),
        *("HTMLElement", "ImageData", "LocalMediaStream", "Promise", "SubtleCrypto", "Window"),
    }
)
"""Classes that browsers define in any case."""


class TypeReader:
    """Reads types written in namespace `home`, for output in namespace `target`.

    `arguments` are the type arguments, by the names of the type parameters. The instances of generic types
    are collected in `instances`, by their names in `target`: `Setting<boolean>`.
    """

    def __init__(
        self,
        known: Known,
        home: str,
        target: str = "",
        arguments: Mapping[str, Json] | None = None,
        instances: dict[str, Json] | None = None,
    ) -> None:
        self.known = known
        self.home = home
        self.target = target or home
        self.arguments = arguments or {}
        self.instances = {} if instances is None else instances

    def type(self, node: Node) -> Json:
        """Returns the type that a node describes. Raises UnknownFormError."""
        match node.type:
            case "type_annotation" | "parenthesized_type":
                return self.type(node.named_children[0])
            case "predefined_type" if text(node) in PREDEFINED:
                return {"type": PREDEFINED[text(node)]}
            case "literal_type":
                return literal(node)
            case "union_type":
                return self._union(node)
            case "array_type":
                return {"type": "array", "items": self.type(node.named_children[0])}
            case "tuple_type":
                return self._tuple(node)
            case "function_type":
                return self.function(node)
            case "object_type" | "interface_body":
                return self.object(node)
            case "type_identifier" | "nested_type_identifier":
                return self.named(node)
            case "generic_type":
                return self.generic(node)
            case "intersection_type":
                return self.intersection(node)
        raise UnknownFormError(node)

    def value(self, node: Node) -> Json:
        """Returns a type, with `optional` if it may be undefined."""
        return {**self.type(node), **({"optional": True} if may_be_undefined(node) else {})}

    def parameters(self, node: Node) -> list[Json]:
        """Returns the parameters of a function, from its formal parameters."""
        return [self.parameter(each) for each in node.named_children if each.type != "comment"]

    def parameter(self, node: Node) -> Json:
        """Returns one parameter of a function."""
        optional = {"optional": True} if node.type == "optional_parameter" else {}
        return {"name": text(part(node, "pattern")), **self.value(part(node, "type")), **optional}

    def function(self, node: Node) -> Json:
        """Returns a function as a value: a callback or a listener."""
        found: Json = {"type": "function", "parameters": self.parameters(part(node, "parameters"))}
        result = part(node, "return_type")
        if not is_void(result):
            found["returns"] = self.value(result)
        return found

    def object(self, body: Node) -> Json:
        """Returns an object type with its properties, and its methods and events if it is not a plain value.

        An object declared with an empty body may have any properties.
        """
        found: Json = {"type": "object", "properties": {}, **events_and_functions(self, body)}
        for node, comment in with_comments(body):
            if node.type in ("property_signature", "public_field_definition") and not is_event(node):
                found["properties"][property_name(node)] = {**self._property(node), **facts(comment)}
            elif node.type == "index_signature":
                found["additionalProperties"] = self.type(part(node, "type"))
            elif node.type not in ("property_signature", "method_signature"):
                raise UnknownFormError(node)
        if not found["properties"]:
            del found["properties"]
        return found if len(found) > 1 else {**found, "additionalProperties": {"type": "any"}}

    def _property(self, node: Node) -> Json:
        optional = {"optional": True} if any(each.type == "?" for each in node.children) else {}
        return {**self.value(part(node, "type")), **optional}

    def _union(self, node: Node) -> Json:
        choices: list[Json] = []
        words: list[str] = []
        for each in members_of_union(node):
            if is_undefined(each):
                continue
            found = self.type(each)
            if each.type == "literal_type" and found["type"] == "string":
                if not words:
                    choices.append({"type": "string", "enum": words})
                words += found["enum"]
            elif found not in choices:
                choices.append(found)
        return choices[0] if len(choices) == 1 else {"choices": choices}

    def _tuple(self, node: Node) -> Json:
        fixed = [each for each in node.named_children if each.type != "rest_type"]
        rest = [each.named_children[0].named_children[0] for each in node.named_children if each not in fixed]
        kinds = without_repeats(self.type(each) for each in (*fixed, *rest))
        found = {"type": "array", "items": kinds[0] if len(kinds) == 1 else {"choices": kinds}}
        return {**found, "minItems": len(fixed), **({} if rest else {"maxItems": len(fixed)})}

    def intersection(self, node: Node) -> Json:
        """Returns a type, and the constants that one object of that type has in addition."""
        base, more = node.named_children
        constants = {
            property_name(each): constant(self, part(each, "type")) for each, _ in with_comments(more)
        }
        return {**self.type(base), "properties": constants}

    def named(self, node: Node) -> Json:
        """Resolves the name of a type: a type argument, a declared type, or a class of the platform."""
        name = text(node).removeprefix("chrome.")
        if name in self.arguments:
            return self.arguments[name]
        if found := self._resolve_name(name):
            return {"$ref": found}
        if name == BINARY:
            return {"type": "binary"}
        if name in CLASSES:
            return {"type": "object", "isInstanceOf": name, "additionalProperties": {"type": "any"}}
        raise UnknownFormError(node)

    def _resolve_name(self, name: str) -> str | None:
        """Returns the name in `target` of a type named in `home`, or None if no namespace declares it."""
        for namespace, own in self._candidates(name):
            if own in self.known.get(namespace, ()):
                return own if namespace == self.target else f"{namespace}.{own}"
        return None

    def _candidates(self, name: str) -> Iterator[tuple[str, str]]:
        scope, _, own = name.rpartition(".")
        if scope:
            yield scope, own
        around = self.home
        while around:
            yield f"{around}.{scope}".rstrip("."), own
            around = around.rpartition(".")[0]

    def generic(self, node: Node) -> Json:
        """Returns a generic type applied to its arguments, which becomes a type of its own."""
        name = text(part(node, "name"))
        listed = part(node, "type_arguments").named_children
        if name == "Promise":
            return {"type": "object", "isInstanceOf": name, "additionalProperties": {"type": "any"}}
        for namespace, own in self._candidates(name):
            declared = self.known.get(namespace, {}).get(own)
            if declared is not None:
                instance_name = (
                    f"{own}<{','.join(_OMITTED_CHARACTERS.sub('', text(each)) for each in listed)}>"
                )
                if instance_name not in self.instances:
                    self.instances[instance_name] = {}
                    self.instances[instance_name] = self._instantiate(namespace, declared, listed)
                return {"$ref": instance_name}
        raise UnknownFormError(node)

    def _instantiate(self, home: str, declared: Declared, listed: list[Node]) -> Json:
        names = type_parameters(declared.node)
        arguments = dict(zip(names, (self.type(each) for each in listed), strict=False))
        return TypeReader(self.known, home, self.target, arguments, self.instances).object(
            part(declared.node, "body")
        )


def constant(reader: TypeReader, node: Node) -> Json:
    """Returns the value of a constant, or the type of a value that changes."""
    inner = node.named_children[0] if node.type == "type_annotation" else node
    if inner.type == "literal_type":
        number = inner.named_children[0]
        return {"value": string_text(number) if number.type == "string" else int(text(number))}
    return reader.value(inner)
