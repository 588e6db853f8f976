"""Looks a manifest key up in the schemas; a JSON Schema of manifests for editors.

It covers less than `extlint check`: an editor has no rules for match patterns, files and versions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from extlint.checks.manifest_values.known_keys import confirmed_targets_with_key
from extlint.schema.targets import FIREFOX, browser_name
from extlint.schema.validation.browser_differences import VERSIONS
from extlint.schema.validation.schema_path import subschemas
from extlint.schema.words.formats import example, title
from extlint.text.wording import listed, manifest_v
from extlint_schemas import json_schema, support

PREFIX = "manifest."
"""An optional prefix of the name of a key."""

MAX_VALUES = 12
"""The maximum number of values of an enumeration that is listed; a longer one is shown as a string."""

MAX_ALTERNATIVES = 6
"""The maximum number of alternative types that are listed."""

_MDN = "https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/manifest.json/"


class ManifestKey(Struct, frozen=True):
    """A manifest key, identified by its name: `background.service_worker`. The name omits the items of lists.

    `manifest_versions` and `types` are by target, for the targets that know the key; `deprecated` lists the
    targets that declare it deprecated. `versions` contains the first version of each browser with the key,
    and the first version without it if it was removed; false if no version has it. `keys` are the keys inside
    it.
    """

    name: str
    manifest_versions: Mapping[str, tuple[int, ...]]
    types: Mapping[str, str]
    deprecated: tuple[str, ...]
    versions: Mapping[str, list[str] | bool]
    keys: tuple[str, ...]
    documentation: str | None


def find_key(name: str, targets: Sequence[str]) -> ManifestKey | None:
    """Finds a key by its name, with or without the prefix `manifest.`.

    Returns None if none of these targets knows it. Among several, only those count that certainly do.
    """
    steps = name.removeprefix(PREFIX).split(".")
    versions: dict[str, tuple[int, ...]] = {}
    types: dict[str, str] = {}
    deprecated: list[str] = []
    keys: dict[str, None] = {}
    for target in confirmed_targets_with_key(steps, targets) if len(targets) > 1 else targets:
        for version in VERSIONS:
            schema = _schema(target, version)
            nodes = [] if schema is None else _nodes_at(schema, steps)
            if schema is None or not nodes:
                continue
            versions[target] = (*versions.get(target, ()), version)
            types[target] = " or ".join(_alternatives(schema, nodes))
            keys.update(dict.fromkeys(_keys(schema, nodes)))
            if any(node.get("x-deprecated") for node in nodes) and target not in deprecated:
                deprecated.append(target)
    if not versions:
        return None
    known = support("manifest").get(".".join(steps)) or support("manifest", 2).get(".".join(steps)) or {}
    since = {browser: each for browser, each in known.items() if each is not True}
    page = _MDN + steps[0] if isinstance(support("manifest").get(steps[0], {}).get(FIREFOX), list) else None
    return ManifestKey(".".join(steps), versions, types, tuple(deprecated), since, tuple(sorted(keys)), page)


def known_keys(targets: Sequence[str]) -> tuple[str, ...]:
    """Returns the top-level manifest keys of these targets, sorted."""
    schemas = (_schema(target, version) for target in targets for version in VERSIONS)
    return tuple(sorted({key for schema in schemas if schema is not None for key in _keys(schema, [schema])}))


def _schema(target: str, version: int) -> Mapping[str, Any] | None:
    try:
        return json_schema(f"manifests/{target}_{version}")
    except FileNotFoundError:
        return None


def _nodes_at(schema: Mapping[str, Any], steps: Sequence[str]) -> list[Mapping[str, Any]]:
    """Returns the schema nodes of the key at the end of a path; a list stands for its items."""
    nodes: list[Mapping[str, Any]] = [schema]
    for step in steps:
        inside = [*nodes, *(item for node in nodes for item in subschemas(schema, node, 0))]
        nodes = [inner for node in inside for inner in subschemas(schema, node, step, named=True)]
    return [node for node in nodes if "x-only-in" not in node]


def _keys(schema: Mapping[str, Any], nodes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    items = (item for node in nodes for item in subschemas(schema, node, 0))
    for node in (*nodes, *items):
        for each in _parts(schema, node):
            known = each.get("properties", {})
            yield from (name for name, inner in known.items() if "x-only-in" not in inner)


def _parts(schema: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yields a node, with its reference resolved, and all schemas that it combines."""
    if "$ref" in node:
        yield from _parts(schema, schema["definitions"][node["$ref"].rpartition("/")[2]])
        return
    yield node
    for key in ("then", "else"):
        if key in node:
            yield from _parts(schema, node[key])
    for choice in (*node.get("anyOf", ()), *node.get("allOf", ())):
        yield from _parts(schema, choice)


