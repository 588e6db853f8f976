"""What is only allowed in modules: `import` and `export` statements, and `import.meta`."""

from __future__ import annotations

from extlint.script.facts.script_facts import ModuleSyntax
from extlint.script.syntax.kept_tree import Parsing, parsed
from extlint.script.syntax.nodes import ExportStatement, ImportStatement
from extlint.script.syntax.parse import grammar_of
from extlint.script.syntax.source import parsable
from extlint.script.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy

_STATEMENTS = (lazy(rb"import(?:\s*[\"'{*]|\s+[\w$])"), lazy(rb"export(?:\s*[{*]|\s+[a-z])"))
_BEFORE = lazy(rb"(?:\A|[;}\n\r*/])\s*\Z")
_MAX_BLANKS = 64
_META = lazy(rb"import(?<!\wimport)\s*\.\s*meta\b")


def may_have_module_syntax(text: bytes) -> bool:
    """Whether a text may have it, as far as a look at single words says."""
    return _META.search(text) is not None or any(
        _BEFORE.search(text[max(0, found.start() - _MAX_BLANKS) : found.start()]) is not None
        for pattern in _STATEMENTS
        for found in pattern.finditer(text)
    )


def module_syntax(text: bytes, path: str, parsing: Parsing = parsed) -> ModuleSyntax | None:
    """The first of it in a script; None if there is none, or the script is not understood."""
    text = parsable(text)
    found = parsing(text, grammar_of(path))
    if found is None:
        return None
    tree = SyntaxTree(text, found.tree, found.places)
    for statement in tree.root.named():
        if isinstance(statement, ImportStatement | ExportStatement) and not statement.has("type"):
            word = "import" if isinstance(statement, ImportStatement) else "export"
            return ModuleSyntax(word, (statement.start, statement.end))
    for place in _META.finditer(text):
        leaf = tree.leaf_at(place.start())
        up = leaf.parent
        if up is not None and up.type == "meta_property":
            return ModuleSyntax("import.meta", (up.start, up.end))
    return None
