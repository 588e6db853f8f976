"""The members that a script adds to the API by assigning objects, or by the functions of `Object`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from extlint.analysis.expressions.variables import TooManyWritesError, writes_to_top_level
from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import Literal, ObjectValue, options_of
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression
from extlint.analysis.syntax.prefilter import ROOTS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.fallback_objects import is_empty_fallback
from extlint.analysis.values.options import is_root

MUTATORS = frozenset({"assign", "defineProperties", "defineProperty"})
"""The functions of `Object` and `Reflect` that mutate their first argument."""


def added_by_call(evaluator: Evaluator, call: CallExpression, method: str) -> Iterable[str] | None:
    """Returns the members that one of `MUTATORS` adds to its first argument, or None if unknown."""
    others = [evaluator.possible.value(each) for each in call.arguments[1:]]
    if method == "defineProperty":
        name = others[0] if others else None
        return [name.value] if isinstance(name, Literal) and isinstance(name.value, str) else None
    if not all(isinstance(each, ObjectValue) and not each.open for each in others):
        return None
    return {name for each in others if isinstance(each, ObjectValue) for name in each.fields}


def members_of_assigned_roots(evaluator: Evaluator, used: Collection[ApiPath]) -> Iterator[ApiPath]:
    """Yields the members of objects that replace a root, below its name: `window.chrome = { runtime }`.

    Yields the object itself if it is empty or has unknown members, since it may have any. Does not yield the
    members that the script uses itself, to which its own ones may delegate.
    """
    for found in _members_of_assigned_roots(evaluator):
        if found[1:] not in used:
            yield found


def _members_of_assigned_roots(evaluator: Evaluator) -> Iterator[ApiPath]:
    guards: GuardReader | None = None
    for root in ROOTS:
        try:
            writes = writes_to_top_level(evaluator, root)
        except TooManyWritesError:
            yield (root,)
            continue
        for place, value in writes:
            for each in () if is_empty_fallback(place) else options_of(value):
                if isinstance(each, ObjectValue):
                    yield from _paths_in(evaluator, each, (root,))
                elif not (isinstance(each, Literal) or is_root(each)):
                    guards = guards or GuardReader(evaluator)
                    if guards.certainly_on_load(place):
                        yield (root,)


def _paths_in(evaluator: Evaluator, value: ObjectValue, path: ApiPath) -> Iterator[ApiPath]:
    if not value.fields or (value.open and not _only_extends_api(evaluator, value)):
        yield path
    for name, field in value.fields.items():
        if isinstance(field.value, ObjectValue) and len(path) == 1:
            yield from _paths_in(evaluator, field.value, (*path, name))
        else:
            yield (*path, name)


def _only_extends_api(evaluator: Evaluator, value: ObjectValue) -> bool:
    """Whether the unknown members of an object are those of the API: `{ ...window.chrome, tabs }`."""
    literal = evaluator.definition(value)
    if literal is None or literal.type != "object":
        return False
    spreads = [each for each in literal.named() if each.type == "spread_element"]
    return bool(spreads) and all(_names_root(evaluator, each) for each in spreads)


def _names_root(evaluator: Evaluator, spread: Node) -> bool:
    words = evaluator.tree.source(spread).lstrip(".").replace("?.", ".").split(".")
    return any(root in words[:2] for root in ROOTS)
