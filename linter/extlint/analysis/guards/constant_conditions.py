"""Evaluates conditions with a constant outcome: on constants, and parameters that are always the same.

A variable that is declared without a value is assumed to have one when a function reads it; so the only known
facts here are that something is never true, or that it is a literal.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from extlint.analysis.expressions.parameters import parameter_value
from extlint.analysis.facts.values import (
    OBJECT_MEMBERS,
    UNKNOWN,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Value,
    options_of,
    union_of,
)
from extlint.analysis.guards.forms.comparisons import operand_of_typeof
from extlint.analysis.guards.known_arguments import argument_lists, passed_counts, passed_values
from extlint.analysis.scope.model import Binding
from extlint.analysis.scope.reaching_definitions import MAX_WRITES
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentPattern,
    BinaryExpression,
    CallExpression,
    Class,
    Function,
    PairPattern,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    EQUAL,
    EQUALITY,
    SWAPPED,
    UNEQUAL,
    assigned_parts,
    combined_outcome,
    enclosing_function,
    index_of,
    innermost,
    pattern_of,
    swapped,
)
from extlint.analysis.values.constants import build_constant, is_build_mode, truth
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of
from extlint.analysis.values.property_index import key_of
from extlint.analysis.values.recorded import is_shared_variable

MAX_FOLLOWED_PARAMETERS = 10
"""The maximum number of other parameters through which a value is followed to the calls that pass it."""

_LITERALS = frozenset({"false", "null", "number", "string", "true", "undefined"})
_NEVER_TRUTHY = frozenset({"false", "null", "undefined"})
_NULLISH = frozenset({Kind.NULL, Kind.UNDEFINED})
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    **dict.fromkeys(EQUAL, operator.eq),
    **dict.fromkeys(UNEQUAL, operator.ne),
}


def outcome_of(evaluator: Evaluator, condition: Node, depth: int = 0) -> bool | None:
    """Returns the outcome that a condition always has, or None if it may have either or is unknown."""
    return combined_outcome(condition, partial(_outcome_of_part, evaluator), depth)


def _outcome_of_part(evaluator: Evaluator, expression: Node, depth: int) -> bool | None:
    evaluator.tree.spend(1)
    found = None
    match expression:
        case Node() if (known := _constant_of_build(evaluator, expression)) is not None:
            return truth(known)
        case BinaryExpression():
            return _outcome_of_comparison(evaluator, expression)
        case AccessExpression():
            is_nullish = _is_nullish(evaluator, innermost(expression.object))
            if is_nullish or _truth_of_values(evaluator, expression) is False:
                return False
            found = _outcome_of_count(evaluator, expression)
        case Node(type="identifier" | "undefined"):
            found = _truth_of_values(evaluator, expression)
        case CallExpression():
            pass
        case _:
            return truth(evaluator.value(expression)) if expression.type in _LITERALS else None
    if found is not None or _is_imported_class(evaluator, expression):
        return found is not False
    return _outcome_of_origins(evaluator, expression, depth + 1)


def _outcome_of_origins(evaluator: Evaluator, expression: Node, depth: int) -> bool | None:
    """Returns the outcome of the conditions that computed the value of an expression, or None.

    A value that no condition computed is not enough, since it may be replaced unseen.
    """
    found, is_computed = set[bool | None](), False
    for option in options_of(evaluator.partial(expression)):
        origin = None if option.span is None else evaluator.tree.item_at(option.span)
        if isinstance(origin, BinaryExpression | UnaryExpression) and not origin.contains(expression):
            is_computed = True
            found.add(outcome_of(evaluator, origin, depth))
        else:
            found.add(truth(option))
        if None in found:
            return None
    return found.pop() if is_computed and len(found) == 1 else None


def _constant_of_build(evaluator: Evaluator, expression: Node) -> Literal | None:
    is_name = expression.type == "identifier"
    if is_name and evaluator.names.variable(expression) is not None:
        return None
    may_be_one = is_name or isinstance(expression, AccessExpression)
    return build_constant(evaluator.tree, expression) if may_be_one else None


def _outcome_of_count(evaluator: Evaluator, length: AccessExpression) -> bool | None:
    """Returns whether a number of arguments is always or never 0, or None."""
    found = set(map(bool, passed_counts(evaluator, length) or ()))
    return found.pop() if len(found) == 1 else None


def _is_nullish(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is always null or undefined, and so are its parts, as far as they can be read."""
    known = _literals(evaluator, expression)
    return known is not None and all(each.kind in _NULLISH for each in known)


