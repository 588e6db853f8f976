"""Syntax errors that the grammars accept but every browser rejects, and signs of others in the tree.

Nothing is reported where a grammar finds unknown syntax, or where a build chooses between declarations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from tree_sitter import Node as ParserNode

from extlint.analysis.facts.script_facts import SyntaxProblem
from extlint.analysis.syntax.node import LOOPS, Node
from extlint.analysis.syntax.nodes import Class, Function
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_AWAIT = {b"await": lazy(rb"await(?<![.#]await)[ \t]+(?!(?:as|in|instanceof|of|satisfies)\b)(?=[\w$'\"])")}


_KEYWORDS = rb"(?:class|const|function|let|var)"


def _names_after(word: bytes) -> re.Pattern[bytes]:
    return lazy(
        rb"%b(?<![\w$]%b)[\s*]+(?!%b\b)([\w$]++)(?![\\\x80-\xff])" % (word, word, _KEYWORDS), needs=(word,)
    )


_LEXICAL_NAMES = tuple(map(_names_after, (b"class", b"const", b"let")))
_OTHER_NAMES = tuple(map(_names_after, (b"function", b"var")))
_BUILD_BLOCK = lazy(rb"(?:#|@|<)\s*/?\s*(?:if|else|elif|end)", 2)
_DECLARATIONS = frozenset(
    {
        "class_declaration",
        "function_declaration",
        "generator_function_declaration",
        "lexical_declaration",
        "variable_declaration",
    }
)
_AROUND_DECLARATIONS = frozenset({"export_statement", "switch_case", "switch_default"})
_BLOCKS = frozenset({"program", "statement_block", "switch_body"})
_STATEMENTS = frozenset(
    """
    else_clause catch_clause do_statement finally_clause for_in_statement for_statement if_statement
    labeled_statement statement_block switch_body switch_case switch_default switch_statement try_statement
    while_statement
    """.split()
)
_STEPS_PER_NAME = 4
_MIN_NAME = 3
_MAX_BYTES_WITH_SHORT_NAMES = 100_000
"""In longer scripts, shorter names are assumed to come from minifiers, which declare nothing twice."""


def early_error(tree: SyntaxTree) -> SyntaxProblem | None:
    """Returns the first early error in a script whose tree has no errors."""
    return _await_outside_async_function(tree) or _duplicate_declaration(tree)


def has_early_error(tree: SyntaxTree) -> bool:
    """Whether a script whose tree has no errors has an early error, or an `await` outside of any function."""
    return early_error(tree) is not None or await_outside_function(tree) is not None


def await_outside_function(tree: SyntaxTree) -> ByteSpan | None:
    """Returns the first `await` outside a function, which is only allowed in modules, or None."""
    for start, _ in tree.places.spans_of(_AWAIT):
        leaf = tree.leaf_at(start)
        is_await = leaf.parent is not None and leaf.parent.type == "await_expression"
        if is_await and not any(isinstance(each, Function) for each in leaf.scopes()):
            return leaf.span
    return None


def return_outside_function(tree: SyntaxTree) -> ByteSpan | None:
    """Returns the first `return` outside a function, which only Node and bundlers accept."""
    if b"return" not in tree.text:
        return None
    waiting = [tree.root]
    while waiting:
        node = waiting.pop()
        if node.type == "return_statement":
            return node.start, node.start + len(b"return")
        if node.type == "program" or node.type in _STATEMENTS:
            waiting += reversed(node.named())
    return None


def _await_outside_async_function(tree: SyntaxTree) -> SyntaxProblem | None:
    for start, _ in tree.places.spans_of(_AWAIT):
        leaf = tree.leaf_at(start)
        if leaf.start != start or leaf.parent is None or leaf.parent.type != "await_expression":
            continue
        around = next((each for each in leaf.scopes() if isinstance(each, Function)), None)
        if around is not None and not around.has_token("async"):
            return SyntaxProblem("`await` is only allowed in `async` functions", leaf.span)
    return None


def _duplicate_declaration(tree: SyntaxTree) -> SyntaxProblem | None:
    """Returns the first name declared by `let`, `const` or `class` that is declared again in its block."""
    first_declarations: dict[tuple[int, bytes], tuple[bool, int]] = {}
    chosen_by_builds = set[bytes]()
    for at, name, word, is_lexical in sorted(_possible_duplicates(tree.text)):
        tree.spend(_STEPS_PER_NAME)
        block = declaring_block(tree.root.node, word, at + len(name))
        if block is None or name in chosen_by_builds:
            continue
        was_lexical, before = first_declarations.setdefault((block, name), (is_lexical, at))
        if before != at and (is_lexical or was_lexical):
            if _BUILD_BLOCK.search(tree.text, before, at) is None:
                shown = name.decode("utf-8", "replace")
                return SyntaxProblem(f"`{shown}` is already declared here", (at, at + len(name)))
            chosen_by_builds.add(name)
    return None


def _possible_duplicates(text: bytes) -> Iterator[tuple[int, bytes, int, bool]]:
    """Yields names that are declared more than once, at least once by `let`, `const` or `class`.

    Each comes with its byte offset, that of its declaring keyword, and whether the keyword is one of these
    three.
    """
    places: dict[bytes, list[tuple[int, int, bool]]] = {}
    shortest = 1 if len(text) <= _MAX_BYTES_WITH_SHORT_NAMES else _MIN_NAME
    for pattern in _LEXICAL_NAMES:
        for found in pattern.finditer(text):
            if len(found[1]) >= shortest:
                places.setdefault(found[1], []).append((found.start(1), found.start(), True))
    for pattern in _OTHER_NAMES if places else ():
        for found in pattern.finditer(text):
            if found[1] in places:
                places[found[1]].append((found.start(1), found.start(), False))
    for name, occurrences in places.items():
        for at, word, is_lexical in occurrences if len(occurrences) > 1 else ():
            yield at, name, word, is_lexical


def declaring_block(root: ParserNode, start: int, end: int) -> int | None:
    """Returns the id of the block that contains the declaration spanning a keyword and a name, or None.

    The text may only look like a declaration. Uses the parser's own nodes, as a bundle has ten thousand
    such names.
    """
    declaration = root.descendant_for_byte_range(start, end)
    if declaration is None or declaration.type not in _DECLARATIONS:
        return None
    up = declaration.parent
    block = up.parent if up is not None and up.type in _AROUND_DECLARATIONS else up
    return block.id if block is not None and block.type in _BLOCKS else None


MAX_PLACES = 400
"""The most places of one sign that are looked at."""

_ESCAPE = lazy(
    rb"\\(?:u(?![0-9a-fA-F]{4}|\{)|u\{(?!0*(?:10)?[0-9a-fA-F]{1,5}\})|x(?![0-9a-fA-F]{2}))", needs=(b"\\",)
)
_CALLED_BLOCK = lazy(rb"\}\s*\(")
_PRIVATE_MEMBER = lazy(rb"\.#[\w$]", needs=(b".#",))
_NEW_TARGET = lazy(rb"new\.target\b", needs=(b"new.target",))
_PRIVATE = lazy(rb"#(?<=[\s{;]#)[\w$]+\s*(?=[=;(])", needs=(b"#",))
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
    targets = LOOPS if word == "continue" else LOOPS | {"switch_statement"}
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
