"""What was tested before a place is reached."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import islice
from typing import TypeVar

from msgspec import Struct

from extlint.script.call_graph.callers import is_entered
from extlint.script.facts.script_facts import NO_GUARDS, ApiPath, FailureHandling, Guards
from extlint.script.guards.browser_tests import CONDITION, CONSTANT, NOTHING, SNIFFED, VERSION, about
from extlint.script.guards.conditions import case_implies, implied
from extlint.script.guards.constant_conditions import outcome_of
from extlint.script.guards.existence import ExistenceTest
from extlint.script.guards.manifest_tests import OF_MANIFEST, case_facts
from extlint.script.guards.permissions import GRANTED, requested_before
from extlint.script.guards.try_catch import caught_by
from extlint.script.guards.user_agent import OF_AGENT
from extlint.script.scope.reaching_definitions import LOOPS
from extlint.script.syntax.build_blocks import build_blocks
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import call_of, index_of
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import MAX_USES, uses_of
from extlint.script.values.memo import once_per_script
from extlint.text.positions import ByteSpan

T = TypeVar("T")

NEVER = ("", "never")
"""What holds where a condition never comes out as it must."""

_EXITS = frozenset({"break_statement", "continue_statement", "return_statement", "throw_statement"})
_BODIES = frozenset({"program", "statement_block", "switch_case", "switch_default"})
_UNCERTAIN = LOOPS | {
    "catch_clause",
    "field_definition",
    "labeled_statement",
    "public_field_definition",
    "switch_body",
    "try_statement",
}


_MAX_CALLERS = 12
"""Functions that call one another whose callers are looked at."""


class _Exit(Struct, frozen=True):
    """Where an early exit ends, and what is known after it and those before it."""

    end: int
    tested: frozenset[ApiPath]
    missing: frozenset[ApiPath]


class GuardReader:
    """Reads the conditions around places of one script."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._known_exits: dict[int, list[_Exit]] = {}
        self._around: dict[int, Guards] = {}
        self._within: dict[int, tuple[Guards, Node | None]] = {}
        self._caught: dict[int, FailureHandling] = {}
        self._on_load: dict[int, bool] = {}
        self._open: set[int] = set()

    def around(self, item: Node) -> Guards:
        """What holds of the API where an expression is evaluated."""
        return of_api(self.all_around(item))

    def all_around(self, item: Node) -> Guards:
        """What holds where an expression is evaluated, also of variables and properties (`holder_of`)."""
        return self._from_outside(item, self._around, Guards(), self._inside)

    def _inside(self, child: Node, outer: Guards) -> Guards:
        """What holds inside a node, given what holds around its parent."""
        up = child.parent
        if up is None:
            return outer
        if up.type in FUNCTIONS and call_of(up) is None:
            used = self._where_used(up)
            return Guards(outer.tested | used.tested, used.failure, outer.missing | used.missing)
        return self._in_part(child, up, outer)

    def _in_part(self, child: Node, up: Node, outer: Guards) -> Guards:
        """What holds inside a part of a node, given what holds around the node."""
        tested, missing, caught = outer.tested, outer.missing, outer.failure
        if up.type in {"switch_case", "switch_default"} and not child.is_field("value"):
            tested |= self._in_case(up)
        for condition, truth in _conditions(child, up):
            tested |= self._implied(condition, truth, present=True)
            missing |= self._implied(condition, truth, present=False)
        if up.type in _BODIES and (passed := self._passed(child, up)) is not None:
            tested |= passed.tested
            missing |= passed.missing
        if self._is_in_build_block(child):
            tested |= {CONDITION, SNIFFED}
        if up.type == "try_statement" and child.is_field("body"):
            caught = max(caught, self._caught_by(up))
        if (tested, missing, caught) == (outer.tested, outer.missing, outer.failure):
            return outer
        return Guards(tested, caught, missing)

    def _caught_by(self, statement: Node) -> FailureHandling:
        if statement.id not in self._caught:
            self._caught[statement.id] = caught_by(self._evaluator.tree, statement)
        return self._caught[statement.id]

    def within(self, item: Node) -> tuple[Guards, Node | None]:
        """What holds where an expression is evaluated, as far as the code of its own function tells.

        With it comes that function, or the field of a class; None for the top of the script.
        """
        return self._from_outside(item, self._within, (NO_GUARDS, None), self._inside_entered)

    def _inside_entered(self, child: Node, outer: tuple[Guards, Node | None]) -> tuple[Guards, Node | None]:
        up = child.parent
        if up is None:
            return outer
        if is_entered(child, up):
            return NO_GUARDS, up
        around, entered = outer
        return self._in_part(child, up, around), entered

    def _is_in_build_block(self, item: Node) -> bool:
        """Whether a build may leave a node out."""
        blocks = _build_blocks(self._evaluator)
        at = bisect_right(blocks, item.start, key=lambda each: each[0]) if blocks else 0
        return at > 0 and item.end <= blocks[at - 1][1]

    def _in_case(self, case: Node) -> frozenset[ApiPath]:
        """What holds in a case of a `switch`."""
        switch = case.parent.parent if case.parent is not None else None
        subject, value = (None if switch is None else switch.field("value")), case.field("value")
        if case.parent is None or subject is None:
            return NOTHING
        cases = case.parent.named()
        at = index_of(cases, case) or 0
        told = NOTHING
        if at == 0 or _ends(cases[at - 1]):
            others = [each for each in cases if each.type == "switch_case"]
            facts = [case_facts(self._evaluator, subject, each, value is not None) for each in others]
            told = NOTHING.union(*facts) if value is None else facts[index_of(others, case) or 0]
        asked = self._about(subject, told) | (NOTHING if value is None else self._about(value, told))
        implies = NOTHING if value is None else case_implies(self._ask(True, present=True), case)
        return told | asked | implies | {CONDITION}

    def _ask(self, truth: bool, *, present: bool) -> ExistenceTest:
        return ExistenceTest(self._evaluator, self.around_answer, truth, present)

    def around_answer(self, place: Node) -> Guards:
        """What holds where a condition gets its outcome; nothing if that hangs on itself."""
        if place.id in self._open or len(self._open) >= _MAX_CALLERS:
            return NO_GUARDS
        self._open.add(place.id)
        found = self.all_around(place)
        self._open.remove(place.id)
        return found

    def _implied(self, condition: Node, truth: bool, *, present: bool) -> frozenset[ApiPath]:
        found = implied(self._ask(truth, present=present), condition)
        if not present:
            return found
        never = outcome_of(self._evaluator, condition) is (not truth)
        return found | {CONDITION} | self._about(condition, found) | ({NEVER} if never else NOTHING)

    def _about(self, condition: Node, told: frozenset[ApiPath]) -> frozenset[ApiPath]:
        """What a condition depends on, whatever comes out. What the manifest decides asks for no browser."""
        found = about(self._evaluator, condition)
        if VERSION not in found:
            return found
        is_told = any(each[:2] == ("", OF_MANIFEST) for each in told)
        return found - {VERSION} | (NOTHING if is_told else {SNIFFED})

    def _where_used(self, function: Node) -> Guards:
        """What holds wherever a function is named by its own name, so that it runs after those tests only."""
        uses = uses_of(self._evaluator, function)
        is_exported = any(up.type == "export_statement" for up in islice(function.ancestors(), 3))
        if not 0 < len(uses) <= MAX_USES or is_exported or function.id in self._open:
            return NO_GUARDS
        if len(self._open) >= _MAX_CALLERS:
            return NO_GUARDS
        self._open.add(function.id)
        found = [self.all_around(use) for use in uses]
        found = [each for each in found if NEVER not in each.tested] or found
        self._open.remove(function.id)
        is_called = all(call_of(use) is not None for use in uses)
        caught = min(each.failure for each in found) if is_called else FailureHandling.NONE
        return Guards(
            frozenset.intersection(*(each.tested for each in found)),
            caught,
            frozenset.intersection(*(each.missing for each in found)),
        )

    def certainly_on_load(self, item: Node) -> bool:
        """Whether an expression certainly runs when the script loads, outside of functions and conditions."""
        return self._from_outside(item, self._on_load, True, self._runs)

    def _from_outside(self, item: Node, known: dict[int, T], outside: T, inside: Callable[[Node, T], T]) -> T:
        """What holds of a node, worked out from the root down; `known` has what was asked before."""
        passed: list[Node] = []
        up: Node | None = item
        while up is not None and up.id not in known:
            passed.append(up)
            up = up.parent
        self._evaluator.tree.spend(len(passed))
        found = outside if up is None else known[up.id]
        for each in reversed(passed):
            found = known[each.id] = inside(each, found)
        return found

    def _runs(self, child: Node, around: bool) -> bool:
        return around and self._runs_with(child)

    def _runs_with(self, child: Node) -> bool:
        """Whether a node certainly runs if its parent does."""
        up = child.parent
        if up is None:
            return True
        if up.type in FUNCTIONS:
            return call_of(up) is not None
        if up.type in _UNCERTAIN:
            return False
        if up.type in {"if_statement", "ternary_expression"}:
            return child.is_field("condition")
        if up.type == "binary_expression":
            return not (child.is_field("right") and _is_logical(up))
        return up.type not in _BODIES or self._passed(child, up) is None

    def _exits(self, body: Node) -> list[_Exit]:
        """The statements such as `if (…) return;` of a body, in order."""
        if body.id not in self._known_exits:
            found = self._known_exits[body.id] = list[_Exit]()
            tested = missing = frozenset[ApiPath]()
            for statement in body.named():
                after = self._after(statement) if statement.type == "if_statement" else None
                asked = requested_before(self._evaluator, statement)
                if after is not None or asked:
                    tested |= asked if after is None else after.tested
                    missing |= NO_GUARDS.missing if after is None else after.missing
                    found.append(_Exit(statement.end, tested, missing))
            self._evaluator.tree.spend(body.node.named_child_count)
        return self._known_exits[body.id]

    def _after(self, statement: Node) -> Guards | None:
        """What holds after an `if` of which a branch leaves; None if none does."""
        branches: list[tuple[Node, Node]] = []
        branch: Node | None = statement
        while branch is not None and branch.type == "if_statement":
            condition, then = branch.field("condition"), branch.field("consequence")
            if condition is None or then is None:
                return None
            branches.append((condition, then))
            otherwise = branch.field("alternative")
            branch = None if otherwise is None else otherwise.first()
        left = [_leaves(then) for _, then in branches]
        last_leaves = branch is not None and _leaves(branch)
        if not any(left) and not last_leaves:
            return None
        tested = missing = frozenset[ApiPath]()
        through: list[Guards] = []
        for (condition, _), leaves in zip(branches, left, strict=True):
            if not leaves:
                there = self._implied(condition, True, present=True)
                lacking = self._implied(condition, True, present=False)
                through.append(Guards(tested | there, missing=missing | lacking))
            tested |= self._implied(condition, False, present=True)
            missing |= self._implied(condition, False, present=False)
        if not last_leaves:
            through.append(Guards(tested, missing=missing))
        if not through:
            return None
        return Guards(
            frozenset.intersection(*(each.tested for each in through)),
            missing=frozenset.intersection(*(each.missing for each in through)),
        )

    def _passed(self, child: Node, body: Node) -> _Exit | None:
        """The last such statement before a node of the body."""
        exits = self._exits(body)
        index = bisect_right(exits, child.start, key=lambda each: each.end)
        return exits[index - 1] if index else None