def _outcome_of_comparison(evaluator: Evaluator, comparison: BinaryExpression) -> bool | None:
    token = comparison.operator
    for first, second, is_swapped in swapped(comparison):
        subject, against = innermost(first), innermost(second)
        compared = SWAPPED.get(token, token) if is_swapped else token
        found = _comparison_of_number(evaluator, subject, against, compared)
        if found is None and token in EQUALITY:
            same = _equality(evaluator, subject, against, token)
            found = None if same is None else same is (token in EQUAL)
        if found is not None:
            return found
    return None


def is_case_selected(evaluator: Evaluator, subject: Node, value: Node) -> bool | None:
    """Returns whether a value of a `switch` always or never has the value of a case, or None if unknown."""
    subject, value = innermost(subject), innermost(value)
    found = _comparison_of_number(evaluator, subject, value, "===")
    return _equality(evaluator, subject, value, "===") if found is None else found


def _comparison_of_number(evaluator: Evaluator, subject: Node, against: Node, token: str) -> bool | None:
    """Returns the constant outcome of comparing `arguments.length`, or a number, with a number, or None."""
    compare = _COMPARISONS.get(token)
    if compare is None:
        return None
    own = evaluator.value(subject) if subject.type == "number" else None
    numbers = {own.value} if isinstance(own, Literal) else passed_counts(evaluator, subject)
    other = None if numbers is None else evaluator.value(against)
    if numbers is None or not isinstance(other, Literal) or not isinstance(other.value, float):
        return None
    found = {isinstance(each, int | float) and compare(each, other.value) for each in numbers}
    return found.pop() if len(found) == 1 else None


def _equality(evaluator: Evaluator, subject: Node, against: Node, token: str) -> bool | None:
    """Returns whether an expression always or never equals a literal, or None if unknown."""
    expected = evaluator.value(against)
    if not isinstance(expected, Literal):
        return None
    if (is_mode := is_build_mode(evaluator.tree, subject, expected.value)) is not None:
        return is_mode
    is_object = partial(_is_object, evaluator)
    inner = operand_of_typeof(subject)
    known = _literals(evaluator, subject if inner is None else inner)
    if known is None:
        is_nullish = inner is None and expected.kind in _NULLISH
        return False if is_nullish and _is_everywhere(evaluator, subject, is_object) else None
    if inner is not None:
        is_undefined = all(each.kind is Kind.UNDEFINED for each in known)
        return expected.value == Kind.UNDEFINED.value if is_undefined else None
    if expected.kind in _NULLISH:
        kinds = _NULLISH if token in {"==", "!="} else {expected.kind}
        return True if all(each.kind in kinds for each in known) else None
    if token in {"==", "!="} and any(each.kind not in {*_NULLISH, expected.kind} for each in known):
        return None
    return (
        False if all((each.kind, each.value) != (expected.kind, expected.value) for each in known) else None
    )


def _truth_of_values(evaluator: Evaluator, expression: Node) -> bool | None:
    known = _literals(evaluator, expression)
    if known is None:
        return True if _is_everywhere(evaluator, expression, partial(_is_object, evaluator)) else None
    found = {truth(each) for each in known}
    if found == {False}:
        return False
    return True if found == {True} and _is_everywhere(evaluator, expression, _is_literal) else None


def _literals(evaluator: Evaluator, expression: Node) -> list[Literal] | None:
    """Returns the possible values of a constant, parameter or part of one, or None if not all are known."""
    root = expression
    if isinstance(root, CallExpression):
        returned = _all_literals(options_of(evaluator.partial(root)))
        return None if returned is None or any(each.kind in _NULLISH for each in returned) else returned
    while isinstance(root, AccessExpression):
        if key_of(evaluator, root) is None:
            return None
        root = root.object
    is_known = root.type != "identifier" or _constant(evaluator, root) is not None
    if not is_known and not _is_never_truthy(evaluator, root):
        return None
    if root.type not in {"identifier", "undefined"}:
        return None
    return _all_literals(_options(evaluator, expression))


