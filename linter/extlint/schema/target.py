"""The targets: whose API an extension is checked against."""

from __future__ import annotations

from functools import cache

from extlint.schema.model import SchemaSet
from extlint_schemas import load


@cache
def schema_set(target: str) -> SchemaSet:
    """The namespaces of a target. Raises KeyError for a target that does not exist."""
    return SchemaSet(target, load(target))
