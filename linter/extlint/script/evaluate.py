"""What an expression's value is: the one notion of value that everything else here shares.

The question is asked backward and on demand: an expression, the names in it, their declarations and
writes. Where something is not understood the answer is `UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import TypeAlias

from extlint.script.names import Names
from extlint.script.tree import Item, SyntaxTree
from extlint.values import (
    NOTHING,
    UNKNOWN,
    Api,
    ByteSpan,
    Kind,
    Literal,
    Unknown,
    Value,
    options_of,
    union_of,
)

DEEPEST = 60
"""How many expressions may wait for each other's values."""

_STEPS = 10
"""Steps that the evaluation of one expression counts for."""

_STEPS_AGAIN = 50
"""Further steps for one whose value cannot be kept."""

How: TypeAlias = "Callable[[Evaluator, Item], Value]"
MemberOf: TypeAlias = "Callable[[Evaluator, Value, str, Item], Value]"


class Evaluator:
    """Answers what expressions of one script are. Answers are kept, so asking again is cheap.

    `expressions` says how to find the value of each kind of node, and `member_of` what a property
    of a value is.
    """

    def __init__(
        self, tree: SyntaxTree, names: Names, expressions: Mapping[str, How], member_of: MemberOf
    ) -> None:
        self.tree = tree
        self.names = names
        self._expressions = expressions
        self._member_of = member_of
        self.definitions: dict[ByteSpan, Item] = {}
        """Functions, classes and objects by the byte range that their values carry."""
        self.property_writes: dict[str, list[Item]] = {}
        """Where properties are written, by name, once somebody asked."""
        self.class_members: dict[int, dict[str, list[Item]]] = {}
        """What the bodies of classes declare, by the class and the name, once somebody asked."""
        self._known: dict[int, Value] = {}
        self._active: dict[int, int] = {}
        self._cut: float = inf

    def value(self, item: Item) -> Value:
        """The value of an expression."""
        found = self.partial(item)
        return UNKNOWN if found == NOTHING else found

    def api(self, item: Item) -> Api | None:
        """The member of the API that an expression is, if it can be nothing else that works."""
        return api_of(self.value(item))

    def partial(self, item: Item) -> Value:
        """The value of an expression, as far as it does not depend on itself.

        An answer that left something out because it was still being worked out is not kept, unless
        it is the answer to the very question that was left out.
        """
        key = item.id
        if key in self._known:
            return self._known[key]
        if key in self._active:
            self._cut = min(self._cut, self._active[key])
            return NOTHING
        depth = len(self._active)
        if depth >= DEEPEST:
            return UNKNOWN
        self.tree.spend(_STEPS)
        outer, self._cut = self._cut, inf
        self._active[key] = depth
        try:
            how = self._expressions.get(item.type)
            found = UNKNOWN if how is None else how(self, item)
        finally:
            del self._active[key]
        if self._cut >= depth:
            self._known[key] = found
            self._cut = outer
        else:
            self.tree.spend(_STEPS_AGAIN)
            self._cut = min(self._cut, outer)
        return found

    def member(self, value: Value, name: str, at: Item) -> Value:
        """What the property `name` of a value is; `at` is the expression or pattern that asks."""
        return union_of(self._member_of(self, option, name, at) for option in options_of(value))

    def define(self, item: Item) -> ByteSpan:
        """Remembers the node behind a value, to be found again by its byte range."""
        self.definitions[item.span] = item
        return item.span


def api_of(value: Value) -> Api | None:
    """The member of the API that a value is: null and undefined aside, every option must be that one."""
    found: Api | None = None
    for option in options_of(value):
        if isinstance(option, Literal) and option.kind in {Kind.NULL, Kind.UNDEFINED}:
            continue
        if not isinstance(option, Api) or (found is not None and found.path != option.path):
            return None
        found = found or option
    return found


def carries_api(value: Value) -> bool:
    """Whether some option of a value is a member of the API."""
    return any(isinstance(option, Api) for option in options_of(value))


def join(*values: Value) -> Value:
    """One of several values."""
    return union_of(values)


def without(value: Value, unwanted: Callable[[Value], bool]) -> Value:
    """The value less the options for which a test holds."""
    return union_of(option for option in options_of(value) if not unwanted(option))


def is_unknown(value: Value) -> bool:
    """Whether some option is not known."""
    return any(isinstance(option, Unknown) for option in options_of(value))