def _all_literals(values: Sequence[Value]) -> list[Literal] | None:
    found = [each for each in values if isinstance(each, Literal)]
    return found if found and len(found) == len(values) else None


class _PassedParameters:
    """The parameters through which a value is followed to the calls that pass it, each once.

    What another way through a parameter adds is known already, unless a default replaces it on one of them.
    """

    def __init__(self) -> None:
        self._entered: dict[int, bool] = {}

    def enter(self, parameter: Binding, *, has_default: bool) -> Sequence[Value] | None:
        """Returns the values that a parameter adds, or None to follow its calls.

        `has_default` is true if one of the parameters that it is passed to has a default, or takes a part.
        """
        known = self._entered.get(id(parameter))
        if known is None or (known and not has_default):
            if len(self._entered) > MAX_FOLLOWED_PARAMETERS:
                return (UNKNOWN,)
            self._entered[id(parameter)] = has_default
            return None
        return (UNKNOWN,) if known or has_default else ()


def _options(
    evaluator: Evaluator,
    expression: Node,
    has_default: bool = False,
    *,
    passed: _PassedParameters | None = None,
) -> Sequence[Value]:
    """Returns an expression's possible values; a member missing from a fully known object is undefined."""
    passed = passed or _PassedParameters()
    if isinstance(expression, AccessExpression):
        name = key_of(evaluator, expression)
        if name is not None:
            whole = evaluator.value(expression.object)
            if whole == UNKNOWN:
                whole = union_of(_options(evaluator, innermost(expression.object), passed=passed))
            return [*_parts(evaluator, whole, name, expression)]
    binding = _constant(evaluator, expression) if expression.type == "identifier" else None
    part = None if binding is None else _part_of_parameter(evaluator, binding, passed)
    if part is None:
        found = evaluator.value(expression)
        if found == UNKNOWN and binding is not None:
            return _passed_options(evaluator, binding, binding.writes[0].item, passed, has_default)
        return options_of(found)
    whole, key, default = part
    known = [*_parts(evaluator, whole, key, expression)]
    if default is None or not any(
        isinstance(each, Literal) and each.kind is Kind.UNDEFINED for each in known
    ):
        return known
    defined = (each for each in known if not (isinstance(each, Literal) and each.kind is Kind.UNDEFINED))
    return [*defined, *options_of(evaluator.value(default))]


def _passed_options(
    evaluator: Evaluator, parameter: Binding, target: Node, passed: _PassedParameters, has_default: bool
) -> Sequence[Value]:
    """Returns the possible values of a parameter whose name or pattern is `target`, from its calls."""
    known = passed.enter(parameter, has_default=has_default)
    if known is not None:
        return known

    def values_of(argument: Node, is_replaced: bool) -> Sequence[Value]:
        return _options(evaluator, argument, has_default or is_replaced, passed=passed)

    found = passed_values(evaluator, parameter, target, values_of)
    return (UNKNOWN,) if found is None else found


def _parts(evaluator: Evaluator, whole: Value, name: str, at: Node) -> Iterator[Value]:
    for option in options_of(whole):
        if isinstance(option, ObjectValue) and not option.open and name not in option.fields:
            yield UNKNOWN if name in OBJECT_MEMBERS else Literal(Kind.UNDEFINED)
        else:
            yield from options_of(evaluator.possible.member(option, name, at))


def _part_of_parameter(
    evaluator: Evaluator, binding: Binding, passed: _PassedParameters
) -> tuple[Value, str, Node | None] | None:
    """Returns the parameter's value, key and default of a name in `function f({name = default})`, or None."""
    declared = binding.writes[0]
    if declared.source is None or declared.kind != "parameter":
        return None
    part, default = declared.item, None
    up = part.parent
    if isinstance(up, AssignmentPattern):
        part, default, up = up, up.right, up.parent
    if isinstance(up, PairPattern):
        part, up = up, up.parent
    key = key_of(evaluator, part) if part.type != "identifier" else None
    pattern = pattern_of(declared.source)
    whole = pattern.left if isinstance(pattern, AssignmentPattern) else pattern
    if up is None or key is None or up.type != "object_pattern" or not whole.same(up):
        return None
    value = parameter_value(evaluator, declared.source, whole)
    if UNKNOWN in options_of(value):
        value = union_of(_passed_options(evaluator, binding, whole, passed, has_default=True) or [UNKNOWN])
    return value, key, default