def _alternatives(schema: Mapping[str, Any], nodes: Sequence[Mapping[str, Any]]) -> list[str]:
    return _distinct(text for node in nodes for each in _parts(schema, node) for text in _type(schema, each))


def _distinct(texts: Iterable[str]) -> list[str]:
    """Returns each text once. Omits string values if any string is allowed."""
    found = [*dict.fromkeys(texts)]
    if "string" in found:
        found = [text for text in found if not text.startswith('"')]
    return [*found[:MAX_ALTERNATIVES], "…"] if len(found) > MAX_ALTERNATIVES else found


def _type(schema: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[str]:
    if "enum" in node:
        values = [f'"{each}"' if isinstance(each, str) else str(each) for each in node["enum"]]
        yield ", ".join(values) if len(values) <= MAX_VALUES else "string"
        return
    if "const" in node:
        yield str(node["const"]).lower()
        return
    names = node.get("type", ())
    for name in [names] if isinstance(names, str) else names:
        if name == "array" and isinstance(node.get("items"), Mapping):
            inner = (text for each in _parts(schema, node["items"]) for text in _type(schema, each))
            shown = _distinct(inner)
            yield f"array of {' or '.join(shown)}" if shown else "array"
        elif name == "string" and "format" in node:
            yield f"string ({title(node['format'])})"
        else:
            yield str(name)


DRAFT = "http://json-schema.org/draft-07/schema#"
_REFERENCE = "#/definitions/"
_OWN_PREFIX = "x-"
"""The prefix of extlint's own keywords."""


def editor_schema(targets: Sequence[str]) -> dict[str, Any]:
    """Returns a JSON Schema (draft 7) of manifests that all these targets accept, in any manifest version.

    Raises FileNotFoundError for a target without a manifest schema of its own.
    """
    definitions: dict[str, Any] = {}
    for target in targets:
        for version in VERSIONS:
            name = f"{target}_{version}"
            schema = json_schema(f"manifests/{name}")
            definitions[name] = _rewritten(
                {
                    key: each
                    for key, each in schema.items()
                    if key not in ("$schema", "$comment", "definitions")
                },
                name,
            )
            for inner, each in schema.get("definitions", {}).items():
                definitions[f"{name}.{inner}"] = _rewritten(each, name)
    return {
        "$schema": DRAFT,
        "title": f"Manifest of an extension for {listed([browser_name(each) for each in targets], 'and')}",
        "type": "object",
        "required": ["manifest_version", "name", "version"],
        "properties": {"manifest_version": {"enum": [*VERSIONS]}},
        "if": {"properties": {"manifest_version": {"const": 2}}, "required": ["manifest_version"]},
        "then": {"allOf": [{"$ref": f"{_REFERENCE}{target}_2"} for target in targets]},
        "else": {"allOf": [{"$ref": f"{_REFERENCE}{target}_3"} for target in targets]},
        "definitions": definitions,
    }


def _rewritten(node: Any, name: str) -> Any:
    """Returns a part of a schema without extlint's own keywords, and with its references to `name`."""
    if isinstance(node, list):
        return [_rewritten(each, name) for each in node]
    if not isinstance(node, Mapping):
        return node
    found: dict[str, Any] = {}
    for key, each in node.items():
        if key == "$ref" and isinstance(each, str):
            found[key] = f"{_REFERENCE}{name}.{each.removeprefix(_REFERENCE)}"
        elif key == "format" and isinstance(each, str):
            found["description"] = _format_description(each)
        elif key in ("properties", "patternProperties") and isinstance(each, Mapping):
            found[key] = {inner: _rewritten(value, name) for inner, value in each.items()}
        elif key in ("enum", "const", "required", "default"):
            found[key] = each
        elif not key.startswith(_OWN_PREFIX):
            found[key] = _rewritten(each, name)
    if "x-only-in" in node:
        found["deprecationMessage"] = f"only in {manifest_v(node['x-only-in'])}"
    elif node.get("x-deprecated"):
        found["deprecationMessage"] = "deprecated"
    return found


def _format_description(format_name: str) -> str:
    text = example(format_name)
    return title(format_name) if text is None else f"{title(format_name)}, such as {text}"
