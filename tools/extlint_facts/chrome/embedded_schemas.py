"""Adds details about arguments from Chromium's own schemas to the facts from chrome-types.

chrome-types omits undocumented members, and types every number as `number`. The schemas by which Chromium
itself checks arguments are in `recorded/chromium_schemas.json`, written by `extlint_judge embedded-schemas`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from extlint_facts import recorded
from extlint_facts.chrome.normalization import UNCHECKED_PREFIX

Json: TypeAlias = dict[str, Any]

FILE = Path(recorded.__file__).with_name("chromium_schemas.json")

BOUNDS = {
    **dict.fromkeys(("integer", "number"), ("minimum", "maximum")),
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
}
"""The keys that limit the values of each kind of type."""

UNASKED = "unasked"
"""The key that marks an object type for which Chromium's schemas do not say whether it accepts other keys."""

_DESCRIBED = "(asked)"
"""A temporary key, set while facts are being completed, that marks types described by Chromium's schemas."""

_OPEN = ("additionalProperties", "isInstanceOf")
_COPIED = ("type", "optional", "enum")
_MAPS, _NODES, _LISTS = ("properties",), ("items", "additionalProperties"), ("choices", "parameters")


class EmbeddedSchemas(Struct, frozen=True):
    """The namespaces of Chromium's own schemas, and the version that they were read from."""

    browser: str
    version: str
    namespaces: list[Json]

    def source(self) -> dict[str, str]:
        """Returns the source that a file of facts names."""
        return {"browser": self.browser, "version": self.version}


def embedded_schemas(path: Path = FILE) -> EmbeddedSchemas:
    """Returns the recorded schemas of Chromium."""
    return msgspec.json.decode(path.read_bytes(), type=EmbeddedSchemas)


def complete(namespaces: Iterable[Json], embedded: EmbeddedSchemas) -> None:
    """Adds details from Chromium's schemas to namespaces in place. Call `mark_unasked` afterwards."""
    by_name = {each["namespace"]: each for each in namespaces}
    completion = _Completion(by_name, embedded)
    own = {each["namespace"]: each for each in embedded.namespaces}
    for name, each in by_name.items():
        completion.complete_members(each, own.get(name, {}))


def mark_unasked(namespaces: Iterable[Json]) -> None:
    """Marks the objects of completed namespaces that Chromium's own schemas do not describe."""
    for each in namespaces:
        _mark(each, not each["namespace"].startswith(UNCHECKED_PREFIX))


