"""Evaluates expressions, stopping at the first unknown option.

Some queries require every possible value: the implications of a condition, the property that a key names, the
callee of a call. So when several values are joined, in a variable, a parameter or a function's result,
the first `UNKNOWN` ends the search. In large programs most values depend on all others, and
most searches end after a few steps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from extlint.analysis.facts.values import UNKNOWN, Union, Value
from extlint.analysis.syntax.node import Node
from extlint.analysis.values.evaluator import Evaluator, choice_of, join

_DERIVED_TYPES = frozenset(
    """
    array as_expression assignment_expression augmented_assignment_expression await_expression
    binary_expression call_expression identifier instantiation_expression member_expression
    non_null_expression object parenthesized_expression satisfies_expression sequence_expression
    shorthand_property_identifier subscript_expression ternary_expression type_assertion
    """.split()
)
"""The types of nodes whose value derives from other values, so that `UNKNOWN` propagates through them."""


class CertainEvaluator(Evaluator):
    """A view of an evaluator that returns the same values, but `UNKNOWN` if that is one of the options.

    It caches its values next to those of the evaluator, under the negative ids of nodes.
    """

    def __init__(self, whole: Evaluator) -> None:
        self._full = whole
        self.tree = whole.tree
        self.names = whole.names
        self.imported = whole.imported
        self.shared = whole.shared
        self._expressions = whole._expressions
        self._narrowed = whole._narrowed
        self._member_of = whole._member_of
        self._definitions = whole._definitions
        self._answers = whole._answers
        self._names_wanted = whole._names_wanted

    @property
    def full(self) -> Evaluator:
        """The underlying evaluator."""
        return self._full

    @property
    def certain(self) -> Evaluator:
        """The view itself."""
        return self

    def absorbs(self, value: Value) -> bool:
        """Whether a value is `UNKNOWN`."""
        return value == UNKNOWN

    def join(self, values: Iterable[Value]) -> Value:
        """Joins several values; those after the first `UNKNOWN` are not evaluated."""
        return self._unite(values, join)

    def choice_of(self, values: Iterable[Value]) -> Value:
        """Does the same for values between which an expression chooses."""
        return self._unite(values, choice_of)

    def _unite(self, values: Iterable[Value], unite: Callable[..., Value]) -> Value:
        found = []
        for value in values:
            if value == UNKNOWN:
                return UNKNOWN
            found.append(value)
        return _absorb_unknown(unite(*found))

    def partial(self, item: Node, requested: str | None = None) -> Value:
        """Returns the value of an expression; see `Evaluator.partial` for `requested`."""
        if item.type not in _DERIVED_TYPES:
            return _absorb_unknown(self.full.partial(item, requested))
        number = item.id
        for key in (number, -number):
            known = self._answers.known(key)
            if known is not None:
                return _absorb_unknown(known)
        narrowed = None if requested is None else self._narrowed.get(item.type)
        if requested is None or narrowed is None or not self._may_narrow(number, requested):
            return self._answers.query(-number, lambda: _absorb_unknown(self._find(item)))
        return self._answers.query(
            (-number, requested), lambda: _absorb_unknown(self._find_narrowed(item, requested, narrowed))
        )

    def query(self, key: Hashable, find: Callable[[], Value]) -> Value:
        """Returns the cached value of something other than an expression."""
        return self._answers.query((CertainEvaluator, key), lambda: _absorb_unknown(find()))


def _absorb_unknown(value: Value) -> Value:
    return UNKNOWN if isinstance(value, Union) and UNKNOWN in value.options else value
