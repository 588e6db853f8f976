"""Globals that a script replaces by other means than an assignment, as tests do."""

from __future__ import annotations

from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import CallExpression, CallOrNewExpression, MemberExpression
from extlint.script.syntax.shapes import call_with
from extlint.script.values.evaluator import GLOBAL, Evaluator
from extlint.script.values.memo import once_per_script
from extlint.script.values.property_index import property_leaves
from extlint.script.values.property_names import key_of

_STUB_METHODS = frozenset({"stubGlobal"})
_DEFINE_METHODS = frozenset({"defineProperty"})


@once_per_script
def is_replaced_by_call(evaluator: Evaluator, name: str) -> bool:
    """Whether a call assigns a global of this name.

    `Object.assign(globalThis, {name})`, `Object.defineProperty(globalThis, "name", …)`, and the
    `stubGlobal("name", …)` of test runners.
    """
    return any(_is_replaced_at(evaluator, leaf) for leaf in property_leaves(evaluator, name))


def _is_replaced_at(evaluator: Evaluator, leaf: Node) -> bool:
    up = leaf.parent
    if up is None:
        return False
    if leaf.type == "string_fragment":
        call = call_with(up)
        if call is None:
            return False
        method = _method(evaluator, call)
        return method in _STUB_METHODS or (method in _DEFINE_METHODS and _first_is_global(evaluator, call))
    literal = leaf if leaf.type == "shorthand_property_identifier" else up
    owner = literal.parent
    call = None if owner is None or owner.type != "object" else call_with(owner)
    return call is not None and _method(evaluator, call) == "assign" and _first_is_global(evaluator, call)


def _method(evaluator: Evaluator, call: CallOrNewExpression) -> str | None:
    is_method = isinstance(call, CallExpression) and isinstance(call.callee, MemberExpression)
    return key_of(evaluator, call.callee) if is_method else None


def _first_is_global(evaluator: Evaluator, call: CallOrNewExpression) -> bool:
    first = call.first_argument
    if first is None:
        return False
    named_global = first.type == "identifier" and evaluator.tree.source(first) == "global"
    return named_global or evaluator.partial(first) == GLOBAL
