"""Finds documents and elements, those of the page and others, and the HTML that a script writes to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice

from extlint.analysis.facts.script_facts import WrittenMarkup
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AugmentedAssignment,
    BinaryExpression,
    CallExpression,
    ConditionalExpression,
    Function,
    MemberExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.elements import is_document, is_jquery
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import returned_expressions
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import assignment_to, each_property_write, key_of
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

_DOCUMENT = "document"
_MAX_VARIABLES = 4
"""The most variables between an object and the document that are followed."""


def is_part_of_document(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is the global `document`, or derives from it by members and calls.

    Follows variables that are declared with such a value and never written again.
    """
    left = _MAX_VARIABLES
    root = _root(item)
    while root.type == "identifier":
        binding = evaluator.names.variable(root)
        if binding is None:
            name = evaluator.tree.source(root)
            return name == _DOCUMENT and not evaluator.names.free_writes(name)
        source = binding.writes[0].source if len(binding.writes) == 1 else None
        if not left or not isinstance(source, VariableDeclarator) or source.value is None:
            return False
        root, left = _root(source.value), left - 1
    return False


def _root(item: Node) -> Node:
    """Returns the expression at the start of a chain of members and calls."""
    root = innermost(item)
    while isinstance(root, AccessExpression | CallExpression):
        root = innermost(root.object if isinstance(root, AccessExpression) else root.callee)
    return root


MAX_STEPS = 6
"""The most variables, properties and functions that are followed to the origin of an element."""

_MAX_WRITES = 20
"""The most assignments to one of them that are examined."""

_MAX_ORIGINS = 200
"""The most expressions that are examined in total."""

_FACTORIES = frozenset(
    {"createDocument", "createHTMLDocument", "parseFromString", "parseHTML", "parseHTMLUnsafe"}
)
_MAY_CREATE = lazy(rb"\b(?:create(?:HTML)?Document|parseFromString|parseHTML(?:Unsafe)?|template)\b")


def may_be_inert(evaluator: Evaluator, item: Node) -> bool:
    """Whether a value may be a document without a window, an element of one, or a `<template>`.

    Sanitizers parse markup in such a document to inspect the result; handlers do not run there.
    """
    if not _may_create_any(evaluator):
        return False
    waiting, visited = [(item, 0)], set[int]()
    while waiting and len(visited) < _MAX_ORIGINS:
        each, steps = waiting.pop()
        each = innermost(each)
        if each.id in visited or steps > MAX_STEPS:
            continue
        visited.add(each.id)
        evaluator.tree.spend(1)
        if _is_creation(evaluator, each):
            return True
        waiting += ((origin, steps + 1) for origin in _origins(evaluator, each))
    return False


@once_per_script
def _may_create_any(evaluator: Evaluator) -> bool:
    return _MAY_CREATE.search(evaluator.tree.text) is not None


def _is_creation(evaluator: Evaluator, item: Node) -> bool:
    """Whether a call creates such a document or a `<template>`."""
    if not isinstance(item, CallExpression) or not isinstance(item.callee, AccessExpression):
        return False
    name, first = key_of(evaluator, item.callee), item.first_argument
    if name != "createElement" or first is None:
        return name in _FACTORIES
    tag_name = evaluator.text(first)
    return tag_name is not None and tag_name.lower() == "template"


def _origins(evaluator: Evaluator, item: Node) -> Iterator[Node]:
    """Yields the expressions that an element may come from."""
    match item:
        case AccessExpression():
            yield item.object
            name = key_of(evaluator, item)
            for place in () if name is None else islice(each_property_write(evaluator, name), _MAX_WRITES):
                assignment = assignment_to(place)
                if assignment is not None:
                    yield assignment.right
        case CallExpression(callee=AccessExpression() as callee):
            yield callee.object
        case CallExpression():
            definition = evaluator.definition_of(item.callee)
            if isinstance(definition, Function):
                yield from returned_expressions(evaluator, definition)
        case ConditionalExpression():
            yield from (item.consequence, item.alternative)
        case BinaryExpression():
            yield from (item.left, item.right)
        case AssignmentExpression():
            yield item.right
        case Node(type="identifier"):
            binding = evaluator.names.variable(item)
            for write in () if binding is None else binding.writes[:_MAX_WRITES]:
                source = write.source
                value = source.value if isinstance(source, VariableDeclarator) else source
                if isinstance(value, AssignmentExpression):
                    value = value.right
                if value is not None and write.kind != "parameter":
                    yield value