@once_per_script
def _build_blocks(evaluator: Evaluator) -> list[ByteSpan]:
    return build_blocks(evaluator.tree)


def _ends(case: Node) -> bool:
    """Whether a case of a `switch` is certainly not run on into the next one."""
    statements = [each for each in case.named() if not each.is_field("value")]
    return bool(statements) and _leaves(statements[-1])


def of_api(found: Guards) -> Guards:
    """The guards as rules see them: what holds of variables and properties (`holder_of`) is left out."""
    if not any(each[0] == "" for each in (*found.tested, *found.missing)):
        return found
    others = [each for each in found.tested if each[0] == ""]
    return Guards(
        _members(found.tested),
        found.failure,
        _members(found.missing),
        SNIFFED in others,
        CONDITION in others,
        frozenset(each[2] for each in others if each[1] == CONSTANT),
        frozenset(each[2:] for each in others if each[1] == OF_MANIFEST),
        frozenset(each[2] for each in others if each[1] == GRANTED),
        NEVER in others,
        frozenset(each[2:] for each in others if each[1] == OF_AGENT),
        found.runs_in,
    )


def _members(paths: frozenset[ApiPath]) -> frozenset[ApiPath]:
    return frozenset(each for each in paths if each[0] != "")


def _conditions(child: Node, up: Node) -> list[tuple[Node, bool]]:
    """The conditions that decide whether `child` runs inside `up`, each with its needed outcome."""
    condition = up.field("condition")
    match up.type:
        case "if_statement" | "ternary_expression" if condition is not None:
            if child.is_field("consequence"):
                return [(condition, True)]
            return [(condition, False)] if child.is_field("alternative") else []
        case "while_statement" | "for_statement" if condition is not None:
            return [(condition, True)] if child.is_field("body") else []
        case "binary_expression" if child.is_field("right"):
            left, operator = up.field("left"), up.field("operator")
            if left is not None and operator is not None and operator.type in {"&&", "||", "??"}:
                return [(left, operator.type == "&&")]
        case "augmented_assignment_expression" if child.is_field("right"):
            left = up.field("left")
            if left is not None and (up.has("??=") or up.has("||=") or up.has("&&=")):
                return [(left, up.has("&&="))]
    return []


def _is_logical(binary: Node) -> bool:
    return binary.has("&&") or binary.has("||") or binary.has("??")


def _leaves(then: Node) -> bool:
    """Whether a branch ends by leaving the block that it stands in."""
    waiting = [then]
    while waiting:
        each = waiting.pop()
        if each.type == "statement_block":
            statements = each.named()
            if not statements:
                return False
            waiting.append(statements[-1])
        elif each.type == "if_statement":
            branch, otherwise = each.field("consequence"), each.field("alternative")
            if branch is None or otherwise is None:
                return False
            waiting += [branch, *otherwise.named()]
        elif each.type not in _EXITS:
            return False
    return True
