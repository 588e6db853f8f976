"""Finds where members of an object are read, and members of objects that only delegate to the API.

globalThis.api = { query: (options) => chrome.tabs.query(options) };

Finds where the members of an object are read, if the object does not escape.

    const lib = { list() { … }, version: 1 };
    document.title = lib.version;

If all places that name the object only access named members, no other member is ever read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from extlint.analysis.call_graph.callers import is_only_inspected
from extlint.analysis.call_graph.class_family import family_of, names_of_subclasses
from extlint.analysis.call_graph.definitions import declared_name, declared_variable, outermost_wrapper
from extlint.analysis.call_graph.entry_points import CALLED, INSTANTIATED
from extlint.analysis.call_graph.holders import Holder, Reads, Uses, holder_of
from extlint.analysis.call_graph.object_flow import IMPLICITLY_READ, ObjectFlow
from extlint.analysis.call_graph.object_owners import Reach
from extlint.analysis.facts.values import FunctionValue
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    Class,
    Function,
    NewExpression,
    Pair,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    enclosing_function,
    index_of,
    innermost,
    outermost,
    pattern_of,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script

MAX_DEPTH = 4
"""The maximum depth of objects that hold one another to follow."""


def reads_of_member(
    evaluator: Evaluator, owner: Node, name: str, within: Reach, depth: int = 0
) -> Reads | None:
    """Returns where a member of an object, or of the instances of a class, is read.

    If unknown code may read it, or the object is visible further than `within`, returns None. `depth` is the
    number of objects held by this one that are already being followed.
    """
    is_followed = depth <= MAX_DEPTH and name not in IMPLICITLY_READ
    is_hidden = (
        is_followed
        and isinstance(owner, Class)
        and name in _subclass_members(evaluator, owner, within, depth)
    )
    hidden = name if is_hidden else None
    known = _uses_of(evaluator, owner, within, depth, hidden) if is_followed else None
    return None if known is None else known.of(name)


@once_per_script
def _subclass_members(evaluator: Evaluator, owner: Class, within: Reach, depth: int) -> frozenset[str | None]:
    """Returns the names of the members that subclasses of a class define themselves."""

    def reads_of(holder: Holder) -> Sequence[Node] | None:
        found = _reads_of_holder(evaluator, within, depth, holder)
        return None if found is None else found.places

    family = family_of(evaluator, owner, None, reads_of)
    return frozenset() if family is None else names_of_subclasses(evaluator, family)


@once_per_script
def _uses_of(evaluator: Evaluator, owner: Node, within: Reach, depth: int, hidden: str | None) -> Uses | None:
    reads_of = partial(_reads_of_holder, evaluator, within, depth)
    return ObjectFlow(evaluator, within, reads_of, owner, hidden).uses()


def _reads_of_holder(evaluator: Evaluator, within: Reach, depth: int, holder: Holder) -> Reads | None:
    """Returns the reads of a member that holds an object."""
    return reads_of_member(evaluator, holder.owner, holder.name, within, depth + 1)


def reads_of_shared_member(evaluator: Evaluator, places: Iterable[Node], path: Sequence[str]) -> Reads | None:
    """Returns where a member of an object of another script is read, given the places that name the object.

    Returns None if unknown code may read it.
    """
    found = Reads([*places], Reach.SCRIPT)
    for name in path:
        part = _part_of(evaluator, found.places, name)
        if part is None:
            return None
        found = replace(part, shared=part.shared | {each.member(name) for each in found.shared})
    return found


def _part_of(evaluator: Evaluator, places: Sequence[Node], name: str) -> Reads | None:
    """Returns the reads of one element of a path, given those of the object; or None if unknown."""
    if name not in {CALLED, INSTANTIATED}:
        reads_of = partial(_reads_of_holder, evaluator, Reach.NAMED, 0)
        uses = ObjectFlow(evaluator, Reach.NAMED, reads_of).uses_from(places)
        return None if uses is None else uses.of(name)
    found = [outermost(each).parent if name == INSTANTIATED else call_of(each) for each in places]
    calls = [
        each for each in found if isinstance(each, NewExpression if name == INSTANTIATED else CallExpression)
    ]
    others = [each for each, call in zip(places, found, strict=True) if call not in calls]
    is_known = not others or (
        name == INSTANTIATED and all(is_only_inspected(evaluator, each) for each in others)
    )
    return Reads(calls, Reach.SCRIPT) if is_known else None


KNOWN_REACH = Reach.GLOBAL | Reach.NAMED
"""The reach of objects whose uses are all known, if the uses by other scripts are."""

MAX_STATEMENTS = 3
"""The maximum number of statements in a function that only delegates: declarations, and what it returns."""

NO_READS = Reads((), Reach.SCRIPT)

_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_LAST = frozenset({"expression_statement", "return_statement"})


def delegating_member(evaluator: Evaluator, place: Node) -> Reads | None:
    """Returns the reads of the member of a shared object whose function only delegates to a place.

    Returns None if no such member exists, or if not all its reads in the script are known. A member
    that forwards its parameters to unknown hands has no reads, since nothing is known to use it.
    """
    for up in place.ancestors():
        if not isinstance(up, Function):
            continue
        if not _only_delegates(up):
            return None
        entered = outermost_wrapper(evaluator, up)
        entered = _only_use(evaluator, entered) or _wrapped(evaluator, up) or entered
        holder = holder_of(evaluator, entered)
        if holder is not None:
            found = reads_of_member(evaluator, holder.owner, holder.name, KNOWN_REACH)
            if found is None:
                is_passed = _forwards(evaluator, up, place) and _is_returned(evaluator, holder.owner)
                return NO_READS if is_passed else None
            return found if found.shared else None
        if declared_name(entered) is not None:
            break
    return None


def _only_use(evaluator: Evaluator, function: Node) -> Node | None:
    """Returns the only use of a declared function, or None for one that other scripts may call."""
    binding = declared_variable(evaluator, function) if function.type == "function_declaration" else None
    if binding is None or (binding.scope.type == "program" and not evaluator.tree.is_module):
        return None
    uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
    return uses[0] if len(uses) == 1 else None


def _wrapped(evaluator: Evaluator, function: Function) -> CallExpression | None:
    """Returns the call that makes another function of one: `promisify((o) => chrome.tabs.query(o))`, or None.

    The called function of the script only calls it in the function that it returns.
    """
    call = call_with_argument(outermost(function))
    if not isinstance(call, CallExpression) or not isinstance(evaluator.possible.value(call), FunctionValue):
        return None
    wrapper = evaluator.definition_of(call.callee)
    index = index_of(call.arguments, outermost(function))
    if not isinstance(wrapper, Function) or index is None or index >= len(wrapper.parameters):
        return None
    name = pattern_of(wrapper.parameters[index])
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    if binding is None:
        return None
    around = [enclosing_function(each.item) for each in binding.uses]
    return call if all(each is not None and not each.same(wrapper) for each in around) else None


def _is_returned(evaluator: Evaluator, literal: Node) -> bool:
    """Whether a function returns an object that may hold the literal, or a method of `Object` copies it."""
    up = outermost(literal).parent
    while isinstance(up, Pair) and up.parent is not None:
        literal = up.parent
        up = outermost(literal).parent
    if literal.type != "object" or up is None:
        return False
    call = call_with_argument(outermost(literal))
    owner = innermost(call.callee) if isinstance(call, CallExpression) else None
    is_copied = isinstance(owner, AccessExpression) and evaluator.tree.source(owner.object) == "Object"
    return is_copied or up.type in {"arrow_function", "return_statement"}


def _forwards(evaluator: Evaluator, function: Function, place: Node) -> bool:
    """Whether a function passes its parameters, and nothing of its own, to the member that ends at a place.

    A getter forwards a namespace: `get tabs() { return chrome.tabs; }`. The member may be an event to which a
    listener is added.
    """
    member = place.parent
    if not isinstance(member, AccessExpression):
        return False
    method = outermost(member).parent
    call = call_of(method if isinstance(method, AccessExpression) else member)
    if call is None:
        return function.has_token("get")
    arguments = call.arguments if function.parameters else []
    return bool(arguments) and all(_is_passed_on(evaluator, each) for each in arguments)


def _is_passed_on(evaluator: Evaluator, argument: Node) -> bool:
    """Whether an argument is a parameter, or a callback that reports the result."""
    item = innermost(argument)
    if item.type == "spread_element":
        item = item.first() or item
    binding = evaluator.names.variable(item) if item.type == "identifier" else None
    is_parameter = binding is not None and any(each.kind == "parameter" for each in binding.writes)
    return is_parameter or isinstance(item, Function)


def _only_delegates(function: Function) -> bool:
    """Whether a function has a single statement, perhaps after some declarations."""
    body = function.body
    if body.type != "statement_block":
        return True
    statements = body.named()
    return (
        0 < len(statements) <= MAX_STATEMENTS
        and statements[-1].type in _LAST
        and all(each.type in _DECLARATIONS for each in statements[:-1])
    )
