"""Tests that a class or object has for its own code: `static isSupported() { return !!browser.proxy }`.

    for (const each of [FirefoxProxy, ChromeProxy]) if (each.isSupported()) return new each();

Several classes have the same test, and it decides about their code from a distance. This holds only for a
class or object in a list, or in other hands: where a script uses it by name, the tests around that count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from extlint.analysis.call_graph.definitions import (
    declared_name,
    declared_variable,
    member_definition,
    outermost_wrapper,
    owner_of,
)
from extlint.analysis.guards.conditions import condition_query
from extlint.analysis.guards.environment_conditions import environment_of, environment_of_function
from extlint.analysis.guards.environment_operands import names_browser
from extlint.analysis.guards.forms.facts import (
    BROWSER_TESTED,
    CONDITIONAL,
    NOTHING_IMPLIED,
    OPEN_TEST,
    OWN_TEST,
    Facts,
    GuardsAt,
    is_script_independent,
)
from extlint.analysis.guards.indirect_conditions import implied_by_function
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    Class,
    FieldDefinition,
    Function,
    MethodDefinition,
    NewExpression,
    Pair,
)
from extlint.analysis.syntax.shapes import call_of, innermost, outermost, parameter_items
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import tentative
from extlint.analysis.values.property_index import assignment_to, key_of, members_named, property_leaves

MAX_MEMBERS = 60
"""The maximum number of members of one class or object that may be tests for its other members."""

MAX_TEST_BYTES = 400
"""The maximum number of bytes of such a test, which has no parameters."""

_MAX_READS = 100
_LISTED = frozenset({"arguments", "array", "export_specifier", "pair", "return_statement", "spread_element"})


class OwnTests:
    """Finds the tests of the classes and objects of one script."""

    def __init__(self, evaluator: Evaluator, guards_at: GuardsAt) -> None:
        self._evaluator = evaluator
        self._query = condition_query(evaluator, guards_at, outcome=True)
        self._known: dict[int, Mapping[str, Facts]] = {}
        self._facts: dict[tuple[int, bool], Facts] = {}

    def implied(self, function: Node) -> Facts:
        """Returns the facts that the tests of a function's class or object imply wherever it runs."""
        evaluator = self._evaluator
        entered = outermost_wrapper(evaluator, function)
        if _is_for_browser(evaluator, entered):
            return frozenset({BROWSER_TESTED, CONDITIONAL, OPEN_TEST})
        owner = _owner(evaluator, entered)
        tests = {} if owner is None else self._tests(owner)
        if owner is None or not tests or _name(evaluator, entered) in tests:
            return NOTHING_IMPLIED
        key = owner.id, _is_constructor(evaluator, entered)
        if key not in self._facts:
            is_listed = _is_only_listed(evaluator, owner, key[1])
            self._facts[key] = _facts(evaluator, owner, tests) if is_listed else NOTHING_IMPLIED
        return self._facts[key]

    def _tests(self, owner: Node) -> Mapping[str, Facts]:
        """Returns the members of a class or object that test something, with what they imply."""
        if owner.id not in self._known:
            with tentative(self._known, owner.id, {}):
                members = islice(_members(self._evaluator, owner), MAX_MEMBERS)
                found = {
                    name: self._implied_by(value)
                    for name, value in members
                    if value.end - value.start <= MAX_TEST_BYTES and not parameter_items(innermost(value))
                }
            self._known[owner.id] = {name: facts for name, facts in found.items() if facts}
        return self._known[owner.id]

    def _implied_by(self, value: Node) -> Facts:
        """Returns what a member, or its result, implies if it is true; the same in each script."""
        value = innermost(value)
        if isinstance(value, Function):
            found = implied_by_function(self._query, value)
            environment = environment_of_function(self._evaluator, value)
        elif self._evaluator.api(value) is not None:
            return NOTHING_IMPLIED
        else:
            found = self._query.implied(value, True)
            environment = environment_of(self._evaluator, value)
        return frozenset(filter(is_script_independent, found)) | environment & {BROWSER_TESTED}


def _facts(evaluator: Evaluator, owner: Node, tests: Mapping[str, Facts]) -> Facts:
    """Returns the facts of the tests that the script calls, and those that another script may call."""
    found = NOTHING_IMPLIED
    for name, facts in tests.items():
        reads = islice(members_named(evaluator, name), _MAX_READS)
        leaves = islice(property_leaves(evaluator, name), _MAX_READS)
        is_common = sum(map(_defines, leaves)) > 1
        if is_common and any(_may_be(evaluator, owner, each) for each in reads):
            found |= facts
        else:
            found |= {("", OWN_TEST, name, *each) for each in facts if each[0]}
    return found


