"""The keys and values that JSON Schemas list at a place: those of manifests for each target, and others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct, field

from extlint.schema.targets import FIREFOX
from extlint.schema.validation.browser_differences import schema_of
from extlint.schema.validation.schema_path import subschemas
from extlint.services.editor.audience import Audience
from extlint.text.json.values import Step
from extlint_schemas import json_schema

MAX_NUMBERS = 5
"""The maximum number of integers in a range that are offered as values."""

ICON_SIZES = ("16", "32", "48", "128")
"""The sizes of icons that are offered."""

PATTERNS = ("<all_urls>", "*://*/*", "https://*/*")
"""The match patterns that are offered, as examples of their form."""

Schema: TypeAlias = Mapping[str, Any]
_PATTERN_FORMATS = ("-match-pattern", "-host-permission")
_EXCLUDING = ("x-only-in", "x-only-for")


class TargetSchema(NamedTuple):
    """The name of a target, its schema, and the part of the schema that applies."""

    target: str
    schema: Schema
    root: Schema


class KnownKey(Struct):
    """A key that may be at a place. `targets` are the names of the targets that know it."""

    name: str
    types: tuple[str, ...] = ()
    targets: set[str] = field(default_factory=set)
    deprecated_in: set[str] = field(default_factory=set)
    is_required: bool = False
    description: str = ""


class KnownValue(Struct):
    """A value that may be at a place, as JSON; `is_permission` is true in a list of permissions."""

    text: str
    is_string: bool
    targets: set[str] = field(default_factory=set)
    is_permission: bool = False


def keys_at(schemas: Iterable[TargetSchema], steps: Sequence[Step]) -> list[KnownKey]:
    """Returns the keys of the object at a place."""
    found: dict[str, KnownKey] = {}
    for target, schema, root in schemas:
        for part in _parts_at(schema, root, steps):
            required = part.get("required", ())
            for name, node in part.get("properties", {}).items():
                if _is_excluded(schema, node):
                    continue
                key = found.setdefault(name, KnownKey(name))
                key.targets.add(target)
                key.description = key.description or node.get("description", "")
                key.is_required = key.is_required or name in required
                parts = list(_parts(schema, node))
                key.types = tuple(
                    dict.fromkeys((*key.types, *(type_ for each in parts for type_ in _types(each))))
                )
                if _is_deprecated(node) or any(map(_is_deprecated, parts)):
                    key.deprecated_in.add(target)
            for name in _sizes(part):
                found.setdefault(name, KnownKey(name, ("string",))).targets.add(target)
    return list(found.values())


def values_at(
    schemas: Iterable[TargetSchema], steps: Sequence[Step], more_permissions: AbstractSet[str] = frozenset()
) -> list[KnownValue]:
    """Returns the values of the key or item at the end of some steps, as far as they can be listed.

    `more_permissions` are permissions that the schemas do not know.
    """
    found: dict[str, KnownValue] = {}

    def add(text: str, target: str, *, is_string: bool, is_permission: bool = False) -> None:
        value = found.setdefault(text, KnownValue(text, is_string, is_permission=is_permission))
        value.targets.add(target)

    for target, schema, root in schemas:
        parts = list(_parts_at(schema, root, steps))
        parts += [{"enum": sorted(more_permissions)}] if any("x-permission" in each for each in parts) else []
        is_permission = any("x-permission" in each for each in parts)
        for part in parts:
            for each in (*part.get("enum", ()), *([part["const"]] if "const" in part else ())):
                if isinstance(each, str):
                    add(each, target, is_string=True, is_permission=is_permission)
                elif each is None or isinstance(each, int):
                    add(json.dumps(each), target, is_string=False)
            if "boolean" in _types(part) and "enum" not in part:
                add("true", target, is_string=False)
                add("false", target, is_string=False)
            low, high = part.get("minimum"), part.get("maximum")
            if isinstance(low, int) and isinstance(high, int) and high - low < MAX_NUMBERS:
                for number in range(low, high + 1):
                    add(str(number), target, is_string=False)
            if str(part.get("format", "")).endswith(_PATTERN_FORMATS):
                for pattern in PATTERNS:
                    add(pattern, target, is_string=True)
    return list(found.values())


def manifest_schemas(audience: Audience, top_keys: Sequence[str]) -> Iterator[TargetSchema]:
    """Yields the schema of manifests of each target. `top_keys` are the keys of the manifest."""
    for target in audience.names or (FIREFOX,):
        try:
            schema = json_schema(schema_of(target, audience.version))
        except FileNotFoundError:
            continue
        root: Schema = schema
        while "if" in root:
            is_kind = all(each in top_keys for each in root["if"].get("required", ()))
            root = root.get("then" if is_kind else "else", {})
        yield TargetSchema(target, schema, root)


def _parts_at(schema: Schema, root: Schema, steps: Sequence[Step]) -> Iterator[Schema]:
    nodes: list[Schema] = [root]
    for step in steps:
        nodes = [
            inner
            for node in nodes
            for part in _parts(schema, node)
            for inner in subschemas(schema, part, step)
            if not _is_excluded(schema, inner)
        ]
    for node in nodes:
        yield from _parts(schema, node)


def _parts(schema: Schema, node: Schema) -> Iterator[Schema]:
    """Yields a node, with its reference resolved, and the schemas that it combines, without excluded ones."""
    if "$ref" in node:
        yield from _parts(schema, schema["definitions"][node["$ref"].rpartition("/")[2]])
        return
    if any(each in node for each in _EXCLUDING):
        return
    yield {key: each for key, each in node.items() if key not in ("anyOf", "allOf", "then", "else")}
    for each in (*node.get("anyOf", ()), *node.get("allOf", ())):
        yield from _parts(schema, each)
    for key in ("then", "else"):
        if key in node:
            yield from _parts(schema, node[key])


def _sizes(part: Schema) -> Iterator[str]:
    """Yields the usual sizes of icons for an object whose keys are sizes."""
    for pattern in part.get("patternProperties", {}):
        if all(re.search(pattern, each) for each in ICON_SIZES) and not re.search(pattern, "a"):
            yield from ICON_SIZES


def _is_excluded(schema: Schema, node: Schema) -> bool:
    """Whether no extension of this manifest version may have a key."""
    if "$ref" in node:
        node = schema["definitions"][node["$ref"].rpartition("/")[2]]
    return any(word in each for word in _EXCLUDING for each in (node, *node.get("allOf", ())))


def _is_deprecated(node: Schema) -> bool:
    return bool(node.get("x-deprecated"))


def _types(node: Schema) -> tuple[str, ...]:
    names = node.get("type", ())
    return (names,) if isinstance(names, str) else tuple(names)


def described_types(key: KnownKey) -> str:
    """Returns the types of a key's value as text."""
    return " or ".join(key.types)
