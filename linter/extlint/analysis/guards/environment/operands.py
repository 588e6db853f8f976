"""Determines how an operand of a condition is used, where it comes from, and whether it is an address."""

from __future__ import annotations

from functools import partial

from extlint.analysis.expressions.imports import module_of
from extlint.analysis.facts.values import Literal
from extlint.analysis.guards.environment.words import names_address, names_system
from extlint.analysis.guards.forms.page_address import is_own_address
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    MemberExpression,
    NewExpression,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import EQUALITY, call_of, call_with_argument, innermost, outermost
from extlint.analysis.values.api_results import CASE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import key_of

_ENVIRONMENTS = frozenset({"process.env", "import.meta.env"})


def is_tested_directly(root: Node) -> bool:
    """Whether a root itself is tested, and not a member of it, nor passed on."""
    match outermost(root).parent:
        case None | AccessExpression() | Node(type="arguments") | BinaryExpression(operator="in"):
            return False
    return True


def is_constructor(operand: Node) -> bool:
    """Whether an operand is the constructor of a `new` expression, so that it is not the result of a test."""
    return isinstance(operand.parent, NewExpression) and operand.is_field("constructor")


def may_be_imported(evaluator: Evaluator, expression: Node) -> bool:
    """Whether the root of an expression may come from another script."""
    root = expression
    while isinstance(root, AccessExpression):
        root = root.object
    if root.type != "identifier":
        return False
    binding = evaluator.names.variable(root)
    return binding is None or any(
        each.kind == "import" or each.source is None or each.source.type == "variable_declarator"
        for each in binding.declarations
    )


@once_per_script
def is_runtime_global(evaluator: Evaluator, name: str) -> bool:
    """Whether a script tests the existence of a global with `typeof`, and uses it only as an object.

    A developer tool may add such a global to pages: `typeof __HOOK__ < "u" && __HOOK__.inject(a)`. A constant
    of a build has a value that conditions test.
    """
    uses = [outermost(each.item) for each in evaluator.names.free_uses(name)]
    return any(map(_is_typeof_operand, uses)) and all(
        _is_typeof_operand(each) or _is_used_as_object(each) for each in uses
    )


def _is_typeof_operand(use: Node) -> bool:
    return isinstance(use.parent, UnaryExpression) and use.parent.operator == "typeof"


def _is_used_as_object(use: Node) -> bool:
    if isinstance(use.parent, AccessExpression):
        return use.is_field("object")
    return isinstance(use.parent, VariableDeclarator) and use.is_field("value")


def is_build_environment(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is the object that contains the variables of a build."""
    return item.end - item.start <= len("import.meta.env") and evaluator.tree.source(item) in _ENVIRONMENTS


def is_from_known_module(evaluator: Evaluator, name: Node) -> bool:
    """Whether the exports of the module that a name is imported from are known."""
    binding = evaluator.names.variable(name)
    clause = None if binding is None or not binding.declarations else binding.declarations[0].source
    module = None if clause is None else module_of(evaluator, clause)
    return module is not None and bool(evaluator.imported(module))


def is_compared_with_system(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is only compared with, or searched for, the names of operating systems for desktops."""
    whole = outermost(text)
    call = call_of(whole.parent) if isinstance(whole.parent, MemberExpression) else None
    while call is not None and key_of(evaluator, call.callee) in CASE_METHODS:
        whole = outermost(call)
        call = call_of(whole.parent) if isinstance(whole.parent, MemberExpression) else None
    others = []
    if call is not None and whole.is_field("object"):
        others = call.arguments[:1]
    elif isinstance(whole.parent, BinaryExpression):
        others = [each for each in whole.parent.named() if not each.same(whole)]
    elif (tester := call_with_argument(whole)) is not None and isinstance(tester.callee, AccessExpression):
        others = [tester.callee.object]
    return bool(others) and all(names_system(evaluator.tree.source(each)) for each in others)


def is_compared_with_literal(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with a known literal, or searched for another text."""
    whole = outermost(text)
    match whole.parent:
        case BinaryExpression() as comparison:
            other = comparison.right if whole.is_field("left") else comparison.left
            return comparison.operator in EQUALITY and isinstance(evaluator.value(other), Literal)
        case MemberExpression() as member:
            return whole.is_field("object") and call_of(member) is not None
    return False


_TEXTS = frozenset({"parenthesized_expression", "regex", "string", "template_string"})


def is_compared_with_own_address(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with, or searched for in, an address of the extension itself."""
    return any(is_own_address(evaluator, each) for each in _compared_expressions(text))


def is_compared_with_other_address(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with, or searched for in, something else's address, judging by its name."""
    expressions = [each for each in _compared_expressions(text) if not each.contains(text)]
    return any(map(partial(_is_named_address, evaluator), expressions)) and not any(
        is_own_address(evaluator, each) for each in expressions
    )


def _is_named_address(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is an address by its name, or the result of a method of one."""
    expression = innermost(expression)
    while isinstance(expression, CallExpression):
        callee = expression.callee
        expression = innermost(callee.object if isinstance(callee, AccessExpression) else callee)
    if isinstance(expression, AccessExpression):
        return names_address(key_of(evaluator, expression) or "")
    return expression.type == "identifier" and names_address(evaluator.tree.source(expression))


def _compared_expressions(text: Node) -> list[Node]:
    """Returns the expressions that a text, or a pattern, is compared with or searched for in."""
    whole = text.parent
    while whole is not None and whole.type in _TEXTS:
        whole = whole.parent
    if whole is None:
        return []
    if isinstance(whole, BinaryExpression):
        return whole.named()
    if isinstance(whole, MemberExpression):
        call = call_of(whole)
        return [] if call is None else call.arguments
    call_around = whole.parent if whole.type == "arguments" else None
    callee = call_around.callee if isinstance(call_around, CallExpression) else None
    return [callee.object] if isinstance(callee, AccessExpression) else []
