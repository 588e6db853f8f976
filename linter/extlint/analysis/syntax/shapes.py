"""Common syntactic queries: contents of parentheses, arguments of a call, and conditions around a node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from extlint.analysis.syntax.node import DECLARED_FUNCTIONS, CompiledAsync, Node, node_of
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    AssignmentPattern,
    AugmentedAssignment,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    CatchClause,
    CompiledAsyncFunction,
    ConditionalExpression,
    ForStatement,
    Function,
    IfStatement,
    PairPattern,
    Parameter,
    TryStatement,
    UnaryExpression,
    VariableDeclarator,
    WhileStatement,
)

WRAPPERS = frozenset(
    {"as_expression", "non_null_expression", "parenthesized_expression", "satisfies_expression"}
)
_PASSING = WRAPPERS | {"sequence_expression", "ternary_expression"}
EQUAL = frozenset({"==", "==="})
UNEQUAL = frozenset({"!=", "!=="})
EQUALITY = EQUAL | UNEQUAL
ORDER = frozenset({"<", "<=", ">", ">="})
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The operator that results from swapping the operands of another one."""

_MAX_DEPTH = 20
_DECIDES = {"&&": False, "||": True}
"""The outcome of an operand that decides the outcome of both."""


def parameter_items(function: Node) -> list[Node]:
    """Returns the parameters of a function as they are written.

    Returns an empty list if the node is not a function.
    """
    return function.parameters if isinstance(function, Function) else []


def pattern_of(parameter: Node) -> Node:
    """Returns the name or pattern that a parameter binds."""
    return parameter.pattern if isinstance(parameter, Parameter) else parameter


def pattern_and_default(parameter: Node) -> tuple[Node, Node | None]:
    """Returns the target that a parameter binds, and its default, if any."""
    match parameter:
        case Parameter():
            return parameter.pattern, parameter.value
        case AssignmentPattern():
            return parameter.left, parameter.right
    return parameter, None


def declared_name(declaration: Node) -> Node | None:
    """Returns the name that a declaration of a function, class, enum or type binds, or None."""
    return declaration.field("name")


def target_of(part: Node) -> Node:
    """Returns the target of a pattern part: after a colon, or before a default."""
    match part:
        case PairPattern():
            return part.value
        case AssignmentPattern():
            return part.left
    return part


def is_exported(name: Node) -> bool:
    """Whether an export statement declares or lists a name, or declares a function or class."""
    return any(up.type == "export_statement" for up in islice(name.ancestors(), 3))


def is_rest(parameter: Node) -> bool:
    """Whether a parameter is a rest parameter."""
    return pattern_of(parameter).type == "rest_pattern"


def has_default(parameter: Node) -> bool:
    """Whether a parameter is optional."""
    if isinstance(parameter, Parameter):
        return parameter.type == "optional_parameter" or parameter.value is not None
    return isinstance(parameter, AssignmentPattern)


def assigned_parts(source: Node) -> tuple[Node, Node | None] | None:
    """Returns the name or pattern that a declarator or an assignment writes, and the value, if any.

    None for any other node.
    """
    if isinstance(source, VariableDeclarator):
        return source.name, source.value
    return (source.left, source.right) if isinstance(source, AssignmentExpression) else None


def outermost(expression: Node) -> Node:
    """Returns the expression with its enclosing parentheses and type annotations."""
    while expression.parent is not None and expression.parent.type in WRAPPERS:
        expression = expression.parent
    return expression


def innermost(expression: Node) -> Node:
    """Returns the expression inside the parentheses and type annotations."""
    while expression.type in WRAPPERS and (inner := expression.first()) is not None:
        expression = inner
    return expression


def enclosing_function(node: Node) -> Function | None:
    """Returns the innermost function around a node, even in its parameters, or None at the top level."""
    return next((each for each in node.scopes() if isinstance(each, Function)), None)


def is_optional(item: Node) -> bool:
    """Whether a call or an access happens only if the object before it exists (`f?.()`, `x?.y`)."""
    return item.has_token("optional_chain", "?.")


def call_of(function: Node) -> CallExpression | None:
    """Returns the immediate call of this function expression, directly or through a compiler's helper."""
    whole = outermost(function)
    up = whole.parent
    if isinstance(function, CompiledAsyncFunction) and function.use is not CompiledAsync.PASSED:
        taker = call_with_argument(whole)
        if not isinstance(taker, CallExpression):
            return None
        return taker if function.use is CompiledAsync.CALLED else call_of(taker)
    return up if isinstance(up, CallExpression) and whole.is_field("function") else None


def compiled_async_of(call: CallOrNewExpression) -> CompiledAsyncFunction | None:
    """Returns the generator that implements an `async` function in a call of a compiler's helper, or None."""
    listed = call.node.child_by_field_name("arguments")
    count = 0 if listed is None else listed.named_child_count
    last = None if listed is None or not count else listed.named_child(count - 1)
    if last is None or last.type not in {"generator_function", "parenthesized_expression"}:
        return None
    found = innermost(call.arguments[-1])
    return found if isinstance(found, CompiledAsyncFunction) else None


def call_with_argument(argument: Node) -> CallOrNewExpression | None:
    """Returns the call or instantiation that has this entire expression as an argument, or None."""
    listed = argument.parent
    if listed is None or listed.type != "arguments":
        return None
    return listed.parent if isinstance(listed.parent, CallOrNewExpression) else None


def user_of(expression: Node) -> tuple[Node, Node] | None:
    """Returns the node that uses the value of an expression, and its part with the value, or None.

    An operator or sequence that may have the same value does not use it.
    """
    child, up = expression, expression.parent
    while up is not None and (up.type in _PASSING or (isinstance(up, BinaryExpression) and up.is_logical)):
        if up.type == "sequence_expression" and not child.is_last():
            return None
        child, up = up, up.parent
    return None if up is None else (up, child)


