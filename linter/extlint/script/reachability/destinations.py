"""What becomes of a function where it stands: it may run there, or only its text goes on.

A function whose text is taken (`String(f)`, `scripting.executeScript({func: f})`) runs in another world than
the script that it is written in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from extlint.script.call_graph.callers import exported_as
from extlint.script.facts.destination import Fate, Keys, joined
from extlint.script.guards.only_tested import only_tested
from extlint.script.reachability.serialization import Serializing
from extlint.script.reachability.still_assigned import may_still_hold
from extlint.script.scope.bindings import Binding, TooManyIdentifiersError
from extlint.script.scope.identifiers import Role
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import index_of, outermost, parameter_items
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import MAX_USES
from extlint.script.values.property_names import key_of

Receivers: TypeAlias = "Callable[[Node, int, Keys], Fate]"
"""What functions of the package do with an argument, by the callee, the argument's index and its keys."""

_MAX_DEPTH = 12
_MAX_STEPS = 1_000
_PASSING = frozenset({"||", "&&", "??"})
_COMPARING = frozenset({"==", "===", "!=", "!==", "instanceof", "in"})


def hide(callee: Node, index: int, keys: Keys) -> Fate:  # noqa: ARG001
    """What functions that are not seen do with an argument."""
    return Fate.HERE


