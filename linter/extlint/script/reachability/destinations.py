"""Where the functions of a script end up: they may run in place, or only their text is taken.

A function whose text is taken (`String(f)`, `scripting.executeScript({func: f})`) runs in another world than
the script that it is written in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from extlint.script.call_graph.definitions import exported_as
from extlint.script.facts.destination import Destination, Keys, joined_fate
from extlint.script.guards.only_tested import only_tested
from extlint.script.reachability.serialization import Serialization
from extlint.script.reachability.still_assigned import may_still_hold
from extlint.script.scope.bindings import Binding, TooManyIdentifiersError
from extlint.script.scope.identifiers import Role
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import index_of, outermost, parameter_items
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import MAX_USES
from extlint.script.values.property_names import key_of

Receivers: TypeAlias = "Callable[[Node, int, Keys], Destination]"
"""What functions of the package do with an argument, by the callee, the argument's index and its keys."""

_MAX_DEPTH = 12
_MAX_STEPS = 1_000
_PASSING = frozenset({"||", "&&", "??"})
_COMPARING = frozenset({"==", "===", "!=", "!==", "instanceof", "in"})


def unknown_receiver(callee: Node, index: int, keys: Keys) -> Destination:  # noqa: ARG001
    """Where an argument of a function that is not seen ends up."""
    return Destination.IN_PLACE


