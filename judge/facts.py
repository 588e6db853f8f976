"""The facts that are committed for each browser."""

from __future__ import annotations

import json
from pathlib import Path

import extlint_schemas
from extlint.schema.model import SchemaSet
from extlint.schema.target import schema_set

TARGETS = {"chromium": "chrome", "firefox": "firefox"}
"""The target for which each browser is the judge."""

_FOLDER = Path(extlint_schemas.__file__).parent


def permissions_of(browser: str) -> list[str]:
    """Every permission that the facts know."""
    index = json.loads((_FOLDER / TARGETS[browser] / extlint_schemas.INDEX).read_bytes())
    found: list[str] = index["permissions"]
    return found


def schemas_of(browser: str) -> SchemaSet:
    """The namespaces by which extensions for a browser are judged."""
    return schema_set(TARGETS[browser])
