"""What a function has certainly awaited when it reaches a call."""

from __future__ import annotations

from functools import cached_property

from extlint.script.scope.identifiers import function_of
from extlint.script.scope.reaching_definitions import certainly_before
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import AwaitExpression, CallExpression, ForInStatement
from extlint.script.syntax.tree import SyntaxTree
from extlint.text.patterns import apart, lazy, spans_of
from extlint.text.positions import ByteSpan

_WORDS = tuple(lazy(apart(word, before=rb"\w$.", after=rb"\w$")) for word in (b"await", b"yield"))
MAX_AWAITS = 20_000
"""A script with more of them is not examined."""

MAX_AWAITS_IN_FUNCTION = 300
"""A function with more of them is not examined."""


class Awaits:
    """The places where the functions of one script wait."""

    def __init__(self, tree: SyntaxTree) -> None:
        self._tree = tree

    def last_before(self, call: Node) -> ByteSpan | None:
        """The byte range of what the function of a call has awaited before the call, on every path.

        It is what the last `await` in source order waits for, those in the call's own arguments too;
        None if there is none, or if that one does not run on every way. After another wait, such as
        that of `for await` or `yield`, nothing is said.
        """
        waits = self._by_function.get(function_of(call).id, ())
        if len(waits) > MAX_AWAITS_IN_FUNCTION:
            return None
        before = [each for each in waits if _end(each) <= call.start or _is_in(each, call)]
        last = max(before, key=_end, default=None)
        if not isinstance(last, AwaitExpression) or not _runs(last, call):
            return None
        argument = last.argument
        while argument.type == "parenthesized_expression" and (inner := argument.first()) is not None:
            argument = inner
        return argument.span

    @cached_property
    def _by_function(self) -> dict[int, list[Node]]:
        found: dict[int, list[Node]] = {}
        words = spans_of(_WORDS, self._tree.text)
        for start, _ in words if len(words) <= MAX_AWAITS else ():
            leaf = self._tree.leaf_at(start)
            up = leaf.parent
            if up is not None and leaf.start == start and up.type in _WAITS:
                found.setdefault(function_of(up).id, []).append(up)
        return found


_WAITS = frozenset({"await_expression", "for_in_statement", "yield_expression"})


def _end(wait: Node) -> int:
    """Where a wait is over for the first time; that of a loop at its body."""
    return wait.body.start if isinstance(wait, ForInStatement) else wait.end


def _is_in(wait: Node, call: Node) -> bool:
    return call.contains(wait) and not call.same(wait)


def _runs(wait: Node, call: Node) -> bool:
    """Whether a wait runs on every path to a call."""
    optional = any(
        up.has("optional_chain") or up.has("?.")
        for up in wait.ancestors()
        if isinstance(up, CallExpression) and not up.contains(call)
    )
    return not optional and certainly_before(wait, call)
