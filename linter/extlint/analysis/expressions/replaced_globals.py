"""Detects globals that a script may replace other than by plain assignment, as tests and loaders do."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.other_scripts import GLOBAL_OBJECT
from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import Api, Value, options_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    CallOrNewExpression,
    Class,
    Function,
    MemberExpression,
    NewExpression,
)
from extlint.analysis.syntax.prefilter import GLOBAL_OBJECTS
from extlint.analysis.syntax.shapes import call_with_argument, innermost
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import assignment_to, key_leaves, key_of, property_writes

_STUB_METHODS = frozenset({"stubGlobal"})
_DEFINE_METHODS = frozenset({"defineProperty"})
_LISTING_METHODS = frozenset({"assign", "defineProperties"})
_ACCESSOR_METHODS = frozenset({"__defineGetter__"})
_WINDOW = (GLOBAL_OBJECT, "window")


@once_per_script
def is_replaced_by_call(evaluator: Evaluator, name: str) -> bool:
    """Whether a call assigns a global of this name.

    `Object.assign(globalThis, {name})`, `Object.defineProperty(globalThis, "name", …)`, and the
    `stubGlobal("name", …)` of test runners.
    """
    return any(replacing_calls(evaluator, name))


def replacing_calls(evaluator: Evaluator, name: str) -> Iterator[CallOrNewExpression]:
    """Yields the calls that assign a global of this name."""
    for leaf in key_leaves(evaluator, name):
        call = _replacing_call(evaluator, leaf, of_window=False)
        if call is not None:
            yield call


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
    leaves = key_leaves(evaluator, name)
    return any(_replacing_call(evaluator, leaf, of_window=True) is not None for leaf in leaves)


def replacements(evaluator: Evaluator, names: frozenset[str]) -> Iterator[tuple[str, AccessExpression]]:
    """Yields the globals, and members of globals, that the script replaces by a function, and the places.

    `names` are like `fetch` and `XMLHttpRequest.prototype.open`.
    """
    for last in sorted({name.rpartition(".")[2] for name in names}):
        for place in property_writes(evaluator, last):
            assignment = assignment_to(place)
            name = _name_of(evaluator, place)
            if name in names and assignment is not None and _is_function(evaluator, assignment.right):
                yield name, place


def _name_of(evaluator: Evaluator, place: AccessExpression) -> str:
    """Returns the name of a member of a global, without that of the global object, or an empty string."""
    parts: list[str] = []
    item: Node = place
    while isinstance(item, AccessExpression):
        parts.insert(0, key_of(evaluator, item) or "")
        item = innermost(item.object)
    root = evaluator.names.global_name(item)
    if root is None:
        return ""
    return ".".join(parts if root in GLOBAL_OBJECTS else (root, *parts))


def _is_function(evaluator: Evaluator, value: Node) -> bool:
    """Whether a value is a function of the script, or a proxy."""
    item = innermost(value)
    if isinstance(item, NewExpression):
        return evaluator.tree.source(item.callee) == "Proxy"
    return isinstance(evaluator.definition_of(item), Function | Class)


def _written_objects(evaluator: Evaluator, name: str) -> Iterator[tuple[Value, ...]]:
    """Yields, for each write to a property of a name, the possible values of its object."""
    for place in property_writes(evaluator, name):
        yield options_of(evaluator.possible.partial(place.object))


def _path_of(value: Value) -> ApiPath:
    return value.path if isinstance(value, Api) else ()


def _replacing_call(evaluator: Evaluator, leaf: Node, *, of_window: bool) -> CallOrNewExpression | None:
    """Returns the call that assigns the global whose name is a leaf, or None."""
    up = leaf.parent
    if up is None:
        return None
    if leaf.type == "string_fragment":
        call = call_with_argument(up)
        method = None if call is None else _method(evaluator, call)
        if call is None or method in _STUB_METHODS:
            return call
        if method in _ACCESSOR_METHODS and isinstance(call.callee, AccessExpression):
            return call if _is_global(evaluator, call.callee.object, of_window=of_window) else None
        is_definition = method in _DEFINE_METHODS
    else:
        owner = (leaf if leaf.type == "shorthand_property_identifier" else up).parent
        call = None if owner is None or owner.type != "object" else call_with_argument(owner)
        is_definition = call is not None and _method(evaluator, call) in _LISTING_METHODS
    first = None if call is None else call.first_argument
    is_global = is_definition and first is not None and _is_global(evaluator, first, of_window=of_window)
    return call if is_global else None


def _method(evaluator: Evaluator, call: CallOrNewExpression) -> str | None:
    is_method = isinstance(call, CallExpression) and isinstance(call.callee, MemberExpression)
    return key_of(evaluator, call.callee) if is_method else None


def _is_global(evaluator: Evaluator, expression: Node, *, of_window: bool) -> bool:
    found = evaluator.possible.partial(expression)
    if of_window:
        return _path_of(found) == _WINDOW
    is_name = expression.type == "identifier" and evaluator.tree.source(expression) == "global"
    return found == GLOBAL or is_name
