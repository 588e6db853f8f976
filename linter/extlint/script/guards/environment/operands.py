"""How an operand of a condition is used, and where it comes from."""

from __future__ import annotations

from extlint.script.facts.values import Literal
from extlint.script.scope.bindings import TooManyIdentifiersError
from extlint.script.syntax.node import MEMBERS, Node
from extlint.script.syntax.shapes import call_of, outermost
from extlint.script.values.evaluator import Evaluator

_ENVIRONMENTS = frozenset({"process.env", "import.meta.env"})
_EQUALITY = frozenset({"==", "===", "!=", "!=="})


def is_tested_itself(root: Node) -> bool:
    """Whether a root itself is tested, and neither a member of it, nor passed on."""
    whole = outermost(root)
    up = whole.parent
    if up is None or up.type in MEMBERS or up.type == "arguments":
        return False
    return not (up.type == "binary_expression" and up.has("in"))


def may_be_imported(evaluator: Evaluator, item: Node) -> bool:
    """Whether what is at the root of an expression may come from another script."""
    while item.type in MEMBERS and (inner := item.field("object")) is not None:
        item = inner
    if item.type != "identifier":
        return False
    try:
        binding = evaluator.names.resolve(evaluator.tree.source(item), item)
    except TooManyIdentifiersError:
        return False
    return binding is None or any(
        each.kind == "import" or each.source is None or each.source.type == "variable_declarator"
        for each in binding.declarations
    )


def is_build_environment(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is the object in which a build has its variables."""
    return item.end - item.start <= len("import.meta.env") and evaluator.tree.source(item) in _ENVIRONMENTS


def is_of_known_module(evaluator: Evaluator, item: Node) -> bool:
    """Whether something is known of the module that a name is imported from."""
    binding = evaluator.names.variable(item)
    clause = None if binding is None or not binding.declarations else binding.declarations[0].source
    up = clause
    while up is not None and up.field("source") is None:
        up = up.parent
    source = None if up is None else up.field("source")
    return source is not None and bool(evaluator.imported(evaluator.tree.source(source)[1:-1]))


def is_compared_with_literal(evaluator: Evaluator, item: Node) -> bool:
    """Whether a text is compared with another that is known, or searched for one."""
    whole = outermost(item)
    up = whole.parent
    if up is None:
        return False
    if up.type == "binary_expression":
        operator = up.field("operator")
        other = up.field("right") if whole.is_field("left") else up.field("left")
        is_equality = operator is not None and operator.type in _EQUALITY
        return is_equality and other is not None and isinstance(evaluator.value(other), Literal)
    return up.type == "member_expression" and whole.is_field("object") and call_of(up) is not None
