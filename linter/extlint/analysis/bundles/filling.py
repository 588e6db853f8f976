"""Follows an object that a script fills piece by piece, such as the exports of a module."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.analysis.bundles.filled_object import (
    DEFINES_GETTERS,
    FilledObject,
    add_getters,
    define_property,
    filled_value,
    helper_text,
)
from extlint.analysis.bundles.model import Bundle, FillingCall, Module
from extlint.analysis.facts.values import NOTHING, Field, ObjectValue, Value, is_empty_object, options_of
from extlint.analysis.scope.model import Binding, Role
from extlint.analysis.syntax.node import FUNCTIONS, MEMBERS, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import index_of, innermost, outermost, parameter_items
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.interop import REQUIRE
from extlint.analysis.values.property_index import assignment_to, key_of
from extlint.text.patterns import lazy

_COPIES = lazy(r"\bfor\s*\((?:var|let|const)?\s*[\w$]+\s+(?:in|of)\b|\bforEach\b|\bkeys\b")

_READERS = frozenset({"entries", "freeze", "getOwnPropertyNames", "keys", "log", "seal", "values"})


class Filling:
    """Follows an object through all its names."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._evaluator = bundle.evaluator
        self._seen: set[tuple[int, bool]] = set()
        self.found = FilledObject()

    def follow_uses(self, places: Iterable[Node], *, module: bool) -> None:
        """Follows references to the object; with `module`, to the object that has it as `exports`."""
        waiting = [(place, module) for place in places]
        while waiting:
            place, is_module = waiting.pop()
            if (place.id, is_module) in self._seen:
                continue
            self._seen.add((place.id, is_module))
            self._evaluator.tree.spend(3)
            if is_module:
                waiting += self._follow_module(place)
            else:
                waiting += [(each, False) for each in self._follow_exports(place)]

    def _follow_module(self, place: Node) -> list[tuple[Node, bool]]:
        """Returns the references that a use of `module` leads to.

        These are `module.exports`, or parameters of functions.
        """
        whole = outermost(place)
        up = whole.parent
        if up is None:
            return []
        if up.type in MEMBERS and whole.is_field("object"):
            return [(up, False)] if key_of(self._evaluator, up) == "exports" else []
        if up.type == "arguments" and up.parent is not None:
            return [(use, True) for use in self._parameter_uses(whole, up)]
        if up.type == "array":
            listed = up.parent
            if listed is not None and listed.type == "arguments" and listed.parent is not None:
                return [(use, True) for use in self._applied_uses(whole, up, listed.parent)]
        return []

    def _follow_exports(self, place: Node) -> list[Node]:
        """Records the content that a use of the object adds to it, and returns further references to it."""
        whole = outermost(place)
        up = whole.parent
        if up is None:
            return []
        if up.type in MEMBERS and whole.is_field("object"):
            self._record_property(up)
        elif isinstance(up, AssignmentExpression) and whole.is_field("left"):
            if whole.type in MEMBERS:
                self.found.whole.append(up.right)
        elif up.type == "arguments" and isinstance(up.parent, CallExpression):
            return self._follow_argument(whole, up, up.parent)
        elif isinstance(up, VariableDeclarator) and whole.is_field("value"):
            is_name = up.name.type == "identifier"
            binding = self._evaluator.names.variable(up.name) if is_name else None
            if binding is not None:
                return [use.item for use in binding.uses if use.role is Role.REFERENCE]
        return []

    def _record_property(self, member: Node) -> None:
        target = outermost(member)
        assignment = assignment_to(target)
        right = None if assignment is None else assignment.field("right")
        name = None if right is None else key_of(self._evaluator, member)
        if right is not None and name is not None:
            self.found.written.setdefault(name, []).append(right)

    def _follow_argument(self, whole: Node, listed: Node, call: CallExpression) -> list[Node]:
        """Records the content that a call adds to a passed object, and returns further references to it."""
        callee, arguments = call.callee, call.arguments
        index = index_of(arguments, whole) or 0
        if record_added_properties(self._bundle, self.found, call, index):
            return []
        method = key_of(self._evaluator, callee) if callee.type in MEMBERS else None
        helper = self._evaluator.definition_of(callee)
        if helper is not None and helper.type in FUNCTIONS:
            return self._parameter_uses(whole, listed)
        self.found.escapes |= method not in _READERS
        return []

    def _parameter_uses(self, whole: Node, listed: Node) -> list[Node]:
        """Returns the uses of the parameter that receives an argument, in a function of the script."""
        call = listed.parent
        index = index_of(listed.named(), whole)
        if not isinstance(call, CallExpression) or index is None:
            return []
        callee = call.callee
        if isinstance(callee, AccessExpression) and key_of(self._evaluator, callee) == "call":
            callee, index = callee.object, index - 1
        return self._uses_of(callee, index)

    def _applied_uses(self, whole: Node, array: Node, call: Node) -> list[Node]:
        """Returns the uses of the parameter that receives `object` in `f.apply(this, [object])`."""
        callee = call.callee if isinstance(call, CallExpression) else None
        if not isinstance(callee, AccessExpression) or key_of(self._evaluator, callee) != "apply":
            return []
        return self._uses_of(callee.object, index_of(array.named(), whole))

    def _uses_of(self, callee: Node, index: int | None) -> list[Node]:
        found: list[Node] = []
        for option in options_of(self._evaluator.possible.partial(callee)):
            definition = self._evaluator.definition(option)
            if definition is None or definition.type not in FUNCTIONS:
                continue
            found += parameter_uses(self._evaluator, definition, index)
        if not found:
            self.found.escapes = True
        return found


