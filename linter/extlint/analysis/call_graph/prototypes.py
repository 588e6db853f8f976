"""Finds the constructor whose prototype has a member, in classes that are functions.

function Store() { … }
Store.prototype = { save() { … } };
Store.prototype.load = function () { … };
Object.assign(Store.prototype, { clear() { … } });
Cache.prototype = Object.create(Store.prototype, { save: { value: function () { … } } });
"""

from __future__ import annotations

from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    Class,
    Function,
    Pair,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_with_argument, innermost, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import assignment_to, key_of

PROTOTYPE = "prototype"

_CREATE = "create"
_ADDING = frozenset(
    {"assign", _CREATE, "defineProperties", "defineProperty", "extend", "merge", "mixin", "setPrototypeOf"}
)
"""Functions that add members to their first argument, or return an object with them."""

_CREATE_CLASS = frozenset({"_createClass", "_create_class"})
"""The helpers of Babel and SWC that add members to a class."""

_INHERITING = _CREATE_CLASS | {"__extends", "_inherits", "_inheritsLoose", "extend", "extends", "inherits"}
"""Functions that make their first argument a subclass of their second, or add members to it."""


def _adds_to_class(evaluator: Evaluator, call: CallExpression) -> bool:
    return (called_name(evaluator, call) or "") in _CREATE_CLASS


def constructor_with(evaluator: Evaluator, member: Node, whole: Node | None) -> Function | Class | None:
    """Returns the constructor whose prototype is the only holder of a member, or None.

    `whole` is the outermost literal that contains the member.
    """
    if whole is None:
        return _owner_of_prototype(evaluator, member.object) if isinstance(member, AccessExpression) else None
    up = outermost(whole).parent
    if isinstance(up, VariableDeclarator) and up.value is not None and outermost(whole).same(up.value):
        whole = _only_use(evaluator, up.name)
    return None if whole is None else _constructor_that_gets(evaluator, whole)


def _constructor_that_gets(evaluator: Evaluator, item: Node) -> Function | Class | None:
    """Returns the constructor whose prototype an object becomes, or gets the members of, or None."""
    whole = outermost(item)
    up = whole.parent
    if up is not None and up.type == "array":
        listed = call_with_argument(up)
        is_created = isinstance(listed, CallExpression) and _adds_to_class(evaluator, listed)
        return _constructor_at(evaluator, listed.arguments[0]) if listed is not None and is_created else None
    call = call_with_argument(whole)
    if not isinstance(call, CallExpression):
        return _constructor_assigned(evaluator, whole)
    target = call.first_argument
    name = called_name(evaluator, call)
    if name not in _ADDING or target is None:
        return None
    owner = None if target.same(whole) or name == _CREATE else _owner_of_prototype(evaluator, target)
    return owner or _constructor_assigned(evaluator, outermost(call))


def _constructor_assigned(evaluator: Evaluator, whole: Node) -> Function | Class | None:
    """Returns the constructor to whose prototype, and nothing else, an expression is assigned, or None."""
    up = whole.parent
    if not isinstance(up, AssignmentExpression) or not whole.is_field("right"):
        return None
    around = outermost(up).parent
    is_alone = around is not None and around.type in {"expression_statement", "sequence_expression"}
    return _owner_of_prototype(evaluator, up.left) if is_alone else None


def defines_prototype(evaluator: Evaluator, use: Node) -> bool:
    """Whether a reference to a class only defines the prototype of it, or adds members to that."""
    whole = outermost(use)
    up = whole.parent
    if _is_target(evaluator, whole, _INHERITING):
        return _is_statement(whole.parent)
    if not isinstance(up, AccessExpression) or not whole.is_field("object"):
        return False
    if key_of(evaluator, up) != PROTOTYPE:
        return False
    place = outermost(up)
    around = place.parent
    if isinstance(around, VariableDeclarator):
        binding = evaluator.names.variable(around.name)
        return binding is not None and all(
            is_written(each.item) for each in binding.uses if each.role is Role.REFERENCE
        )
    is_target = _is_target(evaluator, place, _ADDING - {_CREATE})
    return assignment_to(up) is not None or is_written(place) or is_target


