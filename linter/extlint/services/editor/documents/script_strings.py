"""Names in the strings of a script: in calls of the API, and in addresses of elements."""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from extlint.analysis.facts.script_facts import GET_MESSAGE, ApiPath, CallSite
from extlint.analysis.facts.values import UNKNOWN, ArrayValue, Field, Kind, Literal, ObjectValue, Value
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    Pair,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.trace.loaded_addresses import LOADING
from extlint.analysis.values.elements import ANY_ELEMENT, element_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
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


FETCHED = "fetch"
"""Stands for the element of a fetched file."""

_WRAPPERS = frozenset({"parenthesized_expression", "ternary_expression"})
_ELEMENTS_OF_CLASSES = {"Audio": ("audio", "src"), "fetch": (FETCHED, "")}


class ElementAddress(Struct, frozen=True):
    """An address in an attribute of an element, which is `ANY_ELEMENT` if it is unknown."""

    element: str
    attribute: str


def element_address(evaluator: Evaluator, string: Node) -> ElementAddress | None:
    """Returns the attribute to which a string is assigned, if its element loads the file, or None."""
    part: Node = string
    while part.parent is not None and part.parent.type in _WRAPPERS:
        part = part.parent
    up = part.parent
    found: ElementAddress | None = None
    if isinstance(up, AssignmentExpression) and part.is_field("right"):
        left = innermost(up.left)
        if isinstance(left, AccessExpression):
            found = _attribute(evaluator, left.object, key_of(evaluator, left))
    elif up is not None and up.type == "arguments" and isinstance(up.parent, CallOrNewExpression):
        found = _in_call(evaluator, up.parent, part)
    return found


def _in_call(evaluator: Evaluator, call: CallOrNewExpression, part: Node) -> ElementAddress | None:
    callee, arguments = innermost(call.callee), call.arguments
    is_first = bool(arguments) and arguments[0].same(part)
    name = evaluator.tree.source(callee) if callee.type == "identifier" else ""
    if is_first and name in _ELEMENTS_OF_CLASSES and evaluator.names.resolve(name, callee) is None:
        return ElementAddress(*_ELEMENTS_OF_CLASSES[name])
    is_setter = isinstance(call, CallExpression) and isinstance(callee, AccessExpression)
    if not is_setter or len(arguments) != 2 or is_first or key_of(evaluator, callee) != "setAttribute":
        return None
    attribute = evaluator.text(arguments[0])
    return _attribute(evaluator, callee.object, attribute) if isinstance(callee, AccessExpression) else None


def _attribute(evaluator: Evaluator, item: Node, attribute: str | None) -> ElementAddress | None:
    if attribute is None:
        return None
    element = evaluator.attempt(item.span, partial(element_of, evaluator, item)) or ANY_ELEMENT
    attributes = ("src",) if element == ANY_ELEMENT else LOADING.get(element, ())
    return ElementAddress(element, attribute) if attribute in attributes else None
