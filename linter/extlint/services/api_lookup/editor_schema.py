"""A JSON Schema of manifests for editors, which use it to complete keys and underline mistakes.

It covers less than `extlint check`: an editor has no rules for match patterns, files and versions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from extlint.schema.targets import browser_name
from extlint.schema.validation.browser_differences import VERSIONS
from extlint.schema.words.formats import example, title
from extlint.text.wording import listed, manifest_v
from extlint_schemas import json_schema

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
