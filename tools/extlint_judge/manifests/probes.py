"""Manifests that try every position of a schema: valid and invalid values, missing and additional keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from re import search
from typing import Any, TypeAlias

from msgspec import Struct

from extlint.text.formats.registry import problem

Json: TypeAlias = Any
Build: TypeAlias = Callable[[Json], Json]

MAX_DEPTH = 9
"""The depth of nesting up to which schemas are followed."""

SAMPLE_VALUES: tuple[Json, ...] = (None, "", "judge", 1, 1.5, -1, True, [], [1], {}, {"judge": 1})
"""Values of every type. Some are invalid at each position."""

MAX_ALIKE = 2
"""The number of keys of one object with the same schema that also get invalid values."""

UNKNOWN = "judge"
"""A key unknown to every browser."""

TEXTS = (
    *("judge", "page.html", "en", "1.0", "140.0", "https://example.com", "https://example.com/"),
    *("https://example.com/*", "Ctrl+Shift+Y", "judge@extlint.invalid", "a" * 32, "red", "#ffffff"),
    *("script-src 'self'", "sandbox allow-scripts", "red, blue", "MIIBIjANBgkq", "web+judge"),
    *("16", "page.dic", "experiments.judge", "com.example"),
)
"""Texts that include a match for each pattern and format."""

FILES: Mapping[str, str] = {
    "16": "icon.png",
    "css": "style.css",
    "dark": "icon.png",
    "default_icon": "icon.png",
    "icons": "icon.png",
    "images": "icon.png",
    "js": "script.js",
    "light": "icon.png",
    "managed_schema": "schema.json",
    "path": "rules.json",
    "scripts": "script.js",
    "service_worker": "script.js",
}
"""The files that keys name, where a page is not valid."""

PATHS = ("strict-relative-url", "relative-url", "image-data-or-path")
"""The formats of file names."""

REQUIRED_KEYS: Mapping[str, Mapping[int, Json]] = {
    "commands": {3: {"action": {}}},
    "declarative_net_request": {
        2: {"permissions": ["declarativeNetRequest"]},
        3: {"permissions": ["declarativeNetRequest"]},
    },
}
"""The keys that another key requires, by manifest version."""


class Probe(Struct, frozen=True):
    """A manifest that tries one position.

    `path` is the path of its keys (`icons.16`), `what` describes its value, and `manifest` is its value, or
    its text.
    """

    path: str
    what: str
    manifest: Json


class NoValueError(Exception):
    """No value was found that matches a schema."""


class Probes:
    """Generates the probes of a schema of entire manifests, for one manifest version."""

    def __init__(self, schema: Mapping[str, Json], version: int) -> None:
        self._definitions: Mapping[str, Json] = schema.get("definitions", {})
        self._schema = schema
        self._version = version

    def all(self) -> Iterator[Probe]:
        """Yields every probe once."""
        seen: set[str] = set()
        for schema in self._roots(self._schema):
            for probe in self._object_probes(schema, (), self._with_required_keys):
                text = json.dumps(probe.manifest, sort_keys=True)
                if text not in seen:
                    seen.add(text)
                    yield probe

    def _roots(self, schema: Json) -> Iterator[Json]:
        """Yields an extension's schema, then those of other kinds of packages."""
        if "else" in schema:
            yield from self._roots(schema["else"])
            if "then" in schema:
                yield from self._roots(schema["then"])
        else:
            yield schema

    def _with_required_keys(self, value: Json) -> Json:
        for key in [key for key in value if key in REQUIRED_KEYS]:
            value = {**REQUIRED_KEYS[key].get(self._version, {}), **value}
        return value

    def _follow(self, schema: Json) -> Json:
        while "$ref" in schema:
            schema = self._definitions[schema["$ref"].rpartition("/")[2]]
        return schema

    def _forms(self, schema: Json) -> Iterator[Json]:
        """Yields the alternative schemas of a value, leaving out those that match nothing."""
        schema = self._follow(schema)
        if schema.get("not") == {} or schema is False:
            return
        if "anyOf" in schema and "type" not in schema:
            for each in schema["anyOf"]:
                yield from self._forms(each)
        else:
            yield schema

    def _valid_values(self, schema: Json, path: tuple[str, ...], depth: int = 0) -> Iterator[Json]:
        """Yields short valid values, one for each alternative."""
        if depth < MAX_DEPTH:
            for form in self._forms(schema):
                try:
                    yield self._valid_value(form, path, depth)
                except NoValueError:
                    continue

    def _valid_value(self, form: Json, path: tuple[str, ...], depth: int) -> Json:
        match form.get("type"):
            case _ if "enum" in form:
                return form["enum"][0]
            case "string":
                return self._text(form, path)
            case "boolean":
                return False
            case "integer" | "number":
                return form.get("minimum", 1)
            case "array":
                item = next(self._valid_values(form.get("items", {}), path, depth + 1), "judge")
                return [item] * max(1, form.get("minItems", 1))
            case "object":
                return self._minimal_object(form, path, depth)
        return "judge"

    def _minimal_object(self, form: Json, path: tuple[str, ...], depth: int = 0) -> dict[str, Json]:
        """Returns an object with only its required keys."""
        result = {}
        for key in self._required_keys(form):
            value = next(self._valid_values(self._key_schema(form, key), (*path, key), depth + 1), None)
            if value is None:
                raise NoValueError
            result[key] = value
        if not path:
            result["manifest_version"] = self._version
        return result

    def _required_keys(self, form: Json) -> list[str]:
        required = list(form.get("required", ()))
        alternatives = [each["required"] for each in form.get("anyOf", ()) if "required" in each]
        if alternatives and not any(set(each) <= set(required) for each in alternatives):
            required += alternatives[0]
        if not required and form.get("minProperties"):
            required = list(form.get("properties", ()))[:1]
        return required

    def _key_schema(self, form: Json, key: str) -> Json:
        if key in form.get("properties", {}):
            return form["properties"][key]
        patterns = form.get("patternProperties", {})
        found = next((each for pattern, each in patterns.items() if search(pattern, key)), None)
        return form.get("additionalProperties", {}) if found is None else found

    def _text(self, form: Json, path: tuple[str, ...]) -> str:
        file = next((FILES[key] for key in reversed(path) if key in FILES), None)
        is_path = form.get("format", PATHS[0]) in PATHS
        for text in [file, *TEXTS] if file is not None and is_path else TEXTS:
            fits = search(form.get("pattern", ""), text) and len(text) >= form.get("minLength", 0)
            if fits and ("format" not in form or problem(form["format"], text) is None):
                if form.get("format") == PATHS[0] and text == TEXTS[0]:
                    continue
                return text
        raise NoValueError

    def _object_probes(self, form: Json, path: tuple[str, ...], build: Build) -> Iterator[Probe]:
        """Yields probes of an object's keys, and of missing and additional keys."""
        least = self._minimal_object(form, path)
        where = ".".join(path)
        yield Probe(where, "an unknown key", build({**least, UNKNOWN: 1}))
        for key in least:
            without = {name: value for name, value in least.items() if name != key}
            yield Probe(where, f"without {key}", build(without))
        keys = list(form.get("properties", ()))
        for pattern in form.get("patternProperties", ()):
            keys += [text for text in TEXTS if search(pattern, text)][:1]
        if isinstance(form.get("additionalProperties"), dict):
            keys.append("judge2")
        alike: list[Json] = []
        for key in keys:
            if not path and key == "manifest_version":
                continue
            schema = self._key_schema(form, key)
            alike.append(schema)

            def inside(value: Json, key: str = key) -> Json:
                return build({**least, key: value})

            if path and alike.count(schema) > MAX_ALIKE:
                for value in self._valid_values(schema, (*path, key)):
                    yield Probe(".".join((*path, key)), json.dumps(value), inside(value))
            else:
                yield from self._value_probes(schema, (*path, key), inside)

    def _value_probes(self, schema: Json, path: tuple[str, ...], build: Build) -> Iterator[Probe]:
        """Yields probes of the values at one position."""
        where = ".".join(path)
        for value in self._valid_values(schema, path):
            yield Probe(where, json.dumps(value), build(value))
        for value in SAMPLE_VALUES:
            yield Probe(where, json.dumps(value), build(value))
        if len(path) > MAX_DEPTH:
            return
        for form in self._forms(schema):
            try:
                if form.get("type") == "array":
                    yield from self._array_probes(form, path, build)
                elif form.get("type") == "object":
                    yield from self._object_probes(form, path, build)
            except NoValueError:
                continue

    def _array_probes(self, form: Json, path: tuple[str, ...], build: Build) -> Iterator[Probe]:
        size = max(1, form.get("minItems", 1))
        item = next(self._valid_values(form.get("items", {}), path), None)
        if item is not None:
            yield Probe(".".join(path), "an item twice", build([item] * (size + 1)))

        def inside(value: Json) -> Json:
            return build([value, *([item] * (size - 1))])

        yield from self._value_probes(form.get("items", {}), (*path[:-1], f"{path[-1]}[]"), inside)