def _defines(name: Node) -> bool:
    """Whether a property's name is that of a member in a class or object, or is assigned."""
    up = name.parent
    if isinstance(up, AccessExpression):
        return assignment_to(up) is not None
    return isinstance(up, FieldDefinition | MethodDefinition | Pair) and not name.is_field("value")


def _owner(evaluator: Evaluator, entered: Node) -> Node | None:
    """Returns the class, object or constructor that has a function as a member, or is made of it, or None."""
    member = member_definition(entered)
    if member is None:
        return entered if isinstance(entered, Function) and declared_name(entered) is not None else None
    if not isinstance(member, AccessExpression):
        return owner_of(member)
    holder = innermost(member.object)
    if isinstance(holder, AccessExpression) and key_of(evaluator, holder) == "prototype":
        holder = innermost(holder.object)
    if holder.type != "identifier":
        return None
    return evaluator.definition_of(holder)


def _name(evaluator: Evaluator, entered: Node) -> str | None:
    """Returns the name of the member that a function is, or None for a constructor."""
    member = member_definition(entered)
    return None if member is None else key_of(evaluator, member)


def _is_for_browser(evaluator: Evaluator, entered: Node) -> bool:
    """Whether a function is in the part of an object for one browser: `{ firefox: open, chrome: show }`."""
    member = member_definition(entered)
    while isinstance(member, Pair | MethodDefinition) and member.parent is not None:
        owner = member.parent
        if owner.type == "object" and names_browser(key_of(evaluator, member) or ""):
            names = [key_of(evaluator, each) or "" for each in owner.named()]
            if sum(map(names_browser, names)) > 1:
                return True
        member = outermost(owner).parent
    return False


def _is_constructor(evaluator: Evaluator, entered: Node) -> bool:
    is_named = isinstance(entered, MethodDefinition) and evaluator.tree.source(entered.name) == "constructor"
    return is_named or member_definition(entered) is None


def _members(evaluator: Evaluator, owner: Node) -> Iterator[tuple[str, Node]]:
    """Yields the members of a class or object, each with its name and value."""
    body = owner.body if isinstance(owner, Class) else owner
    for each in body.named() if isinstance(owner, Class) or owner.type == "object" else ():
        name = key_of(evaluator, each)
        value = each.value if isinstance(each, Pair | FieldDefinition) else each
        if name not in {None, "constructor"} and value is not None:
            yield name, value
    for use in _uses(evaluator, owner):
        place = use.parent
        assignment = assignment_to(place) if isinstance(place, AccessExpression) else None
        if isinstance(place, AccessExpression) and isinstance(assignment, AssignmentExpression):
            name = key_of(evaluator, place)
            if name is not None:
                yield name, assignment.right


def _uses(evaluator: Evaluator, owner: Node) -> list[Node]:
    binding = declared_variable(evaluator, owner)
    return [] if binding is None else [each.item for each in binding.uses]


def _is_only_listed(evaluator: Evaluator, owner: Node, is_constructor: bool) -> bool:
    """Whether other code gets a class or object only from a list or as an argument, not by its name."""
    if owner.type == "object":
        whole = outermost(owner)
        up = whole.parent
        if declared_name(owner) is None and (up is None or up.type not in _LISTED):
            return False
    for use in _uses(evaluator, owner):
        if owner.contains(use):
            continue
        whole = outermost(use)
        up = whole.parent
        if isinstance(up, NewExpression) and not is_constructor:
            whole = outermost(up)
            up = whole.parent
        is_passed = isinstance(up, AssignmentExpression) and whole.is_field("right")
        is_defined = isinstance(up, AccessExpression) and _is_definition(evaluator, up)
        if up is None or not (up.type in _LISTED or is_passed or is_defined):
            return False
    return True


def _is_definition(evaluator: Evaluator, member: AccessExpression) -> bool:
    """Whether a member of a class is assigned, also one of its prototype."""
    up = member.parent
    if key_of(evaluator, member) == "prototype" and isinstance(up, AccessExpression):
        return assignment_to(up) is not None
    return assignment_to(member) is not None


def _may_be(evaluator: Evaluator, owner: Node, read: AccessExpression) -> bool:
    """Whether a member is used of an object that is not known, so that it may be one of several."""
    value = call_of(read) or read
    used = outermost(value).parent
    is_used = used is not None and used.type != "expression_statement"
    if not is_used or assignment_to(read) is not None or evaluator.api(read) is not None:
        return False
    holder = innermost(read.object)
    if holder.type == "this":
        return not owner.contains(holder)
    known = evaluator.definition_of(holder)
    return known is None or (known.same(owner) and holder.type != "identifier")
