"""Conditions that a variable, a function, a property or a getter has computed: `if (this.isPage) …`.

Fields that only constructors set have values that are known wherever the class is instantiated. A class that
several scripts share may be passed the context in which it runs, and test that later:

    class Channel {
      constructor(place) { this.place = place; }
      send(text) { if (this.place === "background") browser.tabs.sendMessage(this.tab, text); }
    }
    new Channel("page").send("hello");
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from extlint.analysis.call_graph.callers import subclass_at, uses_of_class
from extlint.analysis.call_graph.entry_points import ExternalName, NameKind
from extlint.analysis.expressions.classes import class_of_this, declared_members, this_value
from extlint.analysis.facts.values import InstanceValue, Kind, Literal, options_of
from extlint.analysis.guards.forms.possible_values import MAX_PLACES, returned_values
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    Class,
    FieldDefinition,
    Function,
    MethodDefinition,
    NewExpression,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import (
    enclosing_function,
    index_of,
    innermost,
    outermost,
    pattern_and_default,
)
from extlint.analysis.values.constants import truth
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import class_of, constructor_of
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import (
    assignment_to,
    defining_leaves,
    is_too_common,
    key_of,
    property_writes,
)
from extlint.analysis.values.recorded import is_shared_variable
from extlint.text.patterns import lazy

OutcomeOf = Callable[[Node], bool | None]
"""Returns the outcome that a condition always has, or None."""


def outcome_of_origins(evaluator: Evaluator, expression: Node, outcome_of: OutcomeOf) -> bool | None:
    """Returns the outcome of the conditions that computed the value of an expression, or None.

    A value that no condition computed is not enough, since it may be replaced unseen.
    """
    found, is_computed = set[bool | None](), False
    for option in options_of(evaluator.partial(expression)):
        origin = None if option.span is None else evaluator.tree.item_at(option.span)
        if isinstance(origin, BinaryExpression | UnaryExpression) and not origin.contains(expression):
            is_computed = True
            found.add(outcome_of(origin))
        else:
            found.add(truth(option))
        if None in found:
            break
    if is_computed:
        return _common(found)
    return _outcome_of_getter(evaluator, expression, outcome_of)


def _outcome_of_getter(evaluator: Evaluator, access: Node, outcome_of: OutcomeOf) -> bool | None:
    """Returns the outcome of a property that only getters of the script have, or None."""
    if not isinstance(access, AccessExpression):
        return None
    name = key_of(evaluator, access)
    if name is None:
        return None
    holder = innermost(access.object)
    of_this = holder.type == "this"
    value = this_value(evaluator.possible, holder) if of_this else evaluator.partial(holder)
    owner = value.definition if isinstance(value, InstanceValue) else value.span
    if evaluator.definition_at(owner) is None:
        return None
    found = set[bool | None]()
    for leaf in islice(defining_leaves(evaluator, name, MAX_PLACES), MAX_PLACES):
        getter = leaf.parent
        if not isinstance(getter, MethodDefinition) or not getter.has_token("get"):
            return None
        returned = (each.value for each in returned_values(evaluator, getter))
        found |= {None if each is None else outcome_of(each) for each in returned}
    return _common(found)


def _common(outcomes: Iterable[bool | None]) -> bool | None:
    found = {*outcomes}
    return found.pop() if len(found) == 1 else None


_SETS_ANY_FIELD = lazy(rb"\bthis\s*\[|\b(?:assign|defineProperty|defineProperties)\s*\(")


def values_of_field(evaluator: Evaluator, field: AccessExpression) -> Sequence[Literal] | None:
    """Returns the values that a field of `this` has once it is set, or None if not all are known."""
    name = key_of(evaluator, field)
    this = innermost(field.object)
    if name is None or this.type != "this" or is_too_common(evaluator, name):
        return None
    owner = class_of_this(evaluator, this)
    return None if owner is None else _assigned_values(evaluator, owner, name)


@once_per_script
def _assigned_values(evaluator: Evaluator, owner: Class, name: str) -> Sequence[Literal] | None:
    """Returns the values that constructors pass on to a field, in the class or in a subclass, or None."""
    if not all(map(_is_bare_field, declared_members(evaluator, owner).get(name, ()))):
        return None
    found: list[Literal] = []
    setting = set()
    for place in property_writes(evaluator, name):
        constructor = enclosing_function(place)
        constructor_class = None if constructor is None else class_of(evaluator, constructor)
        assignment = assignment_to(place)
        if (
            constructor_class is None
            or not isinstance(assignment, AssignmentExpression)
            or place.object.type != "this"
        ):
            return None
        values = _values_of_parameter(evaluator, constructor_class, assignment.right, ())
        if values is None:
            return None
        found += values
        setting.add(constructor_class.id)
    return found if owner.id in setting else None


def _is_bare_field(member: Node) -> bool:
    return isinstance(member, FieldDefinition) and member.value is None


def _values_of_parameter(
    evaluator: Evaluator, owner: Class, name: Node, visited: tuple[int, ...]
) -> Sequence[Literal] | None:
    """Returns the values of a parameter of the class's constructor, or None for any other name."""
    inner = innermost(name)
    constructor = constructor_of(evaluator, owner)
    binding = evaluator.names.variable(inner) if inner.type == "identifier" else None
    if constructor is None or binding is None or len(binding.writes) != 1:
        return None
    declared = binding.writes[0]
    if declared.kind != "parameter" or declared.source is None:
        return None
    index = index_of(constructor.parameters, declared.source)
    pattern, default = pattern_and_default(declared.source)
    is_whole = index is not None and default is None and declared.item.same(pattern)
    return _argument_values(evaluator, owner, index, visited) if index is not None and is_whole else None


