"""Summarizes values that mean the same in any script, with members that are assigned one by one.

A summary has no spans, since they would refer to the script that defines the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TypeVar
from weakref import proxy

from msgspec.structs import replace

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.bundles.filled_object import FilledObject
from extlint.analysis.expressions.classes import class_member, declared_members, member_names
from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    ApiResult,
    ArrayValue,
    Field,
    FunctionValue,
    Implications,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Unknown,
    Value,
    options_of,
    union_of,
)
from extlint.analysis.modules.exported_functions import ExportedConditions, FunctionResults
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    Class,
    Function,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_with_argument, enclosing_function, innermost, outermost
from extlint.analysis.values.condition_values import (
    NO_IMPLICATIONS,
    has_implications,
    manifest_path_of,
    with_implications,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.interop import BundlerValue
from extlint.analysis.values.property_index import assignment_to, is_written, key_of, property_writes

MAX_DEPTH = 5
"""The maximum depth of objects, and of functions that return them, to follow."""

MAX_PARTS = 3_000
"""The maximum number of parts of one value to examine."""

_Object = TypeVar("_Object", FunctionValue, ObjectValue)

_LITERALS = frozenset({"array", "object", "pair", "parenthesized_expression"})


class Summaries:
    """Computes the summaries of the values of one script; `has_conditions` includes their implications."""

    def __init__(self, evaluator: Evaluator, api_places: ApiPlaces, *, has_conditions: bool = True) -> None:
        self._evaluator = evaluator
        self._api_places = api_places
        self._remaining_parts = MAX_PARTS
        self._conditions = ExportedConditions(evaluator, api_places)
        self._has_conditions = has_conditions
        summaries = proxy(self)  # avoids a cycle, so that the nodes of both are freed at once
        self._results = FunctionResults(
            evaluator, api_places, lambda value, depth: summaries.summary(value, depth)
        )

    def summary_with_implications(self, value: Value, item: Node | None) -> Value | None:
        """Returns the summary and implications of an exported value; `item` is its expression or name."""
        summary = self.summary(value)
        if item is None or not _may_have_implications(summary):
            return summary
        return with_implications(summary, self._conditions.of_expression(item))

    def summary_of_export(self, value: Value, item: Node | None) -> Value | None:
        """Returns the same, with the members that are assigned to an exported object one by one."""
        summary = self.summary_with_implications(value, item)
        assigned = {} if item is None else members_of_variable(self._evaluator, item)
        if isinstance(summary, ObjectValue):
            return self.with_members(summary, assigned)
        return self.with_members(summary, assigned) if isinstance(summary, FunctionValue) else summary

    def with_members(self, value: _Object, assigned: Mapping[str, Node]) -> _Object:
        """Returns an object with the assigned members that have implications."""
        fields = dict(value.fields)
        for name, item in assigned.items():
            if name not in fields:
                summary = self.summary_with_implications(self._evaluator.partial(item), item)
                if summary is not None and has_implications(summary):
                    fields[name] = Field(summary)
        return replace(value, fields=fields)

    def summary_of_parts(self, value: Value, filled_object: FilledObject) -> Value | None:
        """Returns the summary of an object whose members were assigned one by one."""
        whole = filled_object.whole[0] if len(filled_object.whole) == 1 else None
        summary = self.summary_of_export(value, whole)
        if summary is not None and not isinstance(summary, ObjectValue):
            return summary
        fields = {} if summary is None else dict(summary.fields)
        literal = None if whole is None else self._evaluator.possible.partial(whole)
        if whole is not None and isinstance(literal, ObjectValue) and innermost(whole).type == "object":
            self._add_implications_of_fields(fields, literal)
        for name, items in filled_object.written.items():
            if len(items) == 1:
                self._add_implications(fields, name, self._conditions.of_expression(items[0]))
        return ObjectValue(fields, True) if fields else summary

    def summary(self, value: Value, depth: int = 0, *, constant: bool = True) -> Value | None:
        """Returns the summary of a value, or None if nothing in it means the same in any script.

        Unless it is `constant`, other scripts may replace it: primitive values are then left out, and only
        the API and values that lead to it are assumed to be unchanged.
        """
        self._remaining_parts = MAX_PARTS if depth == 0 else self._remaining_parts - 1
        if depth > MAX_DEPTH or self._remaining_parts < 0:
            return None
        options = options_of(value)
        plain = [each for each in options if isinstance(each, Literal | Typed)]
        if len(plain) == len(options):
            return union_of(replace(each, span=None) for each in plain) if constant and plain else None
        non_literals = [each for each in options if not isinstance(each, Literal)]
        return self._summary_of_option(non_literals[0], depth) if len(non_literals) == 1 else None

    def _summary_of_option(self, value: Value, depth: int) -> Value | None:
        match value:
            case Api(path=path, root=root, bound=bound):
                return Api(path, root, None, (UNKNOWN,) * len(bound))
            case ObjectValue():
                return self._object(value, depth)
            case FunctionValue():
                return self._function(value, depth)
            case BundlerValue(definition=None):
                return value
            case BundlerValue():
                result = self.summary(bundle_of(self._evaluator).value_of_getter(value), depth + 1)
                return None if result is None else FunctionValue(None, result=result)
            case InstanceValue(builtin=True, class_name=name, fulfillment=fulfillment):
                inner = None if fulfillment is None else self.summary(fulfillment, depth + 1)
                return InstanceValue(name, True, fulfillment=inner)
            case InstanceValue(definition=span) if span is not None:
                owner = self._evaluator.definition_at(span)
                return None if owner is None else self._instance(owner, depth)
            case ArrayValue():
                return Typed(Kind.ARRAY)
            case ApiResult() if manifest_path_of(value) is not None:
                return replace(value, span=None)
            case Unknown(implications=Implications()):
                return replace(value, span=None)
        return None

    def _object(self, value: ObjectValue, depth: int) -> Value:
        constant = self._is_constant(self._evaluator.definition(value))
        fields = {name: each.value for name, each in value.fields.items() if not each.maybe_absent}
        field_summaries = self._fields(fields, depth, constant=constant)
        self._add_implications_of_fields(field_summaries, value)
        marked = fields.get("__esModule")
        if isinstance(marked, Literal):
            field_summaries["__esModule"] = Field(replace(marked, span=None))
        return ObjectValue(field_summaries, True)

    def _add_implications_of_fields(self, fields: dict[str, Field], literal: ObjectValue) -> None:
        """Adds the implications of the fields of an object literal as conditions."""
        for name, field in literal.fields.items() if self._has_conditions else ():
            if field.key is not None and literal.span is not None and not field.maybe_absent:
                self._add_implications(fields, name, self._conditions.of_property(field.key, name))

    def _add_implications(self, fields: dict[str, Field], name: str, implications: Implications) -> None:
        """Adds the implications of a field as a condition."""
        value = fields[name].value if name in fields else None
        known = with_implications(value, implications) if _may_have_implications(value) else value
        if known is not None:
            fields[name] = Field(known)

    def _fields(self, values: Mapping[str, Value], depth: int, *, constant: bool) -> dict[str, Field]:
        found = {
            name: self.summary(each, depth + 1, constant=constant)
            for name, each in values.items()
            if depth < MAX_DEPTH
        }
        return {name: Field(each) for name, each in found.items() if each is not None}

    def _is_constant(self, definition: Node | None) -> bool:
        """Whether an object is never mutated: an enum, a frozen object, or `as const`."""
        if definition is None:
            return False
        if definition.type == "enum_declaration":
            return True
        if self._is_frozen(definition):
            return True
        up: Node | None = definition
        while up is not None and up.type in _LITERALS:
            up = up.parent
        return up is not None and up.type == "as_expression" and up.has_token("const")

    def _is_frozen(self, definition: Node) -> bool:
        call = call_with_argument(outermost(definition))
        return (
            isinstance(call, CallExpression) and self._evaluator.tree.source(call.callee) == "Object.freeze"
        )

    def _function(self, value: FunctionValue, depth: int) -> Value | None:
        definition = self._evaluator.definition(value)
        if definition is None:
            return FunctionValue(
                None,
                is_class=value.is_class,
                result=value.result,
                fields=value.fields,
                implications=value.implications,
            )
        if isinstance(definition, Class):
            return self._class(definition, depth)
        if not isinstance(definition, Function):
            return FunctionValue(None)
        helper = bundle_of(self._evaluator).exported_helper(definition)
        if helper is not None:
            return helper
        implications = self._conditions.of_function(definition) if self._has_conditions else NO_IMPLICATIONS
        result = self._results.result_summary(definition, depth)
        if implications == NO_IMPLICATIONS:
            return FunctionValue(None, result=result)
        return FunctionValue(None, result=result, implications=implications)

    def _class(self, owner: Node, depth: int) -> Value:
        if enclosing_function(owner) is not None:
            return FunctionValue(None, is_class=True)
        fields = self._members(owner, depth, static=True)
        return FunctionValue(None, is_class=True, result=self._instance(owner, depth), fields=fields)

    def _instance(self, owner: Node, depth: int) -> Value | None:
        if enclosing_function(owner) is not None:
            return None
        return ObjectValue(self._members(owner, depth, static=False), True)

    def _members(self, owner: Node, depth: int, *, static: bool) -> dict[str, Field]:
        names = self._names_of_members(owner) if depth < MAX_DEPTH else ()
        values = {name: class_member(self._evaluator, owner, name, static=static) for name in names}
        fields = self._fields(values, depth, constant=False)
        for name in names if self._has_conditions else ():
            for member in declared_members(self._evaluator, owner).get(name, ())[:1]:
                if member.has_token("static") is static and not is_written(self._evaluator, name):
                    self._add_implications(fields, name, self._conditions.of_member(member))
            writes = property_writes(self._evaluator, name)
            if (
                not static
                and len(writes) == 1
                and writes[0].object.type == "this"
                and owner.contains(writes[0])
            ):
                self._add_implications(fields, name, self._conditions.of_assignment(writes[0]))
        return fields

    def _names_of_members(self, owner: Node) -> list[str]:
        """Returns the members of a class, or only possible tests if the class cannot lead to the API."""
        if self._api_places.is_in(owner):
            return [*member_names(self._evaluator, owner)]
        if not self._has_conditions:
            return []
        tests = {
            name
            for name, members in declared_members(self._evaluator, owner).items()
            if any(map(self._conditions.may_imply, members))
        }
        return [each for each in member_names(self._evaluator, owner) if each in tests] if tests else []


def _may_have_implications(value: Value | None) -> bool:
    """Whether implications add anything to the known part of a value."""
    options = options_of(value or UNKNOWN)
    if len(options) == 1:
        return isinstance(options[0], Typed | Unknown)
    return all(isinstance(each, Literal) and each.kind is Kind.BOOLEAN for each in options)


MAX_USES = 200
"""The maximum number of uses of one object to search for writes to its members."""


def assigned_members(evaluator: Evaluator, uses: Iterable[Node]) -> Mapping[str, Node]:
    """Returns the expressions assigned to members of an object, for members that are assigned once."""
    written: dict[str, list[Node]] = {}
    for use in uses:
        place = use.parent
        assignment = assignment_to(place) if isinstance(place, AccessExpression) else None
        if place is not None and assignment is not None:
            key = key_of(evaluator, place)
            if key is not None:
                written.setdefault(key, []).append(assignment.right)
    return {key: expressions[0] for key, expressions in written.items() if len(expressions) == 1}


def members_of_variable(evaluator: Evaluator, expression: Node) -> Mapping[str, Node]:
    """Returns the same for a variable's object, without the members that it has from the beginning.

    The expression is the name of the variable, or the value with which it is declared.
    """
    binding = evaluator.names.variable(_holder(expression))
    source = binding.writes[0].source if binding is not None and len(binding.writes) == 1 else None
    if binding is None or source is None:
        return {}
    initial = evaluator.possible.partial(
        source.value or source if isinstance(source, VariableDeclarator) else source
    )
    if not isinstance(initial, FunctionValue | ObjectValue):
        return {}
    found = assigned_members(evaluator, (use.item for use in islice(binding.uses, MAX_USES)))
    return {key: each for key, each in found.items() if key not in initial.fields}


def _holder(expression: Node) -> Node:
    """Returns the name that is declared with a value: `tools` in `const tools = module.exports = {}`."""
    whole = outermost(expression)
    while isinstance(whole.parent, AssignmentExpression) and whole.is_field("right"):
        whole = outermost(whole.parent)
    up = whole.parent
    return up.name if isinstance(up, VariableDeclarator) and whole.is_field("value") else expression
