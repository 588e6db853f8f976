"""Comparisons with constants, conversions to a boolean, and tests by type or class.

Examples: `browser.management != null`, `condition === true`, `mode === "panel"`, `Boolean(condition)`.

The class of the global object may also be compared by its name, or the object with one of its properties. The
name of a function counts if it is in no known code, or in another script. The code of others is read.
"""

from __future__ import annotations

from extlint.analysis.facts.other_scripts import GLOBAL_OBJECT
from extlint.analysis.facts.script_facts import API_ROOT
from extlint.analysis.facts.values import FunctionValue, Kind, Literal, is_nullish
from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, ConditionQuery, Facts
from extlint.analysis.guards.forms.members import global_facts, operand_facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    Function,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import EQUAL, EQUALITY, SWAPPED, innermost, swapped
from extlint.analysis.values.condition_values import condition_value
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_FOUND = frozenset({("!=", -1), ("!==", -1), (">", -1), (">=", 0)})
_NOT_FOUND = frozenset({("==", -1), ("===", -1), ("<", 0), ("<=", -1)})
_METHODS_OF_PATTERNS = frozenset({"exec", "test"})


_COMPARED = frozenset({Kind.NUMBER, Kind.STRING})


def compared_literal(evaluator: Evaluator, operand: Node, parent: Node) -> Literal | None:
    """Returns the literal that an operand is compared with for equality by its parent, or None."""
    if not isinstance(parent, BinaryExpression) or parent.operator not in EQUALITY:
        return None
    value = evaluator.value(parent.right if operand.is_field("left") else parent.left)
    return value if isinstance(value, Literal) else None


def is_position(
    evaluator: Evaluator, comparison: BinaryExpression, against: Node, is_swapped: bool
) -> bool | None:
    """Whether a comparison of a position with a number is true if something is found.

    None if it is about something else.
    """
    value = evaluator.value(against)
    if not isinstance(value, Literal) or value.kind is not Kind.NUMBER:
        return None
    operator = comparison.operator
    compared = (SWAPPED.get(operator, operator) if is_swapped else operator, value.value)
    return True if compared in _FOUND else False if compared in _NOT_FOUND else None


def search_by(evaluator: Evaluator, call: CallExpression) -> tuple[str, Node, Node] | None:
    """Returns the method of a call with one argument, the text that it searches, and what it searches for."""
    callee, arguments = call.callee, call.arguments
    method = key_of(evaluator, callee) if isinstance(callee, AccessExpression) else None
    if method is None or not isinstance(callee, AccessExpression) or len(arguments) != 1:
        return None
    text, term = callee.object, arguments[0]
    return (
        (method, term, innermost(text)) if method in _METHODS_OF_PATTERNS else (method, text, innermost(term))
    )