class _Completion:
    """One pass over all namespaces."""

    def __init__(self, facts: Mapping[str, Json], embedded: EmbeddedSchemas) -> None:
        self.facts = facts
        self.types = {kind["id"]: kind for each in embedded.namespaces for kind in each.get("types", ())}
        self.namespace = ""

    def complete_members(self, fact: Json, found: Json) -> None:
        """Completes each member that a namespace, or a type with functions, has in both sources."""
        self.namespace = fact.get("namespace", self.namespace)
        for kind in fact.get("types", ()):
            own = self._find_type(kind["id"])
            if own is not None:
                self.complete_type(kind, own)
                self.complete_members(kind, own)
        for key in ("functions", "events"):
            by_name = {each["name"]: each for each in found.get(key, ())}
            for each in fact.get(key, ()):
                own = by_name.get(each["name"])
                if own is not None and key == "functions":
                    each["parameters"] = list(self._merged_parameters(each["parameters"], _parameters(own)))
                elif own is not None:
                    self._complete_pairwise(each, own, "parameters")
                    self._complete_pairwise(each, own, "extraParameters")

    def _find_type(self, name: str) -> Json | None:
        """Returns Chromium's type of a name. A generic type belongs to each namespace that uses it."""
        generic, bracket, _ = name.partition("<")
        owners = {self.namespace, *self.facts} if bracket else {self.namespace}
        found = (self.types.get(f"{home}.{generic}") for home in sorted(owners))
        return next((each for each in found if each is not None), None)

    def _complete_pairwise(self, fact: Json, found: Json, key: str) -> None:
        for mine, theirs in zip(fact.get(key, ()), found.get(key, ()), strict=False):
            self.complete_type(mine, theirs)

    def _merged_parameters(self, facts: list[Json], found: list[Json]) -> Iterator[Json]:
        """Yields the parameters of the facts, with those that only Chromium knows between them."""
        names = [each["name"] for each in facts]
        waiting = iter(facts)
        for each in found:
            if each.get("name") in names:
                while (mine := next(waiting))["name"] != each["name"]:
                    yield mine
                self.complete_type(mine, each)
                yield mine
            elif each.get("optional") and len(found) > len(facts):
                yield self._convert_parameter(each)
        yield from waiting

    def complete_type(self, fact: Json, found: Json) -> None:
        """Completes a type: its numbers, values, properties and nested types."""
        if "$ref" in fact and "$ref" in found:
            return
        fact, found = self._resolve_fact(fact), self._resolve_schema(found)
        if _DESCRIBED in fact:
            return
        fact[_DESCRIBED] = True
        if "choices" in found:
            self._complete_choices(fact, found["choices"])
        elif fact.get("type") == "number" and found["type"] == "integer":
            fact["type"] = "integer"
        if fact.get("type") == found.get("type"):
            self._complete_contents(fact, found)

    def _complete_contents(self, fact: Json, found: Json) -> None:
        fact.update({key: each for key, each in _limits(found).items() if key not in fact})
        if "enum" in fact:
            fact["enum"] += [each for each in found.get("enum", ()) if each not in fact["enum"]]
        match fact.get("type"):
            case "array" if "items" in found:
                self.complete_type(fact["items"], found["items"])
            case "function":
                self._complete_pairwise(fact, found, "parameters")
            case "object":
                self._complete_object(fact, found)

    def _complete_object(self, fact: Json, found: Json) -> None:
        if "additionalProperties" not in found and "isInstanceOf" not in fact:
            fact.pop("additionalProperties", None)
        documented = bool(fact.get("properties"))
        methods = {each["name"] for key in ("functions", "events") for each in fact.get(key, ())}
        for name, theirs in found.get("properties", {}).items():
            properties = fact.setdefault("properties", {})
            if name in properties:
                self.complete_type(properties[name], theirs)
            elif name not in methods:
                converted = self.convert(theirs)
                # Undocumented properties of a documented type are never required.
                properties[name] = {**converted, "optional": True} if documented else converted

    def _complete_choices(self, fact: Json, found: list[Json]) -> None:
        if len(fact.get("choices", ())) == len(found):
            for mine, theirs in zip(fact["choices"], found, strict=True):
                self.complete_type(mine, theirs)
        elif fact.get("type") in [each.get("type") for each in found]:
            del fact["type"]
            fact["choices"] = [self.convert(each) for each in found]

    def convert(self, found: Json) -> Json:
        """Returns a type of Chromium's in the form of the facts, adding the types that it refers to."""
        converted: Json = {
            _DESCRIBED: True,
            **{key: found[key] for key in _COPIED if key in found},
            **_limits(found),
        }
        if found.get("type") == "object" and "isInstanceOf" in found:
            converted["isInstanceOf"] = found["isInstanceOf"]
        if "$ref" in found:
            converted["$ref"] = self._type_name(found["$ref"])
        for key in _MAPS:
            if key in found:
                converted[key] = {name: self.convert(each) for name, each in found[key].items()}
        converted |= {key: self.convert(found[key]) for key in _NODES if key in found}
        for key in _LISTS:
            if key in found:
                converted[key] = [self._convert_parameter(each) for each in found[key]]
        return converted

    def _convert_parameter(self, found: Json) -> Json:
        return {**({"name": found["name"]} if "name" in found else {}), **self.convert(found)}

    def _type_name(self, name: str) -> str:
        """Returns a type's name in the current namespace, adding the type if the facts do not have it."""
        scope, _, own = name.rpartition(".")
        listed = self.facts[scope].setdefault("types", [])
        if own not in [each["id"] for each in listed]:
            kind: Json = {"id": own}
            listed.append(kind)
            home, self.namespace = self.namespace, scope
            kind.update(self.convert(self.types[name]))
            self.namespace = home
        return own if scope == self.namespace else name

    def _resolve_fact(self, node: Json) -> Json:
        while "$ref" in node:
            scope, _, own = node["$ref"].rpartition(".")
            node = next(each for each in self.facts[scope or self.namespace]["types"] if each["id"] == own)
        return node

    def _resolve_schema(self, node: Json) -> Json:
        while "$ref" in node:
            node = self.types[node["$ref"]]
        return node


def _limits(found: Json) -> Json:
    """Returns the keys that limit the values of a type. Chromium reads only whole numbers as bounds."""
    limits = {key: found[key] for key in BOUNDS.get(found.get("type", ""), ()) if key in found}
    return {key: int(each) for key, each in limits.items() if each == int(each)}


def _parameters(found: Json) -> list[Json]:
    """Returns the parameters of one of Chromium's functions, its callback last."""
    listed: list[Json] = [*found.get("parameters", ())]
    if "returns_async" in found:
        listed.append({**found["returns_async"], "type": "function"})
    return listed


def _mark(node: object, checked: bool) -> None:
    """Marks objects that Chromium's schemas do not describe, and that do not say whether they are open."""
    if isinstance(node, list):
        for each in node:
            _mark(each, checked)
    elif isinstance(node, dict):
        is_described = node.pop(_DESCRIBED, False)
        for each in node.values():
            _mark(each, checked)
        if checked and not is_described and node.get("type") == "object" and not {*_OPEN} & node.keys():
            node[UNASKED] = True
