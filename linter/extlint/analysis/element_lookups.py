"""Finds lookups of elements whose result is used as if the element existed: `getElementById("a").value`.

Code that never runs because a page has no such element does not count: behind a test of it, or in its
listener.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, partial

from extlint.analysis.call_graph.definitions import declared_variable, outermost_wrapper
from extlint.analysis.facts.script_facts import ApiPath, GlobalUse
from extlint.analysis.global_uses import is_dereferenced
from extlint.analysis.guards.forms.members import variable_fact
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.reachability.executed_paths import ExecutedPaths
from extlint.analysis.reachability.paths import NO_PATH
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    Function,
    Pair,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    call_with_argument,
    enclosing_function,
    innermost,
    outermost,
    parameter_items,
    pattern_of,
)
from extlint.analysis.values.elements import is_document
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.text.positions import encode_name

_MAX_DEPTH = 8


class AbsentElements:
    """The elements that the page of a script does not have, by the offsets of the arguments of lookups."""

    def __init__(self, evaluator: Evaluator, guards: GuardReader, lookups: Collection[int]) -> None:
        self._evaluator = evaluator
        self._guards = guards
        self._lookups = lookups
        self._prevented: dict[int, bool] = {}
        """Whether functions are never called without the elements, by their ids; true until it is known."""

    @cached_property
    def _facts(self) -> frozenset[ApiPath | None]:
        """The facts that one of the elements exists."""
        calls = (lookup_at(self._evaluator, each) for each in self._lookups)
        return frozenset(fact for each in calls if each is not None for fact in self._facts_of(each)) - {None}

    def _facts_of(self, lookup: CallExpression) -> Iterator[ApiPath | None]:
        yield variable_fact(self._evaluator, lookup)
        up = outermost(lookup).parent
        if isinstance(up, VariableDeclarator):
            binding = self._evaluator.names.variable(up.name)
            if binding is not None and len(binding.writes) == 1:
                yield variable_fact(self._evaluator, up.name)

    def prevent(self, item: Node, depth: int = 0) -> bool:
        """Whether an expression runs only if the page has one of the elements, or if that is unknown."""
        if depth > _MAX_DEPTH or not self._facts.isdisjoint(self._guards.guards_at(item).tested):
            return True
        return any(
            self._is_never_called(each, depth) for each in item.ancestors() if isinstance(each, Function)
        )

    def _is_never_called(self, function: Function, depth: int) -> bool:
        if function.id not in self._prevented:
            self._prevented[function.id] = True
            self._prevented[function.id] = self._prevent_calls_of(function, depth)
        return self._prevented[function.id]

    def _prevent_calls_of(self, function: Function, depth: int) -> bool:
        """Whether a function is only a listener of the elements, or only called where nothing runs."""
        whole = outermost_wrapper(self._evaluator, function)
        if self._is_listener(whole):
            return True
        binding = declared_variable(self._evaluator, whole)
        if binding is None or len(binding.writes) != 1:
            return False
        uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
        return bool(uses) and all(self._is_listener(each) or self.prevent(each, depth + 1) for each in uses)

    def _is_listener(self, item: Node) -> bool:
        """Whether an expression is only assigned to a property of an element, or passed to its method."""
        whole = outermost(item)
        taking, up = call_with_argument(whole), whole.parent
        target = taking.callee if isinstance(taking, CallExpression) else None
        if isinstance(up, AssignmentExpression) and whole.is_field("right"):
            target = up.left
        place = None if target is None else innermost(target)
        return isinstance(place, AccessExpression) and self._is_absent(place.object)

    def _is_absent(self, expression: Node) -> bool:
        return variable_fact(self._evaluator, innermost(expression)) in self._facts


def lookup_at(evaluator: Evaluator, at: int) -> CallExpression | None:
    """Returns the call whose first argument begins at an offset, or None."""
    argument = evaluator.tree.leaf_at(at)
    while argument.parent is not None and argument.parent.start == at:
        argument = argument.parent
    call = None if argument.parent is None else argument.parent.parent
    return call if isinstance(call, CallExpression) and argument.start == call.arguments[0].start else None


_LOOKUPS = frozenset({"getElementById", "querySelector"})
_LOOKUP = rb"\(\s*([\"'`]#?%b[\"'`])\s*\)"


def failing_lookups(
    evaluator: Evaluator, paths: ExecutedPaths, places: Iterable[int], missing: Collection[int]
) -> Iterator[tuple[int, GlobalUse]]:
    """Yields the lookups whose argument begins at one of these offsets, and that fail without a result.

    They and a use of their result, which is only used as an object, are known to run, even if the lookups at
    the offsets `missing` find nothing. Each has the name of the function of the document.
    """
    absent = AbsentElements(evaluator, paths.guards, missing)
    for at in places:
        use = evaluator.attempt((at, at + 1), partial(_lookup_at, evaluator, paths, absent, at))
        if use is not None:
            yield at, use


def _lookup_at(
    evaluator: Evaluator, paths: ExecutedPaths, absent: AbsentElements, at: int
) -> GlobalUse | None:
    call = lookup_at(evaluator, at)
    name = None if call is None else _lookup_of(evaluator, call)
    if call is None or name is None or absent.prevent(call):
        return None
    uses = [each for each in _uses_as_object(evaluator, call) if each is call or not absent.prevent(each)]
    before = paths.to(call) if uses and not _is_tested_too(evaluator, paths.guards, call) else NO_PATH
    executed = frozenset(
        one.combined(two) for each in (uses if before else ()) for two in paths.to(each) for one in before
    )
    if not executed:
        return None
    return GlobalUse(name, call.span, None, False, executed, paths.on_load(call))


def _is_tested_too(evaluator: Evaluator, guards: GuardReader, call: CallExpression) -> bool:
    """Whether a condition before a lookup, or the function around it, has another lookup that is a test.

    Example: `if (document.getElementById("a")) document.getElementById("a").focus();`
    """
    if variable_fact(evaluator, call) in guards.guards_at(call).tested:
        return True
    function, text = enclosing_function(call), evaluator.tree.text
    name = encode_name((evaluator.text(call.arguments[0]) or "").lstrip("#"))
    for found in re.finditer(_LOOKUP % re.escape(name), text):
        other: Node | None = evaluator.tree.leaf_at(found.start(1))
        while other is not None and not isinstance(other, CallExpression):
            other = other.parent
        if other is None or other.same(call) or is_dereferenced(other):
            continue
        around = enclosing_function(other)
        if around is function or (around is not None and function is not None and around.same(function)):
            return True
    return False


def _lookup_of(evaluator: Evaluator, call: CallExpression) -> str | None:
    """Returns the function of the document that a call is, or that its function only calls."""
    callee = innermost(call.callee)
    if isinstance(callee, AccessExpression):
        name = key_of(evaluator, callee)
        return name if name in _LOOKUPS and is_document(evaluator, callee.object) else None
    binding = evaluator.names.variable(callee) if callee.type == "identifier" else None
    if binding is None or len(binding.writes) != 1:
        return None
    source = binding.writes[0].source
    function = source.value if isinstance(source, VariableDeclarator) else source
    if not isinstance(function, Function) or len(items := parameter_items(function)) != 1:
        return None
    inner = _only_result(function)
    if not isinstance(inner, CallExpression) or len(inner.arguments) != 1:
        return None
    passed = innermost(inner.arguments[0])
    is_own = evaluator.tree.source(passed) == evaluator.tree.source(pattern_of(items[0]))
    is_access = isinstance(innermost(inner.callee), AccessExpression)
    return _lookup_of(evaluator, inner) if is_own and is_access else None


def _only_result(function: Function) -> Node | None:
    """Returns the expression that a function only returns, or None."""
    body = function.body
    if body.type != "statement_block":
        return innermost(body)
    statements = body.named()
    returned = statements[0].named() if [each.type for each in statements] == ["return_statement"] else []
    return innermost(returned[0]) if returned else None


def _uses_as_object(evaluator: Evaluator, call: CallExpression) -> list[Node]:
    """Returns the uses of a result that is only used as an object, perhaps in a variable or property.

    Returns nothing if it may be used in another way.
    """
    if is_dereferenced(call):
        return [call]
    whole = outermost(call)
    up = whole.parent
    match up:
        case VariableDeclarator() if whole.is_field("value") and up.name.type == "identifier":
            binding = evaluator.names.variable(up.name)
            if binding is None or len(binding.writes) != 1:
                return []
            uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
        case Pair():
            uses = _property_uses(evaluator, up.key)
        case AssignmentExpression() if whole.is_field("right") and isinstance(up.left, AccessExpression):
            uses = _property_uses(evaluator, up.left.key)
        case _:
            return []
    return uses if all(map(is_dereferenced, uses)) else []


def _property_uses(evaluator: Evaluator, key: Node) -> list[Node]:
    """Returns all other places in the script with the name of a property."""
    name = evaluator.tree.source(key)
    if key.type != "property_identifier":
        return []
    found: list[Node] = []
    for at in evaluator.names.words.occurrences(name):
        leaf = evaluator.tree.leaf_at(at)
        if leaf.start != at or leaf.start == key.start or leaf.type in {"comment", "string_fragment"}:
            continue
        up = leaf.parent
        found.append(up if isinstance(up, AccessExpression) and leaf.is_field("property") else leaf)
    return found
