"""The calls of the API around a string in a script, which may not be complete yet."""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from extlint.analysis.facts.script_facts import GET_MESSAGE, ApiPath, CallSite
from extlint.analysis.facts.values import UNKNOWN, ArrayValue, Field, Kind, Literal, ObjectValue, Value
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, BinaryExpression, CallExpression, Pair
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_names import key_of
from extlint.project.contexts.called_files import FILE_FUNCTIONS, INJECTING_FUNCTIONS

_STRINGS = frozenset({"string", "template_string"})
_PARTS = frozenset({"array", "object", "parenthesized_expression", "ternary_expression"})

MAX_NESTING = 20
"""The maximum number of values around a string in an argument."""


class Argument(Struct, frozen=True):
    """A string in an argument of a call: the function, the argument's index, and the innermost key.

    `call` contains nothing but the string, in the objects and arrays around it.
    """

    path: ApiPath
    index: int
    key: str | None
    call: CallSite


def string_at(tree: SyntaxTree, at: int) -> Node | None:
    """Returns the string, or the template without inner code, around an offset; not before its quote."""
    for place in (at, at - 1):
        if 0 <= place < len(tree.text):
            node: Node | None = tree.leaf_at(place)
            if node is not None and node.type not in _STRINGS:
                node = node.parent
            if node is not None and node.type in _STRINGS and node.start < at <= node.end - 1:
                has_code = any(each.type == "template_substitution" for each in node.named())
                return None if has_code else node
    return None


def call_at(evaluator: Evaluator, string: Node) -> Argument | None:
    """Returns the call of a function of the API, or of a function with such a name, with a string in it."""
    text = evaluator.tree.text[string.start + 1 : string.end - 1].decode("utf-8", "replace")
    value: Value = Literal(Kind.STRING, text, string.span)
    key: str | None = None
    node = string
    for _ in range(MAX_NESTING):
        up = node.parent
        if isinstance(up, Pair) and node.is_field("value"):
            own = key_of(evaluator, up)
            key = own if key is None else key
            value = ObjectValue({own or "": Field(value)})
        elif up is not None and up.type == "arguments":
            call = up.parent
            return _argument(evaluator, call, node, key, value) if isinstance(call, CallExpression) else None
        elif up is None or not (up.type in _PARTS or _is_choice(up)):
            return None
        elif up.type == "array":
            value = ArrayValue((value,))
        node = up
    return None


def _is_choice(node: Node) -> bool:
    return isinstance(node, BinaryExpression) and node.is_logical


def _argument(
    evaluator: Evaluator, call: CallExpression, part: Node, key: str | None, value: Value
) -> Argument | None:
    path = _function_of(evaluator, call.callee)
    arguments = call.arguments
    index = next((number for number, each in enumerate(arguments) if each.same(part)), None)
    if path is None or index is None:
        return None
    values = (*[UNKNOWN] * index, value)
    return Argument(
        path, index, key, CallSite(path, "browser", call.span, call.callee.span, values, part.span)
    )


def _function_of(evaluator: Evaluator, callee: Node) -> ApiPath | None:
    """Returns the function of the API that is called, or that has the same name as a callee."""
    found = evaluator.attempt(callee.span, partial(evaluator.api, callee))
    if found is not None:
        return found.path
    names: list[str] = []
    node = innermost(callee)
    while isinstance(node, AccessExpression):
        name = key_of(evaluator, node)
        if name is None:
            break
        names.insert(0, name)
        node = innermost(node.object)
    if not names or node.type == "identifier":
        names.insert(0, evaluator.tree.source(node))
    for length in (3, 2):
        if (path := tuple(names[-length:])) in _NAMED_FUNCTIONS:
            return path
    return _BY_LAST_NAME.get(names[-1]) if len(names) == 1 else None


_NAMED_FUNCTIONS = INJECTING_FUNCTIONS | FILE_FUNCTIONS | {GET_MESSAGE}
_BY_LAST_NAME = {"getMessage": GET_MESSAGE, "getURL": ("runtime", "getURL")}