def implied_by_null(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the members compared with null or undefined, as present or missing.

    Returns None for any other expression.
    """
    if not isinstance(expression, BinaryExpression):
        return None
    equal = (expression.operator in EQUAL) is query.outcome
    for subject, against, _ in swapped(expression):
        if is_nullish(query.evaluator.value(against)):
            members = operand_facts(query, innermost(subject))
            if members:
                return query.if_requested(members, present=not equal)
    return None


def only_compares_with_null(evaluator: Evaluator, operand: Node, parent: Node) -> bool:
    """Whether an operand is compared with null or undefined."""
    found = compared_literal(evaluator, operand, parent)
    return found is not None and is_nullish(found)


def implied_by_comparison(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the implications of a value that is compared with a boolean, text or number, or None."""
    if not isinstance(expression, BinaryExpression):
        return None
    equal = (expression.operator in EQUAL) is query.outcome
    for subject, against, _ in swapped(expression):
        value = query.evaluator.value(against)
        if not isinstance(value, Literal):
            continue
        if value.kind in _COMPARED:
            found = query.implied_by_comparison(innermost(subject), value, equal)
        elif value.kind is Kind.BOOLEAN and query.present:
            found = query.implied(innermost(subject), bool(value.value) is equal)
        else:
            continue
        if found:
            return found
    return None


def implied_by_call(query: ConditionQuery, call: Node) -> Facts | None:
    """Returns the implications of the condition that is passed to `Boolean`, or None for any other call."""
    inner = boolean_argument(query.evaluator, call)
    return None if inner is None else query.implied(inner, query.outcome)


def only_converts(evaluator: Evaluator, operand: Node, parent: Node) -> bool:
    """Whether an operand is passed to `Boolean`."""
    call = parent.parent if parent.type == "arguments" else None
    inner = None if call is None else boolean_argument(evaluator, call)
    return inner is not None and inner.same(operand)


def boolean_argument(evaluator: Evaluator, call: Node) -> Node | None:
    """Returns the `x` of `Boolean(x)`, or None."""
    if not isinstance(call, CallExpression) or call.callee.type != "identifier":
        return None
    return call.first_argument if evaluator.tree.source(call.callee) == "Boolean" else None


_OBJECT = "object"
_TYPES_OF_MEMBERS = frozenset({"function", _OBJECT})


def implied_by_typeof(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the operand of `typeof` as present or missing.

    Returns None if it is not compared with the name of a type.
    """
    if not isinstance(expression, BinaryExpression):
        return None
    for subject, against, is_swapped in swapped(expression):
        operand = operand_of_typeof(subject)
        value = None if operand is None else query.evaluator.value(against)
        if operand is None or not isinstance(value, Literal) or value.kind is not Kind.STRING:
            continue
        present = _is_present(expression.operator, value.value, query.outcome, is_swapped)
        if present is None and expression.operator in EQUALITY:
            of_root = API_ROOT if value.value == _OBJECT else GLOBAL_OBJECT
            is_type_of_members = value.value in _TYPES_OF_MEMBERS
            members = frozenset(
                each
                for each in _operand_facts(query, operand)
                if each[0] in (GLOBAL_OBJECT, of_root)
                or (is_type_of_members and each[0] not in ("", API_ROOT))
            )
            present = False
        else:
            members = NOTHING_IMPLIED if present is None else _operand_facts(query, operand)
        if members and present is not None:
            return query.if_requested(members, present=present)
    return None


def _is_present(operator: str, type_name: object, outcome: bool, is_swapped: bool) -> bool | None:
    """Returns whether the outcome of a comparison implies that a value of a type is present.

    Returns None if it does not.
    """
    if operator in EQUALITY:
        equal = (operator in EQUAL) is outcome
        return not equal if type_name == "undefined" else True if equal else None
    if operator in {"<", ">"} and type_name == "u":  # minifiers write `!== "undefined"` this way
        return ((operator == "<") is not is_swapped) is outcome
    return None


def implied_by_type_name(query: ConditionQuery, operand: Node) -> Facts:
    """Returns the operand of a `typeof` whose value is compared, as present or missing."""
    type_name = None if query.compared is None else query.compared.value
    present = _is_present("===", type_name, query.outcome, is_swapped=False)
    return (
        NOTHING_IMPLIED
        if present is None
        else query.if_requested(_operand_facts(query, operand), present=present)
    )


def _operand_facts(query: ConditionQuery, operand: Node) -> Facts:
    """Returns what the operand is, which may be any global: without one, `typeof` does not fail."""
    found = operand_facts(query, operand)
    if operand.type != "identifier":
        return found
    name, names = query.evaluator.tree.source(operand), query.evaluator.names
    binding = names.variable(operand)
    if binding is None:
        return found or global_facts(query, name)
    is_global = not query.present and binding is names.global_variable(name)
    return found | global_facts(query, name) if is_global else found


def only_compares_type(evaluator: Evaluator, operand: Node, parent: Node) -> bool:  # noqa: ARG001
    """Whether an expression is `typeof operand`."""
    return isinstance(parent, UnaryExpression) and parent.operator == "typeof"


def operand_of_typeof(expression: Node) -> Node | None:
    """Returns the `x` of `typeof x` without parentheses, or None for any other expression."""
    match innermost(expression):
        case UnaryExpression(operator="typeof", argument=operand):
            return innermost(operand)
    return None


_NAVIGATOR = frozenset({"navigator"})
_CLASS_NAME = lazy(r"(?:\[object )?(\w*GlobalScope|Window|WorkerNavigator)\]?")


def implied_by_class(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the operand of `instanceof` as present; the negation proves nothing.

    Returns the class of the global object as present or missing, and None for any other expression.
    """
    if not isinstance(expression, BinaryExpression):
        return None
    if expression.operator in EQUALITY:
        return _implied_by_comparison(query, expression)
    left, names = innermost(expression.left), query.evaluator.names
    found = operand_facts(query, left) if query.outcome and query.present else NOTHING_IMPLIED
    if query.evaluator.value(left) == GLOBAL or names.is_global(left, _NAVIGATOR):
        of = global_facts(query, names.global_name(innermost(expression.right)))
        found |= query.if_requested(of, present=query.outcome)
    return found


def _implied_by_comparison(query: ConditionQuery, expression: BinaryExpression) -> Facts | None:
    """Returns the class of the global object, or its property that is compared with it, or None."""
    equal = (expression.operator in EQUAL) is query.outcome
    for subject, against, _ in swapped(expression):
        if not query.evaluator.shared.watched and not _names_scope(query.evaluator, innermost(against)):
            continue
        name = _CLASS_NAME.fullmatch(query.evaluator.text(against) or "")
        found = NOTHING_IMPLIED if name is None else global_facts(query, name[1])
        if equal and isinstance(innermost(subject), AccessExpression):
            is_global = query.evaluator.value(against) == GLOBAL
            found = operand_facts(query, innermost(subject)) if is_global else found
        if found:
            return query.if_requested(found, present=equal)
    return None


def _names_scope(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is the text of a class that only global objects have."""
    return expression.type == "string" and "GlobalScope" in evaluator.tree.source(expression)


def only_tests_class(evaluator: Evaluator, operand: Node, parent: Node) -> bool:  # noqa: ARG001
    """Whether an expression is `operand instanceof …`."""
    return isinstance(parent, BinaryExpression) and parent.operator == "instanceof"


_NAME = lazy(r"(?:is|has)(?:[A-Z_]\w*)?\Z|(?:exists|supports)\Z")
_NEGATION = lazy(
    r"Empty|Missing|N(?:il|on?|ot|ull)(?![a-z])|Undefined|_(?:empty|missing|nil|not?|null|undefined)"
)


def implied_by_predicate(query: ConditionQuery, call: Node) -> Facts | None:
    """Returns the argument of a test as present or missing, or None for any other expression."""
    argument = _tested_argument(query.evaluator, call)
    if argument is None or not isinstance(call, CallExpression) or _is_known(query.evaluator, call):
        return None
    members = operand_facts(query, argument)
    if not members:
        return None
    is_negated = len(_NEGATION.findall(_name(query.evaluator, call) or "")) % 2 == 1
    return query.if_requested(members, present=query.outcome is not is_negated)


def only_calls_predicate(evaluator: Evaluator, operand: Node, parent: Node) -> bool:
    """Whether an operand is the argument of a test."""
    argument = None if parent.parent is None else _tested_argument(evaluator, parent.parent)
    return argument is not None and argument.same(operand)


def _tested_argument(evaluator: Evaluator, call: Node) -> Node | None:
    if not isinstance(call, CallExpression) or len(call.arguments) != 1:
        return None
    name = _name(evaluator, call)
    return None if name is None or _NAME.match(name) is None else innermost(call.arguments[0])


def _name(evaluator: Evaluator, call: CallExpression) -> str | None:
    callee = innermost(call.callee)
    if isinstance(callee, AccessExpression):
        return key_of(evaluator, callee)
    return evaluator.tree.source(callee) if callee.type == "identifier" else None


def _is_known(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether the code of a function, or what it implies, is known."""
    value = condition_value(evaluator, call.callee)
    has_implications = isinstance(value, FunctionValue) and value.implications is not None
    return has_implications or isinstance(evaluator.definition(value), Function)
