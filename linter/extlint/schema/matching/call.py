"""Checks the arguments of a call as a browser does, also those of an event's methods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

from extlint.analysis.facts.values import Value
from extlint.schema.matching.assignment import Assignment
from extlint.schema.matching.environment import Environment, No, Problem
from extlint.schema.model import Event, Member
from extlint.schema.types import FunctionType, Parameter
from extlint.text.positions import ByteSpan
from extlint.text.wording import listed, quoted

ArgumentRule: TypeAlias = Literal["invalid-argument", "wrong-argument-count"]


class CallProblem(Struct, frozen=True):
    """A mistake in the arguments of a call, with the wording and location of a finding.

    `span` is missing if the mistake concerns the list of arguments as a whole. `refusal` is the message in
    wording that holds in every browser, without its subject, which is the function. `suggestion` is the name
    or string that was probably intended for the key or the literal at `span`; `is_key` distinguishes the two.
    `is_ignored` is true if the browser accepts the argument, without the intended effect; `is_of_copy` if a
    value is right here but does not survive being copied.
    """

    rule: ArgumentRule
    span: ByteSpan | None
    message: str
    refusal: str
    help: str | None = None
    suggestion: str | None = None
    is_key: bool = False
    is_ignored: bool = False
    is_of_copy: bool = False


def judge_call(
    name: str,
    parameters: tuple[Parameter, ...],
    arguments: tuple[Value, ...],
    is_open: bool,
    env: Environment,
    *,
    ambiguous: bool = False,
) -> tuple[CallProblem, ...]:
    """Returns the certain mistakes in the arguments of a call of the function `name`.

    With `is_open`, any number of unknown arguments follows. `ambiguous` functions are not checked. If no
    assignment with this number of arguments exists, that is the only mistake; else, if their base types
    exclude all assignments, the first argument that matches no parameter; else each wrong value inside of
    them.
    """
    if ambiguous:
        return ()
    assignment = Assignment(parameters, arguments, is_open, env)
    argument_count, required = len(arguments), assignment.required[0]
    if argument_count > len(parameters) or (argument_count < required and not is_open):
        return (_wrong_count(name, parameters, argument_count, is_open),)
    outcome = assignment.outcome()
    if outcome is None:
        return (_misfit(name, assignment),)
    if outcome.accepted:
        return ()
    problems = [
        problem
        for parameter, argument in outcome.first
        if argument in outcome.refused
        for problem in _refused(assignment, parameter, argument)
    ]
    if not problems:
        problems = [next(_refused(assignment, *outcome.first[0]))]
    return tuple(dict.fromkeys(problems))


def _wrong_count(
    name: str, parameters: tuple[Parameter, ...], argument_count: int, is_open: bool
) -> CallProblem:
    from extlint.schema.words.types import signature

    most = len(parameters)
    fewest = sum(not each.optional for each in parameters)
    takes = _number(fewest, most)
    message = f"{quoted(name)} takes {takes}, but {_count_phrase(argument_count, is_open)} passed"
    missing = [each.name for each in parameters if not each.optional] if argument_count < fewest else []
    if argument_count == 0 and missing:
        message = f"{listed([quoted(each) for each in missing], 'and')} {_is_are(missing)} required"
    refusal = "does not accept this number of arguments"
    help = f"call it as {quoted(signature(name, parameters))}"
    return CallProblem("wrong-argument-count", None, message, refusal, help)


def _count_phrase(number: int, is_open: bool) -> str:
    verb = "is" if number == 1 else "are"
    return f"at least {number} {verb}" if is_open else f"{number or 'none'} {verb}"


def _is_are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _number(fewest: int, most: int) -> str:
    noun = "argument" if most == 1 else "arguments"
    if most == 0:
        return "no arguments"
    return (
        f"{most} {noun}"
        if fewest == most
        else f"{fewest} {'or' if most == fewest + 1 else 'to'} {most} arguments"
        if fewest
        else f"at most {most} {noun}"
    )


def _misfit(name: str, assignment: Assignment) -> CallProblem:
    """Returns the only mistake of a call whose arguments match no assignment by their base types."""
    from extlint.schema.words.types import alternatives
    from extlint.schema.words.values import described_value, either

    argument, candidates = assignment.misfit()
    if len(candidates) == 1:
        return next(_refused(assignment, candidates[0], argument))
    value = assignment.arguments[argument]
    expected = either(
        phrase
        for each in candidates
        for phrase in alternatives(assignment.parameters[each].type, assignment.env)
    )
    problem = Problem(value.span, "value", (), expected, described_value(value))
    message = problem.message(f"argument {argument + 1} of {quoted(name)}")
    return CallProblem("invalid-argument", value.span, message, problem.refusal)


def _refused(assignment: Assignment, parameter: int, argument: int) -> Iterator[CallProblem]:
    verdict = assignment.verdict(parameter, argument)
    whole = assignment.arguments[argument].span
    name = assignment.parameters[parameter].name
    for problem in verdict.problems if isinstance(verdict, No) else ():
        span = problem.span or whole
        yield CallProblem(
            "invalid-argument",
            span,
            problem.message(name),
            problem.refusal,
            problem.help,
            problem.suggestion,
            problem.what == "unexpected",
        )


LISTENER = Parameter("listener", FunctionType())


def judge_listener_call(
    name: str, event: Event, method: str, arguments: tuple[Value, ...], is_open: bool, env: Environment
) -> tuple[CallProblem, ...]:
    """Returns the certain mistakes in a call of a method of an event; `name` is the method's full name.

    `addListener` takes a listener and the extra parameters of the event. `removeListener` and `hasListener`
    require a listener and ignore further arguments. Other methods are not checked. Chromium ignores a
    listener that is not a function, without an error.
    """
    if method == "addListener":
        parameters = (LISTENER, *event.extra)
    elif method in ("removeListener", "hasListener"):
        parameters, arguments = (LISTENER,), arguments[:1]
    else:
        return ()
    return judge_call(name, parameters, arguments, is_open, env)


def problem_of_called_object(name: str, member: Member | None) -> CallProblem:
    """Returns the problem of a call of an event, another object or a namespace; `name` is its full name."""
    is_event = isinstance(member, Event)
    kind = "an event" if is_event else "a namespace" if member is None else "a value"
    help = f"call {quoted(f'{name}.addListener')}" if is_event else None
    what = f"is {kind}, not a function"
    return CallProblem("invalid-argument", None, f"{quoted(name)} {what}", what, help)
