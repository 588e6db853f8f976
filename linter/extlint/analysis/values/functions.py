"""Functions: their return values and their callers."""

from __future__ import annotations

import re
from itertools import islice

from extlint.analysis.facts.values import UNKNOWN, Kind, Literal, Value
from extlint.analysis.scope.model import Binding, Identifier, Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    CallExpression,
    CallOrNewExpression,
    Class,
    EnumDeclaration,
    Function,
    IfStatement,
    MemberExpression,
    MethodDefinition,
    NewExpression,
    Pair,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_of, call_with_argument, outermost
from extlint.analysis.values.api_results import fulfillment_of, promise_of
from extlint.analysis.values.evaluator import Evaluator, View
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import carries_api
from extlint.analysis.values.recorded import is_shared_variable

_MAX_HELPER_BYTES = 200
"""The most bytes of such a helper."""

_NAMING = (
    r"(?:=>\s*|\{{\s*return\s+)[\w$.]+\(\s*{0}\s*,\s*[\"'`]name[\"'`]\s*,\s*\{{\s*(?:value\s*:\s*{1}|{1})\s*,"
    r"\s*configurable\s*:\s*(?:true|!0)\s*,?\s*\}}\s*\)\s*;?\s*\}}?\Z"
)


def sets_name(evaluator: Evaluator, function: Node) -> bool:
    """Whether a function only sets the name of another function, as esbuild's helper does.

    `(target, value) => define(target, "name", { value, configurable: true })`.
    """
    if not isinstance(function, Function) or function.end - function.start > _MAX_HELPER_BYTES:
        return False
    parameters = [re.escape(evaluator.tree.source(each)) for each in function.parameters]
    if len(parameters) != 2:
        return False
    return re.search(_NAMING.format(*parameters), evaluator.tree.source(function)) is not None


MAX_USES = 100
"""The most uses of a function's name that are examined."""

_HOLDING_STATEMENTS = frozenset(
    """
    ERROR catch_clause do_statement else_clause finally_clause for_in_statement for_statement if_statement
    labeled_statement statement_block switch_body switch_case switch_default switch_statement try_statement
    while_statement with_statement
    """.split()
)


def return_value(view: View, function: Node, requested: str | None = None) -> Value:
    """Returns the value of a call of a function of the script; see `View.partial` for `requested`."""
    if not isinstance(function, Function) or function.type.startswith("generator") or function.has_token("*"):
        return UNKNOWN
    if not function.has_token("async"):
        return _return_value_of_body(view, function.body, requested)
    return promise_of(_return_value_of_body(view.evaluator.possible, function.body, None))


def async_fulfillment(view: View, function: Function) -> Value:
    """Returns the fulfillment value of the promise that an `async` function returns."""
    return fulfillment_of(_return_value_of_body(view, function.body, None))


def is_async(function: Node) -> bool:
    """Whether a function returns a promise of the values in its `return` statements."""
    return (
        function.has_token("async")
        and not function.type.startswith("generator")
        and not function.has_token("*")
    )


def _return_value_of_body(view: View, body: Node, requested: str | None) -> Value:
    if body.type != "statement_block":
        return view.partial(body, requested)
    found = return_values(view.evaluator, body)
    if not completes_abruptly(body):
        found = [*found, None]
    return view.choice_of(
        Literal(Kind.UNDEFINED) if each is None else view.partial(each, requested) for each in found
    )


def completes_abruptly(statement: Node) -> bool:
    """Whether a statement always ends in `return` or `throw`, as far as its syntax shows."""
    if isinstance(statement, IfStatement):
        otherwise = statement.alternative
        return (
            otherwise is not None
            and completes_abruptly(statement.consequence)
            and completes_abruptly(otherwise)
        )
    match statement.type:
        case "return_statement" | "throw_statement":
            return True
        case "statement_block":
            return any(completes_abruptly(each) for each in statement.named()[-1:])
        case "else_clause":
            return any(completes_abruptly(each) for each in statement.named())
    return False


def return_values(evaluator: Evaluator, body: Node) -> list[Node | None]:
    """Returns the expressions of the `return` statements of a body, with None for a bare `return`."""
    return [each.first() for each in return_statements(evaluator, body)]


def returned_expressions(evaluator: Evaluator, function: Function) -> list[Node]:
    """Returns the expressions that a function returns, including the body of a short arrow function."""
    body = function.body
    found = return_values(evaluator, body) if body.type == "statement_block" else [body]
    return [each for each in found if each is not None]


@once_per_script
def return_statements(evaluator: Evaluator, body: Node) -> list[Node]:
    """Returns the `return` statements of a body."""
    found: list[Node] = []
    waiting = [body]
    with evaluator.tree.budget.shared_work():
        while waiting:
            node = waiting.pop()
            evaluator.tree.spend(1)
            if node.type == "return_statement":
                found.append(node)
            elif node is body or node.type in _HOLDING_STATEMENTS:
                waiting += node.named()
    return found[::-1]


@once_per_script
def calls_of(evaluator: Evaluator, function: Node) -> tuple[list[CallOrNewExpression], bool]:
    """Returns the known calls of a function, and whether they are all of its calls.

    A function expression that is called immediately has that one call. A named function has the calls by
    that name; any other use of the name may lead to unknown calls.
    """
    call = call_of(function)
    if call is not None:
        return [call], True
    up = outermost(function).parent
    if isinstance(up, MemberExpression) and evaluator.tree.source(up.property) in {"apply", "call"}:
        return ([up.parent], True) if isinstance(up.parent, CallExpression) else ([], False)
    owner = class_of(evaluator, function)
    binding = _binding_of(evaluator, function if owner is None else owner)
    if binding is None:
        return [], False
    calls = [each for use in binding.uses if (each := _call_at(use, of_class=owner is not None)) is not None]
    return calls, len(calls) == len(binding.uses) and not _is_visible_elsewhere(evaluator, binding, function)


