"""The targets: whose API an extension is checked against."""

from __future__ import annotations

from functools import cache

from extlint.schema.model import Browser, SchemaSet
from extlint_schemas import load, stored

_BROWSERS: dict[str, Browser] = {"chrome": "chromium", "firefox": "firefox"}


@cache
def schema_set(target: str) -> SchemaSet:
    """The namespaces of a target. Raises KeyError for a target that does not exist."""
    if target in _BROWSERS:
        return SchemaSet(target, browser=_BROWSERS[target], stored=stored(target))
    return SchemaSet(target, load(target))
