"""Finds the tests before a place: from the place outward, with the facts that each node around it adds."""

from __future__ import annotations

from _weakref import proxy  # `weakref` takes longer to load
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from extlint.analysis.call_graph.definitions import (
    declared_name,
    member_definition,
    outermost_wrapper,
    runs_separately,
    throws_in_place,
)
from extlint.analysis.call_graph.prototypes import called_name
from extlint.analysis.facts.script_facts import NO_GUARDS, FailureHandling, Guards
from extlint.analysis.guards.early_exits import EarlyExits, LoadTime, compute_from_root
from extlint.analysis.guards.forms.facts import (
    BROWSER_TESTED,
    CONDITIONAL,
    NOTHING_IMPLIED,
    OPEN_TEST,
    UNKNOWN_TEST,
    UNREACHABLE,
    Facts,
    GuardsAt,
    common_guards,
    has_contradiction,
    members_in,
    public_guards,
    reached,
    without_equalities,
)
from extlint.analysis.guards.forms.possible_values import returned_values
from extlint.analysis.guards.only_tested import optional_owner
from extlint.analysis.syntax.build_signs import build_blocks
from extlint.analysis.syntax.node import DECLARED_FUNCTIONS, FUNCTIONS, Node
from extlint.analysis.syntax.nodes import (
    CallExpression,
    Function,
    MemberExpression,
    SwitchStatement,
    TryStatement,
)
from extlint.analysis.syntax.shapes import (
    BODIES,
    call_of,
    call_with_argument,
    conditions_of,
    innermost,
    is_exported,
    outermost,
)
from extlint.analysis.values.api_results import HELPERS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import MAX_USES, uses_of
from extlint.analysis.values.promise_values import is_caught
from extlint.text.positions import ByteSpan

if TYPE_CHECKING:
    from extlint.analysis.guards.compiled_generators import Jump
    from extlint.analysis.guards.completions import Completions
    from extlint.analysis.guards.condition_reader import ConditionReader
    from extlint.analysis.guards.own_tests import OwnTests

_MAX_CALLEE_BYTES = 100
"""The maximum number of bytes of a callee; a longer one is not a member of the API, or is a member of a
call's result.
"""

_GUARDING = BODIES | {
    *("arguments", "augmented_assignment_expression", "binary_expression", "call_expression"),
    *("for_statement", "if_statement", "ternary_expression", "try_statement", "while_statement"),
}
"""The types of nodes inside which more may hold than around them."""

_MAX_CALLERS = 12
"""The maximum number of functions that call one another whose callers are examined."""