def _argument_values(
    evaluator: Evaluator, owner: Class, index: int, visited: tuple[int, ...]
) -> Sequence[Literal] | None:
    """Returns the values of one of the arguments with which all instances of a class are created, or None."""
    uses = None if owner.id in visited else uses_of_class(evaluator, owner)
    if (
        uses is None
        or any(_is_used_elsewhere(evaluator, each) for each in uses.names)
        or _SETS_ANY_FIELD.search(evaluator.tree.text[owner.start : owner.end])
    ):
        return None
    found: list[Literal] = []
    for use in uses.uses:
        values = _values_at(evaluator, use, index, (*visited, owner.id))
        if values is None:
            return None
        found += values
    return found


def _is_used_elsewhere(evaluator: Evaluator, name: ExternalName) -> bool:
    return name.kind is not NameKind.GLOBAL or is_shared_variable(evaluator, name.text)


def _values_at(
    evaluator: Evaluator, use: Node, index: int, visited: tuple[int, ...]
) -> Sequence[Literal] | None:
    """Returns one argument's values in instantiations of a class or by a subclass constructor, or None."""
    whole = outermost(use)
    if isinstance(whole.parent, NewExpression) and whole.is_field("constructor"):
        return _passed_literal(evaluator, whole.parent, index)
    derived = subclass_at(use)
    if not isinstance(derived, Class):
        return None
    constructor = constructor_of(evaluator, derived)
    if constructor is None:
        return _argument_values(evaluator, derived, index, visited)
    call = _super_call(constructor)
    if call is None:
        return None
    if index < len(call.arguments) and call.arguments[index].type == "identifier":
        return _values_of_parameter(evaluator, derived, call.arguments[index], visited)
    return _passed_literal(evaluator, call, index)


def _passed_literal(evaluator: Evaluator, call: CallOrNewExpression, index: int) -> Sequence[Literal] | None:
    arguments = call.arguments
    if any(each.type == "spread_element" for each in arguments):
        return None
    value = evaluator.value(arguments[index]) if index < len(arguments) else Literal(Kind.UNDEFINED)
    return [value] if isinstance(value, Literal) else None


def _super_call(constructor: Function) -> CallExpression | None:
    """Returns the call of the superclass's constructor if it comes first, as it mostly does, or None."""
    first = next((each for each in constructor.body.named() if each.type != "comment"), None)
    expression = None if first is None or first.type != "expression_statement" else first.first()
    while expression is not None and expression.type == "sequence_expression":
        expression = expression.first()
    if not isinstance(expression, CallExpression) or expression.callee.type != "super":
        return None
    return expression
