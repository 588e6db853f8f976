"""Determines what the uses of a variable, and calls, do to the object that it holds."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from itertools import islice

from extlint.analysis.expressions.objects import reads_arguments
from extlint.analysis.scope.model import Binding, Effects, Identifier, Role, function_of
from extlint.analysis.syntax.node import LOOPS, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AssignmentPattern,
    BinaryExpression,
    CallExpression,
    ConditionalExpression,
    ForInStatement,
    Function,
    MemberExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    call_with_argument,
    enclosing_function,
    index_of,
    innermost,
    is_exported,
    is_rest,
    outermost,
    pattern_of,
)
from extlint.analysis.values.api_results import ITEM_METHODS, READING_METHODS, REORDERING_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import MAX_USES
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import carries_api
from extlint.analysis.values.property_index import assignment_to, is_changed, key_of, members_named
from extlint.text.patterns import lazy

_LITERALS = frozenset({"array", "object", "pair", "spread_element"})
_MAX_CALL_DEPTH = 8


def reading_call(evaluator: Evaluator, at: Node) -> Node | None:
    """Returns the API call that reads a variable at a reference, as an argument or in a literal, or None."""
    expression = outermost(at)
    for _ in range(_MAX_CALL_DEPTH):
        call = call_with_argument(expression)
        if call is not None:
            is_read = isinstance(call, CallExpression) and carries_api(evaluator.partial(call.callee))
            return call if is_read else None
        up = expression.parent
        if up is None or up.type not in _LITERALS or expression.is_field("key"):
            return None
        expression = outermost(up)
    return None


def is_after_call(binding: Binding, use: Node, at: Node, call: Node) -> bool:
    """Whether a use affects an object only after a call has read the object."""
    here = function_of(at)
    if not all(function_of(each.item).same(here) for each in binding.writes):
        return False
    for up in use.ancestors():
        if up.same(here):
            break
        if isinstance(up, Function):
            if up.type.endswith("_declaration"):
                return False
            taker = call_with_argument(outermost(up))
            if taker is not None and taker.same(call):
                return up.start >= at.end and not _loops_back(binding, up, at)
            if up.start < call.end:
                return False
    return use.start >= call.end and not _loops_back(binding, use, at)


def _loops_back(binding: Binding, use: Node, at: Node) -> bool:
    """Whether a loop leads from a use back to a place, with the same object."""
    here = function_of(at)
    for up in at.ancestors():
        if up.same(here):
            return False
        if (
            up.type in LOOPS
            and up.contains(use)
            and not all(up.contains(each.item) for each in binding.writes)
        ):
            return True
    return False


_PURE_OBJECTS = frozenset({"console", "JSON"})
_OBJECT_READERS = frozenset({"getOwnPropertyNames", "getPrototypeOf", "keys"})
_MAX_NAME_BYTES = 80
_LOGGER = lazy(
    r"(?:(?:this|self|window|globalThis)\.)?(?:[\w$]+\.)*_?(?:(?:[\w$]*L|l)og(?:ger|ging)?|LOG(?:GER)?|console)"
    r"\.(?:debug|error|fatal|info|log|notice|silly|trace|verbose|warn|warning)"
    r"|_?(?:console|debug|log)(?:Debug|Error|Info|Log|Message|Trace|Warn|Warning)?"
)
"""Matches usual names of logging functions."""


HoldsUnchanged = Callable[[Evaluator, Node], bool]
"""Whether nothing changes or keeps the object in the variable with this declared name."""


def is_reader(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether a call is known not to mutate its arguments: of the API, the console, JSON or a logger."""
    callee = call.callee
    if carries_api(evaluator.partial(callee)):
        return True
    if _object_name(evaluator, callee) == "Object":
        return key_of(evaluator, callee) in _OBJECT_READERS
    return only_describes(evaluator, call)


def _object_name(evaluator: Evaluator, callee: Node) -> str | None:
    """Returns the name of the object whose member is called, or None."""
    if isinstance(callee, MemberExpression) and callee.object.type == "identifier":
        return evaluator.tree.source(callee.object)
    return None


