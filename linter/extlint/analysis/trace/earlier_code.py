"""Determines whether the code that leads to a call seems to prevent its failure.

The code is that of the functions around it and of their callers, as far as it comes before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.analysis.call_graph.callers import entry_points_of
from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression, Function
from extlint.analysis.values.evaluator import Evaluator
from extlint.text.patterns import lazy

_TAB = lazy(
    rb"(?i)(?:url|href|host|hostname|domain|origin)\b[\])!?]*\s*"
    rb"(?:[)?]|&&|\|\||[=!]==?|\.\s*(?:endsWith|host|hostname|href|includes|indexOf|match|origin|protocol"
    rb"|replace|search|slice|split|startsWith|substr|toLowerCase))"
    rb"|\b(?:can|has|is|should|check|valid|support|allow|restrict)\w*\(\s*\w*tab"
    rb"|(?<![\w$])(?:executeScript|insertCSS|(?:ensure|inject|ping)\w*)\("
)
"""Code that tests the address of a tab, seems to test it in a function, or injects something before."""

_PAGE = lazy(
    rb"(?i)open\w*\s*(?:[()?]|&&|\|\||[=!]==?)|getContexts|getViews|connect|\bports?\b|(?:tabs|windows)\.create"
)
"""Code that opens a page of the extension, or finds out whether one is open."""

_MAX_FUNCTIONS = 20


def seems_to_prevent_failure(evaluator: Evaluator, path: ApiPath, call: CallExpression) -> bool:
    """Whether code before a call seems to make sure that the tab or the page is as the call requires.

    It has to be on each path, as far as the callers are in the script.
    """
    return _is_preceded(evaluator, _PAGE if path[0] == "runtime" else _TAB, call, set())


def _is_preceded(evaluator: Evaluator, pattern: re.Pattern[bytes], place: Node, entered: set[int]) -> bool:
    """Whether code that a pattern matches comes before a place, in its functions or in all their callers."""
    functions = []
    for up in place.ancestors():
        is_statement = up.parent is not None and up.parent.parent is None
        if isinstance(up, Function) or is_statement:
            evaluator.tree.spend_search(place.start - up.start)
            if pattern.search(evaluator.tree.text, up.start, place.start) is not None:
                return True
        if isinstance(up, Function) and up.id not in entered:
            functions.append(up)
    entered.update(each.id for each in functions)
    if len(entered) > _MAX_FUNCTIONS:
        return True
    for each in functions:
        uses = [*_uses(evaluator, each)]
        if uses and all(_is_preceded(evaluator, pattern, use, entered) for use in uses):
            return True
    return False


def _uses(evaluator: Evaluator, function: Function) -> Iterator[Node]:
    """Yields the places in other functions where a function is called or passed on."""
    for entry in entry_points_of(evaluator, function):
        if entry.direct:
            yield from (use for use in entry.uses if not function.contains(use))
