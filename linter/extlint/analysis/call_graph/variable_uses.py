"""Finds the uses of a variable, including those by the names under which it is exported or stored."""

from __future__ import annotations

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.call_graph.definitions import LITERALS, declared_name, exported_as
from extlint.analysis.call_graph.entry_points import (
    EntryPoints,
    ExternalName,
    NameKind,
    free_reads,
    uses_of_property,
)
from extlint.analysis.call_graph.object_owners import is_global_object
from extlint.analysis.call_graph.prototypes import class_created_from, is_constructor_member
from extlint.analysis.scope.model import Binding, Identifier, Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    Pair,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    enclosing_function,
    index_of,
    innermost,
    outermost,
    parameter_items,
    pattern_of,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import MAX_USES
from extlint.analysis.values.property_index import key_of

_MAX_PASSES = 2
"""The maximum number of functions that pass a variable on, one after another."""


def uses_of_variable(
    evaluator: Evaluator, binding: Binding, inside: Node | None = None, *, passes: int = 0
) -> EntryPoints | None:
    """Returns the uses of a variable outside of its own value `inside`.

    Returns None if there are too many or no uses at all. A function that is called where it is written
    (`const C = (() => { …; return C })()`) passes the variable on, which is the case `passes` times before.
    """
    found = _references(binding, inside)
    if found is None:
        return None
    uses: list[Node] = []
    names: list[ExternalName] = []
    for each in (*binding.declarations, *found):
        exported = exported_as(evaluator, each.item)
        if exported is not None:
            names.append(ExternalName(exported, NameKind.EXPORT))
        elif each.role is Role.REFERENCE:
            passed_on = _uses_passed_on(evaluator, each.item, passes + 1) if passes < _MAX_PASSES else None
            if passed_on is None:
                follow_use(evaluator, each.item, uses, names)
            else:
                uses += passed_on.uses
                names += passed_on.names
    if _is_global(evaluator, binding):
        names.append(ExternalName(binding.name, NameKind.GLOBAL))
    return EntryPoints(tuple(uses), tuple(dict.fromkeys(names))) if uses or names else None


def _uses_passed_on(evaluator: Evaluator, use: Node, passes: int) -> EntryPoints | None:
    """Returns the uses of the variable to which a function that is called where it is written passes a use.

    This is the variable that is declared as the result of the call, or a parameter. Returns None without one.
    """
    whole = class_created_from(evaluator, outermost(use))
    up = whole.parent
    function = enclosing_function(use) if up is not None and up.type == "return_statement" else None
    call = None if function is None else call_of(function)
    name = _parameter_for(whole) if call is None else declared_name(call)
    binding = None if name is None else evaluator.names.variable(name)
    if binding is None or len(binding.declarations) != 1:
        return None
    return uses_of_variable(evaluator, binding, call, passes=passes)


def _parameter_for(argument: Node) -> Node | None:
    """Returns the parameter for an argument of a function that is called where it is written, or None."""
    call = call_with_argument(argument)
    function = innermost(call.callee) if isinstance(call, CallExpression) else None
    index = None if call is None else index_of(call.arguments, argument)
    parameters = () if function is None else parameter_items(function)
    name = pattern_of(parameters[index]) if index is not None and index < len(parameters) else None
    return name if name is not None and name.type == "identifier" else None


def uses_by_other_names(evaluator: Evaluator, member: Node) -> EntryPoints:
    """Returns the uses of an assigned member by the name of a global, or of a variable with its value."""
    uses: list[Node] = []
    names: list[ExternalName] = []
    name = key_of(evaluator, member) if isinstance(member, AccessExpression) else None
    if (
        isinstance(member, AccessExpression)
        and name is not None
        and is_global_object(evaluator, member.object)
    ):
        uses += free_reads(evaluator, name)
        names.append(ExternalName(name, NameKind.GLOBAL))
    up = member.parent
    while isinstance(up, AssignmentExpression):
        whole = outermost(up)
        up = whole.parent
        variable = up.left if isinstance(up, AssignmentExpression) else declared_name(whole)
        binding = evaluator.names.variable(variable) if variable is not None else None
        found = None if binding is None else uses_of_variable(evaluator, binding)
        if found is not None:
            uses += found.uses
            names += found.names
    return EntryPoints(tuple(uses), tuple(names))


def external_names(evaluator: Evaluator, binding: Binding, inside: Node | None) -> tuple[ExternalName, ...]:
    """Returns names in `uses_of_variable` by which other scripts know a variable, except property names."""
    found = _references(binding, inside)
    if found is None:
        return ()
    exported = (exported_as(evaluator, each.item) for each in (*binding.declarations, *found))
    names = [ExternalName(name, NameKind.EXPORT) for name in exported if name is not None]
    if _is_global(evaluator, binding):
        names.append(ExternalName(binding.name, NameKind.GLOBAL))
    return tuple(dict.fromkeys(names))


def _references(binding: Binding, inside: Node | None) -> list[Identifier] | None:
    """Returns the reads of a variable outside of its own value `inside`, or None if there are too many."""
    found = [
        each
        for each in binding.uses
        if each.role is Role.REFERENCE and not (inside and inside.contains(each.item))
    ]
    return None if len(found) > MAX_USES else found


def _is_global(evaluator: Evaluator, binding: Binding) -> bool:
    return not evaluator.tree.is_module and binding.scope.type == "program"


def follow_use(evaluator: Evaluator, use: Node, uses: list[Node], names: list[ExternalName]) -> None:
    """Adds a use, or the uses of the property in which it is stored (`exports.f = f`, `{f}`)."""
    if is_constructor_member(evaluator, use):
        return
    name = _stored_as(evaluator, use)
    found = None if name is None else uses_of_property(evaluator, name)
    if name is None or found is None or _is_passed_to_api(evaluator, use):
        uses.append(use)
    else:
        uses += found
        if not _is_stored_by_bundler(evaluator, use):
            names.append(ExternalName(name))


def _is_stored_by_bundler(evaluator: Evaluator, use: Node) -> bool:
    """Whether a use is stored in a bundle's `require` (`require.m = modules`), read only by the bundle."""
    up = outermost(use).parent
    left = up.left if isinstance(up, AssignmentExpression) else None
    return isinstance(left, AccessExpression) and bundle_of(evaluator).is_require(left.object)


def _is_passed_to_api(evaluator: Evaluator, use: Node) -> bool:
    """Whether the object in which a use is stored is passed to the API, so that no other code reads it."""
    up = next((each for each in use.ancestors() if each.type not in LITERALS), None)
    call = up.parent if up is not None and up.type == "arguments" else None
    return isinstance(call, CallExpression) and evaluator.api(call.callee) is not None


def _stored_as(evaluator: Evaluator, use: Node) -> str | None:
    name = _member_with(evaluator, use)
    return None if name == "__proto__" else name


def _member_with(evaluator: Evaluator, use: Node) -> str | None:
    if use.type == "shorthand_property_identifier":
        return evaluator.tree.source(use)
    whole = outermost(use)
    up = whole.parent
    if isinstance(up, Pair) and whole.is_field("value"):
        return key_of(evaluator, up)
    if isinstance(up, AssignmentExpression) and whole.is_field("right"):
        return key_of(evaluator, up.left) if isinstance(up.left, AccessExpression) else None
    return None
