"""Recognizes error handlers that only report a failure: log it, show it, pass it on or rethrow it."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    ConditionalExpression,
    IfStatement,
    MemberExpression,
    SubscriptExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy

_DISPLAY_PROPERTIES = frozenset({"innerHTML", "innerText", "textContent"})
"""Properties of an element that display a text."""

_REPORTING_WORDS = frozenset(
    """
    alert assert console debug error errors exception fail failed failure log logger logging logs notification
    notifications notify print reject report toast trace warn warning
    """.split()
)
"""Words in the names of functions that only report a failure."""

_RECOVERY_WORDS = frozenset({"alternative", "fallback", "instead", "legacy", "next", "other", "retry", "try"})
"""Words in the names of functions that do more than that."""

_FORWARDING_FUNCTIONS = frozenset(
    "callback cb done postMessage reply resolve respond sendMessage sendResponse".split()
)
"""Names of functions that pass on an error if it is an argument."""

_CONVERSIONS = frozenset({"Error", "String", "TypeError", "stringify", "toString"})
"""Names of functions that convert an error to a text, or to another error."""

_EFFECT_FREE = frozenset(
    """
    array as_expression binary_expression false identifier member_expression non_null_expression null number
    object pair parenthesized_expression shorthand_property_identifier string subscript_expression
    template_string template_substitution true undefined unary_expression
    """.split()
)
_WORD = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_COMPARED = lazy(
    r"[\w$]+\??\.message\??(?:\.(?:includes|startsWith|endsWith)\(\s*|\s*===?\s*)"
    r"(?P<quote>[\"'])(?P<text>(?=\S+ )[^\"'\n]+)(?P=quote)\s*\)?"
)
"""A comparison of the message of an error with a text of several words."""

_MISSING_MEMBER = lazy(
    r"(?i)availab|cannot read|defined|function|implement|invocation|invalid|manifest|missing|permission"
    r"|propert|signature|support|unexpected|unknown"
)
"""Words in the messages of browsers about a member that is missing or refuses its arguments."""


def names_in(tree: SyntaxTree, pattern: Node | None) -> frozenset[str]:
    """Returns the names that a parameter or a variable binds."""
    if pattern is None:
        return frozenset()
    return frozenset(re.findall(r"[\w$]+", tree.source(pattern)))


def mentions(tree: SyntaxTree, value: Node, names: Set[str]) -> bool:
    """Whether an expression mentions any of the given variables."""
    return not names.isdisjoint(re.findall(r"(?<![\w$.])[\w$]+", tree.source(value)))


class ReportingCode:
    """Recognizes code that only reports an error, which has one of the given names."""

    def __init__(self, tree: SyntaxTree, error_names: frozenset[str]) -> None:
        self._tree = tree
        self._names = set(error_names)

    def is_reporting_statement(self, statement: Node) -> bool:
        """Whether a statement only reports the failure, or passes the error on."""
        self._tree.spend(1)
        match statement:
            case Node(type="comment" | "empty_statement" | "throw_statement" | "function_declaration"):
                return True
            case Node(type="return_statement"):
                value = statement.first()
                return value is None or self._is_undefined(value) or self._is_reporting_return(value)
            case Node(type="statement_block" | "else_clause"):
                return all(map(self.is_reporting_statement, statement.named()))
            case IfStatement():
                branches = [statement.consequence, statement.alternative]
                if self._is_one_failure(statement.condition):
                    del branches[0]
                return all(each is None or self.is_reporting_statement(each) for each in branches)
            case Node(type="expression_statement"):
                inner = statement.first()
                return inner is None or self.is_reporting_expression(inner)
            case Node(type="lexical_declaration" | "variable_declaration"):
                return all(map(self._is_reporting_declaration, statement.named()))
        return False

    def _is_one_failure(self, condition: Node) -> bool:
        """Whether a condition is that the error has a certain text, which is not that of a missing member."""
        item = innermost(condition)
        compared = _COMPARED.fullmatch(self._tree.source(item))
        return (
            compared is not None and self._mentions(item) and _MISSING_MEMBER.search(compared["text"]) is None
        )

    def _is_reporting_declaration(self, declarator: Node) -> bool:
        if not isinstance(declarator, VariableDeclarator) or declarator.value is None:
            return False
        if self._mentions(declarator.value):
            self._names.update(names_in(self._tree, declarator.name))
        return self._is_effect_free(declarator.value)

    def is_reporting_expression(self, expression: Node) -> bool:
        """Whether evaluating an expression only reports the failure, or passes the error on."""
        item = innermost(expression)
        match item:
            case AwaitExpression():
                return self.is_reporting_expression(item.argument)
            case Node(type="sequence_expression"):
                return all(map(self.is_reporting_expression, item.named()))
            case BinaryExpression():
                return item.is_logical and self.is_reporting_expression(item.right)
            case ConditionalExpression():
                return self.is_reporting_expression(item.consequence) and self.is_reporting_expression(
                    item.alternative
                )
            case AssignmentExpression():
                return self._is_reporting_assignment(item)
            case CallOrNewExpression():
                return self._is_reporting_call(item)
        return False

    def _is_reporting_return(self, value: Node) -> bool:
        """Whether a returned value is the error, or a call that reports it."""
        return self._is_error(value) or self.is_reporting_expression(value)

    def _is_undefined(self, value: Node) -> bool:
        return self._tree.source(innermost(value)) in {"undefined", "void 0"}

    def _is_reporting_assignment(self, item: AssignmentExpression) -> bool:
        left = item.left
        displays = (
            isinstance(left, MemberExpression) and self._tree.source(left.property) in _DISPLAY_PROPERTIES
        )
        return (displays or self._mentions(item.right)) and self._is_effect_free(item.right)

    def _is_reporting_call(self, call: CallOrNewExpression) -> bool:
        arguments = call.arguments
        if any(each.type in FUNCTIONS for each in arguments):
            return False
        names = self._names_of(call.callee)
        if _is_reporting(names):
            return True
        return names[-1:] != [] and names[-1] in _FORWARDING_FUNCTIONS and any(map(self._is_error, arguments))

    def _names_of(self, callee: Node) -> list[str]:
        """Returns the names of a chain such as `console.log`, skipping the calls in it."""
        names: list[str] = []
        link = innermost(callee)
        while True:
            match link:
                case MemberExpression():
                    names.append(self._tree.source(link.property))
                    link = link.object
                case SubscriptExpression():
                    link = link.object
                case CallExpression():
                    link = link.callee
                case Node(type="identifier"):
                    return [self._tree.source(link), *reversed(names)]
                case _:
                    return names[::-1]

    def _is_error(self, value: Node) -> bool:
        """Whether a value is the error, or contains it, and no code of the program created the value."""
        return self._mentions(value) and self._is_effect_free(value)

    def _is_effect_free(self, value: Node) -> bool:
        """Whether a value is created without running code of the program."""
        waiting = [value]
        while waiting:
            each = waiting.pop()
            if isinstance(each, CallOrNewExpression):
                names = self._names_of(each.callee)
                if not (names and (names[0] in self._names or names[-1] in _CONVERSIONS)):
                    return False
                waiting += each.arguments
            elif parts := each.named():
                if each.type not in _EFFECT_FREE:
                    return False
                waiting += parts
        return True

    def _mentions(self, value: Node) -> bool:
        return mentions(self._tree, value, self._names)


def _is_reporting(names: Sequence[str]) -> bool:
    words = {word.lower() for each in names for word in _WORD.findall(each)}
    return not words.isdisjoint(_REPORTING_WORDS) and words.isdisjoint(_RECOVERY_WORDS)
