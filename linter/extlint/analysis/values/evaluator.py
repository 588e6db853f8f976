"""Evaluates any expression of a script.

The evaluator works backward and on demand: from an expression to the names in it, to their declarations and
writes. Anything that is not understood is `UNKNOWN`. `evaluator.value(node)` is the value that an expression
certainly has, and `evaluator.possible.value(node)` the union of all values that it may have.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from extlint.analysis.facts.omissions import Omission, Reason
from extlint.analysis.facts.other_scripts import NOTHING_SHARED, ImportResolver, RealmGlobals
from extlint.analysis.facts.values import (
    NOTHING,
    UNKNOWN,
    Api,
    InstanceValue,
    Union,
    Value,
    is_empty_object,
    options_of,
    union_of,
)
from extlint.analysis.scope.bindings import NameResolver
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.tree import BudgetExceeded, SyntaxTree
from extlint.analysis.values.constants import text_of
from extlint.analysis.values.fixpoint import Fixpoint
from extlint.analysis.values.interop import BundlerValue
from extlint.analysis.values.memo import Memo
from extlint.analysis.values.options import api_of, choice_of, join
from extlint.package.failures import raise_if_cancelled
from extlint.text.positions import ByteSpan

_Answer = TypeVar("_Answer")

MAX_PLACES = 20
"""The most positions recorded for one script whose queries were given up."""

MAX_NAMES_WANTED = 3
"""The most properties for which one object is evaluated separately; after that it is evaluated entirely."""

_CONSTANTS = frozenset({"false", "null", "number", "string", "true"})
"""The types of nodes whose values do not depend on others."""

_NO_API = (
    _CONSTANTS | FUNCTIONS | {"array", "class", "object", "regex", "template_string", "unary_expression"}
)
"""The types of nodes whose value is never a member of the API."""

_DERIVED_TYPES = frozenset(
    """
    array as_expression assignment_expression augmented_assignment_expression await_expression
    binary_expression call_expression identifier instantiation_expression member_expression
    non_null_expression object parenthesized_expression satisfies_expression sequence_expression
    shorthand_property_identifier subscript_expression ternary_expression type_assertion
    """.split()
)
"""The types of nodes whose value derives from other values, so that `UNKNOWN` propagates through them."""

_STEPS = 10
"""The steps counted for the evaluation of one expression."""

GLOBAL = InstanceValue("globalThis")
"""The global object; in a page or worker it holds the roots."""

ExpressionRule: TypeAlias = "Callable[[View, Any], Value]"
"""Evaluates one kind of node, passed as an instance of the class for that kind."""
NarrowedRule: TypeAlias = "Callable[[View, Any, str], Value]"
"""Does the same for a caller that uses only one property of the value."""
MemberOf: TypeAlias = "Callable[[View, Value, str, Node], Value]"


class ExpressionRules(Struct, frozen=True):
    """The rules that evaluate expressions."""

    expressions: Mapping[str, ExpressionRule]
    """The rule for each kind of node."""
    narrowed: Mapping[str, NarrowedRule]
    """The rules that can omit unwanted properties."""
    member_of: MemberOf
    """Evaluates a property of a value."""


class View:
    """Evaluates the expressions of a script to all values that they may have.

    An `Evaluator` is a view too, which returns only certain values. So a function with the parameter `view`
    evaluates to whichever of the two its caller requires.
    """

    evaluator: Evaluator
    tree: SyntaxTree
    _answers: Fixpoint

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.tree = evaluator.tree
        self._answers = evaluator._answers

    def value(self, item: Node, requested: str | None = None) -> Value:
        """Returns the value of an expression; see `partial` for `requested`."""
        found = self.partial(item, requested)
        is_nothing = isinstance(found, Union) and found == NOTHING
        return UNKNOWN if is_nothing or isinstance(found, BundlerValue) else found

    def partial(self, item: Node, requested: str | None = None) -> Value:
        """Returns the value of an expression without its own contribution, or `NOTHING` if no other remains.

        If `requested` is the only property that the caller uses of an object, the others may be omitted.
        """
        number = item.id
        known = self._answers.known(number)
        if known is not None:
            return known
        if item.type in _CONSTANTS:
            constants = self.evaluator._constants
            return constants.get(number) or constants.setdefault(number, self._find(item))
        narrowed = None if requested is None else self.evaluator._rules.narrowed.get(item.type)
        if requested is None or narrowed is None or not self._may_narrow(number, requested):
            return self._answers.query(number, lambda: self._find(item))
        return self._answers.query(
            (number, requested), lambda: self._find_narrowed(item, requested, narrowed)
        )

    def is_known(self, item: Node, requested: str | None = None) -> bool:
        """Whether the value of an expression, or its `requested` property, is cached."""
        number, known = item.id, self._answers.known
        if known(number) is not None or known(-number) is not None:
            return True
        return requested is not None and any(known((each, requested)) for each in (number, -number))

    def leave_unknown(self, item: Node) -> None:
        """Makes an expression unknown without an evaluation, because that takes too much work."""
        self._answers.settle(item.id, UNKNOWN)
        self.evaluator.record_omission(item.span)

    def member(self, value: Value, name: str, at: Node) -> Value:
        """Returns the value of a value's property `name`; `at` is the expression or pattern that reads it."""
        options = options_of(value)
        if any(isinstance(each, Api) and each.has_stand_in for each in options):
            options = tuple(each for each in options if not is_empty_object(each))
        return union_of(map(partial(self._member_of_option, name, at), options))

    def absorbs(self, value: Value) -> bool:  # noqa: ARG002
        """Whether every union that includes a value equals that value."""
        return False

    def join(self, values: Iterable[Value]) -> Value:
        """Joins several values, evaluating only as many as required."""
        return join(*values)

    def choice_of(self, values: Iterable[Value]) -> Value:
        """Does the same for values between which an expression chooses; see the function `choice_of`."""
        return choice_of(*values)

    def _may_narrow(self, number: int, requested: str) -> bool:
        """Whether a node, by its id, is evaluated separately for a property, rather than entirely."""
        names = self.evaluator._names_wanted.setdefault(number, set())
        if requested not in names and len(names) >= MAX_NAMES_WANTED:
            return False
        names.add(requested)
        return True

    def _find(self, item: Node) -> Value:
        self.tree.spend(_STEPS)
        how = self.evaluator._rules.expressions.get(item.type)
        return UNKNOWN if how is None else how(self, item)

    def _find_narrowed(self, item: Node, requested: str, how: NarrowedRule) -> Value:
        self.tree.spend(_STEPS)
        return how(self, item, requested)

    def _member_of_option(self, name: str, at: Node, option: Value) -> Value:
        return self.evaluator._rules.member_of(self, option, name, at)


