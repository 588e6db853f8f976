"""Mistakes that the grammars let pass and each browser refuses, with the whole script.

Where the grammars find what they do not know, or a build chooses between declarations, nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.script.facts.script_facts import SyntaxProblem
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import Function
from extlint.script.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_AWAIT = lazy(
    rb"await(?<![\w$.#\x80-\xff]await)[ \t]+(?!(?:as|in|instanceof|of|satisfies)\b)(?=[\w$'\"])",
    needs=(b"await",),
)
_DECLARATION = lazy(rb"\b(class|const|function|let|var)[\s*]+([\w$]+)")
_BUILD_BLOCK = lazy(rb"(?:#|@|<)\s*/?\s*(?:if|else|elif|end)", 2)
_LEXICAL = frozenset({b"class", b"const", b"let"})
_DECLARATIONS = frozenset(
    {
        "class_declaration",
        "function_declaration",
        "generator_function_declaration",
        "lexical_declaration",
        "variable_declaration",
    }
)
_BLOCKS = frozenset({"program", "statement_block"})
_STATEMENTS = frozenset(
    """
    else_clause catch_clause do_statement finally_clause for_in_statement for_statement if_statement
    labeled_statement statement_block switch_body switch_case switch_default switch_statement try_statement
    while_statement
    """.split()
)
_MIN_NAME = 3
_MAX_BYTES_WITH_SHORT_NAMES = 100_000
"""In longer scripts, shorter names are those of minifiers, which declare nothing twice."""


def early_error(tree: SyntaxTree) -> SyntaxProblem | None:
    """The first such mistake in a script without errors in its tree."""
    return _await_outside(tree) or _declared_twice(tree)


def return_outside(tree: SyntaxTree) -> ByteSpan | None:
    """The first `return` that stands in no function, which only Node and bundlers take."""
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


def _await_outside(tree: SyntaxTree) -> SyntaxProblem | None:
    for found in _AWAIT.finditer(tree.text):
        leaf = tree.leaf_at(found.start())
        if leaf.start != found.start() or leaf.parent is None or leaf.parent.type != "await_expression":
            continue
        around = next((each for each in leaf.scopes() if isinstance(each, Function)), None)
        if around is not None and not around.has("async"):
            return SyntaxProblem("`await` is only allowed in `async` functions", leaf.span)
    return None


def _declared_twice(tree: SyntaxTree) -> SyntaxProblem | None:
    """The first name of `let`, `const` or `class` that its block declares again."""
    named: dict[bytes, list[tuple[bytes, int]]] = {}
    for found in _DECLARATION.finditer(tree.text):
        if len(found[2]) >= _MIN_NAME or len(tree.text) <= _MAX_BYTES_WITH_SHORT_NAMES:
            named.setdefault(found[2], []).append((found[1], found.start(2)))
    twice = (_second(tree, name, places) for name, places in named.items() if _may_clash(places))
    problems = sorted((each for each in twice if each is not None), key=lambda each: each.span)
    return problems[0] if problems else None


def _may_clash(places: list[tuple[bytes, int]]) -> bool:
    return len(places) > 1 and any(keyword in _LEXICAL for keyword, _ in places)


def _second(tree: SyntaxTree, name: bytes, places: list[tuple[bytes, int]]) -> SyntaxProblem | None:
    seen: dict[int, tuple[bool, int]] = {}
    for keyword, at in places:
        leaf = tree.leaf_at(at)
        block = _block_declaring(leaf) if leaf.start == at else None
        if block is None:
            continue
        is_lexical = keyword in _LEXICAL
        was_lexical, before = seen.setdefault(block.id, (is_lexical, at))
        if before != at and (is_lexical or was_lexical):
            if _BUILD_BLOCK.search(tree.text, before, at) is not None:
                return None
            return SyntaxProblem(f"`{name.decode('utf-8', 'replace')}` is already declared here", leaf.span)
    return None


def _block_declaring(name: Node) -> Node | None:
    """The block whose own declaration a name is that of; None if it is not declared by a statement."""
    for each in _around(name):
        if each.type in _DECLARATIONS:
            up = each.parent
            block = up.parent if up is not None and up.type == "export_statement" else up
            return block if block is not None and block.type in _BLOCKS else None
    return None


def _around(name: Node) -> Iterator[Node]:
    declarator = name.parent
    if declarator is not None and name.is_field("name"):
        yield declarator
        if declarator.type == "variable_declarator" and declarator.parent is not None:
            yield declarator.parent
