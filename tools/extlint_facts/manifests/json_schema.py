"""From the dialect of the facts to JSON Schema, draft 7, for one browser and manifest version.

The schemas are strict: everything that there is something to say about is refused. Why is told by
annotations, which validators pass over, beside a `not` that refuses everything:

* `x-only-in`: the manifest version that has this key or form; `x-instead`: what took its place.
* `x-deprecated`: the browser still reads the key, and warns.
* `x-permission`: the string names a permission.
* `x-expected`: what a pattern asks for, in words that follow "must be".
* `x-only-for`: the kind of extensions for which the browser reads the key or value; others hear a warning.

What the browser makes of a mistake is told by these; without them it refuses the manifest, but for unknown
keys, which it passes over:

* `x-on-error`: what it does with a value in which anything is wrong: it passes over the value with a warning
  (`warn`) or in silence (`ignore`), or refuses the manifest (`refuse`). The innermost counts.
* `x-mild`: the keywords beside it for which the browser passes over the value.
* `x-unknown-keys`: `refuse` where the browser refuses the manifest for an unknown key of the object.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from extlint_facts.corrections.types import expanded
from extlint_facts.manifests.alternatives import is_alike, joined, shape
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
"""The formats of Firefox's dialect by what extlint calls them."""

_STRINGS = {
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
    """Makes the schema of types; what several places name becomes a definition."""

    def __init__(self, types: Types, browser: str, version: int, *, unknown_keys: str | None = None) -> None:
        """`unknown_keys` says what becomes of an object with one, where its type does not."""
        self.types = types
        self.browser = browser
        self.version = version
        self.unknown_keys = unknown_keys
        self.definitions: dict[str, Json] = {}

    def schema(self, node: Node, path: str = "") -> Json:
        """The schema of a type. `path` is where it stands in the manifest, keys divided by dots."""
        made = self._of_type(node, path)
        if "onError" in node:
            made = {**made, "x-on-error": node["onError"]}
        return {**made, **{key: value for key, value in node.items() if key in _OF_THE_PLACE}}

    def _of_type(self, node: Node, path: str) -> Json:
        reference = node.get("$ref")
        if reference in _STRINGS and self.browser == "firefox":
            return {"type": "string", "format": _STRINGS[reference]}
        if reference is not None and set(node) <= {"$ref", "optional", "default", "preprocess", "onError"}:
            return self.named(reference)
        node = expanded(self.types, node)
        if node.get("postprocess") == _GRADIENT:
            node = {**node, "properties": _formatted(node["properties"], "gradient")}
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
        """A reference to the schema of a type with a name."""
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
        made = self.definitions[name]
        if made.get("type") in ("object", "array") or "anyOf" in made:
            return {"$ref": f"#/definitions/{name}"}
        return dict(made)

    def choices(self, choices: Iterable[Node], path: str) -> Json:
        """One of several types; those of another manifest version are refused by that name."""
        ways: list[Json] = []
        others: list[Json] = []
        for each in choices:
            whole = expanded(self.types, each) if "$ref" in each else each
            if self.fits(whole):
                made = self.schema(each, path)
                followed = self.definitions[made["$ref"].rpartition("/")[2]] if "$ref" in made else made
                ways += followed["anyOf"] if set(followed) == {"anyOf"} else [made]
            else:
                others.append(self.schema({**whole, **_ANY_VERSION}, path))
        for other in others:
            at = next((at for at, way in enumerate(ways) if is_alike(way, other)), None)
            if at is None:
                ways.append({**shape(other), **self.only_in(path)})
            else:
                ways[at] = self.with_keys_of(ways[at], other, path)
        ways = list(joined(ways))
        return ways[0] if len(ways) == 1 else {"anyOf": ways}

    def with_keys_of(self, own: Json, other: Json, path: str) -> Json:
        """A schema that refuses by their name the keys which the form of the other version has more."""
        if own["type"] == "array":
            return {**own, "items": self.with_keys_of(own["items"], other["items"], f"{path}[]")}
        more = {
            name: {**self.only_in(f"{path}.{name}"), "x-on-error": "warn"}
            for name in other.get("properties", {})
            if name not in own.get("properties", {})
        }
        return {**own, "properties": {**own.get("properties", {}), **more}} if more else own

    def fits(self, node: Node) -> bool:
        """Whether a node is for this manifest version."""
        return bool(
            node.get("min_manifest_version", 2) <= self.version <= node.get("max_manifest_version", 3)
        )

    def only_in(self, path: str) -> Json:
        """What refuses a key or form of the other manifest version."""
        other = 2 if self.version == 3 else 3
        instead = REPLACEMENTS.get((self.version, path))
        return {**NOTHING, "x-only-in": other, **({"x-instead": instead} if instead else {})}

    def properties(self, node: Node, path: str) -> tuple[Json, list[str]]:
        """The schemas of an object's keys, and which of them it must have."""
        properties: Json = {}
        required = []
        reaction = (self.unknown_keys if _is_closed(node) else None) or "warn"
        for name, each in node.get("properties", {}).items():
            inner = f"{path}.{name}" if path else name
            if each.get("unsupported"):
                continue
            if not self.fits(each):
                properties[name] = {**self.only_in(inner), "x-on-error": each.get("onError", reaction)}
            else:
                properties[name] = self.with_remarks(self.key(each, inner), each, inner)
                if not each.get("optional"):
                    required.append(name)
        return properties, required

    def with_remarks(self, made: Json, node: Node, path: str) -> Json:
        """The schema of a key about which there is something to say whatever its value is."""
        remarks: list[Json] = []
        if node.get("deprecated"):
            instead = REPLACEMENTS.get((0, path)) or REPLACEMENTS.get((0, path.rpartition(".")[2]))
            remarks.append({**NOTHING, "x-deprecated": True, **({"x-instead": instead} if instead else {})})
        if node.get("x-only-in", self.version) != self.version:
            remarks.append({**self.only_in(path), "x-on-error": "warn"})
        if "x-only-for" in node:
            remarks.append({**NOTHING, "x-only-for": node["x-only-for"], "x-on-error": "warn"})
        return {"allOf": [made, *remarks]} if remarks else made

    def key(self, node: Node, path: str) -> Json:
        """The schema of the value of a key."""
        if path in PERMISSIONS:
            return permissions(self.types, self.browser, self.version, path)
        return self.schema(node, path)

    def object(self, node: Node, path: str) -> Json:
        """The schema of an object. Keys that its type does not name are refused, unless it says otherwise."""
        made: Json = {"type": "object"}
        properties, required = self.properties(node, path)
        patterns = {
            name.replace("\\d", "[0-9]"): self.schema(each, f"{path}.*")
            for name, each in node.get("patternProperties", {}).items()
        }
        if self.unknown_keys is not None and _is_closed(node):
            made["x-unknown-keys"] = self.unknown_keys
        if properties:
            made["properties"] = properties
        if required:
            made["required"] = required
        if patterns:
            made["patternProperties"] = patterns
        others = node.get("additionalProperties")
        if isinstance(others, dict) and others.get("type") != "any":
            if others.get("$ref") == "manifest.UnrecognizedProperty":
                made["additionalProperties"] = False
            else:
                made["additionalProperties"] = self.schema(others, f"{path}.*")
        elif (properties or patterns) and others != {} and not node.get("open"):
            made["additionalProperties"] = False
        made.update({key: value for key, value in node.items() if key in _EXTRA})
        return made

    def array(self, node: Node, path: str) -> Json:
        """The schema of a list."""
        items = self.schema(node.get("items", {"type": "any"}), f"{path}[]")
        return {"type": "array", **({"items": items} if items else {}), **_bounds(node)}

    def string(self, node: Node) -> Json:
        """The schema of a string; a format describes it better than a pattern beside it.

        The pattern stays for what is refused beside a format whose mistakes are passed over.
        """
        made: Json = {"type": "string"}
        if "enum" in node:
            made["enum"] = [each["name"] if isinstance(each, dict) else each for each in node["enum"]]
        if "pattern" in node and ("format" not in node or "format" in node.get("x-mild", ())):
            made["pattern"] = node["pattern"].replace("\\d", "[0-9]")
            if "expected" in node:
                made["x-expected"] = node["expected"]
        if "format" in node:
            made["format"] = self.format(node["format"])
        return {**made, **_bounds(node)}

    def format(self, name: str) -> str:
        """What extlint calls a format."""
        if name == "contentSecurityPolicy":
            return f"{self.browser}-csp-{self.version}"
        return _FORMATS.get(name, name)


_EXTRA = ("minProperties", "maxProperties", "anyOf", "allOf", "oneOf", "dependencies", "propertyNames")
"""Keys of JSON Schema that rows by hand may give to an object."""


_OF_THE_PLACE = ("x-mild", "x-unknown-keys")
"""What rows by hand may say of the place of a value, whatever its type is."""


def _is_closed(node: Node) -> bool:
    """Whether a type says nothing of keys that it does not name."""
    return node.get("additionalProperties", False) is False


def _formatted(properties: Mapping[str, Node], name: str) -> dict[str, Node]:
    return {key: {**each, "format": name} for key, each in properties.items()}


def _bounds(node: Mapping[str, Any]) -> Json:
    return {key: node[key] for key in _BOUNDS if key in node}
