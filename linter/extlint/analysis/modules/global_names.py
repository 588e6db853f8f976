"""Determines whether a script may use globals, by their names."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import members_named

_GLOBAL_OBJECTS = frozenset({"globalThis", "self", "this", "window"})


def uses_globals(evaluator: Evaluator, names: Iterable[str]) -> bool:
    """Whether a script may use one of these globals, which it does not declare."""
    return any(evaluator.names.free_uses(each) or _is_property(evaluator, each) for each in names)


def _is_property(evaluator: Evaluator, name: str) -> bool:
    """Whether a script uses a global as a property of the global object."""
    members = members_named(evaluator, name)
    return any(evaluator.tree.source(each.object) in _GLOBAL_OBJECTS for each in members)
