"""Determines which member of the API the operand of a test is, and tests for a property by its name.

`"management" in browser`, `Object.hasOwn(browser, "management")`.
"""

from __future__ import annotations

from extlint.analysis.facts.other_scripts import ASSIGNED, GLOBAL_OBJECT
from extlint.analysis.facts.platform_globals import TESTED_GLOBALS, TESTED_MEMBERS
from extlint.analysis.facts.script_facts import API_ROOT, ApiPath
from extlint.analysis.facts.values import Api, is_empty_object
from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, ConditionQuery, Facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    MemberExpression,
    SubscriptExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.prefilter import OLD_ROOTS, ROOTS
from extlint.analysis.syntax.shapes import innermost, is_optional
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.options import api_of, without_options
from extlint.analysis.values.property_index import key_of, property_writes


def operand_facts(query: ConditionQuery, item: Node, member: Facts | None = None) -> Facts:
    """Returns the member that an expression is, perhaps known, or the root or variable that may hold one.

    An assignment also tests the variable that it writes.
    """
    if isinstance(item, AssignmentExpression):
        return variable_facts(query, item.left) | operand_facts(query, innermost(item.right))
    evaluator = query.evaluator
    member = member_facts(query, item) if member is None else member
    found = member or root_facts(evaluator, item) | variable_facts(query, item)
    found |= owner_facts(query, item) if query.present else NOTHING_IMPLIED
    if not isinstance(item, AccessExpression):
        return found
    name = key_of(evaluator, item)
    if name in TESTED_MEMBERS and evaluator.names.is_global(innermost(item.object), {TESTED_MEMBERS[name]}):
        return found | {(GLOBAL_OBJECT, TESTED_MEMBERS[name], name)}
    of_global = global_facts(query, name)
    return found | of_global if of_global and evaluator.value(item.object) == GLOBAL else found


def global_facts(query: ConditionQuery, name: str | None) -> Facts:
    """Returns the global of a name, if it is watched or its presence depends only on the context.

    The presence of one that a script assigns shows nothing. It may be missing, unless only scripts define it.
    """
    evaluator = query.evaluator
    is_fact = bool(evaluator.shared.watched) or name in TESTED_GLOBALS
    if name is None or not is_fact or name in ROOTS or name in OLD_ROOTS:
        return NOTHING_IMPLIED
    is_assigned = (
        name in evaluator.shared.values
        or evaluator.names.global_variable(name) is not None
        or evaluator.names.free_writes(name)
        or property_writes(evaluator, name)
    )
    if not is_assigned:
        return frozenset({(GLOBAL_OBJECT, name)})
    return NOTHING_IMPLIED if query.present else frozenset({(GLOBAL_OBJECT, name, ASSIGNED)})


def root_facts(evaluator: Evaluator, item: Node) -> Facts:
    """Returns the root of the API that an expression is: `chrome`, `globalThis.browser`."""
    match evaluator.value(item):
        case Api(path=(), root=name, has_stand_in=False) if name in ROOTS and not may_be_unset(
            evaluator, item
        ):
            owner = item.object if isinstance(item, AccessExpression) else None
            return frozenset({root_fact(evaluator, name, owner)})
    return NOTHING_IMPLIED


def root_fact(evaluator: Evaluator, name: str, owner: Node | None) -> ApiPath:
    """Returns the fact about a root as a property of an object, or as a variable."""
    is_variable = owner is None or evaluator.tree.source(innermost(owner)) in {"globalThis", "this"}
    return (API_ROOT, name) if is_variable else (API_ROOT, name, "window")


def may_be_unset(evaluator: Evaluator, item: Node) -> bool:
    """Whether a variable or property may not have its value yet, unlike a root: `let api;`, `this.api`."""
    if isinstance(item, AccessExpression):
        return key_of(evaluator, item) not in ROOTS or evaluator.value(item.object) != GLOBAL
    if item.type != "identifier":
        return False
    binding = evaluator.names.variable(item)
    if binding is None:
        return evaluator.tree.source(item) not in ROOTS
    sources = [each.source for each in binding.declarations]
    return any(isinstance(each, VariableDeclarator) and each.value is None for each in sources)


def member_facts(query: ConditionQuery, item: Node) -> Facts:
    """Returns the member that an expression is, including one that is read by a key which is a parameter."""
    found = query.evaluator.api(item)
    if found is not None and found.path:
        return frozenset({found.path})
    if isinstance(item, SubscriptExpression):
        return property_facts(query, item.index, item.object)
    return NOTHING_IMPLIED


def property_facts(query: ConditionQuery, key: Node, owner: Node) -> Facts:
    """Returns the member that an object has by a key, or the property of that name; see `variable_fact`."""
    value = query.evaluator.value(owner)
    of, name = api_of(without_options(value, is_empty_object)), query.text(key)
    if not name:
        return NOTHING_IMPLIED
    if value == GLOBAL and name in ROOTS:
        return frozenset({root_fact(query.evaluator, name, owner)})
    if value == GLOBAL and (found := global_facts(query, name)):
        return found
    inner = innermost(owner)
    if of is None and isinstance(inner, SubscriptExpression):
        found = frozenset(
            (*each, name) for each in property_facts(query, inner.index, inner.object) if each[0]
        )
        if found:
            return found
    return frozenset({("", f".{name}") if of is None else (*of.path, name)})


