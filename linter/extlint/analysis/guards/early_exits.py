"""Finds what holds after an early exit, and whether code certainly runs with its script or function.

So do facts after a call of a function that throws unless they hold, and after a use that a `try` probes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias, TypeVar

from msgspec import Struct
from tree_sitter import Node as ParserNode

from extlint.analysis.facts.script_facts import ApiPath, Guards
from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, Facts, GuardsAt, is_script_independent
from extlint.analysis.guards.forms.members import variable_fact
from extlint.analysis.guards.only_tested import optional_owner
from extlint.analysis.syntax.node import DECLARED_FUNCTIONS, FUNCTIONS, LOOPS, Node, node_of
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    Function,
    IfStatement,
    TryStatement,
)
from extlint.analysis.syntax.shapes import (
    BODIES,
    call_of,
    exits_block,
    innermost,
    is_optional,
    parameter_items,
    pattern_of,
    possible_exits,
)
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import return_statements
from extlint.analysis.values.memo import tentative
from extlint.text.patterns import lazy

_MAY_WAIT = frozenset({"expression_statement", "lexical_declaration", "variable_declaration"})
"""The kinds of statements that may wait for a permission request."""

_ASSERTIONS = frozenset({"assert", "invariant"})
_CHECK = lazy(rb"(?i)assert|check|ensure|expect|invariant|must|need|require|throw|verify")
"""The names of functions that throw unless something holds."""

MAX_NAME_BYTES = 60
"""The maximum number of bytes before the end of such a name in a statement."""

ImpliedGuards: TypeAlias = Callable[[Node, bool], Guards]
"""A function that returns the implications of a condition for an outcome."""


class EarlyExit(Struct, frozen=True):
    """The end of an early exit, and the facts known after it and the earlier ones."""

    end: int
    tested: Facts
    missing: Facts


class _Statements:
    """Statements of a body, in order; each is read once."""

    def __init__(self, statements: Iterator[Node]) -> None:
        self._statements = statements
        self._following = next(statements, None)

    def statements_before(self, offset: int) -> Iterator[Node]:
        """Yields the remaining statements that end before an offset."""
        while self._following is not None and self._following.end <= offset:
            yield self._following
            self._following = next(self._statements, None)


class _Body(_Statements):
    """The early exits of a body, in order, as far as they were requested."""

    def __init__(self, statements: Iterator[Node]) -> None:
        super().__init__(statements)
        self.exits: list[EarlyExit] = []
        self.is_reading = False
        """Whether more of them are currently being read."""


class EarlyExits:
    """Finds the early exits of the bodies of one script.

    `after_statement` returns what holds after a statement that waits. The caller passes the implications of
    conditions each time: if this class stored them, both would keep each other in memory.
    """

    def __init__(self, evaluator: Evaluator, after_statement: GuardsAt) -> None:
        self._evaluator = evaluator
        self._after_statement = after_statement
        self._known: dict[int, _Body] = {}
        self._left: dict[int, tuple[_Statements, Node | None]] = {}
        """The remaining statements of a body, and the first that always leaves it, by the id of the body."""

    def is_left_before(self, child: Node, body: Node) -> bool:
        """Whether a body is always left before a node of it, other than a function that exists earlier."""
        if child.type in DECLARED_FUNCTIONS:
            return False
        if body.id not in self._left:
            self._evaluator.tree.spend(body.node.named_child_count)
            self._left[body.id] = _Statements(possible_exits(body)), None
        statements, found = self._left[body.id]
        if found is None:
            found = next(filter(exits_block, statements.statements_before(child.start)), None)
            self._left[body.id] = statements, found
        return found is not None and found.end <= child.start

    def before(self, child: Node, body: Node, implied: ImpliedGuards) -> EarlyExit | None:
        """Returns the last early exit before a node of a body, or None."""
        return self.before_offset(child.start, body, implied)

    def before_offset(self, offset: int, body: Node, implied: ImpliedGuards) -> EarlyExit | None:
        """Returns the last early exit of a body before an offset, or None."""
        exits = self._exits_before(offset, body, implied)
        index = bisect_right(exits, offset, key=lambda each: each.end)
        return exits[index - 1] if index else None

    def _exits_before(self, offset: int, body: Node, implied: ImpliedGuards) -> list[EarlyExit]:
        """Returns the early exits of a body at least up to an offset, and the requests that it waits for.

        They are read one by one, since the conditions of each depend on the previous ones. A nested query
        gets only those that were already read.
        """
        if body.id not in self._known:
            self._evaluator.tree.spend(body.node.named_child_count)
            self._known[body.id] = _Body(_statements(self._evaluator.tree, body))
        known = self._known[body.id]
        if not known.is_reading:
            known.is_reading = True
            with tentative(self._known, body.id, known):
                for statement in known.statements_before(offset):
                    self._add_exit(statement, known.exits, implied)
            known.is_reading = False
        return known.exits

    def _add_exit(self, statement: Node, found: list[EarlyExit], implied: ImpliedGuards) -> None:
        if isinstance(statement, IfStatement):
            after = _guards_after(statement, implied)
        else:
            after = self._after_statement(statement)
            from extlint.analysis.guards.forms.permissions import requested_permissions

            waited = requested_permissions(self._evaluator, statement) | self._completed(statement, implied)
            after = Guards(after.tested | waited, missing=after.missing)
        if after is not None and (after.tested or after.missing):
            tested = found[-1].tested if found else NOTHING_IMPLIED
            missing = found[-1].missing if found else NOTHING_IMPLIED
            found.append(EarlyExit(statement.end, tested | after.tested, missing | after.missing))

    def _completed(self, statement: Node, implied: ImpliedGuards) -> Facts:
        """Returns the facts that hold if a statement that is an expression throws nothing."""
        first = statement.first() if statement.type == "expression_statement" else None
        if first is None:
            return NOTHING_IMPLIED
        expression = innermost(first)
        is_awaited = isinstance(expression, AwaitExpression)
        if isinstance(expression, AwaitExpression):
            expression = innermost(expression.argument)
        found = NOTHING_IMPLIED
        if isinstance(expression, CallExpression) and _is_check(self._evaluator.tree, expression):
            found = self._checked_by(expression, implied, is_awaited=is_awaited)
        return found | self._used_in_try(statement, expression)

    def _checked_by(self, call: CallExpression, implied: ImpliedGuards, *, is_awaited: bool) -> Facts:
        """Returns the facts that hold if a called function returns, because it throws otherwise."""
        function = self._evaluator.definition_of(call.callee)
        if not isinstance(function, Function):
            is_assertion = self._evaluator.tree.source(call.callee) in _ASSERTIONS and call.arguments
            return implied(call.arguments[0], True).tested if is_assertion else NOTHING_IMPLIED
        if function.body.type != "statement_block" or (function.has_token("async") and not is_awaited):
            return NOTHING_IMPLIED
        exits = self._exits_before(function.body.end, function.body, implied)
        returns = return_statements(self._evaluator, function.body)
        if not exits or any(each.start < exits[-1].end for each in returns):
            return NOTHING_IMPLIED
        tested = exits[-1].tested
        found = frozenset(filter(is_script_independent, tested))
        for parameter, argument in zip(parameter_items(function), call.arguments, strict=False):
            if variable_fact(self._evaluator, pattern_of(parameter)) in tested:
                found |= implied(argument, True).tested
        return found

    def _used_in_try(self, statement: Node, expression: Node) -> Facts:
        """Returns the member that exists after a statement that uses it, in a `try` that only probes that."""
        block = statement.parent
        if block is None or not isinstance(block.parent, TryStatement) or not block.is_field("body"):
            return NOTHING_IMPLIED
        last = block.last()
        if last is None or not _yields_constant(last):
            return NOTHING_IMPLIED
        is_call = isinstance(expression, CallExpression)
        member = innermost(expression.callee) if isinstance(expression, CallExpression) else expression
        found = self._evaluator.api(member)
        path = () if found is None else found.path if is_call else found.path[:-1]
        return frozenset({path}) if path and optional_owner(expression) is None else NOTHING_IMPLIED


def _yields_constant(statement: Node) -> bool:
    """Whether a statement returns or assigns a constant, such as `true`."""
    value = statement.first()
    if isinstance(value, AssignmentExpression):
        value = value.right
    return value is not None and innermost(value).type in {"number", "string", "true", "unary_expression"}


def _is_check(tree: SyntaxTree, call: CallExpression) -> bool:
    return _CHECK.search(tree.text, call.callee.start, call.callee.end) is not None


def _guards_after(statement: IfStatement, implied: ImpliedGuards) -> Guards | None:
    """Returns the facts that hold after an `if` with a branch that leaves the block.

    Returns None if no branch does.
    """
    branches: list[tuple[Node, Node]] = []
    branch: Node | None = statement
    while isinstance(branch, IfStatement):
        branches.append((branch.condition, branch.consequence))
        branch = None if branch.alternative is None else branch.alternative.first()
    exits = [exits_block(consequence) for _, consequence in branches]
    last_leaves = branch is not None and exits_block(branch)
    if not any(exits) and not last_leaves:
        return None
    tested = missing = frozenset[ApiPath]()
    through: list[Guards] = []
    for (condition, _), is_exit in zip(branches, exits, strict=True):
        if not is_exit:
            passed = implied(condition, True)
            through.append(Guards(tested | passed.tested, missing=missing | passed.missing))
        failed = implied(condition, False)
        tested |= failed.tested
        missing |= failed.missing
    if not last_leaves:
        through.append(Guards(tested, missing=missing))
    if not through:
        return None
    return Guards(
        frozenset.intersection(*(each.tested for each in through)),
        missing=frozenset.intersection(*(each.missing for each in through)),
    )


def _statements(tree: SyntaxTree, body: Node) -> Iterator[Node]:
    """Returns the statements of a body that may leave it or wait.

    At the top of a bundle, these are only a few of thousands.
    """
    waits = tree.places.may_occur_within(b"await", body.start, body.end)
    is_tried = body.parent is not None and body.parent.type == "try_statement"
    found: list[ParserNode] = []
    for child in body.node.named_children:
        kind = body.kinds[child.kind_id][1]
        is_check = kind == "expression_statement" and (
            is_tried
            or _CHECK.search(
                tree.text, child.start_byte, min(child.end_byte, child.start_byte + MAX_NAME_BYTES)
            )
        )
        if (
            kind == "if_statement"
            or is_check
            or (
                waits
                and kind in _MAY_WAIT
                and tree.places.may_occur_within(b"await", child.start_byte, child.end_byte)
            )
        ):
            found.append(child)
    return (node_of(child, body, body.kinds) for child in found)


T = TypeVar("T")


def compute_from_root(
    tree: SyntaxTree, item: Node, known: dict[int, T], outside: T, inside: Callable[[Node, T], T]
) -> T:
    """Returns the facts about a node, computed from the root down; `known` has those that were found before.

    `inside` returns the facts about a node, given those about its parent; `outside` are the facts around the
    root.
    """
    passed: list[Node] = []
    up: Node | None = item
    while up is not None and up.id not in known:
        passed.append(up)
        up = up.parent
    tree.spend(len(passed))
    found = outside if up is None else known[up.id]
    for each in reversed(passed):
        found = known[each.id] = inside(each, found)
    return found


_UNCERTAIN = LOOPS | {
    "catch_clause",
    "field_definition",
    "labeled_statement",
    "public_field_definition",
    "switch_body",
    "try_statement",
}

_LINKS = frozenset({"call_expression", "member_expression", "subscript_expression"})


class LoadTime:
    """Determines whether the places of one script run when it loads."""

    def __init__(self, tree: SyntaxTree, exits: EarlyExits) -> None:
        self._tree = tree
        self._exits = exits
        self._known: dict[int, bool] = {}
        self._optional: dict[int, bool] = {}
        """Whether chains of calls and accesses are optional, by the ids of their ends."""

    def certainly_runs(self, item: Node, implied: ImpliedGuards) -> bool:
        """Whether an expression certainly runs when the script loads."""
        return compute_from_root(self._tree, item, self._known, True, partial(self._runs, implied))

    def certainly_in_function(self, item: Node, implied: ImpliedGuards, part: Node | None = None) -> bool:
        """Whether an expression certainly runs when its function is called, or its script is loaded.

        With an enclosing `part` of the function: whether it certainly runs when that part does.
        """
        child = item
        for up in item.ancestors():
            self._tree.spend(1)
            if up.type in FUNCTIONS or (part is not None and child.same(part)):
                return True
            if not self._runs_with_parent(child, implied):
                return False
            child = up
        return True

    def _runs(self, implied: ImpliedGuards, child: Node, parent_runs: bool) -> bool:
        return parent_runs and self._runs_with_parent(child, implied)

    def _runs_with_parent(self, child: Node, implied: ImpliedGuards) -> bool:
        """Whether a node certainly runs if its parent does."""
        up = child.parent
        if up is None:
            return True
        if up.type in FUNCTIONS:
            return call_of(up) is not None
        if up.type in _UNCERTAIN:
            return False
        if child.type == "arguments":
            return not self._may_be_skipped(up)
        if up.type in {"if_statement", "ternary_expression"}:
            return child.is_field("condition")
        if isinstance(up, BinaryExpression):
            return not (child.is_field("right") and up.is_logical)
        if up.type not in BODIES:
            return True
        return self._exits.before(child, up, implied) is None and not self._exits.is_left_before(child, up)

    def _may_be_skipped(self, call: Node) -> bool:
        """Whether a call is a part of an optional chain, which may end before it: `x?.y.f()`."""
        passed: list[int] = []
        part: Node | None = call if self._tree.has_optional_chain else None
        found = False
        while part is not None and part.type in _LINKS:
            if part.id in self._optional:
                found = self._optional[part.id]
                break
            passed.append(part.id)
            self._tree.spend(1)
            if is_optional(part):
                found = True
                break
            part = part.first()
        self._optional.update(dict.fromkeys(passed, found))
        return found
