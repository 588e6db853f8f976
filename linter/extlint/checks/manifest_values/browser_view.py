"""The part of a manifest that a browser reads, and the schema by which that browser validates it."""

from __future__ import annotations

from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.json.values import JsonValue
from extlint_schemas import json_schema

VERSIONS = (2, 3)
"""The manifest versions."""

_IGNORES_NULL = Engine.GECKO
"""Firefox treats a key whose value is null as missing. Verified in Firefox 153.7."""


def schema_of(browser: str, version: int) -> str:
    """Returns the name of the JSON Schema of a browser's manifests of a version."""
    return f"manifests/{browser}_{version}"


def visible_value(value: JsonValue, browser: str, version: int) -> JsonValue:
    """Returns the manifest without the parts that a browser ignores."""
    if engine_of(browser) is not _IGNORES_NULL:
        return value
    from extlint.schema.validation.browser_differences import without_nulls

    return without_nulls(json_schema(schema_of(browser, version)), value)
