"""Members that something holds until they are tested: `const f = api.x; if (f) f();`."""

from __future__ import annotations

from itertools import islice

from extlint.script.facts.script_facts import ApiPath, FailureHandling
from extlint.script.guards.forms.members import variable_fact
from extlint.script.guards.guard_reader import GuardReader
from extlint.script.guards.only_tested import is_alternative, only_tested
from extlint.script.scope.identifiers import Role
from extlint.script.syntax.node import FUNCTIONS, MEMBERS, Node
from extlint.script.syntax.shapes import index_of, outermost, parameter_items
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_index import assignment_to, members_by, patterns_by
from extlint.script.values.property_names import key_of

MAX_USES = 100
"""Uses of one holder that are looked at; one with more is taken to use what it holds."""

_CHOICES = frozenset({"&&", "||", "??"})


def used_where_tested(evaluator: Evaluator, guards: GuardReader, item: Node, path: ApiPath) -> bool:
    """Whether a member is only kept somewhere, each use of which tests it or is reached after a test."""
    uses = _uses(evaluator, item)
    return 0 < len(uses) <= MAX_USES and all(_is_safe(evaluator, guards, use, path) for use in uses)


def is_field_tested(evaluator: Evaluator, guards: GuardReader, item: Node, name: str) -> bool:
    """Whether a field is read to see if it is there, with something to take in its place, or after a test.

    The same holds where it is only kept somewhere, and each use of that is such a place.
    """
    return _asks(evaluator, guards, item, ("", f".{name}")) or _is_kept_to_ask(evaluator, guards, item)


def _is_kept_to_ask(evaluator: Evaluator, guards: GuardReader, item: Node) -> bool:
    uses = _uses(evaluator, item)
    return 0 < len(uses) <= MAX_USES and all(
        _asks(evaluator, guards, use, variable_fact(evaluator, use)) for use in uses
    )


def _asks(evaluator: Evaluator, guards: GuardReader, item: Node, holder: ApiPath | None) -> bool:
    if only_tested(evaluator, item) or is_alternative(item):
        return True
    return holder is not None and holder in guards.all_around(item).tested


def _uses(evaluator: Evaluator, item: Node) -> list[Node]:
    """Where what a member is put into is read; nothing if it goes elsewhere."""
    if item.type == "shorthand_property_identifier_pattern":
        return _of_variable(evaluator, item)
    if item.type == "pair_pattern":
        return _of_variable(evaluator, item.field("value"))
    whole = _chosen(item)
    up = whole.parent
    if up is None:
        return []
    match up.type:
        case "variable_declarator" if whole.is_field("value"):
            return _of_variable(evaluator, up.field("name"))
        case "assignment_expression" if whole.is_field("right") and _ends_there(evaluator, up):
            left = up.field("left")
            if left is not None and left.type in MEMBERS:
                return _of_property(evaluator, left, item)
            return _of_variable(evaluator, left)
        case "pair" if whole.is_field("value"):
            return _of_property(evaluator, up, item)
        case "field_definition" | "public_field_definition" if whole.is_field("value"):
            return _of_property(evaluator, up, item)
        case "array":
            return _of_variable(evaluator, _taken_from(whole, up))
        case "arguments":
            return _of_variable(evaluator, parameter_for(evaluator, whole, up))
    return []


def _chosen(item: Node) -> Node:
    """The expression that has the value of a member, among others (`c ? member : other`)."""
    whole = outermost(item)
    up = whole.parent
    while up is not None and _chooses(whole, up):
        whole = outermost(up)
        up = whole.parent
    return whole


def _chooses(whole: Node, up: Node) -> bool:
    match up.type:
        case "binary_expression":
            operator = up.field("operator")
            return operator is not None and operator.type in _CHOICES and whole.is_field("right")
        case "ternary_expression":
            return not whole.is_field("condition")
        case "sequence_expression":
            return up.named()[-1].same(whole)
    return False


def _ends_there(evaluator: Evaluator, assignment: Node) -> bool:
    """Whether the value of an assignment itself is not used."""
    whole = outermost(assignment)
    up = whole.parent
    if up is None or up.type == "expression_statement" or only_tested(evaluator, assignment):
        return True
    return up.type == "sequence_expression" and (
        not up.named()[-1].same(whole) or up.parent is None or up.parent.type == "expression_statement"
    )


def _of_variable(evaluator: Evaluator, name: Node | None) -> list[Node]:
    if name is None or name.type not in {"identifier", "shorthand_property_identifier_pattern"}:
        return []
    binding = evaluator.names.variable(name)
    if binding is None or any(_is_exported(each.item) for each in binding.declarations):
        return []
    return [use.item for use in binding.uses if use.role is not Role.WRITE]


def _is_exported(name: Node) -> bool:
    return any(up.type == "export_statement" for up in islice(name.ancestors(), 5))


def _of_property(evaluator: Evaluator, place: Node, item: Node) -> list[Node]:
    name = key_of(evaluator, place)
    if name is None:
        return []
    members = [
        each
        for each in islice(members_by(evaluator, name), MAX_USES + 2)
        if not each.same(item) and assignment_to(each) is None
    ]
    patterns = (_of_pattern(evaluator, each) for each in patterns_by(evaluator, name))
    return [*members, *(use for each in islice(patterns, MAX_USES) for use in each)]


def _taken_from(item: Node, array: Node) -> Node | None:
    """What a pattern takes of an array, `[…, name] = [item, …]`, at the place of an item."""
    up = outermost(array).parent
    pattern = None if up is None else up.field("name") or up.field("left")
    if pattern is None or pattern.type != "array_pattern":
        return None
    if array.has("spread_element"):
        return None
    at = _commas_before(array, item)
    return next((each for each in pattern.named() if _commas_before(pattern, each) == at), None)


def _commas_before(listed: Node, item: Node) -> int:
    return sum(each.type == "," and each.end <= item.start for each in listed.all())


def _of_pattern(evaluator: Evaluator, part: Node) -> list[Node]:
    """The uses of the variable that a pattern fills; the pattern itself if it is no plain one."""
    name = part.field("value") if part.type == "pair_pattern" else part
    return _of_variable(evaluator, name) or [part]


def parameter_for(evaluator: Evaluator, argument: Node, listed: Node) -> Node | None:
    """The plain parameter of a function of the script that takes an argument."""
    call = listed.parent
    function = None if call is None else call.field("function")
    definition = None if function is None else evaluator.definition(evaluator.value(function))
    if definition is None or definition.type not in FUNCTIONS or listed.has("spread_element"):
        return None
    index = index_of(listed.named(), argument) or 0
    parameters = parameter_items(definition)
    if index >= len(parameters):
        return None
    return parameters[index].field("pattern") or parameters[index]


def _is_safe(evaluator: Evaluator, guards: GuardReader, use: Node, path: ApiPath) -> bool:
    if only_tested(evaluator, use) or is_alternative(use):
        return True
    around = guards.all_around(use)
    holder = variable_fact(evaluator, use)
    return (
        around.failure is not FailureHandling.NONE
        or holder in around.tested
        or any(tested[: len(path)] == path for tested in around.tested)
    )
