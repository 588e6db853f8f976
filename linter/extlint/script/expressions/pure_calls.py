"""Determines whether a call mutates its arguments."""

from __future__ import annotations

from collections.abc import Callable

from extlint.script.expressions.objects import reads_arguments
from extlint.script.scope.model import Binding, Effects
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    AccessExpression,
    AssignmentPattern,
    BinaryExpression,
    CallExpression,
    Function,
    MemberExpression,
)
from extlint.script.syntax.shapes import index_of, innermost, is_rest, outermost, pattern_of
from extlint.script.values.evaluator import Evaluator, carries_api
from extlint.script.values.functions import MAX_USES
from extlint.script.values.memo import once_per_script
from extlint.script.values.property_names import key_of
from extlint.text.patterns import lazy

MAX_DEPTH = 4
"""The maximum number of functions that pass an object on in a chain of calls."""

_READING = frozenset(
    {
        *("expression_statement", "if_statement", "parenthesized_expression", "switch_statement"),
        *("template_substitution", "unary_expression", "while_statement"),
    }
)

_PURE_OBJECTS = frozenset({"console", "JSON"})
_OBJECT_READERS = frozenset({"entries", "freeze", "getOwnPropertyNames", "getPrototypeOf", "keys", "values"})
_MAX_NAME_BYTES = 80
_LOGGER = lazy(
    r"(?:(?:this|self|window|globalThis)\.)?(?:[\w$]+\.)*_?(?:(?:[\w$]*L|l)og(?:ger|ging)?|LOG(?:GER)?|console)"
    r"\.(?:debug|error|fatal|info|log|notice|silly|trace|verbose|warn|warning)"
    r"|_?(?:console|debug|log)(?:Debug|Error|Info|Log|Message|Trace|Warn|Warning)?"
)
"""Matches usual names of logging functions."""


EffectsOf = Callable[[Evaluator, Binding], Effects]


def is_reader(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether a call is known not to mutate its arguments: of the API, the console, JSON or a logger."""
    callee = call.callee
    if carries_api(evaluator.certain.partial(callee)):
        return True
    if isinstance(callee, MemberExpression) and callee.object.type == "identifier":
        name = evaluator.tree.source(callee.object)
        if name == "Object":
            return key_of(evaluator, callee) in _OBJECT_READERS
        if name in _PURE_OBJECTS:
            return True
    is_short = callee.end - callee.start <= _MAX_NAME_BYTES
    return is_short and _LOGGER.fullmatch(evaluator.tree.source(callee)) is not None


def only_reads(evaluator: Evaluator, call: CallExpression, argument: Node, effects_of: EffectsOf) -> bool:
    """Whether the called function of the script only reads an argument.

    `effects_of` returns the effects of the uses of a variable on the object that it holds.
    """
    if call.callee.type not in {"identifier", "member_expression"}:
        return False
    definition = evaluator.definition(evaluator.certain.partial(call.callee))
    if not isinstance(definition, Function):
        return False
    arguments = call.arguments
    index = index_of(arguments, outermost(argument))
    if index is None or any(each.type == "spread_element" for each in arguments):
        return False
    if reads_arguments(evaluator.tree, definition):
        return False
    parameters = definition.parameters
    if index >= len(parameters):
        return not any(map(is_rest, parameters))
    return _is_only_read(evaluator, parameters[index], effects_of)


def _is_only_read(evaluator: Evaluator, parameter: Node, effects_of: EffectsOf) -> bool:
    pattern = innermost(pattern_of(parameter))
    if isinstance(pattern, AssignmentPattern):
        pattern = pattern.left
    binding = evaluator.names.variable(pattern) if pattern.type == "identifier" else None
    under_way = _active_parameters(evaluator)
    if binding is None or len(binding.uses) > MAX_USES or pattern.id in under_way:
        return False
    if len(under_way) >= MAX_DEPTH or not all(_is_only_read_here(use.item) for use in binding.uses):
        return False
    under_way.add(pattern.id)
    try:
        return effects_of(evaluator, binding).is_harmless
    finally:
        under_way.discard(pattern.id)


@once_per_script
def _active_parameters(evaluator: Evaluator) -> set[int]:  # noqa: ARG001
    """Returns the parameters being examined, by the ids of their names, since these calls are recursive."""
    return set()


def _is_only_read_here(use: Node) -> bool:
    """Whether a use of a variable passes its object on only as an argument, or not at all."""
    whole = outermost(use)
    match whole.parent:
        case None:
            return False
        case BinaryExpression(operator=operator):
            return operator not in {"||", "??"} and not (operator == "&&" and whole.is_field("right"))
        case AccessExpression():
            return whole.is_field("object")
        case Node(type="spread_element", parent=literal):
            return literal is not None and literal.type == "object"
        case up:
            return up.type in _READING or up.type == "arguments"
