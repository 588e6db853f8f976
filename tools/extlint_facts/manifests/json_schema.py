"""Converts the dialect of the facts to JSON Schema, draft 7, for one browser and manifest version.

The schemas are strict: they reject everything that is worth reporting. Annotations, which validators
ignore, give the reason next to a `not` that rejects everything:

* `x-only-in`: the manifest version that has this key or form; `x-instead`: its replacement.
* `x-deprecated`: the browser still reads the key, and warns.
* `x-permission`: the string names a permission.
* `x-expected`: a description of the pattern, in words that follow "must be".
* `x-only-for`: the kind of extensions for which the browser reads the key or value; others get a warning.

The annotations below give the browser's reaction to a mistake. Without them it rejects the manifest, except
for unknown keys, which it ignores:

* `x-on-error`: its reaction to a value with any error: it ignores the value with a warning
  (`warn`) or silently (`ignore`), or rejects the manifest (`refuse`). The innermost one applies.
* `x-mild`: the adjacent keywords whose violation makes the browser ignore the value.
* `x-unknown-keys`: `refuse` where the browser rejects the manifest for an unknown key of the object.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from extlint_facts.corrections.types import expanded
from extlint_facts.manifests.alternatives import has_same_form, merge_enums, shape
from extlint_facts.manifests.permissions import PERMISSIONS, permissions
from extlint_facts.manifests.replacements import REPLACEMENTS
from extlint_facts.manifests.types import Types
from extlint_facts.ordering import Node

Json: TypeAlias = dict[str, Any]

NOTHING: Json = {"not": {}}
_ANY_VERSION = {"min_manifest_version": 2, "max_manifest_version": 3}
_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems")
_FORMATS = {
    "canonicalDomain": "canonical-domain",
    "contentSecurityPolicySandbox": "csp-sandbox",
    "homepageUrl": "homepage-url",
    "imageDataOrStrictRelativeUrl": "image-data-or-path",
    "manifestShortcutKey": "firefox-shortcut",
    "manifestShortcutKeyOrEmpty": "firefox-shortcut",
    "origin": "origin",
    "relativeUrl": "relative-url",
    "strictRelativeUrl": "strict-relative-url",
    "unresolvedRelativeUrl": "strict-relative-url",
    "url": "url",
    "versionString": "firefox-version",
}
"""The formats of Firefox's dialect, and extlint's names for them."""

_STRING_FORMATS = {
    "manifest.ExtensionID": "gecko-id",
    "manifest.KeyName": "firefox-shortcut",
    "manifest.MatchPattern": "firefox-match-pattern",
    "manifest.MatchPatternRestricted": "firefox-match-pattern",
    "manifest.MatchPatternUnestricted": "firefox-match-pattern",
}
"""Types of Firefox's manifest that a format of extlint describes better."""

_COLOR = "manifest.ThemeColor"
_GRADIENT = "validCSSGradient"


