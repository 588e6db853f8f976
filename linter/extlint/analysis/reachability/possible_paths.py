"""Determines whether a place may be known to run, as far as that depends only on the syntax of its script.

The effects of other scripts, the contexts in which they run, and the values known because of them are
considered later, when the syntax tree of a large script may have been freed.
"""

from __future__ import annotations

from typing import ClassVar

from extlint.analysis.reachability.executed_paths import ExecutedPaths
from extlint.analysis.reachability.least_solution import LeastSolution
from extlint.analysis.reachability.paths import NO_PATH, UNGUARDED, Paths, union
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    CallOrNewExpression,
    Class,
    Function,
    MemberExpression,
    SubscriptExpression,
)
from extlint.analysis.syntax.shapes import call_of, call_with_argument, innermost, outermost
from extlint.analysis.values.evaluator import Evaluator

_LITERALS = frozenset({"number", "string"})


class PossiblePaths(ExecutedPaths):
    """Finds a path wherever `ExecutedPaths` may find one without any condition, whatever is known by then.

    It assumes that each value is the one that matters, that another script runs everything that it can name,
    and that there is a path wherever finding one is too much work.
    """

    fallback_paths: ClassVar[Paths] = UNGUARDED

    def __init__(self, evaluator: Evaluator) -> None:
        solution = LeastSolution(NO_PATH, UNGUARDED, union)
        super().__init__(
            evaluator, lambda _name, _member: UNGUARDED, solution, None, unconditional=True, has_guards=False
        )

    def may_reach(self, item: Node) -> bool:
        """Whether there may be a path to an expression."""
        return bool(self.to(item))

    def _where_used(self, item: Node) -> Paths:
        call = None if call_of(item) is not None else call_with_argument(outermost(item))
        return UNGUARDED if call is not None and self._is_computed(call.callee) else super()._where_used(item)

    def _runs_argument(self, call: CallOrNewExpression, argument: Node) -> bool:
        is_event = isinstance(call, CallExpression) and self._may_be_api(call.callee)
        return is_event or super()._runs_argument(call, argument)

    def _paths_of_argument(self, call: CallOrNewExpression, argument: Node) -> Paths:
        callee = innermost(call.callee)
        is_decided = isinstance(callee, Function) or not self._is_cheap_to_evaluate(callee)
        if not is_decided and not isinstance(self._declared_value(callee), Class | Function):
            return UNGUARDED
        return super()._paths_of_argument(call, argument)

    def _paths_of_module(self, function: Node) -> Paths:
        return UNGUARDED if self.bundle.module_of(function) is not None else NO_PATH

    def _paths_of_member(self, function: Node, member: Node) -> Paths:
        name = member.field("name") or member.field("key")
        if (
            name is not None
            and name.type == "computed_property_name"
            and not self._is_literal_key(name.first())
        ):
            return UNGUARDED
        return super()._paths_of_member(function, member)

    def _certainly_is(self, callee: Node, function: Node) -> bool:  # noqa: ARG002
        return True

    def _is_member_of(self, use: AccessExpression, owner: Node) -> bool:  # noqa: ARG002
        return self._is_cheap_to_evaluate(innermost(use.object))

    def _is_computed(self, callee: Node) -> bool:
        """Whether the name of a method depends on values."""
        return isinstance(callee, SubscriptExpression) and not self._is_literal_key(callee.index)

    def _is_literal_key(self, key: Node | None) -> bool:
        """Whether an expression in brackets is a literal, or a member of `Symbol`, which is not a name."""
        if isinstance(key, MemberExpression):
            return self._evaluator.tree.source(key.object) == "Symbol"
        return key is not None and key.type in _LITERALS
