"""Follows an object into the parameters of functions, and out of their results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from extlint.analysis.call_graph.holders import Holder, holder_of, holder_of_getter
from extlint.analysis.call_graph.shared_members import CALLED, global_of_getter
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    Function,
    MethodDefinition,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    index_of,
    outermost,
    pattern_and_default,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of

MAX_USES = 200
"""The maximum number of uses of a parameter that returns the object when it is called."""

COMPARISONS = frozenset({"==", "!=", "===", "!==", "in", "instanceof"})


class FunctionFlow(ABC):
    """Follows one object through the functions that take or return it; a subclass follows it elsewhere.

    A place that names the object has the id `via` of the function whose parameter it comes from, or 0. Each
    method returns false if other code may get the object.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._entered: dict[int, list[tuple[Node, int]]] = {}
        """The calls that pass the object to each function, by its id, with the origins of the calls."""
        self._returning: set[int] = set()
        """The ids of the functions that return a parameter with the object."""

    @abstractmethod
    def _add(self, places: Iterable[Node], via: int) -> None:
        """Adds places that name the object."""

    @abstractmethod
    def _follow_target(self, target: Node, via: int) -> bool:
        """Follows the object into a variable, a pattern or a member of another object."""

    @abstractmethod
    def _follow_global(self, name: str, via: int) -> bool:
        """Follows the object into a property of the global object."""

    @abstractmethod
    def _follow_holder(self, owner: Node, name: str, via: int) -> bool:
        """Follows the object as a member of another one."""

    @abstractmethod
    def _reads_of(self, holder: Holder, *path: str) -> Sequence[Node] | None:
        """Returns the reads of a member that holds the object, or holds what has it at a path."""

    def _follow_parameter(self, function: Function, index: int, call: CallExpression, via: int) -> bool:
        """Follows the object into the parameter at an index."""
        text = self._evaluator.tree.text[function.start : function.end]
        if (
            b"arguments" in text
            or function.has_token("async")
            or "generator" in function.type
            or function.has_token("*")
        ):
            return False
        entered = self._entered.setdefault(function.id, [])
        entered.append((call, via))
        if function.id in self._returning:
            self._add((call,), via)
        parameters = function.parameters
        if any(each.type == "rest_pattern" for each in parameters[: index + 1]):
            return False
        if index >= len(parameters):
            return True
        return self._follow_target(pattern_and_default(parameters[index])[0], function.id)

    def _follow_return(self, function: Function, via: int) -> bool:
        """Follows the object out of a function that returns it."""
        if function.id == via:
            self._returning.add(via)
            for call, before in self._entered.get(via, ()):
                self._add((call,), before)
            return True
        if function.has_token("async") or "generator" in function.type or function.has_token("*"):
            return False
        described = global_of_getter(self._evaluator, function)
        if described is not None:
            return self._follow_global(described, via)
        if isinstance(function, MethodDefinition):
            return self._follow_method(function, via)
        holder = holder_of_getter(self._evaluator, function)
        if holder is not None:
            return self._follow_holder(holder.owner, holder.name, via)
        taker = call_with_argument(outermost(function))
        if taker is not None:
            return self._follow_callback(function, taker, via)
        calls, complete = calls_of(self._evaluator, function)
        self._add(calls, via)
        return complete and all(isinstance(each, CallExpression) for each in calls)

    def _follow_callback(self, function: Function, taker: CallOrNewExpression, via: int) -> bool:
        """Follows the object out of a function that is passed to one that only calls it."""
        callee = self._evaluator.definition_of(taker.callee)
        index = index_of(taker.arguments, outermost(function))
        parameters = callee.parameters if isinstance(callee, Function) else []
        name = parameters[index] if index is not None and index < len(parameters) else None
        binding = (
            self._evaluator.names.variable(name) if name is not None and name.type == "identifier" else None
        )
        if binding is None or len(binding.writes) != 1 or len(binding.uses) > MAX_USES:
            return False
        for use in binding.uses:
            call = call_of(use.item)
            if call is not None:
                self._add((call,), via)
            elif not self._is_tested(use.item):
                return False
        return True

    def _is_tested(self, item: Node) -> bool:
        """Whether an expression only tests for a value."""
        up = outermost(item).parent
        return isinstance(up, UnaryExpression) or (
            isinstance(up, BinaryExpression) and up.operator in COMPARISONS
        )

    def _follow_method(self, function: MethodDefinition, via: int) -> bool:
        """Follows the object out of a getter or method that returns it."""
        holder = holder_of(self._evaluator, function)
        if holder is None or function.has_token("get"):
            return holder is not None and self._follow_holder(holder.owner, holder.name, via)
        reads = self._reads_of(holder, CALLED)
        calls = [call for read in reads or () if (call := call_of(read)) is not None]
        self._add(calls, via)
        return reads is not None and len(calls) == len(reads)