class Fates:
    """Tells what becomes of the functions of one script.

    `receivers` tells it of calls whose function the script itself does not show.
    """

    def __init__(self, evaluator: Evaluator, receivers: Receivers = hide) -> None:
        self._evaluator = evaluator
        self._receivers = receivers
        self._serializing = Serializing(evaluator)
        self._known: dict[tuple[int, Keys], Fate] = {}
        self._open: dict[tuple[int, Keys], int] = {}
        self._lowest = _MAX_DEPTH
        self._steps = 0

    def of(self, item: Node, keys: Keys = ()) -> Fate:
        """What becomes of the function that an expression is, or that it holds."""
        key = (item.id, keys)
        if key in self._known:
            return self._known[key]
        if key in self._open:
            self._lowest = min(self._lowest, self._open[key])
            return Fate.NOTHING
        depth = len(self._open)
        self._steps = self._steps + 1 if depth else 0
        if depth >= _MAX_DEPTH or self._steps > _MAX_STEPS:
            return Fate.HERE
        outer, self._lowest = self._lowest, _MAX_DEPTH
        self._open[key] = depth
        try:
            found = self._of(outermost(item), keys)
        finally:
            del self._open[key]
        if found is Fate.HERE or self._lowest >= depth:
            self._known[key] = found
            self._lowest = _MAX_DEPTH
        self._lowest = min(outer, self._lowest)
        return found

    def of_argument(self, function: Node, index: int, keys: Keys) -> Fate:
        """What a function does with an argument."""
        listed = parameter_items(function)
        if index >= len(listed):
            return Fate.HERE
        return self._into(listed[index].field("pattern") or listed[index], keys)

    def _of(self, whole: Node, keys: Keys) -> Fate:
        up = whole.parent
        if up is None:
            return Fate.HERE
        if only_tested(self._evaluator, whole):
            return Fate.NOTHING
        match up.type:
            case "template_substitution" if not keys:
                template = up.parent
                return Fate.HERE if template is None else self._serializing.as_text(template)
            case "binary_expression":
                return self._operand(up, keys)
            case "augmented_assignment_expression" if up.has("+=") and whole.is_field("right"):
                return Fate.HERE if keys else Fate.TEXT
            case "unary_expression":
                return Fate.NOTHING if up.has("typeof") or up.has("!") else Fate.HERE
            case "expression_statement":
                return Fate.NOTHING
            case "if_statement" | "while_statement":
                return Fate.NOTHING
            case "ternary_expression":
                return Fate.NOTHING if whole.is_field("condition") else self.of(up, keys)
            case "await_expression":
                return self.of(up, keys)
            case "member_expression" | "subscript_expression" if whole.is_field("object"):
                return self._member(up, keys)
            case "pair" if whole.is_field("value") and up.parent is not None:
                name = key_of(self._evaluator, up)
                return Fate.HERE if name is None else self.of(up.parent, (name, *keys))
            case "object" if whole.type == "shorthand_property_identifier":
                return self.of(up, (self._evaluator.tree.source(whole), *keys))
            case "array":
                return Fate.HERE if keys else self._serializing.item(up)
            case "variable_declarator" if whole.is_field("value"):
                name_item = up.field("name")
                return Fate.HERE if name_item is None else self._into(name_item, keys)
            case "assignment_expression" if whole.is_field("right"):
                left = up.field("left")
                is_name = left is not None and left.type == "identifier"
                return self._into(left, keys) if left is not None and is_name else Fate.HERE
            case "arguments" if up.parent is not None:
                return self._argument(whole, up, up.parent, keys)
        return Fate.HERE

    def _operand(self, up: Node, keys: Keys) -> Fate:
        operator = up.field("operator")
        kind = "" if operator is None else operator.type
        if kind == "+" and not keys:
            return self._serializing.as_text(up)
        if kind in _PASSING:
            return self.of(up, keys)
        return Fate.NOTHING if kind in _COMPARING else Fate.HERE

    def _member(self, member: Node, keys: Keys) -> Fate:
        """What a property of what holds a function, or a method of the function itself, makes of it."""
        name = key_of(self._evaluator, member)
        if keys:
            if name is None:
                return Fate.HERE
            return self.of(member, keys[1:]) if name == keys[0] else Fate.NOTHING
        if name in {"length", "name"}:
            return Fate.NOTHING
        whole = outermost(member)
        up = whole.parent
        is_called = up is not None and up.type == "call_expression" and whole.is_field("function")
        return (
            self._serializing.as_text(up)
            if up is not None and is_called and name == "toString"
            else Fate.HERE
        )

    def _into(self, pattern: Node, keys: Keys) -> Fate:
        """What becomes of a function in a pattern: a variable, or a part of an object."""
        if pattern.type == "assignment_pattern":
            left = pattern.field("left")
            return Fate.HERE if left is None else self._into(left, keys)
        if pattern.type == "object_pattern":
            return self._into_part(pattern, keys)
        if pattern.type not in {"identifier", "shorthand_property_identifier_pattern"}:
            return Fate.HERE
        binding = self._evaluator.names.variable(pattern)
        return Fate.HERE if binding is None else self._in_variable(binding, pattern, keys)

    def _into_part(self, pattern: Node, keys: Keys) -> Fate:
        if not keys:
            return Fate.HERE
        for part in pattern.named():
            if part.type == "rest_pattern":
                return Fate.HERE
            name = key_of(self._evaluator, part)
            if name is None:
                return Fate.HERE
            if name == keys[0]:
                inner = part.field("value") if part.type == "pair_pattern" else part.field("left") or part
                return Fate.HERE if inner is None else self._into(inner, keys[1:])
        return Fate.NOTHING

    def _in_variable(self, binding: Binding, given: Node, keys: Keys) -> Fate:
        try:
            uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
        except TooManyIdentifiersError:
            return Fate.HERE
        if len(uses) > MAX_USES:
            return Fate.HERE
        is_shared = binding.scope.type == "program" and not self._evaluator.tree.is_module
        named = [each.item for each in (*binding.declarations, *binding.uses)]
        is_exported = any(exported_as(self._evaluator, each) is not None for each in named)
        if is_shared or is_exported:
            return Fate.HERE
        return joined(
            self.of(use, keys) for use in uses if may_still_hold(self._evaluator, binding, given, use)
        )

    def _argument(self, whole: Node, listed: Node, call: Node, keys: Keys) -> Fate:
        arguments = listed.named()
        index = index_of(arguments, whole) or 0
        callee = call.field("function") or call.field("constructor")
        if callee is None or any(each.type == "spread_element" for each in arguments[:index]):
            return Fate.HERE
        of_platform = self._serializing.by_platform(callee, call, index, keys)
        if of_platform is not None:
            return of_platform
        made = self._evaluator.definition(self._evaluator.value(callee))
        if made is not None and made.type in FUNCTIONS and call.type == "call_expression":
            return self.of_argument(made, index, keys)
        return Fate.HERE if made is not None else self._receivers(callee, index, keys)
