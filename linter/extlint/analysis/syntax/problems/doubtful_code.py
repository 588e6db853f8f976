"""Signs of syntax errors that show only in the tree: what a statement, jump, string or member is part of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import Class, Function
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy

MAX_PLACES = 400
"""The most places of one sign that are looked at."""

_ESCAPE = lazy(
    rb"\\(?:u(?![0-9a-fA-F]{4}|\{)|u\{(?!0*(?:10)?[0-9a-fA-F]{1,5}\})|x(?![0-9a-fA-F]{2}))", needs=(b"\\",)
)
_CALLED_BLOCK = lazy(rb"\}\s*\(")
_PRIVATE_MEMBER = lazy(rb"\.#[\w$]", needs=(b".#",))
_NEW_TARGET = lazy(rb"new\.target\b", needs=(b"new.target",))
_PRIVATE = lazy(rb"#(?<=[\s{;]#)[\w$]+\s*(?=[=;(])", needs=(b"#",))
_LOOPS = frozenset({"do_statement", "for_in_statement", "for_statement", "while_statement"})
REGEX_NODES = frozenset({"regex", "regex_pattern"})
"""The types of nodes inside regular expressions."""

_NOT_CODE = frozenset({"comment", "string", "string_fragment", "template_string"}) | REGEX_NODES


def is_code(tree: SyntaxTree, at: int) -> bool:
    """Whether a byte of a script is neither in a string nor in a comment."""
    found = tree.root.node.descendant_for_byte_range(at, at + 1)
    return found is not None and found.type not in _NOT_CODE


def _has_misplaced_jump(tree: SyntaxTree) -> bool:
    """Whether a `break` or `continue` is in nothing that it could leave, or names no label around it."""
    return any(
        leaf.parent is not None
        and leaf.parent.type == f"{word}_statement"
        and not _can_jump(leaf.parent, word)
        for word in ("break", "continue")
        for leaf in _leaves_of(tree, word)
    )


def _can_jump(statement: Node, word: str) -> bool:
    if len(statement.named()) > 0:
        return statement.node.child_by_field_name("label") is None or any(
            up.type == "labeled_statement" for up in _around(statement)
        )
    targets = _LOOPS if word == "continue" else _LOOPS | {"switch_statement"}
    return any(up.type in targets for up in _around(statement))


def _around(node: Node) -> Iterator[Node]:
    """Yields the nodes around a node in its function."""
    up = node.parent
    while up is not None and not isinstance(up, Function) and up.type != "class_static_block":
        yield up
        up = up.parent


def _has_incomplete_try(tree: SyntaxTree) -> bool:
    return any(
        leaf.parent is not None
        and leaf.parent.type == "try_statement"
        and leaf.parent.node.child_by_field_name("handler") is None
        and leaf.parent.node.child_by_field_name("finalizer") is None
        for leaf in _leaves_of(tree, "try")
    )


def _has_nameless_function(tree: SyntaxTree) -> bool:
    """Whether a statement begins with a function that has no name."""
    return any(
        leaf.parent is not None and _begins_statement(leaf.parent)
        for leaf in _leaves_of(tree, "function", rb"function(?<![\w$.]function)\s*\*?\s*\(")
    )


def _begins_statement(node: Node) -> bool:
    around = takewhile(lambda up: up.start == node.start, node.ancestors())
    return any(up.type == "expression_statement" for up in around)


def _leaves_of(tree: SyntaxTree, word: str, pattern: bytes = b"") -> Iterator[Node]:
    """Yields the leaves that are a keyword, up to a limit."""
    key = word.encode()
    wanted = lazy(pattern or rb"%b(?<![\w$.]%b)(?![\w$])" % (key, key))
    for start, _ in tree.places.spans_of({key: wanted})[:MAX_PLACES]:
        leaf = tree.leaf_at(start)
        if leaf.type == word:
            yield leaf


def _has_wrong_escape(tree: SyntaxTree) -> bool:
    """Whether a string has an incomplete escape sequence, such as the path of a file on Windows."""
    for found in islice(_ESCAPE.finditer(tree.text), MAX_PLACES):
        if found.start() and tree.text[found.start() - 1 : found.start()] == b"\\":
            continue
        leaf = tree.root.node.descendant_for_byte_range(found.start(), found.end())
        if leaf is not None and leaf.type not in REGEX_NODES and leaf.type != "comment":
            return True
    return False


def _has_called_arrow(tree: SyntaxTree) -> bool:
    """Whether an arrow function is called without parentheses around it."""
    for found in islice(_CALLED_BLOCK.finditer(tree.text), MAX_PLACES):
        call = tree.leaf_at(found.end() - 1).parent
        callee = None if call is None or call.parent is None else call.parent.first()
        if callee is not None and callee.type == "arrow_function":
            return True
    return False


def _has_misplaced_member(tree: SyntaxTree) -> bool:
    """Whether `new.target` is outside any function, or a private name outside any class or declared twice."""
    for pattern, around in ((_NEW_TARGET, Function), (_PRIVATE_MEMBER, Class)):
        for found in islice(pattern.finditer(tree.text), MAX_PLACES):
            ups = tree.leaf_at(found.end() - 1).ancestors()
            if is_code(tree, found.start()) and not any(isinstance(up, around) for up in ups):
                return True
    names = [(found[0].rstrip(), found.start()) for found in islice(_PRIVATE.finditer(tree.text), MAX_PLACES)]
    if len({name for name, _ in names}) == len(names):
        return False
    own = [name for name, at in names if is_code(tree, at)]
    return len(set(own)) < len(own)


def _has_object_as_statement(tree: SyntaxTree) -> bool:
    """Whether a statement begins with an object, which engines read as a block: JSON in a script."""
    for statement in tree.root.named():
        item = statement.first() if statement.type == "expression_statement" else None
        while item is not None and item.start == statement.start and item.type != "object":
            item = item.first()
        if item is not None and item.start == statement.start:
            return True
    return False


CHECKS = (
    _has_misplaced_jump,
    _has_incomplete_try,
    _has_nameless_function,
    _has_wrong_escape,
    _has_called_arrow,
    _has_misplaced_member,
    _has_object_as_statement,
)
