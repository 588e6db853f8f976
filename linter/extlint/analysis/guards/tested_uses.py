"""Finds members that a variable, a property or a return value holds until they are tested.

Example of a return value: that of `tabs()`, which throws if `browser.tabs` is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from extlint.analysis.facts.script_facts import ApiPath, FailureHandling
from extlint.analysis.facts.values import NOTHING, UNKNOWN, Value, options_of
from extlint.analysis.guards.forms.members import variable_fact
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.guards.only_tested import choice_of, has_alternative, is_only_tested
from extlint.analysis.scope.model import Binding, Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    FieldDefinition,
    Function,
    Pair,
    PairPattern,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import index_of, innermost, is_optional, outermost, pattern_of
from extlint.analysis.values.constants import truth
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import return_statements
from extlint.analysis.values.options import without_options
from extlint.analysis.values.property_index import assignment_to, key_of, members_named, patterns_named

MAX_USES = 100
"""The maximum number of uses of one variable to examine; a variable with more counts as used without a
test.
"""

_EXPORTING_SCOPES = frozenset({"internal_module", "module", "program"})

_MAX_DEPTH = 100
"""The maximum number of nodes between an item and the test around it."""


def is_tested_at_each_use(evaluator: Evaluator, guards: GuardReader, item: Node, path: ApiPath) -> bool:
    """Whether a member is only stored, and each use of the variable tests it or is reached after a test."""
    return _is_true_of_each_use(evaluator, item, lambda use: _is_guarded(evaluator, guards, use, path))


def is_field_tested(evaluator: Evaluator, guards: GuardReader, item: Node, name: str) -> bool:
    """Whether a field is read to see whether it exists, with a fallback, or after a test.

    The same holds if it is only stored, and each use of the variable is such a place.
    """
    if _is_tested(evaluator, guards, item, ("", f".{name}")):
        return True
    return _is_true_of_each_use(
        evaluator, item, lambda use: _is_tested(evaluator, guards, use, variable_fact(evaluator, use))
    )


def _is_true_of_each_use(evaluator: Evaluator, item: Node, test: Callable[[Node], bool]) -> bool:
    """Whether a member is only stored, and each use of it passes a test.

    Uses after the first that fails are not looked for.
    """
    count = 0
    for use in _uses_of_stored(evaluator, item):
        count += 1
        if count > MAX_USES or not test(use):
            return False
    return count > 0


def is_object_tested(evaluator: Evaluator, guards: GuardReader, access: Node) -> bool:
    """Whether a member is read only if its object is something: `x?.y`, `x && x.y`."""
    if not isinstance(access, AccessExpression):
        return False
    fact = variable_fact(evaluator, access.object)
    return is_optional(access) or (fact is not None and fact in guards.guards_at(access).tested)


def without_tested_options(evaluator: Evaluator, guards: GuardReader, item: Node, value: Value) -> Value:
    """Returns an expression's value without falsy options, if it is reached only after a test of the value.

    If nothing else remains, the value is unknown: the code does not run, or the variable was written before.
    """
    if not any(map(_is_falsy, options_of(value))):
        return value
    fact = variable_fact(evaluator, innermost(item))
    if fact is None or fact not in guards.guards_at(item).tested:
        return value
    binding = evaluator.names.variable(innermost(item))
    around = _tested_in(guards, item, fact)
    earlier = (
        () if binding is None else (each.item for each in binding.writes if each.item.start < item.start)
    )
    tested = (_tested_in(guards, each, fact) for each in earlier)
    if around is not None and any(each is not None and each.same(around) for each in tested):
        return value
    remaining = without_options(value, _is_falsy)
    return UNKNOWN if remaining == NOTHING else remaining


def _tested_in(guards: GuardReader, item: Node, fact: ApiPath) -> Node | None:
    """Returns the parent of the outermost node around an item that is tested, or None if none is tested.

    Two items with the same parent are behind the same test.
    """
    found = None
    for part in (item, *islice(item.ancestors(), _MAX_DEPTH)):
        if fact not in guards.guards_at(part).tested:
            return found
        found = part.parent
    return None


def _is_falsy(value: Value) -> bool:
    return truth(value) is False


def _is_tested(evaluator: Evaluator, guards: GuardReader, item: Node, fact: ApiPath | None) -> bool:
    if is_only_tested(evaluator, item) or has_alternative(item):
        return True
    return fact is not None and fact in guards.guards_at(item).tested


def _is_guarded(evaluator: Evaluator, guards: GuardReader, use: Node, path: ApiPath) -> bool:
    if is_only_tested(evaluator, use) or has_alternative(use):
        return True
    if _holds_other_member(evaluator, use, path):
        return True
    around = guards.guards_at(use)
    return (
        around.failure is not FailureHandling.NONE
        or variable_fact(evaluator, use) in around.tested
        or any(tested[: len(path)] == path for tested in around.tested)
    )


def _holds_other_member(evaluator: Evaluator, use: Node, path: ApiPath) -> bool:
    """Whether a variable that is written several times holds another member at a use."""
    found = evaluator.api(use)
    return found is not None and found.path != path


def _uses_of_stored(evaluator: Evaluator, item: Node) -> Iterable[Node]:
    """Returns the uses of the variable or property in which a member is stored.

    Returns none if it goes elsewhere.
    """
    if item.type == "shorthand_property_identifier_pattern":
        return _variable_uses(evaluator, item)
    if isinstance(item, PairPattern):
        return _variable_uses(evaluator, item.value)
    whole = choice_of(item)
    match whole.parent:
        case VariableDeclarator() as up if whole.is_field("value"):
            return _variable_uses(evaluator, up.name)
        case AssignmentExpression() as up if whole.is_field("right") and _is_unused(evaluator, up):
            if isinstance(up.left, AccessExpression):
                return _property_uses(evaluator, up.left, item)
            return _variable_uses(evaluator, up.left)
        case Pair() | FieldDefinition() as up if whole.is_field("value"):
            return _property_uses(evaluator, up, item)
        case Node(type="array") as up:
            return _variable_uses(evaluator, _array_pattern_part(whole, up))
        case Node(type="arguments") as up:
            return _variable_uses(evaluator, parameter_for(evaluator, whole, up))
    return []


def _is_unused(evaluator: Evaluator, assignment: Node) -> bool:
    """Whether the value of an assignment itself is not used."""
    whole = outermost(assignment)
    up = whole.parent
    if up is None or up.type == "expression_statement" or is_only_tested(evaluator, assignment):
        return True
    return up.type == "sequence_expression" and (
        not whole.is_last() or up.parent is None or up.parent.type == "expression_statement"
    )


def _variable_uses(evaluator: Evaluator, name: Node | None) -> list[Node]:
    if name is None or name.type not in {"identifier", "shorthand_property_identifier_pattern"}:
        return []
    binding = evaluator.names.variable(name)
    if binding is None or _is_exported(binding):
        return []
    return [use.item for use in binding.uses if use.role is not Role.WRITE]


def _is_exported(binding: Binding) -> bool:
    """Whether the declaration of a variable exports it. A variable in an exported function is its own."""
    return binding.scope.type in _EXPORTING_SCOPES and any(
        up.type == "export_statement" for each in binding.declarations for up in each.item.ancestors()
    )


def _property_uses(evaluator: Evaluator, place: Node, item: Node) -> Iterator[Node]:
    name = key_of(evaluator, place)
    if name is None:
        return
    for each in islice(members_named(evaluator, name), MAX_USES + 2):
        if not each.same(item) and assignment_to(each) is None:
            yield each
    for part in islice(patterns_named(evaluator, name), MAX_USES):
        yield from _pattern_uses(evaluator, part)


def _pattern_uses(evaluator: Evaluator, part: Node) -> list[Node]:
    """Returns the uses of the variable that a part of a pattern binds, or else the part itself."""
    return _variable_uses(evaluator, part.value if isinstance(part, PairPattern) else part) or [part]


def _array_pattern_part(item: Node, array: Node) -> Node | None:
    """Returns the part of `[…, name]` that receives an array item in `[…, name] = [item, …]`, or None."""
    match outermost(array).parent:
        case VariableDeclarator(name=pattern) | AssignmentExpression(left=pattern):
            pass
        case _:
            return None
    if pattern.type != "array_pattern" or array.has_token("spread_element"):
        return None
    at = _commas_before(array, item)
    return next((each for each in pattern.named() if _commas_before(pattern, each) == at), None)


def _commas_before(listed: Node, item: Node) -> int:
    return sum(each.type == "," and each.end <= item.start for each in listed.children())


def parameter_for(evaluator: Evaluator, argument: Node, listed: Node) -> Node | None:
    """Returns the plain parameter of a function of the script that receives an argument, or None."""
    call = listed.parent
    if not isinstance(call, CallExpression) or listed.has_token("spread_element"):
        return None
    definition = evaluator.definition_of(call.callee)
    if not isinstance(definition, Function):
        return None
    index = index_of(listed.named(), argument) or 0
    parameters = definition.parameters
    return pattern_of(parameters[index]) if index < len(parameters) else None


def tested_by_function(evaluator: Evaluator, guards: GuardReader, named: Node) -> frozenset[ApiPath]:
    """Returns the members that exist whenever the function called for a member's object returns."""
    call = _source_call(evaluator, named.object) if isinstance(named, AccessExpression) else None
    if call is None:
        return frozenset()
    function = evaluator.definition_of(call.callee)
    if not isinstance(function, Function) or function.body.type != "statement_block":
        return frozenset()
    found = [guards.within_function(each)[0].tested for each in return_statements(evaluator, function.body)]
    return frozenset(each for each in frozenset.intersection(*found) if each[0]) if found else frozenset()


def _source_call(evaluator: Evaluator, holder: Node) -> CallExpression | None:
    """Returns the call that returns an object, or that initializes the constant which holds it, or None."""
    expression = innermost(holder)
    if expression.type == "identifier":
        binding = evaluator.names.variable(expression)
        source = None
        if binding is not None and len(binding.writes) == 1:
            source = binding.writes[0].source
        if not isinstance(source, VariableDeclarator) or source.value is None:
            return None
        expression = innermost(source.value)
    return expression if isinstance(expression, CallExpression) else None