def class_of(evaluator: Evaluator, function: Node) -> Class | None:
    """Returns the class whose constructor a function is, or None for any other function."""
    if not isinstance(function, MethodDefinition) or function.has_token("static"):
        return None
    owner = None if function.parent is None else function.parent.parent
    if not isinstance(owner, Class) or evaluator.tree.source(function.name) != "constructor":
        return None
    return owner


def constructor_of(evaluator: Evaluator, owner: Class) -> Function | None:
    """Returns the constructor that a class declares, or None."""
    methods = [each for each in owner.body.named() if isinstance(each, Function)]
    return next((each for each in methods if class_of(evaluator, each) is not None), None)


def _is_visible_elsewhere(evaluator: Evaluator, binding: Binding, function: Node) -> bool:
    """Whether other scripts, or the markup of a component, may refer to a function."""
    if binding.scope.type != "program":
        return False
    if evaluator.tree.has_markup or any(
        up.type == "export_statement" for up in _declaring_ancestors(function)
    ):
        return True
    if evaluator.tree.is_module:
        return False
    return is_shared_variable(evaluator, binding.name)


def is_global_function(evaluator: Evaluator, function: Node) -> bool:
    """Whether a function has a name that is visible to other scripts of the same realm."""
    binding = None if evaluator.tree.is_module else _binding_of(evaluator, function)
    return binding is not None and binding.scope.type == "program"


def uses_of(evaluator: Evaluator, function: Node) -> list[Node]:
    """Returns the references to a function by its own name."""
    binding = _binding_of(evaluator, function)
    return [] if binding is None else [use.item for use in binding.uses]


def all_uses_of(evaluator: Evaluator, function: Node) -> list[Node] | None:
    """Returns all references to a named function, or None if it has no name or others may refer to it."""
    binding = _binding_of(evaluator, function)
    if binding is None or len(binding.writes) != 1 or _is_visible_elsewhere(evaluator, binding, function):
        return None
    return [use.item for use in binding.uses]


def uses_as_argument(evaluator: Evaluator, function: Node) -> list[Node]:
    """Returns the references that pass a named function as an argument."""
    binding = _binding_of(evaluator, function)
    uses = () if binding is None else binding.uses
    return [use.item for use in uses if call_with_argument(outermost(use.item)) is not None]


def has_other_callers(evaluator: Evaluator, function: Node, count: int) -> bool:
    """Whether callers other than the API pass `count` arguments to a named function, or may do so."""
    binding = _binding_of(evaluator, function)
    if binding is None:
        return False
    if len(binding.uses) > MAX_USES or any(
        up.type == "export_statement" for up in _declaring_ancestors(function)
    ):
        return True
    return any(_is_other_use(evaluator, use, count) for use in binding.uses)


def _declaring_ancestors(function: Node) -> list[Node]:
    """Returns the nodes from a function up to the statement that declares it and its export."""
    return list(islice(outermost(function).ancestors(), 3))


def _is_other_use(evaluator: Evaluator, use: Identifier, count: int) -> bool:
    call = _call_at(use)
    if call is None:
        taker = call_with_argument(_whole_argument(use.item))
        callee = taker.callee if isinstance(taker, CallExpression) else None
        return callee is None or not carries_api(evaluator.partial(callee))
    arguments = call.arguments
    return (
        call.argument_list is None
        or len(arguments) >= count
        or any(each.type == "spread_element" for each in arguments)
    )


def _whole_argument(use: Node) -> Node:
    """Returns the object whose property is this use, or else the use itself."""
    whole = outermost(use)
    pair = whole.parent if isinstance(whole.parent, Pair) and whole.is_field("value") else whole
    is_property = isinstance(pair, Pair) or pair.type == "shorthand_property_identifier"
    return outermost(pair.parent) if is_property and pair.parent is not None else whole


def _binding_of(evaluator: Evaluator, function: Node) -> Binding | None:
    """Returns the variable that only holds a function, or None."""
    name = _name_of(evaluator, function)
    if name is None:
        return None
    binding = evaluator.names.variable(name)
    return binding if binding is not None and len(binding.declarations) == 1 else None


def _name_of(evaluator: Evaluator, function: Node) -> Node | None:
    if isinstance(function, Function | Class | EnumDeclaration) and function.type.endswith("_declaration"):
        return function.name
    whole = outermost(function)
    taker = call_with_argument(whole)
    if isinstance(taker, CallExpression) and _only_sets_name(evaluator, taker, whole):
        whole = outermost(taker)
    up = whole.parent
    if isinstance(up, VariableDeclarator) and whole.is_field("value"):
        return up.name if up.name.type == "identifier" else None
    return None


def _only_sets_name(evaluator: Evaluator, call: CallExpression, function: Node) -> bool:
    """Whether a call only sets the name of the function."""
    arguments = call.arguments
    if (
        call.callee.type != "identifier"
        or len(arguments) != 2
        or arguments[1].type not in {"string", "template_string"}
        or not arguments[0].same(function)
    ):
        return False
    definition = evaluator.definition_of(call.callee)
    return definition is not None and sets_name(evaluator, definition)


def _call_at(use: Identifier, *, of_class: bool = False) -> CallOrNewExpression | None:
    """Returns the call, or instantiation, whose callee is this use, or None."""
    if use.role is not Role.REFERENCE:
        return None
    whole = outermost(use.item)
    if isinstance(whole.parent, NewExpression) and whole.is_field("constructor"):
        return whole.parent
    return None if of_class else call_of(use.item)