def _is_statement(arguments: Node | None) -> bool:
    """Whether the result of a call is ignored, so that no code gets its first argument from it."""
    call = None if arguments is None else arguments.parent
    around = None if call is None else outermost(call).parent
    return around is not None and around.type in {"expression_statement", "sequence_expression"}


def class_created_from(evaluator: Evaluator, whole: Node) -> Node:
    """Returns the call of the helper of Babel that returns a class, or the class itself."""
    if not _is_target(evaluator, whole, _CREATE_CLASS):
        return whole
    return outermost(call_with_argument(whole) or whole)


def is_written(place: Node) -> bool:
    """Whether an expression is the object in an assignment to a member."""
    up = place.parent
    return isinstance(up, AccessExpression) and place.is_field("object") and assignment_to(up) is not None


def _is_target(evaluator: Evaluator, whole: Node, functions: frozenset[str]) -> bool:
    """Whether an expression is the first of several arguments of one of the functions."""
    call = call_with_argument(whole)
    return (
        isinstance(call, CallExpression)
        and len(call.arguments) > 1
        and call.arguments[0].same(whole)
        and called_name(evaluator, call) in functions
    )


def derived_constructor(evaluator: Evaluator, use: Node) -> Function | Class | None:
    """Returns the constructor whose prototype inherits from that of the referenced one, or None.

    This is `C` in `C.prototype = Object.create(use.prototype)`, `C.prototype = new use()` and
    `inherits(C, use)`.
    """
    whole = outermost(use)
    up = whole.parent
    call = call_with_argument(whole)
    if isinstance(call, CallExpression):
        if len(call.arguments) < 2 or called_name(evaluator, call) not in _INHERITING:
            return None
        return _constructor_at(evaluator, call.arguments[0]) if call.arguments[1].same(whole) else None
    if isinstance(up, AccessExpression) and whole.is_field("object"):
        return _constructor_that_gets(evaluator, up) if key_of(evaluator, up) == PROTOTYPE else None
    is_created = up is not None and up.type == "new_expression" and whole.is_field("constructor")
    return _constructor_assigned(evaluator, outermost(up)) if up is not None and is_created else None


def is_constructor_member(evaluator: Evaluator, use: Node) -> bool:
    """Whether a class is stored as the member `constructor` of its prototype, which hardly any code reads."""
    whole = outermost(use)
    up = whole.parent
    if isinstance(up, AssignmentExpression):
        left = up.left if whole.is_field("right") else None
        return isinstance(left, AccessExpression) and key_of(evaluator, left) == "constructor"
    if not isinstance(up, Pair) or not whole.is_field("value"):
        return False
    name = key_of(evaluator, up)
    outer = up.parent.parent if name == "value" and up.parent is not None else None
    return name == "constructor" or (isinstance(outer, Pair) and key_of(evaluator, outer) == "constructor")


def _owner_of_prototype(evaluator: Evaluator, expression: Node) -> Function | Class | None:
    """Returns the constructor whose prototype an expression is, also one in a variable, or None."""
    inner = innermost(expression)
    if inner.type == "identifier":
        binding = evaluator.names.variable(inner)
        source = binding.writes[0].source if binding is not None and len(binding.writes) == 1 else None
        value = source.value if isinstance(source, VariableDeclarator) else None
        if value is None:
            return None
        inner = innermost(value)
    if not isinstance(inner, AccessExpression) or key_of(evaluator, inner) != PROTOTYPE:
        return None
    return _constructor_at(evaluator, inner.object)


def _constructor_at(evaluator: Evaluator, expression: Node) -> Function | Class | None:
    found = evaluator.definition_of(expression)
    return found if isinstance(found, Function | Class) else None


def _only_use(evaluator: Evaluator, name: Node) -> Node | None:
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    used = () if binding is None else [each for each in binding.uses if each.role is Role.REFERENCE]
    return used[0].item if len(used) == 1 else None


def called_name(evaluator: Evaluator, call: CallExpression) -> str | None:
    """Returns the name of the function or method that a call has, or None."""
    callee = call.callee
    return (
        key_of(evaluator, callee) if isinstance(callee, AccessExpression) else evaluator.tree.source(callee)
    )
