"""The owners of members: an object literal, or a class for its instances.

Each owner is identified by a node: the literal or the class. The body of a class represents the class itself,
which owns its static members.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Flag

from extlint.analysis.call_graph.definitions import declared_variable, exported_as
from extlint.analysis.scope.model import Binding, Role
from extlint.analysis.syntax.node import CompiledAsync, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    Class,
    CompiledAsyncFunction,
    FieldDefinition,
    Function,
    NewExpression,
    Pair,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import innermost, outermost
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.property_index import assignment_to, key_of, property_writes
from extlint.analysis.values.recorded import is_shared_variable
from extlint.text.patterns import lazy

THIS = lazy(rb"\bthis\b")


class Reach(Flag):
    """The ways in which other scripts might access an object, although no access is known.

    Without any flag, the object stays in its script.
    """

    SCRIPT = 0
    GLOBAL = 1
    """It is stored in a variable that the scripts of a realm share."""
    NAMED = 2
    """Other scripts may access it by the names in `Reads.shared`."""


def reach_of(evaluator: Evaluator, binding: Binding) -> Reach | None:
    """Returns how far a variable is visible, or None if other scripts use it."""
    tree = evaluator.tree
    if any(exported_as(evaluator, each.item) for each in (*binding.declarations, *binding.uses)):
        return None
    if binding.scope.type != "program" or tree.is_module:
        return Reach.SCRIPT
    return None if is_shared_variable(evaluator, binding.name) else Reach.GLOBAL


def class_variable(evaluator: Evaluator, owner: Class) -> Binding | None:
    """Returns the only variable that names a class, or None."""
    binding = declared_variable(evaluator, owner)
    has_own_name = owner.type == "class" and owner.name is not None
    if binding is None or has_own_name or len(binding.declarations) != 1:
        return None
    return None if any(each.role is Role.WRITE for each in binding.uses) else binding


def owner_at(evaluator: Evaluator, expression: Node) -> Node | None:
    """Returns the literal or class that an expression's object certainly comes from, or None."""
    found = _created_at(evaluator, expression)
    if isinstance(found, NewExpression):
        constructor = _definition_of(evaluator, found)
        return constructor if isinstance(constructor, Class) else None
    return found


def constructor_at(evaluator: Evaluator, expression: Node) -> Node | None:
    """Returns the class or function that certainly makes an expression's object with `new`, or None."""
    found = _created_at(evaluator, expression)
    return _definition_of(evaluator, found) if isinstance(found, NewExpression) else None


def _definition_of(evaluator: Evaluator, created: NewExpression) -> Node | None:
    return evaluator.definition_of(created.callee)


def _created_at(evaluator: Evaluator, expression: Node) -> Node | None:
    """Returns the literal, class or `new` expression of an expression's object, or None."""
    item = innermost(expression)
    if isinstance(item, AccessExpression):
        return _object_in_member(evaluator, item)
    if item.type == "this":
        return _owner_of_this(item)
    binding = evaluator.names.variable(item) if item.type == "identifier" else None
    if binding is None and item.type == "identifier":
        return _object_in_global(evaluator, item)
    if binding is None or len(binding.writes) != 1:
        return None
    source = binding.writes[0].source
    if not isinstance(source, VariableDeclarator) or source.name.type != "identifier" or source.value is None:
        return None
    return _new_object(evaluator, source.value, source.name)


def _object_in_global(evaluator: Evaluator, name: Node) -> Node | None:
    """Returns the new object that is the only value assigned to a global, or None."""
    text = evaluator.tree.source(name)
    writes = [each for each in property_writes(evaluator, text) if is_global_object(evaluator, each.object)]
    if len(writes) != 1 or evaluator.names.free_writes(text):
        return None
    assignment = assignment_to(writes[0])
    return None if assignment is None else _new_object(evaluator, assignment.right, writes[0])


