"""What is only allowed in modules: `import` and `export` statements, and `import.meta`."""

from __future__ import annotations

from extlint.script.facts.script_facts import ModuleSyntax
from extlint.script.syntax.nodes import ExportStatement, ImportStatement
from extlint.script.syntax.parse import grammar_of, parse
from extlint.script.syntax.source import parsable
from extlint.script.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy

_MAY_BE = lazy(
    rb"(?:\A|[;}\n\r*/])\s*(?:import(?:\s*[\"'{*]|\s+[\w$])|export(?:\s*[{*]|\s+[a-z]))|\bimport\s*\.\s*meta\b"
)
_META = lazy(rb"\bimport\s*\.\s*meta\b")


def may_have_module_syntax(text: bytes) -> bool:
    """Whether a text may have it, as far as a look at single words says."""
    return _MAY_BE.search(text) is not None


def module_syntax(text: bytes, path: str) -> ModuleSyntax | None:
    """The first of it in a script; None if there is none, or the script is not understood."""
    text = parsable(text)
    parsed = parse(text, grammar_of(path))
    if parsed is None:
        return None
    tree = SyntaxTree(text, parsed)
    for statement in tree.root.named():
        if isinstance(statement, ImportStatement | ExportStatement) and not statement.has("type"):
            word = "import" if isinstance(statement, ImportStatement) else "export"
            return ModuleSyntax(word, (statement.start, statement.end))
    for found in _META.finditer(text):
        leaf = tree.leaf_at(found.start())
        up = leaf.parent
        if up is not None and up.type == "meta_property":
            return ModuleSyntax("import.meta", (up.start, up.end))
    return None