def attribute_with(expression: Node) -> tuple[Node, Node] | None:
    """Returns the tag and the name of the attribute that has an expression in JSX as its value, or None."""
    around = [*islice(outermost(expression).ancestors(), 3)]
    if [each.type for each in around[:2]] != ["jsx_expression", "jsx_attribute"]:
        return None
    tag, name = around[-1].field("name"), around[1].first()
    return None if tag is None or name is None else (tag, name)


def is_handler_in_markup(function: Node, source: Callable[[Node], str]) -> bool:
    """Whether a function is the handler of an event of an element: `<button onClick={f}>`."""
    attribute = attribute_with(function)
    if attribute is None:
        return False
    tag, name = map(source, attribute)
    return name.startswith("on") and tag[:1].islower() and "." not in tag


def arguments_of(call: Node) -> list[Node]:
    """Returns the arguments of a call; empty for a tagged template and for `new` without parentheses."""
    return call.arguments if isinstance(call, CallOrNewExpression) else []


def first_argument(call: Node) -> Node | None:
    """Returns the first argument of a call, or None."""
    return next(iter(arguments_of(call)), None)


def index_of(nodes: Sequence[Node], node: Node) -> int | None:
    """Returns the index of a node in a list of nodes, or None."""
    return next((at for at, each in enumerate(nodes) if each.same(node)), None)


def swapped(comparison: BinaryExpression) -> Iterator[tuple[Node, Node, bool]]:
    """Yields the operands as they are written, with false, and then in reverse order, with true."""
    left, right = comparison.left, comparison.right
    yield left, right, False
    yield right, left, True


def required_parts(
    condition: Node, outcome: bool, outcome_of: Callable[[Node], bool | None] = lambda _: None
) -> Iterator[tuple[Node, bool]]:
    """Yields the conditions that `!`, `&&` and `||` combine and that must have an outcome, with it.

    `outcome_of` returns the outcome that an operand always has, or None. It decides which one is required.
    """
    waiting = [(condition, outcome)]
    while waiting:
        each, expected = waiting.pop()
        item = innermost(each)
        match item:
            case UnaryExpression(operator="!"):
                waiting.append((item.argument, not expected))
            case BinaryExpression(operator="&&" | "||"):
                is_each_required = _DECIDES[item.operator] is not expected
                sides = (item.right, item.left), (item.left, item.right)
                waiting += [
                    (side, expected)
                    for side, other in sides
                    if is_each_required or outcome_of(other) is (not expected)
                ]
            case _:
                yield item, expected


def combined_outcome(
    condition: Node, outcome_of: Callable[[Node, int], bool | None], depth: int = 0
) -> bool | None:
    """Returns the outcome of a condition, or None if unknown.

    `outcome_of` returns that of each condition which `!`, `&&`, `||` and `??` combine, at a depth.
    """
    item = innermost(condition)
    if depth > _MAX_DEPTH:
        return None
    match item:
        case UnaryExpression(operator="!"):
            found = combined_outcome(item.argument, outcome_of, depth + 1)
            return None if found is None else not found
        case BinaryExpression(is_logical=True):
            sides = {combined_outcome(each, outcome_of, depth + 1) for each in (item.left, item.right)}
            decisive = _DECIDES.get(item.operator)
            if decisive in sides:
                return decisive
            return sides.pop() if len(sides) == 1 else None
    return outcome_of(item, depth)


BODIES = frozenset({"program", "statement_block", "switch_case", "switch_default"})
"""The nodes that contain statements which run one after the other."""

EXITS = frozenset({"break_statement", "continue_statement", "return_statement", "throw_statement"})
TESTING = frozenset(
    {"do_statement", "for_statement", "if_statement", "ternary_expression", "while_statement"}
)
"""The nodes that test a condition."""

_MAY_EXIT = EXITS | {"if_statement", "statement_block", "try_statement"}


def conditions_of(child: Node, parent: Node) -> list[tuple[Node, bool]]:
    """Returns the conditions that decide whether `child` runs in `parent`, each with its required outcome."""
    match parent:
        case IfStatement() | ConditionalExpression():
            if child.is_field("consequence"):
                return [(parent.condition, True)]
            return [(parent.condition, False)] if child.is_field("alternative") else []
        case WhileStatement() | ForStatement() if child.is_field("body"):
            condition = parent.condition
            return [] if condition is None else [(condition, True)]
        case BinaryExpression() if child.is_field("right") and parent.is_logical:
            return [(parent.left, parent.operator == "&&")]
        case AugmentedAssignment() if child.is_field("right") and parent.is_logical:
            return [(parent.left, parent.operator == "&&=")]
    return []


def exits_block(branch: Node) -> bool:
    """Whether a statement always leaves the block that contains it."""
    waiting = [branch]
    while waiting:
        each = waiting.pop()
        match each:
            case IfStatement(alternative=Node() as otherwise):
                waiting += [each.consequence, *otherwise.named()]
            case TryStatement():
                waiting += [each.body] if each.handler is None else [each.body, each.handler]
            case CatchClause():
                waiting.append(each.body)
            case Node(type="statement_block"):
                statements = [inner for inner in each.named() if inner.type not in DECLARED_FUNCTIONS]
                left = next((inner for inner in statements if inner.type in EXITS), None)
                if not statements:
                    return False
                waiting.append(left or statements[-1])
            case _ if each.type not in EXITS:
                return False
    return True


def possible_exits(body: Node) -> Iterator[Node]:
    """Returns the statements of a body for which `exits_block` may be true, in order."""
    return (
        node_of(child, body, body.kinds)
        for child in body.node.named_children
        if body.kinds[child.kind_id][1] in _MAY_EXIT
    )
