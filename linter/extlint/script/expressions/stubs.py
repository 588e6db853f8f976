"""Globals that a script replaces by other means than an assignment, as tests do."""

from __future__ import annotations

from extlint.script.syntax.node import Node
from extlint.script.syntax.shapes import first_argument
from extlint.script.values.evaluator import GLOBAL, Evaluator
from extlint.script.values.memo import once_per_script
from extlint.script.values.property_index import property_leaves
from extlint.script.values.property_names import key_of

_STUBBING = frozenset({"stubGlobal"})
_DEFINING = frozenset({"defineProperty"})


@once_per_script
def is_stubbed(evaluator: Evaluator, name: str) -> bool:
    """Whether a global of this name is put in place by a call.

    `Object.assign(globalThis, {name})`, `Object.defineProperty(globalThis, "name", …)`, and the
    `stubGlobal("name", …)` of test runners.
    """
    return any(_stubs(evaluator, leaf) for leaf in property_leaves(evaluator, name))


def _stubs(evaluator: Evaluator, leaf: Node) -> bool:
    up = leaf.parent
    if up is None:
        return False
    if leaf.type == "string_fragment":
        call = _call(up)
        if call is None:
            return False
        method = _method(evaluator, call)
        return method in _STUBBING or (method in _DEFINING and _first_is_global(evaluator, call))
    literal = leaf if leaf.type == "shorthand_property_identifier" else up
    owner = literal.parent
    call = None if owner is None or owner.type != "object" else _call(owner)
    return call is not None and _method(evaluator, call) == "assign" and _first_is_global(evaluator, call)


def _call(argument: Node) -> Node | None:
    """The call that an expression is an argument of."""
    listed = argument.parent
    return listed.parent if listed is not None and listed.type == "arguments" else None


def _method(evaluator: Evaluator, call: Node) -> str | None:
    function = call.field("function")
    return None if function is None or function.type != "member_expression" else key_of(evaluator, function)


def _first_is_global(evaluator: Evaluator, call: Node) -> bool:
    first = first_argument(call)
    if first is None:
        return False
    named_global = first.type == "identifier" and evaluator.tree.source(first) == "global"
    return named_global or evaluator.partial(first) == GLOBAL
