"""Finds members of objects that only delegate to the API, and the names by which other scripts read them.

globalThis.api = { query: (options) => chrome.tabs.query(options) };
"""

from __future__ import annotations

from extlint.script.call_graph.definitions import declared_name, outermost_wrapper
from extlint.script.call_graph.holders import holder_of
from extlint.script.call_graph.object_owners import Reach
from extlint.script.call_graph.object_reads import reads_of_member
from extlint.script.call_graph.object_visibility import Reads
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import Function
from extlint.script.values.evaluator import Evaluator

KNOWN_REACH = Reach.MODULE | Reach.GLOBAL | Reach.NAMED
"""The reach of objects whose uses are all known, if the uses by other scripts are."""

MAX_STATEMENTS = 3
"""The maximum number of statements in a function that only delegates: declarations, and what it returns."""

_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_LAST = frozenset({"expression_statement", "return_statement"})


def delegating_member(evaluator: Evaluator, place: Node) -> Reads | None:
    """Returns the reads of the member of a shared object whose function only delegates to a place.

    Returns None if no such member exists, or if not all its reads in the script are known.
    """
    for up in place.ancestors():
        if not isinstance(up, Function):
            continue
        if not _only_delegates(up):
            return None
        entered = outermost_wrapper(evaluator, up)
        holder = holder_of(evaluator, entered)
        if holder is not None:
            found = reads_of_member(evaluator, holder.owner, holder.name, KNOWN_REACH)
            return found if found is not None and found.shared and Reach.MODULE not in found.reach else None
        if declared_name(entered) is not None:
            break
    return None


def _only_delegates(function: Function) -> bool:
    """Whether a function has a single statement, perhaps after some declarations."""
    body = function.body
    if body.type != "statement_block":
        return True
    statements = body.named()
    return (
        0 < len(statements) <= MAX_STATEMENTS
        and statements[-1].type in _LAST
        and all(each.type in _DECLARATIONS for each in statements[:-1])
    )