def _constant(evaluator: Evaluator, name: Node) -> Binding | None:
    """Returns the constant, parameter or import of a name, or what is never reassigned, or None."""
    binding = evaluator.names.variable(name)
    if binding is None or len(binding.writes) != 1:
        return None
    declared = binding.writes[0]
    is_constant = declared.is_constant or declared.kind in {"import", "parameter"}
    return binding if is_constant or _is_never_reassigned(evaluator, binding) else None


def _is_never_truthy(evaluator: Evaluator, name: Node) -> bool:
    """Whether every write of a variable is `null`, `undefined` or `false`."""
    binding = evaluator.names.variable(name)
    if binding is None or not 1 < len(binding.writes) <= MAX_WRITES:
        return False
    parts = [None if each.source is None else assigned_parts(each.source) for each in binding.writes]
    return all(
        each is not None
        and each[0].type == "identifier"
        and each[1] is not None
        and innermost(each[1]).type in _NEVER_TRUTHY
        for each in parts
    ) and _is_never_written_unseen(evaluator, binding)


def _is_never_reassigned(evaluator: Evaluator, binding: Binding) -> bool:
    """Whether what is written once is declared with that value, and no unseen code writes it."""
    source = binding.writes[0].source
    is_variable = isinstance(source, VariableDeclarator) and source.value is not None
    return (is_variable or isinstance(source, Function | Class)) and _is_never_written_unseen(
        evaluator, binding
    )


def _is_never_written_unseen(evaluator: Evaluator, binding: Binding) -> bool:
    if evaluator.tree.has_eval:
        return False
    if binding.scope.type != "program" or evaluator.tree.is_module:
        return True
    return not evaluator.tree.has_markup and not is_shared_variable(evaluator, binding.name)


def _is_everywhere(evaluator: Evaluator, name: Node, test: Callable[[Node], bool]) -> bool:
    """Whether a test holds for the expressions that a name is assigned, or is passed as a parameter."""
    binding = _constant(evaluator, name) if name.type == "identifier" else None
    source = None if binding is None else binding.writes[0].source
    if binding is None or source is None:
        return False
    if binding.writes[0].kind != "parameter":
        value = source.value if isinstance(source, VariableDeclarator) else source
        return value is not None and test(innermost(value))
    function = enclosing_function(source)
    index = None if function is None else index_of(function.parameters, source)
    if function is None or index is None:
        return False
    passed = argument_lists(evaluator, function)
    if passed is None:
        calls, is_complete = calls_of(evaluator, function)
        passed = [each.arguments for each in calls] if is_complete else []
    return bool(passed) and all(len(each) > index and test(innermost(each[index])) for each in passed)


def _is_object(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is an object literal, a function or a class, or a constant with an object."""
    if expression.type == "identifier":
        binding = evaluator.names.variable(expression)
        declared = binding.writes[0] if binding is not None and len(binding.writes) == 1 else None
        source = None if declared is None or not declared.is_constant else declared.source
        if not isinstance(source, VariableDeclarator) or source.name.type != "identifier":
            return False
        return source.value is not None and innermost(source.value).type == "object"
    return expression.type == "object" or isinstance(expression, Function | Class)


def _is_imported_class(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is the name of an import, or a member of one, that is a class there."""
    name = innermost(expression.object) if isinstance(expression, AccessExpression) else expression
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    if binding is None or len(binding.writes) != 1 or binding.writes[0].kind != "import":
        return False
    value = evaluator.value(expression)
    return isinstance(value, FunctionValue) and value.is_class


def _is_literal(expression: Node) -> bool:
    if isinstance(expression, UnaryExpression) and expression.operator == "!":
        return _is_literal(expression.argument)
    return expression.type in _LITERALS
