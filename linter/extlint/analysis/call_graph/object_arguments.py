"""Follows an object into calls: into the parameters of functions, and out of their results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from enum import Enum, auto

from msgspec import Struct

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.call_graph.entry_points import CALLED, global_of_getter
from extlint.analysis.call_graph.holders import Holder, holder_of, holder_of_getter
from extlint.analysis.call_graph.object_owners import has_getters
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    Function,
    MethodDefinition,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    index_of,
    innermost,
    outermost,
    pattern_and_default,
)
from extlint.analysis.values.api_results import accepts_data
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of
from extlint.text.patterns import lazy

ES_MODULE = "__esModule"

_DEFINE_FUNCTIONS = frozenset({"Object.defineProperties", "Object.defineProperty"})
_RETURNING_ARGUMENT = _DEFINE_FUNCTIONS | {"Object.freeze", "Object.preventExtensions", "Object.seal"}
_KEY_READERS = frozenset({"Object.getOwnPropertyNames", "Object.isFrozen", "Object.keys"})
_OWN_KEYS = lazy(r"\bhasOwnProperty\s*\.\s*call\Z")


class ArgumentUse(Enum):
    """How a call uses an object that it receives as an argument."""

    UNKNOWN = auto()
    NOT_READ = auto()
    """The call accesses no member by name."""
    DEFAULT_READ = auto()
    """The call reads its default export, if it is an ES module."""
    RETURNED = auto()
    """The call returns it."""
    PARAMETER = auto()
    """It becomes a parameter of a function of the script."""


class PassedObject(Struct, frozen=True):
    """The use of a passed object, and the members that the call adds: getters, and members that it writes."""

    use: ArgumentUse
    function: Function | None = None
    getters: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()


def passed_object(
    evaluator: Evaluator, owners: Sequence[Node], call: CallExpression, index: int
) -> PassedObject:
    """Returns how a call uses its argument at an index, which is an object with the members of `owners`."""
    bundle = bundle_of(evaluator)
    callee = _called_expression(call)
    function = evaluator.definition_of(callee)
    added = bundle.added_properties(call) if index == 0 else None
    getters, written = frozenset[str](), frozenset[str]()
    if added is not None:
        getters = frozenset(added.getters)
        written = frozenset({*added.written, *([ES_MODULE] if added.is_es_module else [])})

    def passed(use: ArgumentUse, function: Function | None = None) -> PassedObject:
        return PassedObject(use, function, getters, written)

    if (added is not None and added.copied) or any(
        each.type == "spread_element" for each in call.arguments[:index]
    ):
        return passed(ArgumentUse.UNKNOWN)
    if index == 0 and bundle.reads_default(call):
        return passed(ArgumentUse.DEFAULT_READ)
    if isinstance(function, Function):
        return passed(ArgumentUse.PARAMETER, function)
    api = evaluator.api(callee)
    if api is not None and accepts_data(api.path):
        return passed(ArgumentUse.UNKNOWN if any(map(has_getters, owners)) else ArgumentUse.NOT_READ)
    if index > 0:
        return passed(ArgumentUse.UNKNOWN)
    source = evaluator.tree.source(_constant_member(evaluator, callee))
    if added is not None or source in _RETURNING_ARGUMENT:
        return passed(ArgumentUse.RETURNED)
    is_naming = source in _KEY_READERS or _OWN_KEYS.search(source) is not None
    return passed(ArgumentUse.NOT_READ if is_naming else ArgumentUse.UNKNOWN)


def _called_expression(call: CallExpression) -> Node:
    """Returns the called expression, such as `f` for `(0, f)()`, which calls it without `this`."""
    callee = innermost(call.callee)
    return innermost(callee.named()[-1]) if callee.type == "sequence_expression" else callee


def _constant_member(evaluator: Evaluator, callee: Node) -> Node:
    """Returns the member that initializes a constant, or the callee itself.

    An example is `const define = Object.defineProperty`.
    """
    binding = evaluator.names.variable(callee) if callee.type == "identifier" else None
    source = None if binding is None or len(binding.writes) != 1 else binding.writes[0].source
    if not isinstance(source, VariableDeclarator) or source.name.type != "identifier":
        return callee
    return source.value if isinstance(source.value, AccessExpression) else callee


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
