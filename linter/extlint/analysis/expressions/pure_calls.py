"""Determines whether a call mutates its arguments."""

from __future__ import annotations

from collections.abc import Callable

from extlint.analysis.expressions.objects import reads_arguments
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AssignmentPattern,
    CallExpression,
    Function,
    MemberExpression,
)
from extlint.analysis.syntax.shapes import index_of, innermost, is_rest, outermost, pattern_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.options import carries_api
from extlint.analysis.values.property_names import key_of
from extlint.text.patterns import lazy

_PURE_OBJECTS = frozenset({"console", "JSON"})
_OBJECT_READERS = frozenset({"getOwnPropertyNames", "getPrototypeOf", "keys"})
_MAX_NAME_BYTES = 80
_LOGGER = lazy(
    r"(?:(?:this|self|window|globalThis)\.)?(?:[\w$]+\.)*_?(?:(?:[\w$]*L|l)og(?:ger|ging)?|LOG(?:GER)?|console)"
    r"\.(?:debug|error|fatal|info|log|notice|silly|trace|verbose|warn|warning)"
    r"|_?(?:console|debug|log)(?:Debug|Error|Info|Log|Message|Trace|Warn|Warning)?"
)
"""Matches usual names of logging functions."""


HoldsUnchanged = Callable[[Evaluator, Node], bool]
"""Whether nothing changes or keeps the object in the variable with this declared name."""


def is_reader(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether a call is known not to mutate its arguments: of the API, the console, JSON or a logger."""
    callee = call.callee
    if carries_api(evaluator.partial(callee)):
        return True
    if isinstance(callee, MemberExpression) and callee.object.type == "identifier":
        name = evaluator.tree.source(callee.object)
        if name == "Object":
            return key_of(evaluator, callee) in _OBJECT_READERS
        if name in _PURE_OBJECTS:
            return True
    is_short = callee.end - callee.start <= _MAX_NAME_BYTES
    return is_short and _LOGGER.fullmatch(evaluator.tree.source(callee)) is not None


def only_reads(
    evaluator: Evaluator, call: CallExpression, argument: Node, holds_unchanged: HoldsUnchanged
) -> bool:
    """Whether a call is known not to mutate or keep an argument."""
    if is_reader(evaluator, call):
        return True
    if call.callee.type not in {"identifier", "member_expression"}:
        return False
    definition = evaluator.definition_of(call.callee)
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
    pattern = innermost(pattern_of(parameters[index]))
    return holds_unchanged(evaluator, pattern.left if isinstance(pattern, AssignmentPattern) else pattern)
