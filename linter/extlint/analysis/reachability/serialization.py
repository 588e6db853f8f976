"""Determines how the language, browsers and their API use a function: run it, or take its text."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import CONTEXT_OF, Destination, Keys, injection_context
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    CallOrNewExpression,
    Function,
    MemberExpression,
    NewExpression,
    TryStatement,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_with_argument, index_of, outermost, pattern_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import MAX_USES, uses_as_argument
from extlint.analysis.values.property_index import key_of

_INJECTED = frozenset({("func",), ("function",)})
_TEXT_CONVERTERS = frozenset({"String", "btoa", "encodeURI", "encodeURIComponent", "escape"})
_TEXT_CONSTRUCTORS = frozenset({"Blob", "File", "String"})
_LOG_METHODS = frozenset({"log", "debug", "info", "warn", "error"})
_MAX_NAME_BYTES = 64
_MAX_OPERANDS = 50
_CODE_RUNNERS = frozenset({"Function", "eval", "setInterval", "setTimeout"})
"""Functions that run a text in the world of the script itself."""


class Serialization:
    """Determines how the platform uses the functions that a script passes to it, and their texts."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._open: set[int] = set()

    def as_text(self, text: Node) -> Destination:
        """Returns the destination of a function in another's text; it runs in place if that text does."""
        whole = outermost(text)
        up = whole.parent
        for _ in range(_MAX_OPERANDS):
            if up is None or up.type not in {"binary_expression", "template_substitution", "template_string"}:
                break
            whole = outermost(up)
            up = whole.parent
        if isinstance(up, CallExpression) and not whole.is_field("function"):
            return Destination.IN_PLACE
        call = call_with_argument(whole)
        if call is not None and self._evaluator.names.is_global(call.callee, _CODE_RUNNERS):
            return Destination.IN_PLACE
        is_run = isinstance(up, VariableDeclarator) and self._is_text_run(up.name)
        return Destination.IN_PLACE if is_run else Destination.SERIALIZED

    def _is_text_run(self, variable: Node) -> bool:
        """Whether the script runs the text that it stores in a variable."""
        binding = self._evaluator.names.variable(variable)
        if binding is None or id(binding) in self._open:
            return False
        self._open.add(id(binding))
        try:
            uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
            return len(uses) > MAX_USES or any(self.as_text(each) is Destination.IN_PLACE for each in uses)
        finally:
            self._open.remove(id(binding))

    def of_array_item(self, array: Node) -> Destination:
        """Returns the destination of an item of an array: `[f].join()`, `new Blob([f])`."""
        whole = outermost(array)
        up, call = whole.parent, call_with_argument(whole)
        if isinstance(up, MemberExpression) and key_of(self._evaluator, up) in {"join", "toString"}:
            return Destination.SERIALIZED
        is_global = self._evaluator.names.is_global
        if not isinstance(call, NewExpression) or not is_global(call.callee, _TEXT_CONSTRUCTORS):
            return Destination.IN_PLACE
        return Destination.SERIALIZED if call.arguments[0].same(whole) else Destination.IN_PLACE

    def of_platform_argument(self, call: CallOrNewExpression, index: int, keys: Keys) -> Destination | None:
        """Returns the destination through a function of the language, the browser or its API.

        Returns None for any other.
        """
        callee = call.callee
        api = self._evaluator.api(callee)
        if api is not None:
            if index == 0 and api.path == ("scripting", "executeScript") and keys in _INJECTED:
                context = injection_context(self._evaluator.possible.value(call.arguments[0]))
                return next(
                    (destination for destination, kind in CONTEXT_OF.items() if kind is context),
                    Destination.SERIALIZED,
                )
            is_code = api.path == ("tabs", "executeScript") and keys == ("code",)
            return Destination.SERIALIZED if is_code else Destination.IN_PLACE
        if keys:
            return None
        if isinstance(callee, AccessExpression):
            return self._of_method_argument(callee, call, index)
        name = self._evaluator.names.global_name(call.callee)
        if name in _TEXT_CONVERTERS and index == 0:
            return self.as_text(call)
        return Destination.NONE if name == "Boolean" else None

    def _of_method_argument(self, callee: AccessExpression, call: Node, index: int) -> Destination | None:
        target, name = callee.object, key_of(self._evaluator, callee)
        is_short = target.end - target.start < _MAX_NAME_BYTES
        source = self._evaluator.tree.source(target) if is_short else ""
        if name == "call" and index == 0 and source.endswith(".toString"):
            return self.as_text(call)
        if source == "JSON":
            return Destination.SERIALIZED if name == "stringify" and index == 0 else Destination.IN_PLACE
        if source == "console":
            return Destination.NONE if name in _LOG_METHODS else Destination.IN_PLACE
        is_text = target.type in {"string", "template_string"}
        return self.as_text(call) if is_text and name == "concat" else None


_NAMES = frozenset({"identifier", "shorthand_property_identifier"})
_ERASED = "other"
"""The kind of TypeScript declarations that a build may reduce to values."""


def captured_variables(evaluator: Evaluator, function: Function) -> Iterator[tuple[Node, bool]]:
    """Returns the first use of each such variable, and whether an enclosing function declares it.

    Variables that the function tests with `typeof`, or uses in a `try`, are left out.
    """
    tested: set[str] = set()
    found: dict[str, tuple[Node, bool]] = {}
    waiting: list[Node] = [function]
    while waiting:
        node = waiting.pop()
        evaluator.tree.spend(1)
        if node.type in _NAMES:
            name = evaluator.tree.source(node)
            if isinstance(node.parent, UnaryExpression) and node.parent.operator == "typeof":
                tested.add(name)
            elif name not in found and _is_captured(evaluator, node, function):
                binding = evaluator.names.variable(node)
                is_local = binding is not None and binding.scope.type != "program"
                found[name] = node, is_local
        waiting += reversed(node.named())
    return (each for name, each in found.items() if name not in tested)


def may_be_called_here(evaluator: Evaluator, function: Function) -> bool:
    """Whether a function is passed to another one that does more with it than pass it on once."""
    places = [outermost(function), *map(outermost, uses_as_argument(evaluator, function))]
    return any(_is_used_otherwise(evaluator, each) for each in places)


def _is_used_otherwise(evaluator: Evaluator, argument: Node) -> bool:
    call = call_with_argument(argument)
    to = None if call is None else evaluator.definition_of(call.callee)
    if call is None or not isinstance(to, Function):
        return False
    index = index_of(call.arguments, argument)
    if index is None or index >= len(to.parameters):
        return False
    binding = evaluator.names.variable(pattern_of(to.parameters[index]))
    return binding is not None and len(binding.uses) > 1


def _is_captured(evaluator: Evaluator, name: Node, function: Function) -> bool:
    used = evaluator.names.classify(name.start)
    if used is None or used.role is not Role.REFERENCE or _is_tried(name, function):
        return False
    binding = evaluator.names.variable(name)
    if binding is None or not binding.declarations:
        return False
    return not any(each.kind == _ERASED or function.contains(each.item) for each in binding.declarations)


def _is_tried(name: Node, function: Function) -> bool:
    """Whether a `try` of the function catches a failure at a name."""
    child = name
    for up in name.ancestors():
        if up.same(function):
            return False
        if isinstance(up, TryStatement) and up.handler is not None and child.is_field("body"):
            return True
        child = up
    return False