class Evaluator(Memo, View):
    """Evaluates the expressions of one script, to `UNKNOWN` unless the value is certain.

    A certain value has no `UNKNOWN` option. In large programs most values depend on all others, so that most
    searches for certain values end after a few steps: where several values are joined, in a variable, a
    parameter or a function's result, at the first `UNKNOWN`. `possible` returns all possible values.

    Values are cached: the certain ones under the negative ids of nodes, next to the possible ones. `imported`
    returns the exports of other modules, and `shared` has the values that other scripts of the same realm
    assign to globals.
    """

    when_given_up: Callable[[], None] | None = None
    """Called when a query takes too much work."""

    def __init__(
        self,
        tree: SyntaxTree,
        names: NameResolver,
        rules: ExpressionRules,
        imported: ImportResolver,
        shared: RealmGlobals = NOTHING_SHARED,
    ) -> None:
        Memo.__init__(self)
        self.tree = tree
        self.names = names
        self.imported = imported
        self.shared = shared
        self._rules = rules
        self._answers = Fixpoint(tree.spend)
        self._constants: dict[int, Value] = {}
        self._names_wanted: dict[int, set[str]] = {}
        self._definitions: dict[ByteSpan, Node] = {}
        self.evaluator = self
        self.possible = View(self)
        """The view that returns all possible values."""
        self.omission: Omission | None = None
        """The analysis omitted up to now because it takes too much work."""

    def fork(self, imported: ImportResolver, shared: RealmGlobals) -> Evaluator:
        """Returns another evaluator of the same tree and names, without any cached values."""
        return Evaluator(self.tree, self.names, self._rules, imported, shared)

    def close(self) -> None:
        """Frees the tree and all data about the script, which can no longer be queried.

        These objects form reference cycles, and take much memory until the garbage collector finds them.
        """
        self.clear_caches()
        self._answers = Fixpoint()
        self._definitions.clear()
        self._constants.clear()
        self._names_wanted.clear()
        del self.evaluator, self.possible
        self.names.close()
        self.tree.close()

    def attempt(self, at: ByteSpan | None, query: Callable[[], _Answer]) -> _Answer | None:
        """Runs a query with its own budget and returns its result, or None if it takes too much work.

        `at` is the position that the query is about. No expression may be under evaluation.
        """
        raise_if_cancelled()
        try:
            with self.tree.budget.query():
                return query()
        except BudgetExceeded:
            self.give_up(at)
            return None

    def attempt_optional_part(self, at: ByteSpan, query: Callable[[], _Answer]) -> _Answer | None:
        """Does the same for an optional part of the current query.

        While an expression is under evaluation, the part counts as the rest of the query.
        """
        if self._answers.is_evaluating:
            return query()
        try:
            with self.tree.budget.optional_part():
                return query()
        except BudgetExceeded:
            self.give_up(at)
            return None

    def give_up(self, at: ByteSpan | None = None) -> None:
        """Ends the current evaluation, and records that a query takes too much work."""
        self._answers.abandon()
        self.record_omission(at)
        if self.when_given_up is not None:
            self.when_given_up()

    def record_omission(self, at: ByteSpan | None) -> None:
        """Records that a limit was reached at a position, so that some information is unknown."""
        places = () if self.omission is None else self.omission.places
        if at is not None and len(places) < MAX_PLACES:
            places = (*places, at)
        self.omission = Omission(Reason.WORK, places)

    def api(self, item: Node) -> Api | None:
        """Returns the API member that an expression evaluates to.

        Returns None if it may be another non-nullish value.
        """
        return None if item.type in _NO_API else api_of(self.value(item))

    def text(self, item: Node) -> str | None:
        """Returns the text that an expression is as a key or in a template, or None if uncertain."""
        return text_of(self.partial(item))

    def definition_of(self, item: Node) -> Node | None:
        """Returns the node that defines the function, class or object that an expression is, or None."""
        return self.definition(self.partial(item))

    def partial(self, item: Node, requested: str | None = None) -> Value:
        """Returns the certain value of an expression; see `View.partial` for `requested`."""
        if item.type not in _DERIVED_TYPES:
            return _absorb_unknown(self.possible.partial(item, requested))
        number = item.id
        known = self._answers.known(number) or self._answers.known(-number)
        if known is not None:
            return _absorb_unknown(known)
        narrowed = None if requested is None else self._rules.narrowed.get(item.type)
        if requested is None or narrowed is None or not self._may_narrow(number, requested):
            return self._answers.query(-number, lambda: _absorb_unknown(self._find(item)))
        return self._answers.query(
            (-number, requested), lambda: _absorb_unknown(self._find_narrowed(item, requested, narrowed))
        )

    def absorbs(self, value: Value) -> bool:
        """Whether a value is `UNKNOWN`."""
        return value == UNKNOWN

    def join(self, values: Iterable[Value]) -> Value:
        """Joins several values; those after the first `UNKNOWN` are not evaluated."""
        return _unite(values, join)

    def choice_of(self, values: Iterable[Value]) -> Value:
        """Does the same for values between which an expression chooses."""
        return _unite(values, choice_of)

    @property
    def has_hit_depth_limit(self) -> bool:
        """Whether a query had no result because too many others waited for it."""
        return self._answers.has_hit_depth_limit

    def forget(self, item: Node) -> None:
        """Drops the cached values of an expression and its ancestors, because more is known now."""
        self._forget(item.id)
        for up in item.ancestors():
            if up.type.endswith(("statement", "declaration", "block")):
                return
            self._forget(up.id)

    def _forget(self, number: int) -> None:
        self._answers.forget(number)
        self._answers.forget(-number)
        for name in self._names_wanted.pop(number, ()):
            self._answers.forget((number, name))
            self._answers.forget((-number, name))

    def query(self, key: Hashable, find: Callable[[], Value]) -> Value:
        """Returns the cached value of something other than an expression; `key` must be unique to it."""
        return self._answers.query(key, find)

    def define(self, item: Node) -> ByteSpan:
        """Stores the node of a value, to be looked up by its byte range."""
        self._definitions[item.span] = item
        return item.span

    def definition(self, value: Value) -> Node | None:
        """Returns the node that defines a function, class or object of the script, or None."""
        return self.definition_at(value.span)

    def definition_at(self, span: ByteSpan | None) -> Node | None:
        """Returns the node that `define` stored for a byte range, or None."""
        return None if span is None else self._definitions.get(span)


def _unite(values: Iterable[Value], unite: Callable[..., Value]) -> Value:
    found = []
    for value in values:
        if value == UNKNOWN:
            return UNKNOWN
        found.append(value)
    return _absorb_unknown(unite(*found))


def _absorb_unknown(value: Value) -> Value:
    return UNKNOWN if isinstance(value, Union) and UNKNOWN in value.options else value