def record_added_properties(bundle: Bundle, found: FilledObject, call: CallExpression, index: int) -> bool:
    """Whether a call only adds properties to one of its arguments; records these properties."""
    evaluator, callee = bundle.evaluator, call.callee
    other_arguments = [each for at, each in enumerate(call.arguments) if at != index]
    method = key_of(evaluator, callee) if callee.type in MEMBERS else None
    if method in {"defineProperty", "defineProperties"} and index == 0:
        define_property(evaluator, found, other_arguments)
        return True
    value = evaluator.partial(callee)
    if bundle.fill(found, FillingCall(callee, value, index, other_arguments)):
        return True
    helper = evaluator.definition(value)
    text = ""
    if helper is not None and helper.type in FUNCTIONS and innermost(callee).type not in FUNCTIONS:
        text = helper_text(evaluator, helper)
    if not DEFINES_GETTERS.search(text) and "defineProperty" not in text:
        return False
    if index == 0 and (not other_arguments or add_getters(evaluator, found, other_arguments)):
        found.is_es_module |= "__esModule" in text
        return True
    is_copied = len(other_arguments) == 1 and _COPIES.search(text) is not None
    if is_copied:
        found.copied.append(other_arguments[0])
    return is_copied


def parameter_uses(evaluator: Evaluator, function: Node, index: int | None) -> list[Node]:
    """Returns the uses of a function's parameter at an index.

    Returns an empty list if it is a pattern or is assigned to.
    """
    parameters = parameter_items(function)
    if index is None or not 0 <= index < len(parameters):
        return []
    name = parameters[index].field("pattern") or parameters[index]
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    if binding is None:
        return []
    if any(use.role is Role.WRITE for use in binding.uses):
        return []
    return [use.item for use in binding.uses]


def filled_exports(bundle: Bundle, module: Module) -> Value:
    """Returns the value of `module.exports` after the code of a module has run."""
    evaluator, filling = bundle.evaluator, Filling(bundle)
    function, parameters = module.function, module.parameters
    filling.follow_uses(parameter_uses(evaluator, function, parameters.module), module=True)
    filling.follow_uses(parameter_uses(evaluator, function, parameters.exports), module=False)
    return filled_value(evaluator, filling.found) or ObjectValue({}, True)


def parameter_value(bundle: Bundle, module: Module, index: int) -> Value | None:
    """Returns the value passed to a module function's parameter, or None if unknown."""
    if index == module.parameters.require:
        return bundle.bundler_value(REQUIRE, module.function)
    if index == module.parameters.exports:
        return bundle.exports_of_module(module)
    if index == module.parameters.module:
        return ObjectValue({"exports": Field(bundle.exports_of_module(module))}, True)
    return None


def filled_variable(bundle: Bundle, binding: Binding, value: ObjectValue) -> Value | None:
    """Returns an object created empty, or as `{exports: {}}`, with the content that the script then adds.

    Returns None for other values, or if no call is known to add content.
    """
    if value.open:
        return None
    exports = value.fields.get("exports")
    is_module = exports is not None and len(value.fields) == 1 and is_empty_object(exports.value)
    if value.fields and not is_module:
        return None
    key = "filled", binding.declarations[0].item.id
    found = bundle.evaluator.query(key, lambda: _filled(bundle, binding, is_module=is_module))
    if found == NOTHING or not is_module:
        return None if found == NOTHING else found
    return ObjectValue({"exports": Field(found)}, True, value.span)


def _filled(bundle: Bundle, binding: Binding, *, is_module: bool) -> Value:
    filling = Filling(bundle)
    uses = (use.item for use in binding.uses if use.role is Role.REFERENCE)
    filling.follow_uses(uses, module=is_module)
    found = filling.found
    if not (is_module or found.getters or found.copied or found.is_es_module):
        return NOTHING
    return filled_value(bundle.evaluator, found) or NOTHING
