"""Maps each kind of expression to the rule that evaluates it."""

from __future__ import annotations

from collections.abc import Mapping

from extlint.analysis.bundles.bundle import GLOBAL_HELPERS
from extlint.analysis.expressions.calls import (
    async_function_of,
    awaited_then_value,
    call_value,
    instance_value,
)
from extlint.analysis.expressions.members import field_value, member_of
from extlint.analysis.expressions.mutation import escaped_value
from extlint.analysis.expressions.objects import array_value, enum_value, function_value, object_value
from extlint.analysis.expressions.variables import name_value
from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    ApiResult,
    ArrayValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Unknown,
    Value,
    is_nullish,
    options_of,
    text_with,
    union_of,
)
from extlint.analysis.scope.reaching_definitions import may_keep_old_value
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    AugmentedAssignment,
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    ConditionalExpression,
    MemberExpression,
    SubscriptExpression,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import EQUAL, EQUALITY, innermost
from extlint.analysis.values import constants
from extlint.analysis.values.api_results import fulfillment_of
from extlint.analysis.values.constants import (
    binary_value,
    constant_binary_value,
    constant_unary_value,
    unary_value,
)
from extlint.analysis.values.evaluator import Evaluator, ExpressionRule, ExpressionRules, NarrowedRule, View
from extlint.analysis.values.functions import async_fulfillment
from extlint.analysis.values.options import any_part, choice_of, is_root, join, without_options
from extlint.analysis.values.property_index import key_of
from extlint.analysis.values.recorded import traced_flows


def _this(view: View, node: Node, requested: str | None = None) -> Value:
    from extlint.analysis.expressions.classes import this_value

    return this_value(view, node, requested)


def _inner(view: View, node: Node, requested: str | None = None) -> Value:
    inner = node.first()
    return UNKNOWN if inner is None else view.partial(inner, requested)


def _last(view: View, node: Node, requested: str | None = None) -> Value:
    parts = node.named()
    return view.partial(parts[-1], requested) if parts else UNKNOWN


def _awaited(view: View, node: AwaitExpression) -> Value:
    evaluator = view.evaluator
    argument = node.argument
    call = argument if isinstance(argument, CallExpression) and _is_then_call(evaluator, argument) else None
    if call is None and isinstance(argument, CallExpression) and view.absorbs(UNKNOWN):
        function = async_function_of(evaluator, argument)
        if function is not None:
            return async_fulfillment(view, function)
    value = view.partial(argument)
    if view.absorbs(value):
        return UNKNOWN if call is None else evaluator.possible.partial(node)
    found = fulfillment_of(value)
    if isinstance(found, Unknown) and call is not None:
        return awaited_then_value(view, call)
    return found


