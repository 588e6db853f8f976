"""Finds the values that a function has certainly awaited when it reaches a call."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import islice, takewhile

from extlint.analysis.scope.model import function_of
from extlint.analysis.scope.reaching_definitions import CONDITIONAL, certainly_runs_before
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import (
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    ForInStatement,
    TryStatement,
)
from extlint.analysis.syntax.shapes import is_optional
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_WORDS = {word: lazy(word + rb"(?<!\.%b)" % word) for word in (b"await", b"yield")}


class Awaits:
    """The places where the functions of one script wait."""

    def __init__(self, tree: SyntaxTree) -> None:
        self._tree = tree

    def last_before(self, call: Node) -> ByteSpan | None:
        """Returns the byte range of the value that a call's function awaits before it on every path.

        It is the operand of the last `await` in source order, including those in the call's own arguments, or
        None if the function never awaits, or if that `await` does not run on every path. After another kind
        of wait, such as that of `for await` or `yield`, it also returns None.
        """
        last = self._last_before(call)
        if not isinstance(last, AwaitExpression) or not _runs(last, call):
            return None
        argument = last.argument
        while argument.type == "parenthesized_expression" and (inner := argument.first()) is not None:
            argument = inner
        return argument.span

    def waits_before(self, place: Node) -> list[Node]:
        """Returns the waits completed on every path in the function to a place, even those inside a call."""
        function = function_of(place)
        certain, conditional = self._by_condition.get(function.id, ([], {}))
        first_after = bisect_right(certain, place.start, key=_end)
        inside = takewhile(lambda each: _end(each) <= place.end, islice(certain, first_after, None))
        found = [*certain[:first_after], *(each for each in inside if _is_in(each, place))]
        for up in (place, *place.ancestors()) if conditional else ():
            found += (
                each
                for each in conditional.get(up.id, ())
                if (_end(each) <= place.start or _is_in(each, place)) and _runs(each, place)
            )
            if up.same(function):
                break
        return found

    def is_in_waiting_function(self, place: Node) -> bool:
        """Whether the function of a place, or one around it, waits anywhere."""
        return any(each.id in self._by_function for each in (place, *place.ancestors()))

    def waits_in(self, function: Node) -> list[Node]:
        """Returns the waits in a function, or at the script's top level, in the order of their completion."""
        return self._by_function.get(function.id, [])

    def _last_before(self, call: Node) -> Node | None:
        """Returns the wait that completes last of those before a call and in it, or None."""
        waits = self.waits_in(function_of(call))
        first_after = bisect_right(waits, call.start, key=_end)
        last = waits[first_after - 1] if first_after else None
        for wait in islice(waits, first_after, bisect_right(waits, call.end, key=_end)):
            if _is_in(wait, call):
                last = wait
        return last

    @cached_property
    def _by_function(self) -> dict[int, list[Node]]:
        """The waits in each function, in the order in which they complete."""
        found: dict[int, list[Node]] = {}
        with self._tree.budget.shared_work():
            for start, _ in self._tree.places.spans_of(_WORDS):
                leaf = self._tree.leaf_at(start)
                up = leaf.parent
                if up is not None and leaf.start == start and up.type in _WAITS:
                    found.setdefault(function_of(up).id, []).append(up)
        for waits in found.values():
            waits.sort(key=_end)
        return found

    @cached_property
    def _by_condition(self) -> dict[int, tuple[list[Node], dict[int, list[Node]]]]:
        """The waits in each function that certainly run, and the others by the node that may omit them."""
        found: dict[int, tuple[list[Node], dict[int, list[Node]]]] = {}
        for function, waits in self._by_function.items():
            certain, conditional = found.setdefault(function, ([], {}))
            for wait in waits:
                around = [*_up_to(function, wait)]
                if any(_may_omit(up, wait) for up in around):
                    up = next((up for up in around if up.type in CONDITIONAL), None)
                    conditional.setdefault(function if up is None else up.id, []).append(wait)
                else:
                    certain.append(wait)
        return found


_WAITS = frozenset({"await_expression", "for_in_statement", "yield_expression"})


def _end(wait: Node) -> int:
    """Returns the offset where a wait completes for the first time; a loop does so at its body."""
    return wait.body.start if isinstance(wait, ForInStatement) else wait.end


def _is_in(wait: Node, call: Node) -> bool:
    return call.contains(wait) and not call.same(wait)


def _up_to(function: int, wait: Node) -> Iterator[Node]:
    """Yields the nodes around a wait in a function, given its id."""
    return takewhile(lambda up: up.id != function, wait.ancestors())


def try_begun_by(wait: Node) -> TryStatement | None:
    """Returns the innermost `try` around a wait in its function, if the first statement in it has the wait.

    An earlier error cannot leave out such a wait.
    """
    for up in wait.ancestors():
        if isinstance(up, TryStatement):
            return up if _begins_with(up, wait) else None
        if up.type in FUNCTIONS:
            break
    return None


def _begins_with(tried: TryStatement, wait: Node) -> bool:
    first = tried.body.first()
    return first is not None and first.contains(wait)


def _may_omit(up: Node, wait: Node) -> bool:
    """Whether a node may run without a wait in it."""
    if isinstance(up, TryStatement):
        return not _begins_with(up, wait)
    return (
        up.type in CONDITIONAL
        or (isinstance(up, BinaryExpression) and up.is_logical)
        or (isinstance(up, CallExpression) and is_optional(up))
    )


def _runs(wait: Node, call: Node) -> bool:
    """Whether a wait runs on every path to a call."""
    if not certainly_runs_before(wait, call):
        return False
    between = takewhile(lambda up: not up.contains(call), wait.ancestors())
    return not any(isinstance(up, CallExpression) and is_optional(up) for up in between)
