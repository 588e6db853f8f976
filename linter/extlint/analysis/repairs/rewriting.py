"""Edits of functions: new statements in the style of the code around them, and the keyword `async`.

Its callers then get a promise, and go on before it has ended. So they may only be browsers that ignore the
result, and code that ignores it or waits for it.
"""

from __future__ import annotations

from extlint.analysis.call_graph.prototypes import called_name
from extlint.analysis.facts.values import EVENT_METHODS, Api
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    CompiledAsyncFunction,
    Function,
    MethodDefinition,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import call_of, call_with_argument, enclosing_function, outermost, user_of
from extlint.analysis.timing.effects import is_generator
from extlint.analysis.trace.escapes import is_listener_without_result
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import all_uses_of, is_async, returned_expressions
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy
from extlint.text.positions import TextEdit

_REST_OF_LINE = lazy(
    rb"((?:[ \t]*+/\*(?:[^*\r\n]|\*(?!/))*+\*/)*+(?:[ \t]*+//[^\r\n]*+)?+)[ \t]*+(\r\n|\n|\r)"
)
_INDENTATION = lazy(rb"[ \t]*+")

_BLOCKS = frozenset({"class_body", "statement_block", "switch_body"})
_SIMPLE = frozenset(
    {
        *("break_statement", "continue_statement", "debugger_statement", "do_statement", "empty_statement"),
        *("expression_statement", "lexical_declaration", "return_statement", "throw_statement"),
        *("variable_declaration",),
    }
)


def statement_after(text: bytes, previous: Node, model: Node, new: str) -> TextEdit:
    """Returns an edit that adds a statement after another one, written like the statement `model`.

    `new` has no semicolon. It gets a line of its own if `previous` ends one that it also began.
    """
    rest = _REST_OF_LINE.match(text, previous.end)
    indentation = indentation_of(text, previous)
    if rest is None or indentation is None:
        separator = ";" if ends_without_semicolon(text, previous) else ""
        return TextEdit(previous.end, previous.end, f"{separator} {new};")
    end = ";" if text[model.end - 1 : model.end] == b";" else ""
    place = rest.end(1)
    return TextEdit(place, place, f"{rest[2].decode()}{indentation}{new}{end}")


def indentation_of(text: bytes, node: Node) -> str | None:
    """Returns the indentation of a line, or None if it has other text before a node."""
    start = max(text.rfind(b"\n", 0, node.start), text.rfind(b"\r", 0, node.start)) + 1
    found = _INDENTATION.match(text, start)
    return found[0].decode() if found is not None and found.end() == node.start else None


def ends_without_semicolon(text: bytes, statement: Node) -> bool:
    """Whether a statement ends where the line, or the block around it, ends, rather than with a semicolon."""
    while statement.type not in _BLOCKS:
        inner = statement.named()
        if statement.type in _SIMPLE or not inner:
            return text[statement.end - 1 : statement.end] != b";"
        statement = inner[-1]
    return False


def begins_own_statement(text: bytes, node: Node) -> bool:
    """Whether an expression may begin a statement, whatever the statement before ends with."""
    first = text[node.start : node.start + 1]
    return first.isalpha() or first in (b"_", b"$")


_AWAIT = {b"await": lazy(rb"await(?<![\w$#.]await)(?![\w$])")}
_NOT_TYPES = frozenset({"asserts", "asserts_annotation", "type_predicate", "type_predicate_annotation"})
_EXPECTING_RESULTS = frozenset({"onDeterminingFilename"})
"""Events that, besides those of messages and requests, use what their listeners return."""


def edits_making_async(evaluator: Evaluator, function: Function) -> tuple[TextEdit, ...] | None:
    """Returns edits that make a function `async`, or None if that may change more than its own code."""
    if not _may_be_async(evaluator, function) or not _is_result_ignored(evaluator, function):
        return None
    edits = [_insertion(function.start, "async ")]
    annotation = function.field("return_type")
    if annotation is not None:
        result = annotation.first()
        if annotation.type in _NOT_TYPES or result is None or result.type in _NOT_TYPES:
            return None
        edits += [_insertion(result.start, "Promise<"), _insertion(result.end, ">")]
    return tuple(edits)