def _object_in_member(evaluator: Evaluator, item: AccessExpression) -> Node | None:
    """Returns the new object that is the only value of a property of a global, or of an object."""
    name = key_of(evaluator, item)
    writes = [] if name is None else property_writes(evaluator, name)
    is_global = is_global_object(evaluator, item.object)
    if len(writes) != 1 or not (is_global or owner_at(evaluator, item.object) is not None):
        return None
    if evaluator.tree.source(writes[0]) != evaluator.tree.source(item):
        return None
    assignment = assignment_to(writes[0])
    return None if assignment is None else _new_object(evaluator, assignment.right, writes[0])


def _new_object(evaluator: Evaluator, value: Node, target: Node) -> Node | None:
    """Returns the new object that a target is assigned, perhaps only if it has no value yet, or None."""
    item = innermost(value)
    if isinstance(item, BinaryExpression) and item.operator in {"??", "||"}:
        is_same = evaluator.tree.source(item.left).endswith(evaluator.tree.source(target))
        item = innermost(item.right) if is_same else item
    return item if item.type in {"new_expression", "object"} else None


def is_global_object(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is certainly the global object."""
    return evaluator.partial(expression) == GLOBAL


def places_of(evaluator: Evaluator, owner: Node) -> list[Node]:
    """Returns the places that create or name a literal. Those of a class are in its family."""
    return [owner, *own_this(evaluator, owner)]


def static_this(evaluator: Evaluator, owner: Class) -> Iterator[Node]:
    """Yields each `this` in a class that may refer to the class itself."""
    instances = {each.id for each in own_this(evaluator, owner)}
    return (each for each in _each_this(evaluator, owner) if each.id not in instances)


def has_method(evaluator: Evaluator, owner: Node, name: str) -> bool:
    """Whether a literal or class has a function of that name, whose `this` is also a place of the object."""
    return any(
        key_of(evaluator, each) == name
        for each in _members(owner)
        if (isinstance(each, Function) and not each.has_token("get"))
        or (isinstance(each, Pair) and isinstance(innermost(each.value), Function))
    )


def has_getters(owner: Node) -> bool:
    """Whether a literal or class may have getters, which run when the object is copied."""
    return any(each.has_token("get") or each.type == "spread_element" for each in _members(owner))


def _members(owner: Node) -> list[Node]:
    if isinstance(owner, Class):
        return owner.body.named()
    return owner.named() if owner.type in {"class_body", "object"} else []


def own_this(evaluator: Evaluator, owner: Node) -> Iterator[Node]:
    """Yields each `this` by which the functions of an object, or the members of a class, name the object."""
    for leaf in _each_this(evaluator, owner):
        this_owner = _owner_of_this(leaf)
        if this_owner is not None and this_owner.same(owner):
            yield leaf


def _each_this(evaluator: Evaluator, around: Node) -> Iterator[Node]:
    for found in THIS.finditer(evaluator.tree.text, around.start, around.end):
        leaf = evaluator.tree.leaf_at(found.start())
        if leaf.type == "this" and not _is_passed_to_async_helper(leaf):
            yield leaf


def _is_passed_to_async_helper(this: Node) -> bool:
    """Whether a compiler passes `this` on to the body of an `async` function: `__async(this, null, …)`."""
    up = this.parent
    last = innermost(up.named()[-1]) if up is not None and up.type == "arguments" else None
    return isinstance(last, CompiledAsyncFunction) and last.use is CompiledAsync.CALLED


def _owner_of_this(this: Node) -> Node | None:
    """Returns the literal or class whose member contains `this`.

    Returns None in other functions and in static members.
    """
    child = this
    for up in this.ancestors():
        is_function = isinstance(up, Function) and up.type != "arrow_function"
        if is_function or isinstance(up, FieldDefinition) or up.type == "class_static_block":
            return _owner_of_member(up, child)
        child = up
    return None


def _owner_of_member(member: Node, child: Node) -> Node | None:
    if member.has_token("static") or member.type == "class_static_block":
        return None
    if isinstance(member, FieldDefinition) and not child.is_field("value"):
        return None
    up = outermost(member).parent
    if isinstance(up, Pair):
        return up.parent
    return (
        up.parent
        if up is not None and up.type == "class_body"
        else up
        if member.type == "method_definition"
        else None
    )
