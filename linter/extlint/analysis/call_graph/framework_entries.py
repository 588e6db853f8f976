"""Functions that WXT runs when it loads an entry point: `export default defineBackground(() => { … })`.

The function may also be the method `main` of the object that is passed.
"""

from __future__ import annotations

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression, ImportSpecifier, MethodDefinition, Pair
from extlint.analysis.syntax.shapes import call_with_argument, outermost
from extlint.analysis.values.evaluator import Evaluator

_DEFINING = frozenset({"defineBackground", "defineContentScript", "defineUnlistedScript"})
_MAIN = "main"


def defining_call(evaluator: Evaluator, function: Node) -> CallExpression | None:
    """Returns the call that defines an entry point with a function that WXT then runs, or None."""
    passed = outermost(function)
    up = passed.parent
    if isinstance(passed, MethodDefinition):
        named, owner = passed.name, up
    elif isinstance(up, Pair) and passed.is_field("value"):
        named, owner = up.key, up.parent
    else:
        named, owner = None, None
    if owner is not None and named is not None:
        if evaluator.tree.source(named) != _MAIN:
            return None
        passed = outermost(owner)
    call = call_with_argument(passed)
    if not isinstance(call, CallExpression) or not passed.same(call.arguments[0]):
        return None
    return call if _defines(evaluator, call.callee) else None


def _defines(evaluator: Evaluator, callee: Node) -> bool:
    """Whether a callee is a function of WXT: a global that WXT imports, or an import with this name."""
    if callee.type != "identifier" or evaluator.tree.source(callee) not in _DEFINING:
        return False
    binding = evaluator.names.variable(callee)
    return binding is None or all(isinstance(each.source, ImportSpecifier) for each in binding.declarations)
