"""The JSON Schema of a configuration, for editors: generated from the table of keys."""

from __future__ import annotations

from typing import Any

from extlint.linting.configuration.keys import KEYS, schema_with_description
from extlint.linting.configuration.values import DEFINITIONS


def configuration_schema() -> dict[str, Any]:
    """Returns the JSON Schema, in draft 7, which most editors know."""
    properties = {
        key.name: schema_with_description(key.kind, f"{key.about} Default: {key.default}.")
        for key in KEYS.values()
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "extlint",
        "description": "How extlint checks the browser extensions of a project.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "definitions": DEFINITIONS,
    }
