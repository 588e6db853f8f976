"""Matches a partly known value with a type; the result is yes, maybe or no.

Follows Firefox's `normalize` (Schemas.sys.mjs) and Chromium's `ArgumentSpec::ParseArgument`. The
result is `No` only if every possible value is rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from extlint.analysis.facts.values import ArrayValue, Kind, Literal, Union, Value
from extlint.schema.matching.bases import ABSENT, accepted_bases, bases, fits
from extlint.schema.matching.environment import MAYBE, YES, Environment, No, Path, Problem, Verdict, all_of
from extlint.schema.matching.objects import match_object
from extlint.schema.types import (
    AnyType,
    ArrayType,
    BooleanType,
    ChoicesType,
    NumberType,
    ObjectType,
    RefType,
    StringType,
    Type,
)
from extlint.text.wording import counted

MAX_DEPTH = 40
"""The maximum depth at which parts of values are compared."""

UNSERIALIZABLE = frozenset({"undefined", "function", "symbol", "bigint"})
"""The kinds of values that Chromium cannot serialize, where a type allows any value."""

MAX_STEPS = 20_000
"""The number of comparisons of a value with a type after which the result is unknown."""


def match(value: Value, kind: Type, env: Environment) -> Verdict:
    """Returns whether a value matches a type."""
    return Matching(env).verdict(value, kind, ())


def match_optional(value: Value, kind: Type, env: Environment) -> Verdict:
    """Returns whether a value matches a type where null and undefined stand for an omitted value."""
    return Matching(env).optional_verdict(value, kind, ())


class Matching:
    """A single match, and the work that remains for it."""

    def __init__(self, env: Environment) -> None:
        self.env = env
        self._steps = 0
        self._depth = 0

    def verdict(self, value: Value, kind: Type, path: Path) -> Verdict:
        """Returns whether a value matches a type; `path` leads to it from the outermost value."""
        self._steps += 1
        if self._steps > MAX_STEPS or self._depth >= MAX_DEPTH:
            return MAYBE
        self._depth += 1
        try:
            if isinstance(value, Union):
                return self._union(value, kind, path)
            return self._single(value, kind, path)
        finally:
            self._depth -= 1

    def optional_verdict(self, value: Value, kind: Type, path: Path) -> Verdict:
        """Returns the same as `verdict`, but null and undefined stand for an omitted value."""
        possible = bases(value, self.env)
        if possible <= ABSENT:
            return YES
        found = self.verdict(value, kind, path)
        return MAYBE if isinstance(found, No) and possible & ABSENT else found

    def refusal(self, value: Value, path: Path, expected: str, suggestion: str | None = None) -> No:
        """Returns the refusal of a value as a whole."""
        from extlint.schema.words.values import described_value

        found = described_value(value)
        return No((Problem(value.span, "value", path, expected, found, suggestion=suggestion),))

    def _union(self, value: Union, kind: Type, path: Path) -> Verdict:
        from extlint.schema.matching.refusals import agreed_suggestion
        from extlint.schema.words.values import either

        verdicts = [self.verdict(option, kind, path) for option in value.options]
        refusals = [each for each in verdicts if isinstance(each, No)]
        if not refusals:
            return all_of(verdicts) if verdicts else MAYBE
        if len(refusals) < len(verdicts):
            return MAYBE
        problems = [problem for each in refusals for problem in each.problems]
        if any(problem.what != "value" or problem.path != path for problem in problems):
            places = {(problem.what, problem.path, problem.span): problem for problem in reversed(problems)}
            return No(tuple(reversed(places.values())))
        expected = either(problem.expected for problem in problems)
        return self.refusal(value, path, expected, agreed_suggestion(problems))

    def _single(self, value: Value, kind: Type, path: Path) -> Verdict:
        target = self.env.resolve(kind)
        if target is None or isinstance(target, RefType):
            return MAYBE
        if isinstance(target, AnyType):
            return self._any(value, path)
        base = fits(bases(value, self.env), accepted_bases(target, self.env))
        if base == "no":
            return self.refusal(value, path, self._expected(value, target), self._suggestion(value, target))
        match target:
            case ChoicesType():
                return self._choices(value, target, path)
            case ObjectType():
                return match_object(self, value, target, path)
            case ArrayType() if isinstance(value, ArrayValue):
                return self._array(value, target, path)
            case ArrayType():
                return MAYBE
            case BooleanType(enum=enum) if enum is not None and self.env.is_gecko:
                if isinstance(value, Literal):
                    right = value.value in enum
                    from extlint.schema.words.types import described_type

                    return YES if right else self.refusal(value, path, described_type(target, self.env))
                return MAYBE
            case NumberType() | StringType():
                return self._scalar(value, target, path, base == "yes")
        return YES if base == "yes" else MAYBE

    def _expected(self, value: Value, target: Type) -> str:
        from extlint.schema.words.types import described_type

        whole = isinstance(value, Literal) and isinstance(value.value, float) and value.value.is_integer()
        if whole and isinstance(target, NumberType):
            return "an integer from -2147483648 to 2147483647"
        return described_type(target, self.env)

    def _suggestion(self, value: Value, target: Type) -> str | None:
        from extlint.schema.matching.refusals import nearest_of

        return nearest_of(value, target.enum or ()) if isinstance(target, StringType) else None

    def _any(self, value: Value, path: Path) -> Verdict:
        """Accepts everything in Firefox, and serializable values in Chromium."""
        if self.env.is_gecko:
            return YES
        refused = bases(value, self.env) <= UNSERIALIZABLE
        if isinstance(value, Literal) and isinstance(value.value, float) and not isfinite(value.value):
            refused = True
        if refused:
            return self.refusal(value, path, "a value that can be serialized")
        return MAYBE

    def _scalar(self, value: Value, target: NumberType | StringType, path: Path, certain: bool) -> Verdict:
        from extlint.schema.matching.scalars import Refusal, accepts_every_string, judge_number, judge_string

        match target, value:
            case NumberType(), Literal(kind=Kind.NUMBER, value=float() | int() as number):
                judged = judge_number(number, target, self.env)
            case StringType(), Literal(kind=Kind.STRING, value=str(text)):
                judged = judge_string(text, target, self.env)
            case StringType(), _:
                return YES if certain and accepts_every_string(target, self.env) else MAYBE
            case _:
                return MAYBE
        if isinstance(judged, Refusal):
            return self.refusal(value, path, judged.expected, self._suggestion(value, target))
        return judged

    def _array(self, value: ArrayValue, target: ArrayType, path: Path) -> Verdict:
        verdicts = [
            self.verdict(item, target.items, (*path, index)) for index, item in enumerate(value.items)
        ]
        dropped: Sequence[Verdict] = ()
        if target.items_on_error is not None:
            dropped = [each for each in verdicts if each is not YES]
            verdicts = [each for each in verdicts if not isinstance(each, No)]
        refused = [each for each in dropped if isinstance(each, No)]
        fewest = len(value.items) - len(dropped)
        most = None if value.open else len(value.items) - len(refused)
        if target.min_items is not None and most is not None and most < target.min_items:
            too_few = self.refusal(value, path, f"an array of at least {counted(target.min_items, 'item')}")
            verdicts += refused or [too_few]
        if target.max_items is not None and fewest > target.max_items:
            verdicts.append(
                self.refusal(value, path, f"an array of at most {counted(target.max_items, 'item')}")
            )
        found = all_of(verdicts)
        is_bounded = target.min_items is not None or target.max_items is not None
        return MAYBE if found is YES and (value.open or (dropped and is_bounded)) else found

    def _choices(self, value: Value, target: ChoicesType, path: Path) -> Verdict:
        from extlint.schema.matching.refusals import refusal_of_choices

        choices = [
            choice.type
            for choice in target.choices
            if not self.env.is_gecko or self.env.manifest_version in choice.versions
        ]
        refusals: list[tuple[Type, No]] = []
        certain = True
        for choice in choices:
            found = self.verdict(value, choice, path)
            if found is YES:
                return YES
            if isinstance(found, No):
                refusals.append((choice, found))
            else:
                certain = False
        return refusal_of_choices(value, refusals, path, self.env) if certain else MAYBE
