"""The targets: whose API an extension is checked against."""

from __future__ import annotations

from functools import cache

from extlint.near import nearest
from extlint.schema.model import SchemaSet
from extlint_schemas import TARGETS, load


@cache
def schema_set(target: str) -> SchemaSet:
    """The namespaces of a target. Raises KeyError for a target that does not exist."""
    return SchemaSet(target, load(target))


def unknown_target(name: str) -> str:
    """What to tell somebody who asked for a target that does not exist, as one sentence."""
    meant = nearest(name, TARGETS)
    known = ", ".join(f"`{target}`" for target in TARGETS)
    hint = f"; did you mean `{meant}`?" if meant else f"; there is {known}."
    return f"There is no target `{name}`{hint}"