def _is_then_call(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether a call is a call of `then`, about which more may be known than about the promise."""
    return isinstance(call.callee, MemberExpression) and key_of(evaluator, call.callee) == "then"


_CONSTANTS_OF_BUILD = frozenset({"DEV", "PROD", "hot"})
_PARTS_OF_DOCUMENT = frozenset({"activeElement", "body", "documentElement", "head"})


def _member(view: View, member: MemberExpression) -> Value:
    evaluator = view.evaluator
    name = key_of(evaluator, member)
    if name is None:
        return UNKNOWN
    if name in _CONSTANTS_OF_BUILD:
        known = constants.build_constant(evaluator.tree, member)
        if known is not None:
            return known
    if name in _PARTS_OF_DOCUMENT and evaluator.names.is_global(member.object, {"document"}):
        return Union((InstanceValue("Element"), Literal(Kind.NULL)), member.span)
    target = view.partial(member.object, name)
    if view.absorbs(target):
        is_known = name in GLOBAL_HELPERS or name in traced_flows(evaluator).fields
        return evaluator.possible.partial(member) if is_known else UNKNOWN
    found = view.member(target, name, member)
    if isinstance(found, Unknown) and name in traced_flows(evaluator).fields:
        return field_value(view, member, name)
    return found


def _subscript(view: View, member: SubscriptExpression) -> Value:
    target = member.object
    found = []
    for option in options_of(view.evaluator.partial(member.index)):
        name = constants.text_of(option)
        if name is None and isinstance(option, Typed) and option.kind is Kind.NUMBER:
            name = "0" if isinstance(view.partial(target), ApiResult) else None
        if name is None:
            return any_part(view.partial(target))
        found.append(view.member(view.partial(target, name), name, member))
    return join(*found)


def _assigned(view: View, assignment: AssignmentExpression, requested: str | None = None) -> Value:
    """Returns the assigned value, without what may change in an object that the left side holds too."""
    value = view.partial(assignment.right, requested)
    return union_of(
        escaped_value(each) if isinstance(each, ArrayValue | ObjectValue) else each
        for each in options_of(value)
    )


def _augmented(view: View, assignment: AugmentedAssignment, requested: str | None = None) -> Value:
    if not may_keep_old_value(assignment):
        return UNKNOWN
    old = view.partial(assignment.left, requested)
    if is_root(old) and assignment.operator != "&&=":
        return old
    return view.join((old, view.partial(assignment.right, requested)))


_FROM_OUTSIDE = 50
"""The number of conditional expressions in one another that are evaluated from the outside."""

MAX_NESTED = 4_000
"""The most conditional expressions in one another that are evaluated at once. The next one is unknown."""


def _conditional(view: View, node: ConditionalExpression, requested: str | None = None) -> Value:
    _evaluate_innermost_first(view, node, requested)
    truth = constants.truth(view.evaluator.partial(node.condition))
    if truth is not None:
        return view.partial(node.consequence if truth else node.alternative, requested)
    return view.choice_of(view.partial(each, requested) for each in (node.consequence, node.alternative))


def _evaluate_innermost_first(view: View, outer: ConditionalExpression, requested: str | None) -> None:
    """Evaluates what is nested deeply in `a ? b : c ? d : e`, so that few queries wait for one another."""
    nested: list[Node] = []
    inner = innermost(outer.alternative)
    while isinstance(inner, ConditionalExpression) and not view.is_known(inner, requested):
        view.tree.spend(1)
        if len(nested) == MAX_NESTED:
            view.leave_unknown(inner)
            break
        nested.append(inner)
        inner = innermost(inner.alternative)
    for each in reversed(nested[_FROM_OUTSIDE:]):
        view.partial(each, requested)


def _binary(view: View, node: BinaryExpression, requested: str | None = None) -> Value:
    left, right, operator = node.left, node.right, node.operator
    if operator == "||":
        first = view.partial(left, requested)
        if view.absorbs(first) or constants.truth(first) or is_root(first):
            return first
        maybe_truthy = without_options(first, lambda each: constants.truth(each) is False)
        return choice_of(maybe_truthy, view.partial(right, requested))
    if operator == "??":
        first = view.partial(left, requested)
        if view.absorbs(first) or is_root(first) or not any(map(_may_be_nullish, options_of(first))):
            return first
        return choice_of(without_options(first, is_nullish), view.partial(right, requested))
    if operator == "&&":
        if isinstance(right, MemberExpression) and key_of(view.evaluator, right) in GLOBAL_HELPERS:
            return view.partial(right, requested)
        first = view.partial(left, requested)
        if view.absorbs(first) or constants.truth(first) is False:
            return first
        second = view.partial(right, requested)
        return join(_as_result_of_and(first, second), second)
    if operator in EQUALITY:
        is_mode = constants.is_build_mode(view.evaluator.tree, left, view.evaluator.text(right))
        if is_mode is not None:
            return Literal(Kind.BOOLEAN, is_mode is (operator in EQUAL), node.span)
    known = constant_binary_value(operator, node.span)
    if known is not None:
        return known
    certain = view.evaluator
    return binary_value(operator, certain.partial(left), certain.partial(right), node.span)


def _may_be_nullish(value: Value) -> bool:
    return isinstance(value, Unknown | Api | ApiResult) or is_nullish(value)


def _as_result_of_and(first: Value, second: Value) -> Value:
    """Returns what `first && second` may be if it is not `second`.

    A member of the API may be missing, which only counts next to data: `chrome.menus && chrome.menus.create`
    is that member.
    """
    falsy = without_options(first, lambda each: constants.truth(each) is True or isinstance(each, Api))
    is_data = all(isinstance(each, Literal | Typed | ArrayValue | ObjectValue) for each in options_of(second))
    may_be_missing = is_data and any(isinstance(each, Api) for each in options_of(first))
    return join(falsy, Literal(Kind.UNDEFINED)) if may_be_missing else falsy


def _unary(view: View, node: UnaryExpression) -> Value:
    known = constant_unary_value(node.operator, node.span)
    if known is not None:
        return known
    return unary_value(node.operator, view.evaluator.partial(node.argument), node.span)


def _template(view: View, template: Node) -> Value:
    text = ""
    for part in template.named():
        if part.type == "template_substitution":
            inner = part.first()
            known = None if inner is None else view.evaluator.text(inner)
            if known is None:
                return text_with(text, template.span)
            text += known
        elif part.type in {"string_fragment", "escape_sequence"}:
            text += constants.unescape(view.evaluator.tree.source(part))
    return Literal(Kind.STRING, text, template.span)


def _string(view: View, node: Node) -> Value:
    return constants.string_value(view.evaluator.tree.source(node), node.span)


def _number(view: View, node: Node) -> Value:
    return constants.number_value(view.evaluator.tree.source(node), node.span)


def _constant(kind: Kind, content: bool | None = None) -> ExpressionRule:
    return lambda _evaluator, node: Literal(kind, content, node.span)


EXPRESSIONS: Mapping[str, ExpressionRule] = {
    "array": array_value,
    "arrow_function": function_value,
    "as_expression": _inner,
    "assignment_expression": _assigned,
    "augmented_assignment_expression": _augmented,
    "await_expression": _awaited,
    "binary_expression": _binary,
    "call_expression": call_value,
    "class": function_value,
    "class_declaration": function_value,
    "abstract_class_declaration": function_value,
    "enum_declaration": enum_value,
    "false": _constant(Kind.BOOLEAN, False),
    "function_declaration": function_value,
    "function_expression": function_value,
    "generator_function": function_value,
    "generator_function_declaration": function_value,
    "identifier": name_value,
    "instantiation_expression": _inner,
    "member_expression": _member,
    "method_definition": function_value,
    "new_expression": instance_value,
    "non_null_expression": _inner,
    "null": _constant(Kind.NULL),
    "number": _number,
    "object": object_value,
    "parenthesized_expression": _inner,
    "regex": lambda _evaluator, node: InstanceValue("RegExp", True, node.span),
    "satisfies_expression": _inner,
    "sequence_expression": _last,
    "shorthand_property_identifier": name_value,
    "string": _string,
    "subscript_expression": _subscript,
    "template_string": _template,
    "ternary_expression": _conditional,
    "this": _this,
    "true": _constant(Kind.BOOLEAN, True),
    "type_assertion": _last,
    "unary_expression": _unary,
    "undefined": name_value,
    "update_expression": lambda _evaluator, node: Typed(Kind.NUMBER, node.span),
}

NARROWED: Mapping[str, NarrowedRule] = {
    "as_expression": _inner,
    "assignment_expression": _assigned,
    "augmented_assignment_expression": _augmented,
    "binary_expression": _binary,
    "call_expression": call_value,
    "identifier": name_value,
    "instantiation_expression": _inner,
    "non_null_expression": _inner,
    "object": object_value,
    "parenthesized_expression": _inner,
    "satisfies_expression": _inner,
    "sequence_expression": _last,
    "shorthand_property_identifier": name_value,
    "ternary_expression": _conditional,
    "this": _this,
    "type_assertion": _last,
}
"""The rules for expressions whose value may be an object, which can be reduced to a single property."""

RULES = ExpressionRules(EXPRESSIONS, NARROWED, member_of)
"""The rules that evaluate expressions."""
