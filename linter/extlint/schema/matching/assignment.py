"""The assignment of arguments to parameters, where both are only partly known.

Firefox omits an optional parameter first, so that arguments bind to the right; Chromium consumes
the argument first, so that they bind to the left. Both then check the first assignment that they find in
full, without backtracking. If a base type is unknown, both ways are followed; the call is
rejected only if every possible assignment has an argument that is certainly rejected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from extlint.analysis.facts.values import Value
from extlint.schema.matching.bases import ABSENT, accepted_bases, bases, fits
from extlint.schema.matching.environment import Environment, No, Verdict
from extlint.schema.matching.match import match, match_optional
from extlint.schema.types import Parameter


class Outcome(Struct, frozen=True):
    """The possible outcomes of the arguments from some position on.

    `certain` means that an assignment is found whatever the values are. `accepted` means that a possible
    assignment has no rejected argument. `refused` are the arguments that are rejected in every
    assignment, `first` the rejected arguments and their parameters in the first one.
    """

    certain: bool
    accepted: bool
    refused: frozenset[int]
    first: tuple[tuple[int, int], ...]


_END = Outcome(True, True, frozenset(), ())
_OPEN_END = Outcome(False, True, frozenset(), ())


class Assignment:
    """The ways to assign a call's arguments to a function's parameters.

    With `is_open`, any number of unknown arguments follows.
    """

    def __init__(
        self, parameters: tuple[Parameter, ...], arguments: tuple[Value, ...], is_open: bool, env: Environment
    ) -> None:
        self.parameters = parameters
        self.arguments = arguments
        self.is_open = is_open
        self.env = env
        self.required = [0]
        for parameter in reversed(parameters):
            self.required.insert(0, self.required[0] + (not parameter.optional))
        self._outcomes: dict[tuple[int, int], Outcome | None] = {}
        self._fits: dict[tuple[int, int], Literal["yes", "maybe", "no"]] = {}
        self._verdicts: dict[tuple[int, int], Verdict] = {}

    def outcome(self) -> Outcome | None:
        """Returns the outcome of the call, or None if the base types exclude every assignment."""
        return self._outcome(0, 0)

    def verdict(self, parameter: int, argument: int) -> Verdict:
        """Returns the full verdict on an argument for a parameter."""
        place = parameter, argument
        if place not in self._verdicts:
            check = match_optional if self.parameters[parameter].optional else match
            found = check(self.arguments[argument], self.parameters[parameter].type, self.env)
            self._verdicts[place] = found
        return self._verdicts[place]

    def misfit(self) -> tuple[int, tuple[int, ...]]:
        """Returns the first argument that matches no parameter, and its candidate parameters.

        Only for a call with a valid number of arguments and without an assignment.
        """
        reached = {0}
        for argument in range(len(self.arguments)):
            candidates = [
                parameter
                for parameter in self._reachable(reached)
                if self._has_valid_count(parameter + 1, argument + 1)
            ]
            reached = {each + 1 for each in candidates if self._base_fits(each, argument) != "no"}
            if not reached:
                return argument, tuple(candidates)
        raise ValueError("the arguments have an assignment")

    def _reachable(self, reached: set[int]) -> Iterator[int]:
        """Yields these parameters, and those that are reachable by omitting optional ones."""
        goes_on = False
        for parameter, declared in enumerate(self.parameters):
            goes_on = goes_on or parameter in reached
            if goes_on:
                yield parameter
            goes_on = goes_on and declared.optional

    def _has_valid_count(self, parameter: int, argument: int) -> bool:
        """Whether the number of remaining arguments is valid for the remaining parameters."""
        left = len(self.arguments) - argument
        if parameter > len(self.parameters) or left > len(self.parameters) - parameter:
            return False
        return self.is_open or self.required[parameter] <= left

    def _base_fits(self, parameter: int, argument: int) -> Literal["yes", "maybe", "no"]:
        place = parameter, argument
        if place not in self._fits:
            declared = self.parameters[parameter]
            taken = accepted_bases(declared.type, self.env)
            if taken is not None and declared.optional:
                taken |= ABSENT
            self._fits[place] = fits(bases(self.arguments[argument], self.env), taken)
        return self._fits[place]

    def _outcome(self, parameter: int, argument: int) -> Outcome | None:
        place = parameter, argument
        if place not in self._outcomes:
            self._outcomes[place] = self._find(parameter, argument)
        return self._outcomes[place]

    def _find(self, parameter: int, argument: int) -> Outcome | None:
        if parameter == len(self.parameters):
            if argument < len(self.arguments):
                return None
            return _OPEN_END if self.is_open else _END
        ways = (self._omit_parameter(parameter, argument), self._bind_argument(parameter, argument))
        found: Outcome | None = None
        for way in ways if self.env.is_gecko else reversed(ways):
            if way is not None:
                found = way if found is None else _combined(found, way)
                if way.certain:
                    break
        return found

    def _omit_parameter(self, parameter: int, argument: int) -> Outcome | None:
        return self._outcome(parameter + 1, argument) if self.parameters[parameter].optional else None

    def _bind_argument(self, parameter: int, argument: int) -> Outcome | None:
        if argument == len(self.arguments):
            return self._outcome(parameter + 1, argument) if self.is_open else None
        base = self._base_fits(parameter, argument)
        rest = None if base == "no" else self._outcome(parameter + 1, argument + 1)
        if rest is None:
            return None
        certain = rest.certain and base == "yes"
        if isinstance(self.verdict(parameter, argument), No):
            first = ((parameter, argument), *rest.first)
            return Outcome(certain, False, rest.refused | {argument}, first)
        return Outcome(certain, rest.accepted, rest.refused, rest.first)


def _combined(one: Outcome, other: Outcome) -> Outcome:
    return Outcome(
        one.certain or other.certain,
        one.accepted or other.accepted,
        one.refused & other.refused,
        one.first,
    )