def owner_facts(query: ConditionQuery, item: Node) -> Facts:
    """Returns the variables and properties that hold something if a member of theirs does: `a?.b.c()`."""
    found = NOTHING_IMPLIED
    while isinstance(item, AccessExpression | CallExpression):
        owner = innermost(item.object if isinstance(item, AccessExpression) else item.callee)
        if is_optional(item):
            found |= variable_facts(query, owner)
        item = owner
    return found


def variable_facts(query: ConditionQuery, item: Node) -> Facts:
    """Returns the variable or property that an expression names; see `variable_fact`."""
    found = variable_fact(query.evaluator, item)
    return NOTHING_IMPLIED if found is None else frozenset({found})


def variable_fact(evaluator: Evaluator, item: Node) -> ApiPath | None:
    """Returns the fact that a variable, or any property of a name, holds something, or None.

    It replaces the path of a member: a test of a variable implies it if the member that the variable holds is
    unknown. The result of a function that is called with known texts, or nothing, has a fact, too.
    """
    if isinstance(item, CallExpression):
        of, texts = variable_fact(evaluator, innermost(item.callee)), [*map(evaluator.text, item.arguments)]
        return None if of is None or None in texts else (*of, f"({', '.join(map(repr, texts))})")
    if item.type == "identifier":
        binding = evaluator.names.variable(item)
        if binding is None or not binding.declarations:
            return None
        return "", f"{binding.declarations[0].item.start}"
    name = key_of(evaluator, item) if isinstance(item, AccessExpression) else None
    return None if name is None else ("", f".{name}")


_OWNERSHIP_TESTS = frozenset({"Object.hasOwn", "Reflect.has"})
_KEY_LISTS = frozenset({"Object.getOwnPropertyNames", "Object.keys", "Reflect.ownKeys"})
_VALUE_LISTS = frozenset({"Object.values"})
_MAX_NAME_BYTES = 64


def implied_by_in(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the property that `in` tests for, or None for any other expression."""
    if not isinstance(expression, BinaryExpression):
        return None
    return query.if_requested(property_facts(query, expression.left, expression.right), present=query.outcome)


def implied_by_call(query: ConditionQuery, call: Node) -> Facts | None:
    """Returns the property that a call tests for, or None for any other call."""
    found = operands_of_test(query.evaluator, call)
    if found is None:
        return _implied_by_value(query, call)
    return query.if_requested(property_facts(query, *found), present=query.outcome)


def _implied_by_value(query: ConditionQuery, call: Node) -> Facts | None:
    """Returns the constant of an API that `Object.values(x).includes("a")` tests for, or None.

    Browsers name a constant like its value, in capital letters.
    """
    listed = _listed(query.evaluator, call, _VALUE_LISTS)
    of = None if listed is None else api_of(query.evaluator.value(listed))
    value = query.text(call.arguments[0]) if isinstance(call, CallExpression) and call.arguments else None
    if of is None or value is None:
        return None
    return query.if_requested(frozenset({(*of.path, value.upper())}), present=query.outcome)


def operands_of_test(evaluator: Evaluator, test: Node) -> tuple[Node, Node] | None:
    """Returns the name and the object in a test whether the object has a property of that name, or None.

    `"y" in x`, `x.hasOwnProperty("y")`, `Object.hasOwn(x, "y")`, `Reflect.has(x, "y")`, and
    `Object.keys(x).includes("y")`.
    """
    if isinstance(test, BinaryExpression) and test.operator == "in":
        return test.left, test.right
    if not isinstance(test, CallExpression) or not isinstance(test.callee, MemberExpression):
        return None
    callee, arguments = test.callee, test.arguments
    owner, method = callee.object, key_of(evaluator, callee)
    if method == "hasOwnProperty" and len(arguments) == 1:
        return arguments[0], owner
    if method == "call" and isinstance(owner, MemberExpression) and len(arguments) == 2:
        is_ownership_test = key_of(evaluator, owner) == "hasOwnProperty"
        return (arguments[1], arguments[0]) if is_ownership_test else None
    if (listed := _listed(evaluator, test, _KEY_LISTS)) is not None:
        return arguments[0], listed
    if _name(evaluator, callee) in _OWNERSHIP_TESTS and len(arguments) == 2:
        return arguments[1], arguments[0]
    return None


def _listed(evaluator: Evaluator, test: Node, lists: frozenset[str]) -> Node | None:
    """Returns the object whose list, by one of the functions, a test searches with `includes`, or None."""
    callee = test.callee if isinstance(test, CallExpression) and len(test.arguments) == 1 else None
    owner = callee.object if isinstance(callee, MemberExpression) else None
    if callee is None or not isinstance(owner, CallExpression) or key_of(evaluator, callee) != "includes":
        return None
    return owner.first_argument if _name(evaluator, owner.callee) in lists else None


def _name(evaluator: Evaluator, function: Node) -> str:
    return evaluator.tree.source(function) if function.end - function.start < _MAX_NAME_BYTES else ""
