"""Which member of the API an expression asks for: a test by its value, by `typeof`, by `in` and the like."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from extlint.script.facts.script_facts import ApiPath, Guards
from extlint.script.syntax.node import MEMBERS, Node
from extlint.script.syntax.shapes import innermost
from extlint.script.values.constants import text_of
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of

NOTHING_TOLD: frozenset[ApiPath] = frozenset()

_OWNERSHIP_TESTS = frozenset({"Object.hasOwn", "Reflect.has"})
_KEY_LISTS = frozenset({"Object.getOwnPropertyNames", "Object.keys", "Reflect.ownKeys"})
_MAX_OWNER_BYTES = 64

Around = Callable[[Node], Guards]
"""What was tested before a place is reached."""


class ExistenceTest(Struct, frozen=True):
    """What is asked of a condition: what it tells if it is (or is not) `truth`.

    With `present` the members that are there are asked for, else those that are missing. `given` are
    the texts that the call of a function that tests gives to its parameters, by name.
    """

    evaluator: Evaluator
    around: Around
    truth: bool
    present: bool
    given: Mapping[str, str] = {}
    depth: int = 0


def holder_of(evaluator: Evaluator, item: Node) -> ApiPath | None:
    """A variable, or a property by its name, in the form of a path that no member of the API has.

    A test of it tells that whatever it holds is there, if it is not known what that is.
    """
    if item.type == "identifier":
        binding = evaluator.names.variable(item)
        if binding is None or not binding.declarations:
            return None
        return "", f"{binding.declarations[0].item.start}"
    name = key_of(evaluator, item) if item.type in MEMBERS else None
    return None if name is None else ("", f".{name}")


def holder_in(ask: ExistenceTest, item: Node) -> frozenset[ApiPath]:
    """What holds some member, as far as an expression names it; see `holder_of`."""
    found = holder_of(ask.evaluator, item)
    return NOTHING_TOLD if found is None else frozenset({found})


def held_in(ask: ExistenceTest, item: Node) -> frozenset[ApiPath]:
    """The member that an expression is, or what holds some member."""
    return member_in(ask, item) or holder_in(ask, item)


def member_in(ask: ExistenceTest, item: Node) -> frozenset[ApiPath]:
    """The member that an expression is, also one that is read by a key which is a parameter."""
    found = ask.evaluator.api(item)
    if found is not None and found.path:
        return frozenset({found.path})
    target, index = item.field("object"), item.field("index")
    if item.type == "subscript_expression" and target is not None and index is not None:
        return asked_in(ask, index, target)
    return NOTHING_TOLD


def operand_of_typeof(item: Node) -> Node | None:
    """The `x` of `typeof x`, parentheses left out; None if it is no such expression."""
    item = innermost(item)
    operand = item.field("argument") if item.type == "unary_expression" and item.has("typeof") else None
    return None if operand is None else innermost(operand)


def shortened_typeof(ask: ExistenceTest, subject: Node, against: Node) -> frozenset[ApiPath]:
    """The member of `typeof x < "u"`, as minifiers write that it is not undefined."""
    inner = operand_of_typeof(subject)
    if inner is None or text_of(ask.evaluator.value(against)) != "u":
        return NOTHING_TOLD
    return held_in(ask, inner)


def asked_in(ask: ExistenceTest, left: Node, right: Node) -> frozenset[ApiPath]:
    """The member of `left in right`, or what holds some member; see `holder_of`."""
    owner, name = ask.evaluator.api(right), text_of(ask.evaluator.value(left))
    if left.type == "identifier":
        name = ask.given.get(ask.evaluator.tree.source(left), name)
    if name is None:
        return NOTHING_TOLD
    return frozenset({("", f".{name}") if owner is None else (*owner.path, name)})


def asked_for(ask: ExistenceTest, call: Node) -> frozenset[ApiPath] | None:
    """The member that a call asks for.

    `x.hasOwnProperty("y")`, `Object.hasOwn(x, "y")`, `Reflect.has(x, "y")`, `Object.keys(x).includes("y")`.
    """
    function, listed = call.field("function"), call.field("arguments")
    if function is None or listed is None or function.type != "member_expression":
        return None
    owner, method, arguments = function.field("object"), key_of(ask.evaluator, function), listed.named()
    if owner is None:
        return None
    if method == "hasOwnProperty" and len(arguments) == 1:
        return asked_in(ask, arguments[0], owner)
    if method == "call" and owner.type == "member_expression" and len(arguments) == 2:
        return asked_in(ask, arguments[1], arguments[0]) if _is_ownership_test(ask, owner) else None
    if method == "includes" and owner.type == "call_expression" and len(arguments) == 1:
        lister, of = owner.field("function"), owner.field("arguments")
        if lister is not None and of is not None and _named(ask, lister) in _KEY_LISTS and of.first():
            return asked_in(ask, arguments[0], of.named()[0])
    if _named(ask, function) in _OWNERSHIP_TESTS and len(arguments) == 2:
        return asked_in(ask, arguments[1], arguments[0])
    return None


def _is_ownership_test(ask: ExistenceTest, function: Node) -> bool:
    return key_of(ask.evaluator, function) == "hasOwnProperty"


def _named(ask: ExistenceTest, function: Node) -> str:
    return ask.evaluator.tree.source(function) if function.end - function.start < _MAX_OWNER_BYTES else ""


def boolean_argument(evaluator: Evaluator, call: Node) -> Node | None:
    """The `x` of `Boolean(x)`."""
    function, listed = call.field("function"), call.field("arguments")
    if function is None or listed is None or function.type != "identifier":
        return None
    return listed.first() if evaluator.tree.source(function) == "Boolean" else None
