"""Detects globals that a script may replace other than by plain assignment, as tests and loaders do."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.script.facts.script_facts import ApiPath
from extlint.script.facts.shared_globals import GLOBAL_OBJECT
from extlint.script.facts.values import Api, Value, options_of
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import CallExpression, CallOrNewExpression, MemberExpression
from extlint.script.syntax.shapes import call_with_argument
from extlint.script.values.evaluator import GLOBAL, Evaluator
from extlint.script.values.memo import once_per_script
from extlint.script.values.property_index import key_leaves, property_writes
from extlint.script.values.property_names import key_of

_STUB_METHODS = frozenset({"stubGlobal"})
_DEFINE_METHODS = frozenset({"defineProperty"})
_WINDOW = (GLOBAL_OBJECT, "window")


@once_per_script
def is_replaced_by_call(evaluator: Evaluator, name: str) -> bool:
    """Whether a call assigns a global of this name.

    `Object.assign(globalThis, {name})`, `Object.defineProperty(globalThis, "name", …)`, and the
    `stubGlobal("name", …)` of test runners.
    """
    return any(_is_replaced_at(evaluator, leaf) for leaf in key_leaves(evaluator, name))


@once_per_script
def is_replaced_by_alias(evaluator: Evaluator, name: str) -> bool:
    """Whether a property of this name is set on something that may be the global object, or another object.

    `var root = self; if (namespace) root = self[namespace]; root.name = …`
    """
    return any(GLOBAL in found for found in _written_objects(evaluator, name))


@once_per_script
def is_set_on_window(evaluator: Evaluator, name: str) -> bool:
    """Whether the script sets a property of this name on `window`, or may do so.

    In contexts that have `window`, it is the global object. Its own name is watched, so no other check finds
    these writes.
    """
    if any(_WINDOW in map(_path_of, found) for found in _written_objects(evaluator, name)):
        return True
    return any(_is_replaced_at(evaluator, leaf, of_window=True) for leaf in key_leaves(evaluator, name))


def _written_objects(evaluator: Evaluator, name: str) -> Iterator[tuple[Value, ...]]:
    """Yields, for each write to a property of a name, the possible values of its object."""
    for place in property_writes(evaluator, name):
        yield options_of(evaluator.partial(place.object))


def _path_of(value: Value) -> ApiPath:
    return value.path if isinstance(value, Api) else ()


def _is_replaced_at(evaluator: Evaluator, leaf: Node, *, of_window: bool = False) -> bool:
    up = leaf.parent
    if up is None:
        return False
    if leaf.type == "string_fragment":
        call = call_with_argument(up)
        if call is None:
            return False
        method = _method(evaluator, call)
        if method in _STUB_METHODS:
            return True
        return method in _DEFINE_METHODS and _first_is_global(evaluator, call, of_window=of_window)
    literal = leaf if leaf.type == "shorthand_property_identifier" else up
    owner = literal.parent
    call = None if owner is None or owner.type != "object" else call_with_argument(owner)
    if call is None or _method(evaluator, call) != "assign":
        return False
    return _first_is_global(evaluator, call, of_window=of_window)


def _method(evaluator: Evaluator, call: CallOrNewExpression) -> str | None:
    is_method = isinstance(call, CallExpression) and isinstance(call.callee, MemberExpression)
    return key_of(evaluator, call.callee) if is_method else None


def _first_is_global(evaluator: Evaluator, call: CallOrNewExpression, *, of_window: bool) -> bool:
    first = call.first_argument
    if first is None:
        return False
    found = evaluator.partial(first)
    if of_window:
        return _path_of(found) == _WINDOW
    return found == GLOBAL or (first.type == "identifier" and evaluator.tree.source(first) == "global")
