"""Finds the addresses that a script may request, at words that stand for requests, elements or addresses."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from extlint.analysis.addresses import (
    ANY,
    MORE,
    NONE,
    Addresses,
    address_in_text,
    addresses_in_markup,
    addresses_in_style,
    addresses_of,
    is_shown_in_jsx,
    needs_no_access,
)
from extlint.analysis.facts.values import FunctionValue, Kind, Literal, Typed, options_of
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    CallOrNewExpression,
    ConditionalExpression,
    FieldDefinition,
    IfStatement,
    MethodDefinition,
    NewExpression,
    Pair,
    SubscriptExpression,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import call_with_argument, innermost, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import assignment_to, key_of
from extlint.text.patterns import lazy

_OBJECT = "XMLHttpRequest"
_OPEN = "open"
_LOAD = "load"
_OF_JQUERY = frozenset({"get", "post"})
_JQUERY = lazy(r"(?i)[\w$]*(?:\$|jq)[\w$]*")
_COMMON = _OF_JQUERY | {_LOAD, _OPEN}
"""Names that many other functions have, too."""

_LOADING = frozenset({"href", "iconUrl", "imageUrl", "src", "srcset"})
"""The properties of elements and notifications that have the address of what they load."""

_WRITTEN = {
    **dict.fromkeys(("html", "innerHTML", "outerHTML", "createContextualFragment"), 0),
    **dict.fromkeys(("backgroundImage", "cssText", "insertRule"), 0),
    "insertAdjacentHTML": 1,
}
"""The members that take markup or styles, with the index of the argument if they are called."""

_SCHEMES = frozenset({"http", "https", "ws", "wss"})
_METHODS = frozenset({"delete", "get", "head", "options", "patch", "post", "put"})
_TEXTS = frozenset({"escape_sequence", "string_fragment"})
_WITHOUT_CODE = frozenset({"comment", "html_comment", "jsx_text", "regex_pattern", "type_identifier"})
_SETTERS = frozenset({"attr", "prop", "setAttribute"})
_CALL = lazy(rb"\s*\(")


def requested_addresses(evaluator: Evaluator, words: Iterable[str]) -> Addresses:
    """Returns the addresses of possible requests at some words, `ANY` if one of them is not known.

    With `XMLHttpRequest`, the calls of `open` count, too. A word that occurs in another way is a request of
    any address.
    """
    found, reader = NONE, _Reader(evaluator)
    wanted = {*words}
    for word in sorted(wanted | {_OPEN} if _OBJECT in wanted else wanted):
        for at in evaluator.tree.places.iter_offsets(word.encode()):
            each = evaluator.attempt((at, at + 1), partial(reader.at_word, word, at))
            found |= ANY if each is None else each
            if MORE in found:
                return ANY
    return found


class _Reader:
    """Reads the addresses at single words."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._source = evaluator.tree.source

    def at_word(self, word: str, at: int) -> Addresses:
        """Returns the addresses that a word at an offset may request."""
        leaf = self._evaluator.tree.leaf_at(at)
        if leaf.type in _WITHOUT_CODE:
            return NONE
        if leaf.type in _TEXTS or leaf.type == "template_string":
            return self._in_text(word, leaf, at)
        if word in _SCHEMES:
            return ANY if leaf.type in ("identifier", "property_identifier") else NONE
        item = self._member_named(leaf)
        if word in _LOADING or word in _WRITTEN:
            return self._at_property(word, leaf, item)
        if item is None:
            if word in _COMMON:
                return NONE
            is_defined = isinstance(leaf.parent, FieldDefinition | MethodDefinition | Pair)
            return NONE if is_defined and leaf.type == "property_identifier" else ANY
        if word in _COMMON and not self._is_request(word, item):
            return NONE
        return self._at_open(item) if word == _OPEN else self._at_function(word, item)

    def _member_named(self, leaf: Node) -> Node | None:
        """Returns the expression that ends with a name: a variable, or a member of something."""
        if leaf.type == "identifier":
            return leaf
        up = leaf.parent
        return up if isinstance(up, AccessExpression) and leaf.is_field("property") else None

    def _is_request(self, word: str, item: Node) -> bool:
        """Whether a member with a common name may be a request: `$.get(address)`, `$(it).load(address)`."""
        call, whole = self._user_of(item)
        if not isinstance(item, AccessExpression) or not isinstance(call, CallExpression):
            return False
        if word in _OF_JQUERY:
            return _JQUERY.fullmatch(self._source(item.object)) is not None
        first = call.first_argument if whole.is_field("function") else None
        options = () if first is None else options_of(self._evaluator.possible.value(first))
        return not all(isinstance(each, FunctionValue) for each in options)

    def _at_function(self, word: str, item: Node) -> Addresses:
        """Returns the addresses that are passed to a function."""
        if item.type == "identifier":
            named = self._evaluator.names.classify(item.start)
            if named is None or named.role is not Role.REFERENCE or word == "export":
                return NONE
        user, whole = self._user_of(item)
        if assignment_to(whole) is not None or _is_test(user, whole):
            return NONE
        options = options_of(self._evaluator.possible.value(item))
        if options and all(isinstance(each, FunctionValue) for each in options):
            return NONE  # its own code requests what it does
        if word == _OBJECT:
            return NONE if isinstance(user, NewExpression) else ANY
        if isinstance(user, AccessExpression) and word == "axios" and whole.is_field("object"):
            user, whole = self._user_of(user)
        if not isinstance(user, CallOrNewExpression) or whole.parent is None:
            return ANY
        if call_with_argument(whole) is not None:
            return ANY
        return self._of_arguments(user, 0 if word != "importScripts" else None)

    def _user_of(self, item: Node) -> tuple[Node | None, Node]:
        whole = outermost(item)
        return whole.parent, whole

    def _of_arguments(self, call: CallOrNewExpression, index: int | None) -> Addresses:
        """Returns the addresses of one argument of a call, or of all."""
        arguments = call.arguments
        if any(each.type == "spread_element" for each in arguments):
            return ANY
        chosen = arguments if index is None else arguments[index : index + 1]
        return NONE.union(*(addresses_of(self._evaluator, each) for each in chosen))

    def _at_open(self, item: Node) -> Addresses:
        """Returns the addresses of `request.open("GET", address)`."""
        call, whole = self._user_of(item)
        if not isinstance(item, AccessExpression) or not whole.is_field("function"):
            return NONE
        if not isinstance(call, CallOrNewExpression) or len(call.arguments) < 2:
            return NONE
        for each in options_of(self._evaluator.possible.value(call.arguments[0])):
            is_text = isinstance(each, Literal) and each.kind is Kind.STRING
            if not is_text or (isinstance(each, Literal) and str(each.value).lower() in _METHODS):
                return self._of_arguments(call, 1)
        return NONE

    def _at_property(self, word: str, leaf: Node, item: Node | None) -> Addresses:
        """Returns the addresses that become a property or an attribute of an element."""
        up = leaf.parent
        if isinstance(up, Pair) and leaf.is_field("key"):
            return self._of_value(word, up.value)
        if isinstance(up, FieldDefinition):
            return ANY
        if leaf.type == "shorthand_property_identifier":
            return self._of_value(word, leaf)
        if up is not None and up.type == "jsx_attribute":
            return self._of_jsx(word, up)
        if not isinstance(item, AccessExpression):
            return NONE
        assignment = assignment_to(item)
        if assignment is not None:
            return (
                NONE
                if needs_no_access(self._evaluator, word, item.object)
                else self._of_value(word, assignment.right)
            )
        call, whole = self._user_of(item)
        if word not in _WRITTEN or not isinstance(call, CallOrNewExpression):
            return NONE
        if not whole.is_field("function"):
            return NONE
        taken = call.arguments[_WRITTEN[word] :]
        return self._of_value(word, taken[0]) if taken else NONE

    def _of_jsx(self, word: str, attribute: Node) -> Addresses:
        if is_shown_in_jsx(self._evaluator, attribute):
            return NONE
        value = attribute.named()[1:]
        inner = value[0].first() if value and value[0].type == "jsx_expression" else None
        if inner is not None:
            return self._of_value(word, inner)
        text = self._source(value[0]) if value else ""
        return frozenset({text.strip("\"'")}) if text[:1] in ("'", '"') else NONE

    def _of_value(self, word: str, item: Node) -> Addresses:
        """Returns the addresses in what becomes a property: itself, or what markup or styles load.

        The other words in the parts of markup are searched where they are.
        """
        if word in _LOADING:
            return addresses_of(self._evaluator, item)
        item = innermost(item)
        if item.type in ("string", "template_string"):
            return addresses_in_style(self._evaluator, item)
        for each in options_of(self._evaluator.possible.value(item)):
            is_text = isinstance(each, Literal | Typed) and each.kind is Kind.STRING
            if not is_text or (isinstance(each, Literal) and "url(" in str(each.value)):
                return ANY
        return ANY if "url(" in self._source(item) else NONE

    def _in_text(self, word: str, leaf: Node, at: int) -> Addresses:
        """Returns the addresses at a word in a text."""
        text = leaf if leaf.type == "template_string" else leaf.parent
        if text is None:
            return ANY
        if word in _SCHEMES:
            return address_in_text(self._evaluator, leaf, text, at)
        up, end = text.parent, at + len(word)
        if self._source(text)[1:-1] == word:
            if isinstance(up, Pair) and text.is_field("key"):
                return self._at_property(word, text, None) if word in _LOADING or word in _WRITTEN else NONE
            if isinstance(up, SubscriptExpression) and text.is_field("index"):
                if word in _LOADING or word in _WRITTEN:
                    return self._at_property(word, text, up)
                return NONE if word in _COMMON else ANY
            return self._of_attribute(word, text)
        if word in _LOADING:
            return addresses_in_markup(self._evaluator, word, leaf, text, end)
        is_code = _CALL.match(self._evaluator.tree.text, end, leaf.end) is not None
        return ANY if is_code and word not in _COMMON else NONE

    def _of_attribute(self, word: str, text: Node) -> Addresses:
        """Returns the addresses of an attribute that a call sets by its name."""
        call = call_with_argument(text)
        if word not in _LOADING or not isinstance(call, CallOrNewExpression):
            return NONE
        callee = call.callee
        if not isinstance(callee, AccessExpression) or key_of(self._evaluator, callee) not in _SETTERS:
            return NONE
        if needs_no_access(self._evaluator, word, callee.object) or not call.arguments[0].same(text):
            return NONE
        return self._of_arguments(call, 1)


def _is_test(user: Node | None, whole: Node) -> bool:
    """Whether an expression is only tested: `typeof fetch`, `if (window.XMLHttpRequest)`."""
    if isinstance(user, IfStatement | ConditionalExpression):
        return whole.is_field("condition")
    return isinstance(user, UnaryExpression) and user.operator in ("!", "typeof")
