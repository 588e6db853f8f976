"""Finds the lines with which Git marks a merge conflict, the cause of a syntax error further down."""

from __future__ import annotations

import re

from extlint.analysis.facts.script_facts import SyntaxProblem
from extlint.analysis.syntax.lexer import code_of
from extlint.text.patterns import lazy

_CONFLICT = lazy(rb"^<{7}(?= \S)", re.MULTILINE, needs=(b"<<<<<<< ",))


def merge_conflict(text: bytes) -> SyntaxProblem | None:
    """Returns the first line that marks a merge conflict in the code of a broken script, or None."""
    code = code_of(text) if _CONFLICT.search(text) is not None else None
    found = None if code is None else _CONFLICT.search(code)
    return None if found is None else SyntaxProblem("a merge conflict is not resolved here", found.span())
