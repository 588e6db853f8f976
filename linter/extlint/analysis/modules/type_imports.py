"""Recognizes imports in TypeScript that only import types. Compilers erase them, so they load nothing."""

from __future__ import annotations

import re

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, ImportStatement
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

_NAMES = frozenset({"identifier", "jsx_identifier", "shorthand_property_identifier", "type_identifier"})
_TYPES = frozenset({"nested_type_identifier", "type_query"})
_IMPORT = lazy(rb"import\s*(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)\s*)?(?:\{([^{}]*)\}\s*)?from\b")
_NAME = lazy(rb"(?<![\w$])[\w$]++(?=\s*(?:,|\}|\Z))")
_USE = rb"(?<![\w$.])%b(?:\s*\.\s*[\w$]+)*+\s*\("


def imports_only_types(tree: SyntaxTree, statement: ImportStatement) -> bool:
    """Whether a script uses what it imports as types, and nothing of it as a value.

    What it does not use at all counts as a value, because only the language of the script decides about that.
    """
    clause = next((each for each in statement.named() if each.type == "import_clause"), None)
    if clause is None or tree.has_markup:
        return False
    names, is_typed = _imported_names(tree, clause)
    start, end = statement.span
    for name in names:
        word = encode_name(name)
        for at, after in tree.places.spans_of({word: lazy(re.escape(word) + rb"(?![\w$])")}):
            leaf = None if start <= at < end else tree.leaf_at(at)
            if leaf is None or leaf.span != (at, after) or leaf.type not in _NAMES:
                continue
            if leaf.type != "type_identifier" and not _is_in_type(leaf):
                return False
            is_typed = True
    return is_typed


def _is_in_type(leaf: Node) -> bool:
    """Whether a name is part of a type: `typeof settings.colors`, `types.Color`."""
    child, up = leaf, leaf.parent
    while isinstance(up, AccessExpression) and child.is_field("object"):
        child, up = up, up.parent
    return up is not None and up.type in _TYPES


def may_import_only_types(code: bytes, at: int) -> bool:
    """Whether the import at an offset in the code of a script may only import types.

    It does not if a name is called, or a member of it.
    """
    found = _IMPORT.match(code, at)
    if found is None:
        return False
    names = [*filter(None, found.groups()[:2]), *_NAME.findall(found[3] or b"")]
    uses = (re.compile(_USE % re.escape(name)) for name in names)
    return not any(each.search(code, found.end()) for each in uses)


def _imported_names(tree: SyntaxTree, clause: Node) -> tuple[list[str], bool]:
    """Returns the names of an import that are not marked as types, and whether others are."""
    names: list[str] = []
    is_typed = False
    for each in clause.named():
        if each.type == "identifier":
            names.append(tree.source(each))
        elif each.type == "namespace_import":
            names += [tree.source(inner) for inner in each.named() if inner.type == "identifier"]
        elif each.type == "named_imports":
            for specifier in each.named():
                if specifier.has_token("type"):
                    is_typed = True
                elif specifier.type == "import_specifier" and specifier.named():
                    names.append(tree.source(specifier.named()[-1]))
    return names, is_typed