class SchemaBuilder:
    """Builds the schemas of types. Named types become definitions."""

    def __init__(self, types: Types, browser: str, version: int, *, unknown_keys: str | None = None) -> None:
        """`unknown_keys` is the reaction to an unknown key of an object whose type does not specify one."""
        self.types = types
        self.browser = browser
        self.version = version
        self.unknown_keys = unknown_keys
        self.definitions: dict[str, Json] = {}

    def schema(self, node: Node, path: str = "") -> Json:
        """Returns the schema of a type. `path` is its position in the manifest, as keys divided by dots."""
        type_schema = self._type_schema(node, path)
        if "onError" in node:
            type_schema = {**type_schema, "x-on-error": node["onError"]}
        return {**type_schema, **{key: value for key, value in node.items() if key in _POSITION_KEYS}}

    def _type_schema(self, node: Node, path: str) -> Json:
        reference = node.get("$ref")
        if reference in _STRING_FORMATS and self.browser == "firefox":
            return {"type": "string", "format": _STRING_FORMATS[reference]}
        if reference is not None and set(node) <= {"$ref", "optional", "default", "preprocess", "onError"}:
            return self.named(reference)
        node = expanded(self.types, node)
        if node.get("postprocess") == _GRADIENT:
            node = {**node, "properties": _with_format(node["properties"], "gradient")}
        if "choices" in node:
            return self.choices(node["choices"], path)
        match node.get("type", "any"):
            case "object":
                return self.object(node, path)
            case "array":
                return self.array(node, path)
            case "string":
                return self.string(node)
            case "any":
                return {}
            case kind:
                return {"type": kind, **({"enum": node["enum"]} if "enum" in node else {}), **_bounds(node)}

    def named(self, name: str) -> Json:
        """Returns a reference to the schema of a named type."""
        if name not in self.definitions:
            self.definitions[name] = {}
            node = expanded(self.types, {"$ref": name})
            if name == _COLOR:
                node = {
                    "choices": [
                        {**each, "format": "color"} if each["type"] == "string" else each
                        for each in node["choices"]
                    ]
                }
            self.definitions[name] = self.schema(node)
        definition = self.definitions[name]
        if definition.get("type") in ("object", "array") or "anyOf" in definition:
            return {"$ref": f"#/definitions/{name}"}
        return dict(definition)

    def choices(self, choices: Iterable[Node], path: str) -> Json:
        """Returns the schema of several alternatives.

        Those of the other manifest version are rejected as such.
        """
        ways: list[Json] = []
        rejected: list[Json] = []
        for each in choices:
            whole = expanded(self.types, each) if "$ref" in each else each
            if self.is_in_version(whole):
                schema = self.schema(each, path)
                followed = self.definitions[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
                ways += followed["anyOf"] if set(followed) == {"anyOf"} else [schema]
            else:
                rejected.append(self.schema({**whole, **_ANY_VERSION}, path))
        for other in rejected:
            at = next((at for at, way in enumerate(ways) if has_same_form(way, other)), None)
            if at is None:
                ways.append({**shape(other), **self.reject_other_version(path)})
            else:
                ways[at] = self.with_rejected_keys(ways[at], other, path)
        ways = list(merge_enums(ways))
        return ways[0] if len(ways) == 1 else {"anyOf": ways}

    def with_rejected_keys(self, own: Json, other: Json, path: str) -> Json:
        """Returns a schema that rejects, by name, the additional keys of the other version's form."""
        if own["type"] == "array":
            return {**own, "items": self.with_rejected_keys(own["items"], other["items"], f"{path}[]")}
        more = {
            name: {**self.reject_other_version(f"{path}.{name}"), "x-on-error": "warn"}
            for name in other.get("properties", {})
            if name not in own.get("properties", {})
        }
        return {**own, "properties": {**own.get("properties", {}), **more}} if more else own

    def is_in_version(self, node: Node) -> bool:
        """Whether a node applies to this manifest version."""
        return bool(
            node.get("min_manifest_version", 2) <= self.version <= node.get("max_manifest_version", 3)
        )

    def reject_other_version(self, path: str) -> Json:
        """Returns a schema that rejects a key or form of the other manifest version."""
        other = 2 if self.version == 3 else 3
        instead = REPLACEMENTS.get((self.version, path))
        return {**NOTHING, "x-only-in": other, **({"x-instead": instead} if instead else {})}

    def properties(self, node: Node, path: str) -> tuple[Json, list[str]]:
        """Returns the schemas of an object's keys, and the required ones."""
        properties: Json = {}
        required = []
        reaction = (self.unknown_keys if _is_closed(node) else None) or "warn"
        for name, each in node.get("properties", {}).items():
            inner = f"{path}.{name}" if path else name
            if each.get("unsupported"):
                continue
            if not self.is_in_version(each):
                properties[name] = {
                    **self.reject_other_version(inner),
                    "x-on-error": each.get("onError", reaction),
                }
            else:
                properties[name] = self.with_remarks(self.key(each, inner), each, inner)
                if not each.get("optional"):
                    required.append(name)
        return properties, required

    def with_remarks(self, schema: Json, node: Node, path: str) -> Json:
        """Returns the schema of a key, with the remarks that apply to any value of it."""
        remarks: list[Json] = []
        if node.get("deprecated"):
            instead = REPLACEMENTS.get((0, path)) or REPLACEMENTS.get((0, path.rpartition(".")[2]))
            remarks.append({**NOTHING, "x-deprecated": True, **({"x-instead": instead} if instead else {})})
        if node.get("x-only-in", self.version) != self.version:
            remarks.append({**self.reject_other_version(path), "x-on-error": "warn"})
        if "x-only-for" in node:
            remarks.append({**NOTHING, "x-only-for": node["x-only-for"], "x-on-error": "warn"})
        return {"allOf": [schema, *remarks]} if remarks else schema

    def key(self, node: Node, path: str) -> Json:
        """Returns the schema of the value of a key."""
        if path in PERMISSIONS:
            return permissions(self.types, self.browser, self.version, path)
        return self.schema(node, path)

    def object(self, node: Node, path: str) -> Json:
        """Returns the schema of an object.

        Keys that its type does not name are rejected, unless it allows them.
        """
        schema: Json = {"type": "object"}
        properties, required = self.properties(node, path)
        patterns = {
            name.replace("\\d", "[0-9]"): self.schema(each, f"{path}.*")
            for name, each in node.get("patternProperties", {}).items()
        }
        if self.unknown_keys is not None and _is_closed(node):
            schema["x-unknown-keys"] = self.unknown_keys
        if properties:
            schema["properties"] = properties
        if required:
            schema["required"] = required
        if patterns:
            schema["patternProperties"] = patterns
        additional = node.get("additionalProperties")
        if isinstance(additional, dict) and additional.get("type") != "any":
            if additional.get("$ref") == "manifest.UnrecognizedProperty":
                schema["additionalProperties"] = False
            else:
                schema["additionalProperties"] = self.schema(additional, f"{path}.*")
        elif (properties or patterns) and additional != {} and not node.get("open"):
            schema["additionalProperties"] = False
        schema.update({key: value for key, value in node.items() if key in _EXTRA_KEYS})
        return schema

    def array(self, node: Node, path: str) -> Json:
        """Returns the schema of an array."""
        items = self.schema(node.get("items", {"type": "any"}), f"{path}[]")
        return {"type": "array", **({"items": items} if items else {}), **_bounds(node)}

    def string(self, node: Node) -> Json:
        """Returns the schema of a string. A format replaces the pattern next to it.

        The pattern remains next to a format whose violations are mild, because its own violations are not.
        """
        schema: Json = {"type": "string"}
        if "enum" in node:
            schema["enum"] = [each["name"] if isinstance(each, dict) else each for each in node["enum"]]
        if "pattern" in node and ("format" not in node or "format" in node.get("x-mild", ())):
            schema["pattern"] = node["pattern"].replace("\\d", "[0-9]")
            if "expected" in node:
                schema["x-expected"] = node["expected"]
        if "format" in node:
            schema["format"] = self.format(node["format"])
        return {**schema, **_bounds(node)}

    def format(self, name: str) -> str:
        """Returns extlint's name for a format."""
        if name == "contentSecurityPolicy":
            return f"{self.browser}-csp-{self.version}"
        return _FORMATS.get(name, name)


_EXTRA_KEYS = ("minProperties", "maxProperties", "anyOf", "allOf", "oneOf", "dependencies", "propertyNames")
"""Keys of JSON Schema that manual corrections may add to an object."""


_POSITION_KEYS = ("x-mild", "x-unknown-keys")
"""Keys that manual corrections may set at the position of a value, whatever its type is."""


def _is_closed(node: Node) -> bool:
    """Whether a type does not mention keys that it does not name."""
    return node.get("additionalProperties", False) is False


def _with_format(properties: Mapping[str, Node], name: str) -> dict[str, Node]:
    return {key: {**each, "format": name} for key, each in properties.items()}


def _bounds(node: Mapping[str, Any]) -> Json:
    return {key: node[key] for key in _BOUNDS if key in node}
