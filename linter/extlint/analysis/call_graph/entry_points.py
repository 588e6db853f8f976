"""Finds the entry points through which code is reached, and the uses of the properties among them.

globalThis.browser = { tabs: { … } };                            the global `browser`
Object.defineProperty(window, "browser", { get: () => layer })   the same, by an accessor
export const api = { … };                                        the export `api`
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from extlint.analysis.call_graph.object_owners import is_global_object
from extlint.analysis.facts.values import (
    UNKNOWN,
    FunctionValue,
    InstanceValue,
    ObjectValue,
    Value,
    options_of,
)
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    Class,
    Function,
    ImportSpecifier,
    MethodDefinition,
    Pair,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_with_argument, innermost, outermost, target_of
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import (
    assignment_to,
    is_changed,
    is_too_common,
    key_of,
    members_named,
    patterns_named,
)


@once_per_script
def uses_of_property(evaluator: Evaluator, name: str, written: bool = False) -> list[Node] | None:
    """Returns the reads of a property (or its writes, if `written`).

    Returns None if its name occurs in too many places.
    """
    if is_too_common(evaluator, name):
        return None
    found: list[Node] = [
        each
        for each in members_named(evaluator, name)
        if key_of(evaluator, each) == name and (assignment_to(each) is not None) is written
    ]
    for part in () if written else patterns_named(evaluator, name):
        found += uses_of_part(evaluator, part)
    return found


def uses_of_part(evaluator: Evaluator, part: Node) -> list[Node]:
    """Returns the uses of the variable that a part of a pattern binds, or else the part itself."""
    variable = target_of(part)
    is_name = variable.type in {"identifier", "shorthand_property_identifier_pattern"}
    binding = evaluator.names.variable(variable) if is_name else None
    if binding is None:
        return [part]
    return [use.item for use in binding.uses if use.role is Role.REFERENCE]


def is_unrelated_use(evaluator: Evaluator, use: Node, function: Node | None, owner: Node | None) -> bool:
    """Whether a member expression certainly refers to something other than a function of a class or object.

    Without a function, the function in question is in another script.
    """
    if not isinstance(use, AccessExpression) or (owner is not None and is_derived(owner)):
        return False
    found = evaluator.value(use.object)
    return all(_is_unrelated_value(evaluator, each, use, function, owner) for each in options_of(found))


def _is_unrelated_value(
    evaluator: Evaluator, of: Value, use: Node, function: Node | None, owner: Node | None
) -> bool:
    if of in (UNKNOWN, GLOBAL):
        return False
    if isinstance(of, InstanceValue) and of.definition is not None:
        definition = evaluator.definition_at(of.definition)
        is_own = owner is not None and of.definition == owner.span
        return not is_own and definition is not None and not is_derived(definition)
    if isinstance(of, ObjectValue | FunctionValue | InstanceValue):
        definition = evaluator.definition_of(use)
        return isinstance(definition, Function) and (function is None or not definition.same(function))
    return True


def is_derived(owner: Node) -> bool:
    """Whether a class extends another, whose methods may call its own."""
    return isinstance(owner, Class) and owner.has_token("class_heritage")


class NameKind(Enum):
    """The kind of an external name."""

    PROPERTY = "a property"
    EXPORT = "what a module exports"
    GLOBAL = "a variable that the scripts of a page share"


class ExternalName(Struct, frozen=True):
    """A name by which other scripts may run code."""

    text: str
    kind: NameKind = NameKind.PROPERTY


class EntryPoints(Struct, frozen=True):
    """Entry points of some code.

    Every path to it passes through one of them: uses in its script, and names for other scripts.

    `direct` is true if a use that is a call propagates exceptions of the code.
    """

    uses: tuple[Node, ...]
    names: tuple[ExternalName, ...] = ()
    direct: bool = True


_DEFINE_GETTER = "__defineGetter__"

CALLED = "()"
"""The element of a path that represents the result of a call."""

INSTANTIATED = "new"
"""The element of a path that represents an instance of a class."""


class SharedMember(Struct, frozen=True):
    """A member of an object that other scripts access by a name: `get` at `browser.storage.local`."""

    name: ExternalName
    path: tuple[str, ...] = ()

    def member(self, name: str) -> SharedMember:
        """Returns a member of this one."""
        return SharedMember(self.name, (*self.path, name))


def shared_global(name: str) -> SharedMember:
    """Returns the value of a global, for all scripts of the realm."""
    return SharedMember(ExternalName(name, NameKind.GLOBAL))


def global_of_value(evaluator: Evaluator, value: Node) -> str | None:
    """Returns the global to which a call assigns an expression, or the name in a descriptor, or None.

    `Object.assign(globalThis, { name: value })`, and `Object.defineProperty(globalThis, "name", { value })`.
    """
    whole = outermost(value)
    pair = whole.parent
    if not isinstance(pair, Pair) or not whole.is_field("value"):
        return None
    if key_of(evaluator, pair) == "value":
        return _described_global(evaluator, pair.parent)
    call = None if pair.parent is None else call_with_argument(outermost(pair.parent))
    if isinstance(call, CallExpression) and _is_call_on_global(evaluator, call, "assign"):
        return key_of(evaluator, pair)
    return None


def global_of_getter(evaluator: Evaluator, function: Function) -> str | None:
    """Returns the global whose value is what a function returns, or None."""
    whole = outermost(function)
    if isinstance(function, MethodDefinition):
        is_getter = not function.has_token("get") and key_of(evaluator, function) == "get"
        return _described_global(evaluator, function.parent) if is_getter else None
    up = whole.parent
    if isinstance(up, Pair) and whole.is_field("value") and key_of(evaluator, up) == "get":
        return _described_global(evaluator, up.parent)
    call = call_with_argument(whole)
    callee = innermost(call.callee) if isinstance(call, CallExpression) else None
    if call is None or not isinstance(callee, AccessExpression) or len(call.arguments) != 2:
        return None
    is_definition = key_of(evaluator, callee) == _DEFINE_GETTER and call.arguments[1].same(whole)
    return (
        evaluator.text(call.arguments[0])
        if is_definition and is_global_object(evaluator, callee.object)
        else None
    )


def _described_global(evaluator: Evaluator, descriptor: Node | None) -> str | None:
    """Returns the global that a descriptor of a property defines, or None."""
    if descriptor is None or descriptor.type != "object":
        return None
    whole = outermost(descriptor)
    call = call_with_argument(whole)
    if isinstance(call, CallExpression):
        is_third = len(call.arguments) == 3 and call.arguments[2].same(whole)
        is_definition = is_third and _is_call_on_global(evaluator, call, "defineProperty")
        return evaluator.text(call.arguments[1]) if is_definition else None
    pair = whole.parent
    if not isinstance(pair, Pair) or not whole.is_field("value") or pair.parent is None:
        return None
    call = call_with_argument(outermost(pair.parent))
    is_definition = isinstance(call, CallExpression) and _is_call_on_global(
        evaluator, call, "defineProperties"
    )
    return key_of(evaluator, pair) if is_definition else None


def _is_call_on_global(evaluator: Evaluator, call: CallExpression, method: str) -> bool:
    """Whether a call is that of a method of `Object` or `Reflect` on the global object."""
    callee, first = innermost(call.callee), call.first_argument
    return (
        isinstance(callee, AccessExpression)
        and key_of(evaluator, callee) == method
        and evaluator.tree.source(callee.object) in {"Object", "Reflect"}
        and first is not None
        and is_global_object(evaluator, first)
    )


def free_reads(evaluator: Evaluator, name: str) -> Iterator[Node]:
    """Yields the places where a script reads a variable that it does not declare."""
    return (use.item for use in evaluator.names.free_uses(name) if use.role is Role.REFERENCE)


def reads_of_global(evaluator: Evaluator, name: str) -> Iterator[Node]:
    """Yields the places where a script reads a global, as a variable or as a property."""
    yield from free_reads(evaluator, name)
    declared = None if evaluator.tree.is_module else evaluator.names.resolve(name, evaluator.tree.root)
    for use in () if declared is None else declared.uses:
        if use.role is Role.REFERENCE:
            yield use.item
    for member in members_named(evaluator, name):
        is_read = assignment_to(outermost(member)) is None and not is_changed(member)
        if is_read and is_global_object(evaluator, member.object):
            yield member
    for part in patterns_named(evaluator, name):
        taker = next((up for up in part.ancestors() if up.type != "object_pattern"), None)
        up = None if part.parent is None else part.parent.parent
        is_whole = isinstance(taker, VariableDeclarator) and up is not None and taker.same(up)
        value = taker.value if isinstance(taker, VariableDeclarator) and is_whole else None
        if value is not None and is_global_object(evaluator, value):
            yield from uses_of_part(evaluator, part)


_DEFINING = frozenset({"defineBackground", "defineContentScript", "defineUnlistedScript"})
_MAIN = "main"


def defining_call(evaluator: Evaluator, function: Node) -> CallExpression | None:
    """Returns the call that defines an entry point with a function that WXT then runs, or None.

    `export default defineBackground(() => { … })`; it may also be the method `main` of an object.
    """
    passed = outermost(function)
    up = passed.parent
    if isinstance(passed, MethodDefinition):
        named, owner = passed.name, up
    elif isinstance(up, Pair) and passed.is_field("value"):
        named, owner = up.key, up.parent
    else:
        named, owner = None, None
    if owner is not None and named is not None:
        if evaluator.tree.source(named) != _MAIN:
            return None
        passed = outermost(owner)
    call = call_with_argument(passed)
    if not isinstance(call, CallExpression) or not passed.same(call.arguments[0]):
        return None
    return call if _defines(evaluator, call.callee) else None


def _defines(evaluator: Evaluator, callee: Node) -> bool:
    """Whether a callee is a function of WXT: a global that WXT imports, or an import with this name."""
    if callee.type != "identifier" or evaluator.tree.source(callee) not in _DEFINING:
        return False
    binding = evaluator.names.variable(callee)
    return binding is None or all(isinstance(each.source, ImportSpecifier) for each in binding.declarations)