class DestinationFinder:
    """Finds where the functions of one script end up.

    `receivers` says it for calls of functions that the script does not define.
    """

    def __init__(self, evaluator: Evaluator, receivers: Receivers = unknown_receiver) -> None:
        self._evaluator = evaluator
        self._receivers = receivers
        self._serialization = Serialization(evaluator)
        self._known: dict[tuple[int, Keys], Destination] = {}
        self._open: dict[tuple[int, Keys], int] = {}
        self._lowest = _MAX_DEPTH
        self._steps = 0

    def of(self, item: Node, keys: Keys = ()) -> Destination:
        """Where the function ends up that an expression is, or that it holds."""
        key = (item.id, keys)
        if key in self._known:
            return self._known[key]
        if key in self._open:
            self._lowest = min(self._lowest, self._open[key])
            return Destination.NONE
        depth = len(self._open)
        self._steps = self._steps + 1 if depth else 0
        if depth >= _MAX_DEPTH or self._steps > _MAX_STEPS:
            return Destination.IN_PLACE
        outer, self._lowest = self._lowest, _MAX_DEPTH
        self._open[key] = depth
        try:
            found = self._of(outermost(item), keys)
        finally:
            del self._open[key]
        if found is Destination.IN_PLACE or self._lowest >= depth:
            self._known[key] = found
            self._lowest = _MAX_DEPTH
        self._lowest = min(outer, self._lowest)
        return found

    def of_argument(self, function: Node, index: int, keys: Keys) -> Destination:
        """What a function does with an argument."""
        listed = parameter_items(function)
        if index >= len(listed):
            return Destination.IN_PLACE
        return self._into(listed[index].field("pattern") or listed[index], keys)

    def _of(self, whole: Node, keys: Keys) -> Destination:
        up = whole.parent
        if up is None:
            return Destination.IN_PLACE
        if only_tested(self._evaluator, whole):
            return Destination.NONE
        match up.type:
            case "template_substitution" if not keys:
                template = up.parent
                return Destination.IN_PLACE if template is None else self._serialization.as_text(template)
            case "binary_expression":
                return self._operand(up, keys)
            case "augmented_assignment_expression" if up.has("+=") and whole.is_field("right"):
                return Destination.IN_PLACE if keys else Destination.SERIALIZED
            case "unary_expression":
                return Destination.NONE if up.has("typeof") or up.has("!") else Destination.IN_PLACE
            case "expression_statement":
                return Destination.NONE
            case "if_statement" | "while_statement":
                return Destination.NONE
            case "ternary_expression":
                return Destination.NONE if whole.is_field("condition") else self.of(up, keys)
            case "await_expression":
                return self.of(up, keys)
            case "member_expression" | "subscript_expression" if whole.is_field("object"):
                return self._member(up, keys)
            case "pair" if whole.is_field("value") and up.parent is not None:
                name = key_of(self._evaluator, up)
                return Destination.IN_PLACE if name is None else self.of(up.parent, (name, *keys))
            case "object" if whole.type == "shorthand_property_identifier":
                return self.of(up, (self._evaluator.tree.source(whole), *keys))
            case "array":
                return Destination.IN_PLACE if keys else self._serialization.item(up)
            case "variable_declarator" if whole.is_field("value"):
                name_item = up.field("name")
                return Destination.IN_PLACE if name_item is None else self._into(name_item, keys)
            case "assignment_expression" if whole.is_field("right"):
                left = up.field("left")
                is_name = left is not None and left.type == "identifier"
                return self._into(left, keys) if left is not None and is_name else Destination.IN_PLACE
            case "arguments" if up.parent is not None:
                return self._argument(whole, up, up.parent, keys)
        return Destination.IN_PLACE

    def _operand(self, up: Node, keys: Keys) -> Destination:
        operator = up.field("operator")
        kind = "" if operator is None else operator.type
        if kind == "+" and not keys:
            return self._serialization.as_text(up)
        if kind in _PASSING:
            return self.of(up, keys)
        return Destination.NONE if kind in _COMPARING else Destination.IN_PLACE

    def _member(self, member: Node, keys: Keys) -> Destination:
        """What a property of what holds a function, or a method of the function itself, makes of it."""
        name = key_of(self._evaluator, member)
        if keys:
            if name is None:
                return Destination.IN_PLACE
            return self.of(member, keys[1:]) if name == keys[0] else Destination.NONE
        if name in {"length", "name"}:
            return Destination.NONE
        whole = outermost(member)
        up = whole.parent
        is_called = up is not None and up.type == "call_expression" and whole.is_field("function")
        return (
            self._serialization.as_text(up)
            if up is not None and is_called and name == "toString"
            else Destination.IN_PLACE
        )

    def _into(self, pattern: Node, keys: Keys) -> Destination:
        """Where a function ends up that a pattern takes: in a variable, or a part of an object."""
        if pattern.type == "assignment_pattern":
            left = pattern.field("left")
            return Destination.IN_PLACE if left is None else self._into(left, keys)
        if pattern.type == "object_pattern":
            return self._into_part(pattern, keys)
        if pattern.type not in {"identifier", "shorthand_property_identifier_pattern"}:
            return Destination.IN_PLACE
        binding = self._evaluator.names.variable(pattern)
        return Destination.IN_PLACE if binding is None else self._in_variable(binding, pattern, keys)

    def _into_part(self, pattern: Node, keys: Keys) -> Destination:
        if not keys:
            return Destination.IN_PLACE
        for part in pattern.named():
            if part.type == "rest_pattern":
                return Destination.IN_PLACE
            name = key_of(self._evaluator, part)
            if name is None:
                return Destination.IN_PLACE
            if name == keys[0]:
                inner = part.field("value") if part.type == "pair_pattern" else part.field("left") or part
                return Destination.IN_PLACE if inner is None else self._into(inner, keys[1:])
        return Destination.NONE

    def _in_variable(self, binding: Binding, given: Node, keys: Keys) -> Destination:
        try:
            uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
        except TooManyIdentifiersError:
            return Destination.IN_PLACE
        if len(uses) > MAX_USES:
            return Destination.IN_PLACE
        is_shared = binding.scope.type == "program" and not self._evaluator.tree.is_module
        named = [each.item for each in (*binding.declarations, *binding.uses)]
        is_exported = any(exported_as(self._evaluator, each) is not None for each in named)
        if is_shared or is_exported:
            return Destination.IN_PLACE
        return joined_fate(
            self.of(use, keys) for use in uses if may_still_hold(self._evaluator, binding, given, use)
        )

    def _argument(self, whole: Node, listed: Node, call: Node, keys: Keys) -> Destination:
        arguments = listed.named()
        index = index_of(arguments, whole) or 0
        callee = call.field("function") or call.field("constructor")
        if callee is None or any(each.type == "spread_element" for each in arguments[:index]):
            return Destination.IN_PLACE
        of_platform = self._serialization.by_platform(callee, call, index, keys)
        if of_platform is not None:
            return of_platform
        made = self._evaluator.definition(self._evaluator.value(callee))
        if made is not None and made.type in FUNCTIONS and call.type == "call_expression":
            return self.of_argument(made, index, keys)
        return Destination.IN_PLACE if made is not None else self._receivers(callee, index, keys)
