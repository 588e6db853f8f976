"""Handlers that do nothing but say that something failed."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from extlint.script.syntax.node import FUNCTIONS, MEMBERS, Node
from extlint.script.syntax.shapes import arguments_of, innermost
from extlint.script.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy

_SHOWING = frozenset({"innerHTML", "innerText", "textContent"})
"""Properties of an element that show a text."""

_TELLING = frozenset(
    """
    alert assert console debug error errors exception fail failed failure log logger logging logs notification
    notifications notify print reject report toast trace warn warning
    """.split()
)
"""Words in the name of what only tells that something failed."""

_TRYING = frozenset({"alternative", "fallback", "instead", "legacy", "next", "other", "retry", "try"})
"""Words in the name of what does more than that."""

_ANSWERING = frozenset("callback cb done postMessage reply resolve respond sendMessage sendResponse".split())
"""Names of what hands an error on, if it is given one."""

_TEXTS = frozenset({"Error", "String", "TypeError", "stringify", "toString"})
"""Names of what makes a text, or another error, of an error."""

_MADE_OF_VALUES = frozenset(
    """
    array as_expression binary_expression false identifier member_expression non_null_expression null number
    object pair parenthesized_expression shorthand_property_identifier string subscript_expression
    template_string template_substitution true undefined unary_expression
    """.split()
)
_WORD = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def names_in(tree: SyntaxTree, parameter: Node | None) -> frozenset[str]:
    """The names that the error has, or what is taken from it."""
    if parameter is None:
        return frozenset()
    return frozenset(re.findall(r"[\w$]+", tree.source(parameter)))


def mentions(tree: SyntaxTree, value: Node, names: Set[str]) -> bool:
    """Whether an expression names one of some variables."""
    return not names.isdisjoint(re.findall(r"(?<![\w$.])[\w$]+", tree.source(value)))


class Telling:
    """Tells of the parts of a handler whether they do nothing but say that something failed."""

    def __init__(self, tree: SyntaxTree, names: frozenset[str]) -> None:
        self._tree = tree
        self._names = set(names)

    def of_statement(self, statement: Node) -> bool:
        """Whether a statement only tells that something failed, or hands the error on."""
        self._tree.spend(1)
        match statement.type:
            case "comment" | "empty_statement" | "throw_statement":
                return True
            case "function_declaration":
                return True
            case "return_statement":
                given = statement.first()
                return given is None or self._is_undefined(given) or self._gives(given)
            case "statement_block" | "else_clause":
                return all(map(self.of_statement, statement.named()))
            case "if_statement":
                branches = (statement.field("consequence"), statement.field("alternative"))
                return all(each is None or self.of_statement(each) for each in branches)
            case "expression_statement":
                inner = statement.first()
                return inner is None or self._of_expression(inner)
            case "lexical_declaration" | "variable_declaration":
                return all(map(self._of_declaration, statement.named()))
        return False

    def _of_declaration(self, declarator: Node) -> bool:
        name, value = declarator.field("name"), declarator.field("value")
        if name is None or value is None:
            return declarator.type == "comment"
        if self._mentions(value):
            self._names.update(names_in(self._tree, name))
        return self._is_plain(value)

    def _of_expression(self, expression: Node) -> bool:
        item = innermost(expression)
        match item.type:
            case "await_expression":
                inner = item.first()
                return inner is not None and self._of_expression(inner)
            case "sequence_expression":
                return all(map(self._of_expression, item.named()))
            case "binary_expression" if item.has("&&") or item.has("||") or item.has("??"):
                right = item.field("right")
                return right is not None and self._of_expression(right)
            case "ternary_expression":
                branches = (item.field("consequence"), item.field("alternative"))
                return all(each is not None and self._of_expression(each) for each in branches)
            case "assignment_expression":
                return self._of_assignment(item)
            case "call_expression" | "new_expression":
                return self._of_call(item)
        return False

    def _gives(self, value: Node) -> bool:
        """Whether the error is given back, or what tells of it is called."""
        return self._hands_on(value) or self._of_expression(value)

    def _is_undefined(self, value: Node) -> bool:
        return self._tree.source(innermost(value)) in {"undefined", "void 0"}

    def _of_assignment(self, item: Node) -> bool:
        left, right = item.field("left"), item.field("right")
        if left is None or right is None:
            return False
        key = left.field("property")
        shows = key is not None and self._tree.source(key) in _SHOWING
        return (shows or self._mentions(right)) and self._is_plain(right)

    def _of_call(self, call: Node) -> bool:
        function = call.field("function") or call.field("constructor")
        if function is None or any(each.type in FUNCTIONS for each in arguments_of(call)):
            return False
        names = self._names_of(function)
        if _tells(names):
            return True
        return names[-1:] != [] and names[-1] in _ANSWERING and any(map(self._hands_on, arguments_of(call)))

    def _names_of(self, function: Node) -> list[str]:
        """The names of a chain such as `console.log`, with those of the calls in it left out."""
        names: list[str] = []
        item: Node | None = innermost(function)
        while item is not None:
            if item.type in MEMBERS:
                key = item.field("property")
                names += [] if key is None else [self._tree.source(key)]
                item = item.field("object")
            elif item.type == "call_expression":
                item = item.field("function")
            elif item.type == "identifier":
                return [self._tree.source(item), *reversed(names)]
            else:
                break
        return names[::-1]

    def _hands_on(self, value: Node) -> bool:
        """Whether a value is the error, or has it in it, and nothing else was asked for it."""
        return self._mentions(value) and self._is_plain(value)

    def _is_plain(self, value: Node) -> bool:
        """Whether a value is made without running code of the program."""
        waiting = [value]
        while waiting:
            each = waiting.pop()
            if each.type in {"call_expression", "new_expression"}:
                function = each.field("function") or each.field("constructor")
                names = [] if function is None else self._names_of(function)
                if not (names and (names[0] in self._names or names[-1] in _TEXTS)):
                    return False
                waiting += arguments_of(each)
            elif each.named():
                if each.type not in _MADE_OF_VALUES:
                    return False
                waiting += each.named()
        return True

    def _mentions(self, value: Node) -> bool:
        return mentions(self._tree, value, self._names)


def _tells(names: Sequence[str]) -> bool:
    words = {word.lower() for each in names for word in _WORD.findall(each)}
    return not words.isdisjoint(_TELLING) and words.isdisjoint(_TRYING)