MAX_WRITES = 50
"""The most assignments to one variable that are examined."""

MAX_DEPTH = 5
"""The most variables and functions that are followed to the markup."""

FILLER = b"x"
"""Replaces each byte that is not literal text."""

_ASSIGNED = frozenset({"innerHTML", "outerHTML"})
_WRITTEN = frozenset({"write", "writeln"})
_NAMES = {
    word: lazy(word)
    for word in (
        *(b"innerHTML", b"outerHTML", b"insertAdjacentHTML", b"write", b"writeln", b"setAttribute"),
        *(b"after", b"append", b"before", b"html", b"prepend", b"replaceWith"),
    )
}
_CODE = lazy(rb"(?i)\bon[a-z]{3,}\s*=|=[\s\"']*javascript:")
_HANDLER = lazy(rb"(?i)on[a-z]{3}")
_ACTS = lazy(rb"[(=]|\breturn\s+\w")
"""A handler that does something. Libraries set handlers that only return as a feature test."""

_TRIMMING = frozenset({"trim", "trimEnd", "trimStart"})
_ESCAPE = lazy(rb"\\(?:\r\n|[\s\S])")


def written_markup(evaluator: Evaluator) -> tuple[WrittenMarkup, ...]:
    """Returns the literal HTML, and the literal values of attributes that are set, in source order."""
    reader = _Markup(evaluator)
    for start, end in evaluator.tree.places.spans_of(_NAMES):
        leaf = evaluator.tree.leaf_at(start)
        place = leaf.parent
        if leaf.span == (start, end) and isinstance(place, MemberExpression) and leaf.is_field("property"):
            evaluator.attempt(leaf.span, partial(reader.collect, place, evaluator.tree.source(leaf)))
    return tuple(reader.found[span] for span in sorted(reader.found))