class GuardReader:
    """Reads the conditions around places of one script."""

    def __init__(self, evaluator: Evaluator, never_true: frozenset[int] = frozenset()) -> None:
        """`never_true` are the ends of members that are never truthy, and of values that nothing equals."""
        self._evaluator = evaluator
        self._never_true = never_true
        self._exits = EarlyExits(evaluator, self._as_function(GuardReader._after_statement))
        self._load_time = LoadTime(evaluator.tree, self._exits)
        self._known: dict[int, Guards] = {}
        self._known_in_function: dict[int, tuple[Guards, Node | None]] = {}
        self._known_functions: dict[int, Node | None] = {}
        self._open: set[int] = set()
        self._known_states: dict[int, Mapping[int, Guards]] = {}
        """The facts that hold in the cases of state machines, by the id of the `switch`."""

    def public_guards_at(self, item: Node) -> Guards:
        """Returns the guards about the API where an expression is evaluated."""
        return public_guards(self.guards_at(item))

    def guards_at(self, item: Node) -> Guards:
        """Returns the guards where an expression is evaluated, with facts about variables and properties."""
        return compute_from_root(self._evaluator.tree, item, self._known, Guards(), self._guards_inside)

    def within_function(self, item: Node) -> tuple[Guards, Node | None]:
        """Returns the guards where an expression is evaluated, by the code of the innermost function only.

        Also returns that function, or the field of a class, or None for the top level of the script.
        """
        return compute_from_root(
            self._evaluator.tree,
            item,
            self._known_in_function,
            (NO_GUARDS, None),
            self._guards_inside_function,
        )

    def where_called(self, function: Node, index: int) -> Guards:
        """Returns the guards wherever a function calls its parameter with an index."""
        return self._attempt_to_follow(function, lambda: self._completions.where_called(function, index))

    def enclosing_function(self, item: Node) -> Node | None:
        """Returns the function, or class field, of `within_function`, without reading conditions."""
        return compute_from_root(self._evaluator.tree, item, self._known_functions, None, _enclosing_function)

    def guards_at_unless_open(self, item: Node) -> Guards:
        """Returns the guards where a condition gets its outcome, or no guards if that depends on itself."""
        if item.id in self._open or len(self._open) >= _MAX_CALLERS:
            return NO_GUARDS
        with self._reading(item):
            return self.guards_at(item)

    @cached_property
    def _build_blocks(self) -> list[ByteSpan]:
        return build_blocks(self._evaluator.tree)

    @cached_property
    def _conditions(self) -> ConditionReader:
        """The reader of conditions, created for the first condition, since that requires many imports."""
        from extlint.analysis.guards.condition_reader import ConditionReader

        at = self._as_function(GuardReader.guards_at_unless_open)
        return ConditionReader(self._evaluator, at, self._never_true)

    @cached_property
    def _completions(self) -> Completions:
        from extlint.analysis.guards.completions import Completions

        at = self._as_function(GuardReader.guards_at_unless_open)
        return Completions(self._evaluator, at, self._as_function(GuardReader._guards_at_end))

    def _as_function(self, method: Callable[[GuardReader, Node], Guards]) -> GuardsAt:
        """Returns a bound method that does not keep this object in memory."""
        reader = proxy(self)  # avoids a cycle, so that the nodes of both are freed at once
        return lambda item: method(reader, item)

    def _guards_at_end(self, body: Node) -> Guards:
        """Returns the guards where the end of a function's body is reached."""
        guards = self.guards_at_unless_open(body)
        passed = self._exits.before_offset(body.end, body, self.implied)
        if passed is None:
            return guards
        return Guards(guards.tested | passed.tested, missing=guards.missing | passed.missing)

    def _after_statement(self, statement: Node) -> Guards:
        if b"await" not in self._evaluator.tree.text:
            return NO_GUARDS
        return self._attempt_to_follow(statement, lambda: self._completions.after_statement(statement))

    def _attempt_to_follow(self, at: Node, compute: Callable[[], Guards]) -> Guards:
        """Returns the guards of a completion; anything may be tested if it takes too much work."""
        if at.id in self._open or len(self._open) >= _MAX_CALLERS:
            return NO_GUARDS
        is_outermost = not self._open
        with self._reading(at):
            if not is_outermost:
                return compute()
            return self._evaluator.attempt_optional_part(at.span, compute) or UNKNOWN_TEST

    @cached_property
    def _own_tests(self) -> OwnTests:
        """The reader of tests that classes and objects have for their own code."""
        from extlint.analysis.guards.own_tests import OwnTests

        return OwnTests(self._evaluator, self._as_function(GuardReader.guards_at_unless_open))

    def own_tests_at(self, function: Node) -> Facts:
        """Returns what the tests of the class or object that has a function imply for its code."""
        if not self._has_owner(function):
            return NOTHING_IMPLIED
        compute = partial(self._own_tests.implied, function)
        if self._open:
            return compute()
        return self._evaluator.attempt_optional_part(function.span, compute) or NOTHING_IMPLIED

    def _has_owner(self, function: Node) -> bool:
        """Whether a function may be part of a class or object, or construct one."""
        entered = outermost_wrapper(self._evaluator, function)
        if member_definition(entered) is not None:
            return True
        return declared_name(entered) is not None and b"prototype" in self._evaluator.tree.text

    def implied(self, condition: Node, outcome: bool) -> Guards:
        """Returns the implications of a condition if it has an outcome."""
        return self._conditions.implied(condition, outcome)

    @contextmanager
    def _reading(self, item: Node) -> Iterator[None]:
        """Marks a node whose guards are being read."""
        self._open.add(item.id)
        try:
            yield
        finally:
            self._open.remove(item.id)

    def certainly_on_load(self, item: Node) -> bool:
        """Whether an expression certainly runs when the script loads, outside of functions and conditions."""
        return self._load_time.certainly_runs(item, self.implied)

    def certainly_in_function(self, item: Node, part: Node | None = None) -> bool:
        """Whether an expression certainly runs when its function is called, or its script is loaded.

        With an enclosing `part` of the function: whether it certainly runs when that part does.
        """
        return self._load_time.certainly_in_function(item, self.implied, part)

    def _guards_inside(self, child: Node, outer: Guards) -> Guards:
        """Returns the guards inside a node, given those around its parent."""
        up = child.parent
        if up is None:
            return outer
        if up.type in FUNCTIONS and call_of(up) is None:
            used = self._guards_at_calls(up)
            tested = outer.tested | without_equalities(used.tested) | self.own_tests_at(up)
            is_caught = outer.failure and throws_in_place(self._evaluator.tree, up)
            failure = max(used.failure, outer.failure) if is_caught else used.failure
            failure = max(failure, self._handling_of_callback(up))
            return Guards(tested, failure, outer.missing | used.missing)
        return self._guards_in_part(child, up, outer)

    def _guards_inside_function(
        self, child: Node, outer: tuple[Guards, Node | None]
    ) -> tuple[Guards, Node | None]:
        up = child.parent
        if up is None:
            return outer
        if runs_separately(child, up):
            return NO_GUARDS, up
        around, function = outer
        return self._guards_in_part(child, up, around), function

    def _guards_in_part(self, child: Node, up: Node, outer: Guards) -> Guards:
        """Returns the guards inside a part of a node, given those around the node."""
        if up.type not in _GUARDING and not self._build_blocks:
            return outer
        tested, missing, failure = outer.tested, outer.missing, outer.failure
        if up.type in {"switch_case", "switch_default"} and not child.is_field("value"):
            tested |= self._conditions.facts_in_case(up)
            failure = max(failure, self._conditions.failure_handling_in_case(child, up))
            entered = self._guards_in_states(up.parent).get(up.id, NO_GUARDS)
            tested |= entered.tested
            missing |= entered.missing
        for condition, outcome in conditions_of(child, up):
            found = self.implied(condition, outcome)
            tested |= found.tested
            missing |= found.missing
        if up.type in BODIES:
            if (passed := self._exits.before(child, up, self.implied)) is not None:
                tested |= passed.tested
                missing |= passed.missing
            if child.type in DECLARED_FUNCTIONS:
                tested -= {UNREACHABLE} - outer.tested
            elif self._exits.is_left_before(child, up):
                tested |= {UNREACHABLE}
        if failure and up.type == "arguments" and child.type in FUNCTIONS:
            tested |= self._member_required_by_call(up.parent)
        if up.type == "arguments" and up.parent is not None:
            owner = optional_owner(up.parent) if self._evaluator.tree.has_optional_chain else None
            if owner is not None:
                tested |= members_in(self.implied(owner, True).tested)
            run = self._guards_of_callback(child, up.parent)
            tested |= run.tested
            missing |= run.missing
        if self._is_in_build_block(child):
            tested |= {CONDITIONAL, OPEN_TEST, BROWSER_TESTED}
        if isinstance(up, TryStatement) and child.is_field("body"):
            failure = max(failure, self._conditions.failure_handling(up))
        if isinstance(up, TryStatement) and child.is_field("handler"):
            failed = self._conditions.after_failure(up.body)
            tested |= failed.tested
            missing |= failed.missing
        if isinstance(up, CallExpression) and child.is_field("function"):
            failure = max(failure, self.handling_of_callee(up))
        if (tested, missing, failure) == (outer.tested, outer.missing, outer.failure):
            return outer
        if has_contradiction(tested):
            tested |= {UNREACHABLE}
        return Guards(tested, failure, missing)

    def _guards_in_states(self, body: Node | None) -> Mapping[int, Guards]:
        """Returns what holds in the cases of a `switch` that is the state machine of a compiled generator."""
        switch = None if body is None else body.parent
        if not isinstance(switch, SwitchStatement) or not self._has_state_machines:
            return {}
        if switch.id not in self._known_states:
            from extlint.analysis.guards.compiled_generators import guards_in_cases, jumps_of

            self._known_states[switch.id] = {}
            jumps = [*jumps_of(self._evaluator.tree, switch)]
            self._known_states[switch.id] = guards_in_cases(jumps, self._guards_at_jump)
        return self._known_states[switch.id]

    def _guards_at_jump(self, jump: Jump) -> Guards:
        """Returns what holds at a jump because of the code of its case only."""
        from extlint.analysis.guards.compiled_generators import MAY_TEST

        end = jump.source.end if jump.place is None else jump.place.end
        if MAY_TEST.search(self._evaluator.tree.text, jump.source.start, end) is None:
            return NO_GUARDS
        if jump.place is None:
            passed = self._exits.before_offset(jump.source.end, jump.source, self.implied)
            return NO_GUARDS if passed is None else Guards(passed.tested, missing=passed.missing)
        known = {jump.source.id: NO_GUARDS}
        return compute_from_root(self._evaluator.tree, jump.place, known, NO_GUARDS, self._guards_inside)

    @cached_property
    def _has_state_machines(self) -> bool:
        from extlint.analysis.guards.compiled_generators import STATE_MACHINE

        return STATE_MACHINE.search(self._evaluator.tree.text) is not None

    def _guards_of_callback(self, callback: Node, call: Node) -> Guards:
        if callback.type not in FUNCTIONS and callback.type != "identifier":
            return NO_GUARDS
        if not isinstance(call, CallExpression) or self._is_of_api(call):
            return NO_GUARDS
        kept = self._kept_by_filter(call)
        if kept is not None:
            return kept
        return self._attempt_to_follow(callback, lambda: self._completions.before_callback(callback, call))

    def _kept_by_filter(self, call: CallExpression) -> Guards | None:
        """Returns what holds for each item of `list.filter((each) => each.isThere).forEach(…)`, or None."""
        owner = innermost(call.callee.object) if isinstance(call.callee, MemberExpression) else None
        if not isinstance(owner, CallExpression) or called_name(self._evaluator, owner) != "filter":
            return None
        test = owner.first_argument
        returned = returned_values(self._evaluator, test) if isinstance(test, Function) else []
        value = returned[0].value if len(returned) == 1 else None
        if value is None:
            return None
        found = self.implied(value, True)
        return replace(found, tested=found.tested - {CONDITIONAL, OPEN_TEST})

    def _is_of_api(self, call: CallExpression) -> bool:
        """Whether the API calls the callbacks of a call: `api.query({}, f)`, `api.query({}).then(f)`."""
        if self._evaluator.api(call.callee) is not None:
            return True
        owner = call.callee.object if isinstance(call.callee, MemberExpression) else None
        return isinstance(owner, CallExpression) and self._evaluator.api(owner.callee) is not None

    def handling_of_callee(self, call: CallExpression) -> FailureHandling:
        """Returns how a failure of the function that is called is handled by the methods of its promise."""
        if not is_caught(self._evaluator, call):
            return FailureHandling.NONE
        from extlint.analysis.guards.promise_handlers import handling_of_callee

        return handling_of_callee(self._evaluator, call)

    def _handling_of_callback(self, function: Node) -> FailureHandling:
        """Returns how a failure in a function is handled by the code that it is passed to."""
        call = call_with_argument(outermost(function))
        if call is None or self._evaluator.api(call.callee) is not None:
            return FailureHandling.NONE
        if isinstance(call, CallExpression) and b"catch" in self._evaluator.tree.text:
            run = self._attempt_to_follow(function, lambda: self._completions.before_callback(function, call))
            if run.failure:
                return run.failure
        if not is_caught(self._evaluator, call):
            return FailureHandling.NONE
        from extlint.analysis.guards.promise_handlers import handling_of_callback

        return handling_of_callback(self._evaluator, function)

    def _member_required_by_call(self, call: Node | None) -> Facts:
        """Returns the member of the API that exists if a callback runs which only its call may run.

        This is useful if a failure of the call is handled; if not, the call itself is a mistake.
        """
        callee = call.callee if isinstance(call, CallExpression) else None
        if not isinstance(callee, MemberExpression) or callee.end - callee.start > _MAX_CALLEE_BYTES:
            return NOTHING_IMPLIED
        found = self._evaluator.api(callee)
        if found is None or len(found.path) < 2 or found.path[-1] in HELPERS:
            return NOTHING_IMPLIED
        return frozenset({found.path})

    def _is_in_build_block(self, item: Node) -> bool:
        """Whether a build may leave a node out."""
        at = bisect_right(self._build_blocks, item.start, key=lambda each: each[0])
        return at > 0 and item.end <= self._build_blocks[at - 1][1]

    def _guards_at_calls(self, function: Node) -> Guards:
        """Returns the same as `_guards_at_uses`; anything may be tested if the callers take too much work."""
        if self._open:
            return self._guards_at_uses(function)
        compute = partial(self._guards_at_uses, function)
        return self._evaluator.attempt_optional_part(function.span, compute) or UNKNOWN_TEST

    def _guards_at_uses(self, function: Node) -> Guards:
        """Returns the guards at all uses of a function's own name, so that it runs only after these tests."""
        uses = uses_of(self._evaluator, function)
        if not 0 < len(uses) <= MAX_USES or is_exported(function) or function.id in self._open:
            return NO_GUARDS
        if len(self._open) >= _MAX_CALLERS:
            return NO_GUARDS
        found: list[Guards] = []
        with self._reading(function):
            for use in uses:
                guards = self.guards_at(use)
                if call_of(use) is None:
                    guards = replace(guards, failure=self._handling_of_callback(use))
                found.append(guards)
                if found[-1] == NO_GUARDS:
                    return NO_GUARDS
        found = reached(found)
        return replace(common_guards(found), failure=min(each.failure for each in found))


def _enclosing_function(child: Node, outer: Node | None) -> Node | None:
    up = child.parent
    return up if up is not None and runs_separately(child, up) else outer
