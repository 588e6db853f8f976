"""The calls of functions and of events' methods that the schemas describe, with what is wrong in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from extlint.extension import Extension, Script, once_per_extension
from extlint.finding import Finding
from extlint.judgment.absences import cannot_run
from extlint.judgment.enumerations import with_constants, with_help
from extlint.judgment.portability import (
    is_for_some_browser,
    is_right_elsewhere,
    judged_scripts,
    sniffs,
)
from extlint.judgment.routes import route_of
from extlint.matching.call import CallProblem
from extlint.matching.environment import Environment
from extlint.matching.listener import judge_listener_call
from extlint.matching.messages import judge_function_call
from extlint.rule import Rule
from extlint.schema.model import Event, Function
from extlint.script.facts import NO_GUARDS, Call, Guards
from extlint.wording import quoted


class JudgedCall(Struct, frozen=True):
    """A call of a function or of an event's method, and what is wrong with its arguments.

    `api` is the member that is called, or whose method is called: `test.onMessage`. In the arguments of
    `call` constants of enumerations are the values that they stand for.
    """

    script: Script
    call: Call
    member: Function | Event
    api: str
    problems: tuple[CallProblem, ...]


@once_per_extension
def judged_calls(extension: Extension) -> tuple[JudgedCall, ...]:
    """Each call, once, in the order of the scripts. What a target decides never to run is left out.

    How Safari matches arguments is not known.
    """
    if extension.schemas.target == "safari":
        return ()
    env = environment(extension)
    return tuple(
        judged
        for script in judged_scripts(extension)
        for call, guards in _calls_that_run(extension, script)
        if (judged := _judged(extension, script, call, env)) is not None
        and not (judged.problems and _is_right_elsewhere(extension, script, call, guards))
    )


def _is_right_elsewhere(extension: Extension, script: Script, call: Call, guards: Guards) -> bool:
    """Whether a browser takes a call that is there for it, or to see whether it is taken."""
    asks = guards.caught or is_for_some_browser(extension, guards) or sniffs(extension)
    return asks and is_right_elsewhere(extension, partial(_is_right, script, call))


def _is_right(script: Script, call: Call, extension: Extension) -> bool:
    judged = _judged(extension, script, call, environment(extension))
    return judged is not None and not judged.problems


def environment(extension: Extension) -> Environment:
    """What decides a match in this extension."""
    browser = extension.schemas.browser or "firefox"
    return Environment(extension.schemas, browser, extension.manifest.version)


def argument_findings(extension: Extension, rule: Rule) -> Iterator[Finding]:
    """The findings of one of the two rules about arguments."""
    for judged in judged_calls(extension):
        for problem in judged.problems:
            if problem.rule == rule.name:
                span = judged.script.span(problem.span or judged.call.arguments_span)
                yield rule.at(
                    judged.script.path,
                    span,
                    problem.message,
                    api=judged.api,
                    help=problem.help,
                    general=f"{quoted(judged.api)} {problem.refusal}",
                )


def _calls_that_run(extension: Extension, script: Script) -> Iterator[tuple[Call, Guards]]:
    """The calls of a script with what guards them, without those that the tests around them rule out."""
    guards = {(naming.span[0], naming.path): naming.guards for naming in script.facts.namings}
    for call in script.facts.calls:
        around = guards.get((call.callee[0], call.path), NO_GUARDS)
        if not cannot_run(extension, script, around):
            yield call, around


def _judged(extension: Extension, script: Script, call: Call, env: Environment) -> JudgedCall | None:
    found = route_of(extension, call.path)
    version = extension.manifest.version
    if found is None or any(version not in stop.availability.versions for stop in found.stops):
        return None
    member, name, api = found.member, ".".join(call.path), ".".join(found.path)
    written = call.arguments
    call = replace(call, arguments=tuple(with_constants(extension, each) for each in written))
    if isinstance(member, Function) and not found.rest:
        problems = judge_function_call(api, name, member, call.arguments, call.open, env)
    elif isinstance(member, Event) and len(found.rest) == 1:
        problems = judge_listener_call(name, member, found.rest[0], call.arguments, call.open, env)
    else:
        return None
    if problems:
        problems = tuple(with_help(extension, problems, written))
    return JudgedCall(script, call, member, api, problems)