class _Markup:
    """Collects the markup of one script, each piece once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._guards = GuardReader(evaluator)
        self._seen: set[int] = set()
        self._visited: set[int] = set()
        self._pieces: list[tuple[Node, bytes, str]] = []
        self.found: dict[tuple[int, int], WrittenMarkup] = {}

    def collect(self, place: MemberExpression, name: str) -> None:
        """Collects the values assigned or passed to a member of this name, unless no code may run there."""
        self._visited, self._pieces = set(), []
        self._collect_pieces(place, name)
        if self._pieces and may_be_inert(self._evaluator, place.object):
            return  # the same value may be passed to others
        self._seen |= self._visited
        for item, text, attribute in self._pieces:
            self._record(item, text, attribute)

    def _collect_pieces(self, place: MemberExpression, name: str) -> None:
        up = place.parent
        if name in _ASSIGNED:
            if isinstance(up, AssignmentExpression | AugmentedAssignment) and place.is_field("left"):
                self._add(up.right, MAX_DEPTH)
            return
        if not isinstance(up, CallExpression) or not place.is_field("function"):
            return
        arguments = up.arguments
        if name == "setAttribute":
            if len(arguments) == 2:
                self._add_attribute(*arguments)
        elif name == "insertAdjacentHTML":
            if len(arguments) == 2:
                self._add(arguments[1], MAX_DEPTH)
        elif self._accepts_markup(place, name):
            for each in arguments:
                self._add(each, MAX_DEPTH)

    def _accepts_markup(self, place: MemberExpression, name: str) -> bool:
        if name in _WRITTEN:
            return is_document(self._evaluator, place.object)
        return is_jquery(self._evaluator, place.object)

    def _add_attribute(self, name: Node, value: Node) -> None:
        name, value = innermost(name), innermost(value)
        if name.type != "string" or value.type not in ("string", "template_string"):
            return
        attribute = self._evaluator.text(name)
        if attribute is not None:
            self._add_piece(value, attribute)

    def _add(self, item: Node, depth: int) -> None:
        """Collects the markup of an expression, or that of the variable or function it refers to."""
        item = innermost(item)
        if item.id in self._seen or item.id in self._visited:
            return
        self._visited.add(item.id)
        match item:
            case Node(type="string" | "template_string") | BinaryExpression(operator="+"):
                self._add_piece(item)
            case ConditionalExpression():
                self._add(item.consequence, depth)
                self._add(item.alternative, depth)
            case BinaryExpression() if item.is_logical:
                self._add(item.right, depth)
            case Node(type="identifier") if depth:
                self._add_variable(item, depth - 1)
            case CallExpression() if depth:
                for each in self._possible_results(item):
                    self._add(each, depth - 1)

    def _add_variable(self, name: Node, depth: int) -> None:
        binding = self._evaluator.names.variable(name)
        if binding is None or len(binding.writes) > MAX_WRITES:
            return
        for write in binding.writes:
            source = write.source
            if write.role is Role.DECLARATION and isinstance(source, VariableDeclarator):
                if source.value is not None and source.name.type == "identifier":
                    self._add(source.value, depth)
            elif isinstance(source, AssignmentExpression | AugmentedAssignment):
                self._add(source.right, depth)

    def _possible_results(self, call: CallExpression) -> Iterator[Node]:
        """Yields the expressions that may be the result of a call, or part of it; empty if unknown."""
        callee = innermost(call.callee)
        if isinstance(callee, AccessExpression):
            name = key_of(self._evaluator, callee)
            if name in _TRIMMING:
                yield callee.object
                return
            if name == "join":
                mapping = innermost(callee.object)
                if isinstance(mapping, CallExpression) and mapping.arguments:
                    mapped = innermost(mapping.callee)
                    if isinstance(mapped, AccessExpression) and key_of(self._evaluator, mapped) == "map":
                        yield from self._returned_expressions(mapping.arguments[0])
                return
        yield from self._returned_expressions(callee)

    def _returned_expressions(self, function: Node) -> Iterator[Node]:
        """Yields the expressions that a function returns, if the script defines it."""
        function = innermost(function)
        if not isinstance(function, Function):
            found = self._evaluator.definition_of(function)
            if not isinstance(found, Function):
                return
            function = found
        if not function.has_token("async") and not function.has_token("*"):
            yield from returned_expressions(self._evaluator, function)

    def _add_piece(self, item: Node, attribute: str = "") -> None:
        """Adds markup, or the value of an attribute, if it contains code."""
        text = self._masked(item)
        if attribute:
            has_code = _HANDLER.match(encode_name(attribute)) and _ACTS.search(text)
        else:
            has_code = _CODE.search(text)
        if has_code:
            self._pieces.append((item, text, attribute))

    def _record(self, item: Node, text: bytes, attribute: str) -> None:
        if item.span not in self.found:
            is_called = self._guards.enclosing_function(item) is not None
            self.found[item.span] = WrittenMarkup(
                text, item.span, attribute, self._guards.public_guards_at(item), is_called
            )

    def _masked(self, item: Node) -> bytes:
        """Returns an expression's text, byte for byte at its source position; unknown parts are filled."""
        text = bytearray(FILLER * (item.end - item.start))
        self._reveal(item, text, item.start, MAX_DEPTH)
        return bytes(text)

    def _reveal(self, item: Node, text: bytearray, start: int, depth: int) -> None:
        item = innermost(item)
        match item:
            case Node(type="string" | "template_string"):
                source = self._evaluator.tree.text[item.start + 1 : item.end - 1]
                at = item.start + 1 - start
                text[at : at + len(source)] = _ESCAPE.sub(_unescaped, source)
                for part in item.named():
                    if part.type == "template_substitution":
                        text[part.start - start : part.end - start] = FILLER * (part.end - part.start)
                        inner = part.first()
                        if inner is not None:
                            self._reveal(inner, text, start, depth)
            case BinaryExpression(operator="+"):
                self._reveal(item.left, text, start, depth)
                self._reveal(item.right, text, start, depth)
            case BinaryExpression() if item.is_logical:
                self._reveal(item.right, text, start, depth)
            case ConditionalExpression():
                self._reveal(item.consequence, text, start, depth)
                self._reveal(item.alternative, text, start, depth)
            case CallExpression() if depth:
                for each in self._possible_results(item):
                    if item.contains(each):
                        self._reveal(each, text, start, depth - 1)
                    else:
                        self._add(each, depth - 1)


def _unescaped(found: re.Match[bytes]) -> bytes:
    """Returns an escape as text of the same length: a quote or a space remains one."""
    escape = found[0]
    last = escape[-1:]
    if last in b"\"'`":
        return b" " + last
    return (b" " if last in b"nrt\n\r" else FILLER) * len(escape)
