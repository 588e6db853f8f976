"""Determines what a call does with its arguments: it mutates them, or an API call reads them immediately."""

from __future__ import annotations

from collections.abc import Callable

from extlint.analysis.expressions.objects import reads_arguments
from extlint.analysis.scope.model import Binding, function_of
from extlint.analysis.scope.reaching_definitions import LOOPS
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AssignmentPattern, CallExpression, Function, MemberExpression
from extlint.analysis.syntax.shapes import (
    call_with_argument,
    index_of,
    innermost,
    is_rest,
    outermost,
    pattern_of,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.options import carries_api
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_LITERALS = frozenset({"array", "object", "pair", "spread_element"})
_MAX_DEPTH = 8


def reading_call(evaluator: Evaluator, at: Node) -> Node | None:
    """Returns the API call that reads a variable at a reference, as an argument or in a literal, or None."""
    expression = outermost(at)
    for _ in range(_MAX_DEPTH):
        call = call_with_argument(expression)
        if call is not None:
            is_read = isinstance(call, CallExpression) and carries_api(evaluator.partial(call.callee))
            return call if is_read else None
        up = expression.parent
        if up is None or up.type not in _LITERALS or expression.is_field("key"):
            return None
        expression = outermost(up)
    return None


def is_after_call(binding: Binding, use: Node, at: Node, call: Node) -> bool:
    """Whether a use affects an object only after a call has read the object."""
    here = function_of(at)
    if not all(function_of(each.item).same(here) for each in binding.writes):
        return False
    for up in use.ancestors():
        if up.same(here):
            break
        if isinstance(up, Function):
            if up.type.endswith("_declaration"):
                return False
            taker = call_with_argument(outermost(up))
            if taker is not None and taker.same(call):
                return up.start >= at.end and not _loops_back(binding, up, at)
            if up.start < call.end:
                return False
    return use.start >= call.end and not _loops_back(binding, use, at)


def _loops_back(binding: Binding, use: Node, at: Node) -> bool:
    """Whether a loop leads from a use back to a place, with the same object."""
    here = function_of(at)
    for up in at.ancestors():
        if up.same(here):
            return False
        if (
            up.type in LOOPS
            and up.contains(use)
            and not all(up.contains(each.item) for each in binding.writes)
        ):
            return True
    return False


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
    if _object_name(evaluator, callee) == "Object":
        return key_of(evaluator, callee) in _OBJECT_READERS
    return only_describes(evaluator, call)


def _object_name(evaluator: Evaluator, callee: Node) -> str | None:
    """Returns the name of the object whose member is called, or None."""
    if isinstance(callee, MemberExpression) and callee.object.type == "identifier":
        return evaluator.tree.source(callee.object)
    return None


def only_describes(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether a call only writes to the console or a log, or is one of JSON, by its name."""
    callee = call.callee
    if _object_name(evaluator, callee) in _PURE_OBJECTS:
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
