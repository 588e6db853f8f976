"""Refusals of values: the one to report for a value that matches no choice, and suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from extlint.analysis.facts.values import Literal, ObjectValue, Value, options_of
from extlint.schema.matching.bases import accepted_bases, bases, fits
from extlint.schema.matching.environment import Environment, No, Path, Problem
from extlint.schema.types import ObjectType, Type
from extlint.schema.words.types import described_type, with_one_enum
from extlint.schema.words.values import described_value, either
from extlint.text.nearest import suggest_name


def nearest_of(value: Value, strings: Sequence[str]) -> str | None:
    """Returns the string that a literal one probably stands for, or None."""
    texts = [each.value for each in options_of(value) if isinstance(each, Literal)]
    found = {near for text in texts if isinstance(text, str) and (near := suggest_name(text, strings))}
    return found.pop() if len(found) == 1 else None


def agreed_suggestion(problems: Iterable[Problem]) -> str | None:
    """Returns the suggestion on which all problems with one agree, or None."""
    found = {problem.suggestion for problem in problems if problem.suggestion is not None}
    return found.pop() if len(found) == 1 else None


def refusal_of_choices(value: Value, refusals: Sequence[tuple[Type, No]], path: Path, env: Environment) -> No:
    """Returns one refusal for all choices, which have all rejected the value.

    Among the choices that accept values of this kind, the one with the fewest problems determines the
    problems inside of the value, or the problems that several of them share do. Otherwise the value as a
    whole is wrong, and the phrase names every choice.
    """
    near = [(kind, no) for kind, no in refusals if _accepts_kind(value, kind, env)]
    plain = [(kind, no) for kind, no in near if not _requires_instance(kind, env)]
    if isinstance(value, ObjectValue) and plain:
        near = plain
    for problems in (_closest([no for _, no in near]), _shared([no for _, no in near])):
        if problems and not any(problem.what == "value" and problem.path == path for problem in problems):
            return No(problems)
    here = (problem for _, no in near for problem in no.problems if problem.path == path)
    return No(
        (
            Problem(
                value.span,
                "value",
                path,
                either(_phrases(refusals, path, env)),
                described_value(value),
                suggestion=agreed_suggestion(here),
            ),
        )
    )


def _accepts_kind(value: Value, kind: Type, env: Environment) -> bool:
    return fits(bases(value, env), accepted_bases(kind, env)) != "no"


def _requires_instance(kind: Type, env: Environment) -> bool:
    target = env.resolve(kind)
    return isinstance(target, ObjectType) and target.is_instance_of is not None


def _closest(refusals: Sequence[No]) -> tuple[Problem, ...]:
    """Returns the problems of the only refusal with the fewest problems, or nothing."""
    fewest = min((len(no.problems) for no in refusals), default=0)
    closest = [no.problems for no in refusals if len(no.problems) == fewest]
    return closest[0] if len(closest) == 1 else ()


def _shared(refusals: Sequence[No]) -> tuple[Problem, ...]:
    """Returns the problems that all refusals share, each with every expected phrase."""
    if not refusals:
        return ()
    first, *rest = ({_place(problem): problem for problem in no.problems} for no in refusals)
    return tuple(
        replace(problem, expected=either(each[place].expected for each in (first, *rest)))
        if problem.what == "value"
        else problem
        for place, problem in first.items()
        if all(place in each for each in rest)
    )


def _place(problem: Problem) -> tuple[object, ...]:
    return problem.what, problem.path, problem.span


def _phrases(refusals: Sequence[tuple[Type, No]], path: Path, env: Environment) -> Iterator[str]:
    """Yields the expected values of the choices, with the values of all enums in one list."""
    reasons = {id(kind): no for kind, no in refusals}
    for kind in with_one_enum([kind for kind, _ in refusals], env):
        no = reasons.get(id(kind))
        yield described_type(kind, env) if no is None else _phrase(kind, no, path, env)


def _phrase(kind: Type, no: No, path: Path, env: Environment) -> str:
    """Returns the expected value of a choice; more exact than its type if it rejected the entire value."""
    first = no.problems[0]
    if len(no.problems) == 1 and first.what == "value" and first.path == path:
        return first.expected
    return described_type(kind, env)
