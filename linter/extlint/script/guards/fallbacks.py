"""Whether a program has something to take in the place of what a call gives, if that is empty."""

from __future__ import annotations

from itertools import islice

from extlint.script.guards.deferred import parameter_for
from extlint.script.guards.forms.booleans import boolean_argument
from extlint.script.scope.identifiers import Role
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import call_of, outermost
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import uses_of
from extlint.script.values.property_index import members_by
from extlint.script.values.property_names import key_of

MAX_USES = 200
"""Places that are looked at for one call; of what is in more of them nothing is certain."""

_ASKED_FOR = frozenset({"length"})
_COMPARING = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">=", "in"})
_CHOOSING = frozenset({"&&", "||", "??"})
_FILLING = frozenset({"&&=", "||=", "??="})
_CONDITIONAL = frozenset(
    {
        "do_statement",
        "for_statement",
        "if_statement",
        "switch_statement",
        "ternary_expression",
        "while_statement",
    }
)
_METHODS = frozenset({"method_definition", "pair", "field_definition", "public_field_definition"})


def has_fallback(evaluator: Evaluator, call: Node) -> bool:
    """Whether what a call gives is tested somewhere, or has another value beside it (`f(x) || y`).

    It is followed into variables, parameters and out of functions, to where those are called.
    """
    waiting, seen = [call], {call.id}
    while waiting:
        further = _asked_or_passed_on(evaluator, waiting.pop())
        if further is None or len(seen) > MAX_USES:
            return True
        for each in further:
            if each.id not in seen:
                seen.add(each.id)
                waiting.append(each)
        evaluator.tree.spend(len(further) + 1)
    return False


def _asked_or_passed_on(evaluator: Evaluator, item: Node) -> list[Node] | None:
    """The expressions that have the value next; None if it is asked there whether there is any."""
    whole = outermost(item)
    up = whole.parent
    if up is None:
        return []
    if up.type in _CONDITIONAL and (whole.is_field("condition") or whole.is_field("value")):
        return None
    match up.type:
        case "await_expression" | "ternary_expression":
            return [up]
        case "unary_expression":
            return None if up.has("!") else []
        case "binary_expression":
            return _combined(whole, up)
        case "member_expression":
            return _of_text(evaluator, up)
        case "variable_declarator":
            return _uses(evaluator, up.field("name"))
        case "assignment_expression" if whole.is_field("right"):
            return [up, *_uses(evaluator, up.field("left"))]
        case "augmented_assignment_expression" if whole.is_field("left"):
            operator = up.field("operator")
            return None if operator is not None and operator.type in _FILLING else []
        case "arguments" if up.parent is not None:
            if boolean_argument(evaluator, up.parent) is not None:
                return None
            return _uses(evaluator, parameter_for(evaluator, whole, up))
        case "arrow_function" if whole.is_field("body"):
            return _calls(evaluator, up)
        case "return_statement":
            function = next((each for each in up.ancestors() if each.type in FUNCTIONS), None)
            return [] if function is None else _calls(evaluator, function)
    return []


def _combined(whole: Node, up: Node) -> list[Node] | None:
    operator = up.field("operator")
    if operator is None or operator.type in _COMPARING:
        return None
    if operator.type in _CHOOSING:
        return None if whole.is_field("left") else [up]
    return []


def _of_text(evaluator: Evaluator, member: Node) -> list[Node] | None:
    """What a method makes of a text is as empty as the text."""
    if key_of(evaluator, member) in _ASKED_FOR or member.has("optional_chain"):
        return None
    call = call_of(member)
    return [] if call is None else [call]


def _uses(evaluator: Evaluator, name: Node | None) -> list[Node]:
    if name is None or name.type != "identifier":
        return []
    binding = evaluator.names.variable(name)
    uses = [] if binding is None else binding.uses
    return [
        use.item
        for use in islice(uses, MAX_USES + 1)
        if use.role is Role.REFERENCE or use.kind == "augmented"
    ]


def _calls(evaluator: Evaluator, function: Node) -> list[Node]:
    """The calls of a function by its own name, or by that of the property that holds it."""
    owner = function if function.type == "method_definition" else outermost(function).parent
    named = uses_of(evaluator, function)
    if owner is not None and owner.type in _METHODS:
        name = key_of(evaluator, owner)
        named = [] if name is None else list(islice(members_by(evaluator, name), MAX_USES + 1))
    calls = [call for each in named if (call := call_of(each)) is not None]
    own = call_of(function)
    return calls if own is None else [*calls, own]