def only_describes(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether a call only writes to the console or a log, or is one of JSON, by its name."""
    callee = call.callee
    if _object_name(evaluator, callee) in _PURE_OBJECTS:
        return True
    is_short = callee.end - callee.start <= _MAX_NAME_BYTES
    return is_short and _LOGGER.fullmatch(evaluator.tree.source(callee)) is not None


def only_reads(
    evaluator: Evaluator, call: CallExpression, argument: Node, holds_unchanged: HoldsUnchanged
) -> bool:
    """Whether a call is known not to mutate or keep an argument."""
    if is_reader(evaluator, call):
        return True
    if call.callee.type not in {"identifier", "member_expression"}:
        return False
    definition = evaluator.definition_of(call.callee)
    if not isinstance(definition, Function):
        return False
    arguments = call.arguments
    index = index_of(arguments, outermost(argument))
    if index is None or any(each.type == "spread_element" for each in arguments):
        return False
    if reads_arguments(evaluator.tree, definition):
        return False
    parameters = definition.parameters
    if index >= len(parameters):
        return not any(map(is_rest, parameters))
    pattern = innermost(pattern_of(parameters[index]))
    return holds_unchanged(evaluator, pattern.left if isinstance(pattern, AssignmentPattern) else pattern)


_MAX_DEPTH = 4
"""The most variables that hold the same object in turn, such as parameters in a chain of calls."""

_READERS = frozenset(
    {
        "binary_expression",
        "expression_statement",
        "if_statement",
        "sequence_expression",
        "switch_statement",
        "template_substitution",
        "ternary_expression",
        "unary_expression",
        "while_statement",
    }
)
_RETURNS = frozenset({"arrow_function", "return_statement"})
_SAME = frozenset({"Object.freeze", "Object.seal"})
_PARTS = frozenset({"Object.entries", "Object.values"})
_GLOBAL_NAMES = frozenset({"globalThis", "self", "window"})


def effects_of(evaluator: Evaluator, binding: Binding) -> Effects:
    """Returns the effects of all uses of a variable on the object that it holds."""
    if binding.effects is None:
        found = effects_of_uses(evaluator, _uses(evaluator, binding))
        if any(_is_in_arguments(evaluator, each) for each in binding.writes):
            found.escapes.append(evaluator.tree.root)
        if any(is_exported(each.item) for each in binding.declarations):
            found.returned.append(evaluator.tree.root)
        binding.effects = found
    return binding.effects


def effects_of_uses(evaluator: Evaluator, uses: Iterable[Node]) -> Effects:
    """Returns the effects of some expressions on the object that is their value."""
    found = Effects()
    for use in uses:
        _add_effect(evaluator, use, found)
    return found


def _uses(evaluator: Evaluator, binding: Binding) -> Iterable[Node]:
    """Yields the expressions whose value is that of a variable."""
    for use in binding.uses:
        if use.role is Role.REFERENCE:
            yield use.item
        elif isinstance(use.source, AssignmentExpression) and use.source.left.same(use.item):
            yield use.source
    if binding.scope.type == "program" and not evaluator.tree.is_module:
        for place in islice(members_named(evaluator, binding.name), MAX_USES):
            if evaluator.tree.source(place.object) in _GLOBAL_NAMES and assignment_to(place) is None:
                yield place


def _is_in_arguments(evaluator: Evaluator, write: Identifier) -> bool:
    """Whether the object in a variable may also be reached through `arguments`."""
    function = enclosing_function(write.item) if write.kind == "parameter" else None
    return function is not None and reads_arguments(evaluator.tree, function)


def _add_effect(evaluator: Evaluator, use: Node, effects: Effects) -> None:
    """Adds the effect of one use on the object, if it has any."""
    whole, first, may_differ = use, None, False
    while True:
        outer = _carrier(evaluator, whole)
        may_differ = may_differ or not outer.same(outermost(whole))
        whole = outer
        up = whole.parent
        if not isinstance(up, AccessExpression) or not whole.is_field("object"):
            break
        if first is None and _add_member_effect(evaluator, use, up, effects):
            if may_differ:
                effects.escapes.append(use)
            return
        first, whole = first or up, up
    if first is None:
        _add_flow(evaluator, use, whole, effects)
    elif not _is_only_read(evaluator, whole):
        effects.inner.append(first)


def _carrier(evaluator: Evaluator, expression: Node) -> Node:
    """Returns the outermost expression whose value is or may be that of an expression."""
    while True:
        whole = outermost(expression)
        match whole.parent:
            case BinaryExpression(is_logical=True) as up if whole.is_field("right") or up.operator != "&&":
                expression = up
            case ConditionalExpression() as up if not whole.is_field("condition"):
                expression = up
            case Node(type="arguments", parent=CallExpression() as up) if _is_call(evaluator, up, _SAME):
                expression = up
            case Node(type="await_expression") as up:
                expression = up
            case Node(type="sequence_expression") as up if whole.is_last():
                expression = up
            case _:
                return whole


def _add_member_effect(evaluator: Evaluator, use: Node, place: AccessExpression, effects: Effects) -> bool:
    """Adds the effect of a use of a member if that is a write or a call, and returns whether it is."""
    whole = outermost(place)
    assignment, up = assignment_to(whole), whole.parent
    if assignment is not None:
        effects.writes.append(place)
        if not _is_only_read(evaluator, _carrier(evaluator, assignment)):
            effects.inner.append(place)
        return True
    if is_changed(whole):
        effects.changes.append(place)
        effects.escapes.append(use)
        return True
    if isinstance(up, CallExpression) and whole.is_field("function"):
        method = evaluator.tree.source(place.property) if isinstance(place, MemberExpression) else ""
        if method in REORDERING_METHODS:
            effects.part_escapes.append(use)
        elif method in ITEM_METHODS:
            effects.items.append(use)
        elif method not in READING_METHODS:
            effects.escapes.append(use)
        return True
    return False


def _add_flow(evaluator: Evaluator, use: Node, whole: Node, effects: Effects) -> None:
    """Adds the effect of passing on the object as the value of an expression."""
    up = whole.parent
    if up is not None and up.type in _RETURNS:
        effects.returned.append(use)
    elif _passes_parts(evaluator, whole, up):
        if reading_call(evaluator, whole) is None:
            effects.part_escapes.append(use)
    elif not _is_only_read(evaluator, whole):
        (effects.part_escapes if _is_whole(evaluator, whole) else effects.escapes).append(use)


def _is_call(evaluator: Evaluator, call: CallExpression, names: Container[str]) -> bool:
    return isinstance(call.callee, MemberExpression) and evaluator.tree.source(call.callee) in names


def _passes_parts(evaluator: Evaluator, whole: Node, up: Node | None) -> bool:
    """Whether only the parts of an object are passed on: it is spread, destructured or iterated."""
    match up:
        case Node(type="arguments", parent=CallExpression() as call):
            return _is_call(evaluator, call, _PARTS)
        case ForInStatement() | Node(type="spread_element"):
            return True
        case VariableDeclarator(name=Node(type="array_pattern" | "object_pattern")):
            return whole.is_field("value")
    return False


def _is_whole(evaluator: Evaluator, whole: Node) -> bool:
    """Whether only parts of the object that is the value of an expression may be changed or kept."""
    return _is_only_read(evaluator, whole, holds_whole)


def _is_only_read(evaluator: Evaluator, whole: Node, holds: HoldsUnchanged | None = None) -> bool:
    """Whether nothing changes the object that is the value of an expression, or keeps it."""
    holds = holds or holds_unchanged
    up = whole.parent
    if up is None or is_changed(whole):
        return False
    if isinstance(up, VariableDeclarator):
        return whole.is_field("value") and holds(evaluator, up.name)
    if isinstance(up, AccessExpression) and whole.is_field("index"):
        return True
    call = call_with_argument(whole)
    if isinstance(call, CallExpression):
        return only_reads(evaluator, call, whole, holds)
    if up.type in _READERS:
        return True
    return up.type in {"array", "pair", "spread_element"} and reading_call(evaluator, whole) is not None


def holds_unchanged(evaluator: Evaluator, name: Node) -> bool:
    """Whether nothing changes the object that a variable holds, or keeps it, given its declared name."""
    effects = _known_effects(evaluator, name)
    return effects is not None and effects.is_harmless


def holds_whole(evaluator: Evaluator, name: Node) -> bool:
    """Whether only parts of that object may be changed or kept."""
    effects = _known_effects(evaluator, name)
    return effects is not None and not (
        effects.escapes or effects.returned or effects.writes or effects.changes
    )


def _known_effects(evaluator: Evaluator, name: Node) -> Effects | None:
    """Returns the effects of a variable, given its declared name, or None if they take too much work."""
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    active = _active_names(evaluator)
    if binding is None or len(binding.uses) > MAX_USES or name.id in active or len(active) >= _MAX_DEPTH:
        return None
    active.add(name.id)
    try:
        return effects_of(evaluator, binding)
    finally:
        active.discard(name.id)


@once_per_script
def _active_names(evaluator: Evaluator) -> set[int]:  # noqa: ARG001
    """Returns the variables being examined, by the ids of their names, since these calls are recursive."""
    return set()
