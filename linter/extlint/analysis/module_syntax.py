"""Finds syntax that is only allowed in modules: `import` and `export` statements, and `import.meta`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from extlint.analysis.facts.script_facts import ModuleSyntax
from extlint.analysis.syntax.nodes import ExportStatement, ImportStatement
from extlint.analysis.syntax.parse import grammar_of
from extlint.analysis.syntax.source import parsable
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.syntax.tree_cache import Parse, parse_uncached
from extlint.text.patterns import lazy, spans_of
from extlint.text.positions import ByteSpan
from extlint.text.word_search import WordOffsets

_STATEMENTS = {
    b"import": lazy(rb"import(?:\s*[\"'{*]|\s+[\w$])"),
    b"export": lazy(rb"export(?:\s*[{*]|\s+[a-z])"),
}
_BEFORE = lazy(rb"(?:\A|[;}\n\r*/])\s*\Z")
_MAX_BLANKS = 64
_META = {b"import": lazy(rb"import(?<!\wimport)\s*\.\s*meta\b")}


def may_have_module_syntax(text: bytes, places: WordOffsets | None = None) -> bool:
    """Whether a text may have module syntax, judging by single words; `places` are those of its words."""

    def found(patterns: Mapping[bytes, re.Pattern[bytes]]) -> list[ByteSpan]:
        return spans_of(patterns.values(), text) if places is None else places.spans_of(patterns)

    return bool(found(_META)) or any(
        _BEFORE.search(text[max(0, at - _MAX_BLANKS) : at]) is not None for at, _ in found(_STATEMENTS)
    )


def module_syntax(text: bytes, path: str, parsing: Parse = parse_uncached) -> ModuleSyntax | None:
    """Returns the first module syntax in a script, or None if it has no such syntax or cannot be parsed."""
    text = parsable(text)
    found = parsing(text, grammar_of(path))
    if found is None:
        return None
    return module_syntax_of(SyntaxTree(text, found.tree, found.places))


def module_syntax_of(tree: SyntaxTree) -> ModuleSyntax | None:
    """Returns the first module syntax in a tree, or None."""
    for statement in tree.root.named():
        if isinstance(statement, ImportStatement | ExportStatement) and not statement.has_token("type"):
            word = "import" if isinstance(statement, ImportStatement) else "export"
            return ModuleSyntax(word, (statement.start, statement.end))
    for start, _ in tree.places.spans_of(_META):
        leaf = tree.leaf_at(start)
        up = leaf.parent
        if up is not None and up.type == "meta_property":
            return ModuleSyntax("import.meta", (up.start, up.end))
    return None
