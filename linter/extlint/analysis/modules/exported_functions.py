"""Summarizes a script for its importers: the results of its functions, and what they imply as conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from extlint.analysis.facts.values import (
    NOTHING,
    ApiResult,
    Implications,
    InstanceValue,
    Kind,
    Literal,
    Value,
    leads_to_api,
    options_of,
    union_of,
)
from extlint.analysis.guards.conditions import condition_query, implied
from extlint.analysis.guards.environment_conditions import environment_of, environment_of_function
from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, ConditionQuery, Facts, is_script_independent
from extlint.analysis.guards.forms.possible_values import returned_values
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.guards.indirect_conditions import (
    implied_by_function,
    implied_by_property,
    parameter_names,
)
from extlint.analysis.modules.condition_words import MAX_BYTES, ConditionWords, deciding_parts_of
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AwaitExpression,
    CallExpression,
    FieldDefinition,
    Function,
    Pair,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.api_results import fulfillment_of, is_promise
from extlint.analysis.values.condition_values import ARGUMENT, NO_IMPLICATIONS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import completes_abruptly, return_values
from extlint.analysis.values.property_index import assignment_to, property_writes
from extlint.text.positions import ByteSpan

_CONSTANTS = frozenset({"false", "identifier", "null", "number", "string", "true", "undefined"})

MAX_NAMES = 50
"""The maximum number of nodes of a returned expression to search for names."""


class FunctionResults:
    """Computes the summaries of the results of functions of one script.

    `summary_of` returns the summary of a value, at a depth.
    """

    def __init__(
        self, evaluator: Evaluator, api_places: ApiPlaces, summary_of: Callable[[Value, int], Value | None]
    ) -> None:
        self._evaluator = evaluator
        self._api_places = api_places
        self._summary_of = summary_of

    def result_summary(self, function: Function, depth: int) -> Value | None:
        """Returns the summary of the result of a function for any caller, or None if unknown.

        For functions that cannot return the API, only constants are summarized.
        """
        body = function.body
        plain = not self._api_places.may_be_returned_by(function)
        if function.type.startswith("generator") or function.has_token("*"):
            return None
        returned: Iterable[Node | None] | None = [body]
        if body.type == "statement_block":
            returned = return_values(self._evaluator, body)
            if returned is not None and not completes_abruptly(body):
                returned = [*returned, None]
        returned = list(returned or ())
        if plain and any(each is not None and each.type not in _CONSTANTS for each in returned):
            return None
        values: list[Value] = []
        for each in returned:
            value = Literal(Kind.UNDEFINED) if each is None else self._returned_summary(function, each, depth)
            if value is None:
                return None
            values.append(value)
        if not values:
            return None
        union = _single_summary(values)
        if union is None or not function.has_token("async"):
            return union
        return InstanceValue("Promise", True, fulfillment=fulfillment_of(union))

    def _returned_summary(self, function: Function, expression: Node, depth: int) -> Value | None:
        """Returns the summary of an expression of a function, or None if it differs between callers."""
        if expression.type == "identifier" and not self._is_independent_of_arguments(function, expression):
            return None
        value = self._evaluator.partial(expression)
        if isinstance(value, ApiResult):
            call = _awaited_expression(expression)
            if not isinstance(call, CallExpression):
                return None
            promise = self._evaluator.partial(call)
            if not isinstance(promise, ApiResult) or not is_promise(promise):
                return None
            if not self._is_independent_of_arguments(function, call.callee):
                return None
            return replace(value, span=None, call=None)
        if value == NOTHING or not self._is_independent_of_arguments(function, expression):
            return None
        return self._summary_of(value, depth + 1)

    def _is_independent_of_arguments(self, function: Function, expression: Node) -> bool:
        """Whether an expression does not depend on the arguments of its enclosing functions."""
        around = (function, *function.ancestors())
        if not any(isinstance(each, Function) and each.parameters for each in around):
            return True
        waiting, visited_count = [expression], 0
        while waiting:
            each = waiting.pop()
            visited_count += 1
            if visited_count > MAX_NAMES:
                return False
            if each.type in {"identifier", "shorthand_property_identifier"}:
                name = self._evaluator.tree.source(each)
                binding = self._evaluator.names.resolve(name, each)
                if binding is not None and binding.scope.type != "program":
                    return False
            waiting += each.named()
        return True


def _single_summary(values: Iterable[Value]) -> Value | None:
    """Returns the union of summaries.

    Returns None if they are too different; null and undefined are omitted next to the API.
    """
    union = union_of(values)
    options = options_of(union)
    non_literals = [each for each in options if not isinstance(each, Literal)]
    if not non_literals or len(non_literals) == len(options) == 1:
        return union
    return non_literals[0] if len(non_literals) == 1 and leads_to_api(non_literals[0]) else None


def _awaited_expression(expression: Node) -> Node:
    """Returns the expression inside parentheses, type annotations and `await`."""
    expression = innermost(expression)
    while isinstance(expression, AwaitExpression):
        expression = innermost(expression.argument)
    return expression


_START_DEPTH = 3
"""The initial depth, so that the operands of a condition are not followed as far as elsewhere."""

_CONDITION_TYPES = frozenset(
    """
    augmented_assignment_expression await_expression binary_expression call_expression identifier
    member_expression non_null_expression parenthesized_expression shorthand_property_identifier
    subscript_expression ternary_expression unary_expression
    """.split()
)
_RESULT_TYPES = _CONDITION_TYPES | {"false", "new_expression", "null", "number", "true", "undefined"}
_KEYWORDS = frozenset({"false", "null", "true", "undefined"})
_MAX_RESULTS = 8


class ExportedConditions:
    """Computes the implications of expressions of one script."""

    def __init__(self, evaluator: Evaluator, api_places: ApiPlaces) -> None:
        self._evaluator = evaluator
        self._words = ConditionWords(evaluator, api_places)
        self._guards = GuardReader(evaluator)

    def may_imply(self, member: Node) -> bool:
        """Whether a member of a class may have implications, judging by its syntax and its words."""
        definition = member.value if isinstance(member, FieldDefinition) else member
        if isinstance(definition, Function):
            return self._words.names_api_or_browser(member) or self._may_test(definition)
        return self._words.may_be_test(member)

    def of_expression(self, expression: Node) -> Implications:
        """Returns the implications of an expression, or of a variable by its name, as a condition."""
        if expression.type not in _CONDITION_TYPES:
            return NO_IMPLICATIONS
        if not self._words.may_be_test(_declared_by(expression)) and not self._is_assigned_again(expression):
            return NO_IMPLICATIONS
        environment = environment_of(self._evaluator, expression, _START_DEPTH)
        return self._implications(lambda query: implied(query, expression), environment)

    def _is_assigned_again(self, expression: Node) -> bool:
        """Whether a variable gets other values than its first one, perhaps after a test."""
        binding = self._evaluator.names.variable(expression) if expression.type == "identifier" else None
        return binding is not None and 1 < len(binding.writes) <= _MAX_RESULTS

    def _implications(
        self,
        implied_by: Callable[[ConditionQuery], Facts],
        environment: Facts = NOTHING_IMPLIED,
        arguments: dict[str, str] | None = None,
    ) -> Implications:
        """Returns the facts that mean the same in any script, and not those about its own variables."""
        if_true, if_false, missing_if_true, missing_if_false = (
            frozenset(filter(is_script_independent, implied_by(self._query(outcome, present, arguments))))
            for present in (True, False)
            for outcome in (True, False)
        )
        return Implications(if_true, if_false, missing_if_true, missing_if_false, environment)

    def of_function(self, function: Function) -> Implications:
        """Returns the implications of a function call as a condition, with placeholders for its arguments."""
        if not self._may_test(function):
            return NO_IMPLICATIONS
        arguments = {
            name: f"{ARGUMENT}{at}" for at, name in enumerate(parameter_names(self._evaluator, function))
        }
        environment = environment_of_function(self._evaluator, function, _START_DEPTH)
        return self._implications(lambda query: implied_by_function(query, function), environment, arguments)

    def _may_test(self, function: Function) -> bool:
        """Whether a function may return a test's outcome, judging by the syntax and words of its results."""
        return self._may_return_condition(function) and any(
            map(self._words.may_be_test, deciding_parts_of(function))
        )

    def _may_return_condition(self, function: Function) -> bool:
        """Whether a function is short, and its return values may be test outcomes, judging by syntax."""
        if function.end - function.start > MAX_BYTES:
            return False
        results = [each.value for each in returned_values(self._evaluator, function)]
        return 0 < len(results) <= _MAX_RESULTS and all(
            each is None or innermost(each).type in _RESULT_TYPES for each in results
        )

    def of_property(self, key: ByteSpan, name: str) -> Implications:
        """Returns the implications of a key's property at a place.

        If the script writes it elsewhere, its first value is a constant, which tests replace.
        """
        leaf = self._evaluator.tree.leaf_at(key[0])
        place = leaf.parent
        if place is not None and place.type in {"computed_property_name", "string"}:
            place = place.parent
        if place is None:
            return NO_IMPLICATIONS
        implications = self._of_place(leaf, place)
        is_constant = isinstance(place, Pair) and place.value.type in _KEYWORDS
        if implications == NO_IMPLICATIONS and not is_constant:
            return implications
        other_writes = [each for each in property_writes(self._evaluator, name) if not each.same(place)]
        if not other_writes:
            return implications
        if not is_constant:
            return NO_IMPLICATIONS
        return self._implications(lambda query: implied_by_property(query, name))

    def of_member(self, member: Node) -> Implications:
        """Returns the implications of a field or getter of a class."""
        match member:
            case Function():
                return self.of_function(member) if member.has_token("get") else NO_IMPLICATIONS
            case Pair(value=value) | FieldDefinition(value=Node() as value):
                return self.of_expression(value)
        return NO_IMPLICATIONS

    def of_assignment(self, place: AccessExpression) -> Implications:
        """Returns the implications of the value that is assigned to a member."""
        assignment = assignment_to(place)
        return NO_IMPLICATIONS if assignment is None else self.of_expression(assignment.right)

    def _of_place(self, leaf: Node, place: Node) -> Implications:
        if leaf.type == "shorthand_property_identifier":
            return self.of_expression(leaf)
        return self.of_assignment(place) if isinstance(place, AccessExpression) else self.of_member(place)

    def _query(self, outcome: bool, present: bool, arguments: dict[str, str] | None) -> ConditionQuery:
        return condition_query(
            self._evaluator,
            self._guards.guards_at_unless_open,
            outcome=outcome,
            present=present,
            arguments=arguments,
        )


def _declared_by(expression: Node) -> Node:
    """Returns the declaration of a variable named where it is declared, or else the expression itself."""
    up = expression.parent
    if not isinstance(up, AssignmentExpression | VariableDeclarator):
        return expression
    return up if expression.is_field("left") or expression.is_field("name") else expression
