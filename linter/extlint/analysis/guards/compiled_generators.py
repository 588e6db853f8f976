"""Reads generators that compilers emit as state machines, in whose cases the code after each `yield` is.

for (;;) switch (x.prev = x.next) { case 0: x.next = 2; return f(); case 2: … }    Babel (regenerator)
while (1) switch (x.p = x.n) { case 0: x.n = 1; return f(); case 1: … }            Babel since 7.27
switch (x.label) { case 0: return [4, f()]; case 1: … return [3, 0]; }             TypeScript, SWC

The guards of a case are those of the jumps to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from extlint.analysis.facts.script_facts import NO_GUARDS, Guards
from extlint.analysis.guards.forms.facts import common_guards, reached, without_equalities
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    CallExpression,
    MemberExpression,
    SwitchCase,
    SwitchStatement,
)
from extlint.analysis.syntax.shapes import call_with_argument, enclosing_function, exits_block
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy

STATE_MACHINE = lazy(rb"\bswitch\s*\(\s*[\w$]+\.(?:label\s*\)|(?:p(?:rev)?\s*=\s*[\w$]+\.)?n(?:ext)?\s*\))")
"""The start of a state machine."""

MAY_TEST = lazy(rb"(?i)brows|chrom|firefox|safari|agent|manifest|platform|polyfill|support")
"""Words of a test for the API or for the browser. Minified conditions are many, and seldom about these."""

_NEXT = {"label": "label", "n": "n", "next": "next", "p": "n", "prev": "next"}
_STARTS_OF_TRIES = {"n": "p", "next": "prev"}
_JUMPING_METHODS = frozenset({"a", "abrupt", "d", "delegateYield"})
_BREAK, _YIELDS = "3", frozenset({"4", "5"})
"""The first items of arrays that TypeScript returns: `[3, 2]` goes to case 2, `[4, x]` to the next case."""


class Jump(Struct, frozen=True):
    """A way into a case of a state machine: from a place in another case, or else from its end."""

    source: SwitchCase
    place: Node | None
    target: SwitchCase


def jumps_of(tree: SyntaxTree, switch: SwitchStatement) -> Iterator[Jump]:
    """Yields the ways into the cases of a state machine, if a `switch` has the form of one."""
    state = _state_of(tree, switch.value)
    if state is None:
        return
    cases = [each for each in switch.body.named() if isinstance(each, SwitchCase)]
    by_label = {tree.source(each.value): each for each in cases}
    tries = [*_tries(tree, switch)]
    for case, following in zip(cases, [*cases[1:], None], strict=True):
        places = [*_places_in(case)]
        tree.spend(len(places))
        for place in places:
            for label in _labels_at(tree, place, tries, *state):
                target = following if label is None else by_label.get(label)
                if target is not None:
                    yield Jump(case, place, target)
        statements = [each for each in case.named() if not each.same(case.value)]
        if following is not None and not any(map(exits_block, statements)):
            yield Jump(case, None, following)


def _state_of(tree: SyntaxTree, value: Node) -> tuple[str, str] | None:
    """Returns the object with the state, and the name of the member that is assigned the next one."""
    value = value.first() or value if value.type == "parenthesized_expression" else value
    read = value.left if isinstance(value, AssignmentExpression) else value
    if not isinstance(read, MemberExpression):
        return None
    of, following = tree.source(read.object), _NEXT.get(tree.source(read.property))
    is_one = not isinstance(value, AssignmentExpression) or tree.source(value.right) == f"{of}.{following}"
    return (of, following) if following is not None and is_one else None


def _places_in(case: SwitchCase) -> Iterator[Node]:
    """Yields the expressions in a case that may name another one."""
    waiting = [each for each in case.named() if not each.same(case.value)]
    while waiting:
        each = waiting.pop()
        if each.type in FUNCTIONS:
            continue
        if isinstance(each, AssignmentExpression | CallExpression) or each.type == "array":
            yield each
        waiting += each.named()


def _labels_at(
    tree: SyntaxTree, place: Node, tries: Sequence[Sequence[str]], state: str, member: str
) -> Iterator[str | None]:
    """Yields the labels to which an expression jumps, or may jump later; None is for the following case."""
    match place:
        case AssignmentExpression(left=MemberExpression() as left, right=right):
            of, name = tree.source(left.object), tree.source(left.property)
            if of == state and name == member:
                yield from _numbers(tree, right)
            elif of == state and name == _STARTS_OF_TRIES.get(member):
                start = tree.source(right)
                yield from (label for each in tries if each[:1] == [start] for label in each[1:])
        case CallExpression(callee=MemberExpression() as callee):
            of, name = tree.source(callee.object), tree.source(callee.property)
            if of == state and name in _JUMPING_METHODS and len(place.arguments) > 1:
                yield from _numbers(tree, place.arguments[-1])
            elif of == f"{state}.trys" and name == "push" and place.arguments:
                yield from [*_numbers(tree, place.arguments[0])][1:]
        case Node(type="array") if member == "label":
            parts = [tree.source(each) for each in place.named() if each.type != "comment"]
            if parts[:1] == [_BREAK]:
                yield from parts[1:2]
            elif parts and parts[0] in _YIELDS:
                yield None


def _numbers(tree: SyntaxTree, item: Node) -> Iterator[str]:
    """Yields the numbers that an expression is, or chooses from, or lists."""
    if item.type == "number":
        yield tree.source(item)
    elif item.type in {"array", "parenthesized_expression", "ternary_expression"}:
        for each in item.named():
            yield from _numbers(tree, each)


def _tries(tree: SyntaxTree, switch: SwitchStatement) -> Iterator[list[str]]:
    """Yields the labels of each `try` of Babel: those of its start, and of the code after it."""
    function = enclosing_function(switch)
    call = None if function is None else call_with_argument(function)
    tables = [each for each in ([] if call is None else call.arguments) if each.type == "array"]
    for each in (inner for table in tables for inner in table.named()):
        yield [*_numbers(tree, each)]


def guards_in_cases(jumps: Sequence[Jump], within: Callable[[Jump], Guards]) -> Mapping[int, Guards]:
    """Returns what holds at the start of the cases of a state machine, by their ids.

    `within` returns what holds at a jump because of the code of its own case. In the first case, and in those
    to which no jump is known, nothing is known to hold.
    """
    if not jumps:
        return {}
    first = min((each.source for each in jumps), key=lambda each: each.start)
    entries: dict[int, list[tuple[int, Guards]]] = {}
    for each in jumps:
        if not each.target.same(first):
            entries.setdefault(each.target.id, []).append((each.source.id, within(each)))
    known = {each.source.id: NO_GUARDS for each in jumps if each.source.id not in entries}
    is_changed = bool(known)
    while is_changed:
        is_changed = False
        for target, ways in entries.items():
            entered = [_both(known[source], own) for source, own in ways if source in known]
            found = common_guards(reached(entered)) if entered else None
            if found is not None and known.get(target) != found:
                known[target] = found
                is_changed = True
    return known


def _both(before: Guards, own: Guards) -> Guards:
    return Guards(without_equalities(before.tested | own.tested), missing=before.missing | own.missing)
