"""Finds objects that are certainly a page's document or elements in it, and so not results of the API."""

from __future__ import annotations

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, CallExpression, VariableDeclarator
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import Evaluator

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