def _insertion(at: int, text: str) -> TextEdit:
    return TextEdit(at, at, text)


def _may_be_async(evaluator: Evaluator, function: Function) -> bool:
    """Whether a function can be `async` by its syntax."""
    if is_generator(function) or isinstance(function, CompiledAsyncFunction | MethodDefinition):
        return False
    up = function.parent
    is_declared = function.type == "function_declaration"
    if is_declared and (up is None or not _holds_async_functions(up)):
        return False
    places = (start for start, _ in evaluator.tree.places.spans_of(_AWAIT))
    return not any(
        evaluator.tree.leaf_at(each).type == "identifier"
        for each in places
        if function.start <= each < function.end
    )


def _holds_async_functions(block: Node) -> bool:
    """Whether a function that is declared here has the same scope if it is `async`."""
    return block.type == "program" or isinstance(block.parent, Function)


def _is_result_ignored(evaluator: Evaluator, function: Function) -> bool:
    """Whether no code uses the result of a function, except to wait for it."""
    if is_taken(evaluator, function, function):
        return True
    call = call_of(function)
    if call is not None:
        return _is_call_for_effect(evaluator, call)
    uses = all_uses_of(evaluator, function)
    return bool(uses) and all(_is_use_for_effect(evaluator, function, each) for each in uses or ())


def _is_use_for_effect(evaluator: Evaluator, function: Function, use: Node) -> bool:
    """Whether a use of a function's name calls the function for its effect only, or has it called so."""
    call = call_of(use)
    if call is not None:
        return _is_call_for_effect(evaluator, call)
    return is_taken(evaluator, function, use)


def is_taken(evaluator: Evaluator, function: Function, expression: Node) -> bool:
    """Whether a browser calls a function later, and ignores its result, or waits for it in a promise chain.

    `expression` is the function, or its name.
    """
    whole = outermost(_without_bind(evaluator, expression))
    up = whole.parent
    if isinstance(up, AssignmentExpression):
        is_handler = is_listener_without_result(evaluator, whole)
        return is_handler and not returned_expressions(evaluator, function)
    call = call_with_argument(whole)
    if not isinstance(call, CallExpression):
        return False
    name = called_name(evaluator, call)
    if name in PROMISE_METHODS:
        return True
    member = evaluator.api(call.callee)
    if member is not None and name in EVENT_METHODS:
        return _is_event_without_result(evaluator, member, whole)
    return is_listener_without_result(evaluator, whole)


def _is_event_without_result(evaluator: Evaluator, member: Api, listener: Node) -> bool:
    if _EXPECTING_RESULTS.intersection(member.path):
        return False
    return member.path[-1] != "addListener" or is_listener_without_result(evaluator, listener)


def _without_bind(evaluator: Evaluator, expression: Node) -> Node:
    """Returns the call that binds a function to its `this`, or the function itself."""
    up = outermost(expression).parent
    if not isinstance(up, AccessExpression) or key_of(evaluator, up) != "bind":
        return expression
    call = call_of(up)
    return expression if call is None or len(call.arguments) != 1 else call


def _is_call_for_effect(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether the result of a call is not used, or is awaited."""
    used = user_of(call)
    return used is None or _is_for_effect(evaluator, *used)


def _is_for_effect(evaluator: Evaluator, up: Node, child: Node) -> bool:
    if isinstance(up, UnaryExpression):
        whole = up.parent
        return whole is not None and whole.type == "expression_statement"
    if up.type in {"await_expression", "expression_statement"}:
        return True
    around = up if up.type == "arrow_function" else enclosing_function(up)
    if not isinstance(around, Function) or not (
        up.type == "return_statement" or (up.type == "arrow_function" and child.is_field("body"))
    ):
        return False
    return is_async(around) or is_taken(evaluator, around, around)
