"""The calls of functions and of events' methods that the schemas describe, with what is wrong in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from extlint.checks.availability.conditional_members import available_references
from extlint.checks.availability.enum_constants import undefined_constants, with_constant_values, with_help
from extlint.checks.availability.exemptions import may_be_available
from extlint.checks.availability.other_browsers import is_for_another_build, is_right_in_another_browser
from extlint.checks.availability.schema_path import schema_path_of
from extlint.checks.availability.source_searches import tests_for_browser
from extlint.checks.availability.unavailability import Reason, Unavailability
from extlint.checks.availability.unguarded_references import holds_on_all_paths, is_never_called
from extlint.checks.availability.unreachable_code import checked_scripts, is_unreachable
from extlint.extension import Extension, Script, once_per_extension
from extlint.finding import Finding
from extlint.matching.call import CallProblem
from extlint.matching.environment import Environment
from extlint.matching.listener import judge_listener_call
from extlint.matching.message_passing import judge_function_call
from extlint.rule import Rule
from extlint.schema.engine import Engine
from extlint.schema.model import Event, Function
from extlint.script.facts.script_facts import (
    NO_GUARDS,
    AmbiguousReference,
    ApiPath,
    CallSite,
    FailureHandling,
    Guards,
    Reference,
)
from extlint.targets.request import engine_of
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted


class CheckedCall(Struct, frozen=True):
    """A call of a function or of an event's method, and what is wrong with its arguments.

    `api` is the member that is called, or whose method is called: `test.onMessage`. In the arguments of
    `call` constants of enumerations are the values that they stand for.
    `guards` is what holds where it is made.
    """

    script: Script
    call: CallSite
    member: Function | Event
    api: str
    problems: tuple[CallProblem, ...]
    guards: Guards = NO_GUARDS


@once_per_extension
def judged_calls(extension: Extension) -> tuple[CheckedCall, ...]:
    """Each call, once, in the order of the scripts. What a target decides never to run is left out."""
    if not _is_known(extension):
        return ()
    return tuple(
        judged
        for script in checked_scripts(extension)
        for call, reference in _calls_that_run(extension, script)
        if (judged := _without_excused(extension, script, call, reference)) is not None
        and not (judged.problems and _is_excused(extension, judged, call, reference))
    )


def _without_excused(
    extension: Extension, script: Script, call: CallSite, reference: Reference | None
) -> CheckedCall | None:
    """What is wrong with a call, apart from constants of other browsers that may be missing there."""
    judged = judged_call(extension, script, call, _guards_of(reference))
    if judged is None or not judged.problems:
        return judged
    missing = dict(undefined_constants(extension, call.arguments))
    problems = tuple(
        each
        for each in judged.problems
        if each.span not in missing
        or not _may_be_missing(extension, script, missing[each.span], each.span, reference)
    )
    return replace(judged, problems=problems)


def _may_be_missing(
    extension: Extension, script: Script, path: ApiPath, span: ByteSpan, reference: Reference | None
) -> bool:
    """Whether something excuses that a target lacks a constant, as it would any other member.

    `reference` is that of the call, which counts for a constant that is named elsewhere.
    """
    unavailability = Unavailability(Reason.UNKNOWN, path, len(path))
    named = next(
        (each for each in script.facts.references if (each.span, each.path) == (span, path)), reference
    )
    return named is not None and may_be_available(extension, script, named, unavailability)


def _is_known(extension: Extension) -> bool:
    """Whether anything is known of how the target matches arguments; of WebKit nothing is."""
    return engine_of(extension.schemas.target) is not Engine.WEBKIT


def _wrong_choices(extension: Extension) -> Iterator[CheckedCall]:
    """Each call of one of several members that is wrong in the same way whichever it is."""
    if not _is_known(extension):
        return
    for script in checked_scripts(extension):
        for choice in script.facts.ambiguous_references:
            wrong = _wrong_in_all(extension, script, choice) if choice.calls else None
            if wrong is not None:
                yield wrong


def _wrong_in_all(extension: Extension, script: Script, choice: AmbiguousReference) -> CheckedCall | None:
    """A call of the first of several members, with what is wrong in the calls of all and not excused."""
    pairs = [
        (reference, call)
        for reference, call in available_references(extension, script, choice)
        if call is not None
    ]
    found = [judged_call(extension, script, call, reference.guards) for reference, call in pairs]
    common = _common_problems(found)
    if not common or any(is_unreachable(extension, script, reference.guards) for reference, _ in pairs):
        return None
    found = [_without_excused(extension, script, call, reference) for reference, call in pairs]
    problems = _common_problems(found)
    for (reference, call), judged in zip(pairs, found, strict=True):
        if not problems or judged is None or _is_excused(extension, judged, call, reference):
            return None
    return None if found[0] is None else replace(found[0], problems=problems)


def _common_problems(judged: Sequence[CheckedCall | None]) -> tuple[CallProblem, ...]:
    """The problems of the first of some calls that stand at the same places in the others."""
    places = [{(each.rule, each.span) for each in one.problems} if one else set() for one in judged]
    first = judged[0] if judged else None
    common = set.intersection(*places) if places else set()
    return () if first is None else tuple(each for each in first.problems if (each.rule, each.span) in common)


def _is_excused(
    extension: Extension, judged: CheckedCall, call: CallSite, reference: Reference | None
) -> bool:
    """Whether a call that is wrong is never made, or for a browser that takes it, or to see what is taken."""
    if judged.guards.failure is FailureHandling.INSPECTED:
        return True
    script, is_right = judged.script, partial(_is_right, judged.script, call)
    is_tried = judged.guards.failure is not FailureHandling.NONE or tests_for_browser(extension)
    if is_tried and is_right_in_another_browser(extension, is_right):
        return True
    if is_for_another_build(extension, judged.guards, is_right):
        return True
    if reference is None:
        return False
    return holds_on_all_paths(
        extension, script, reference, lambda way: is_for_another_build(extension, way, is_right)
    ) or (is_right_in_another_browser(extension, is_right) and is_never_called(extension, script, reference))


def _is_right(script: Script, call: CallSite, extension: Extension) -> bool:
    judged = judged_call(extension, script, call)
    return judged is not None and not judged.problems


def environment(extension: Extension) -> Environment:
    """What decides a match in this extension."""
    engine = extension.schemas.engine or Engine.GECKO
    return Environment(extension.schemas, engine, extension.manifest.version)


def argument_findings(extension: Extension, rule: Rule) -> Iterator[Finding]:
    """The findings of one of the two rules about arguments."""
    for judged in (*judged_calls(extension), *_wrong_choices(extension)):
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


def _calls_that_run(extension: Extension, script: Script) -> Iterator[tuple[CallSite, Reference | None]]:
    """The calls of a script with what they name, without those that the tests around them rule out."""
    references = {(reference.span[0], reference.path): reference for reference in script.facts.references}
    for call in script.facts.calls:
        reference = references.get((call.callee[0], call.path))
        if not is_unreachable(extension, script, _guards_of(reference)):
            yield call, reference


def _guards_of(reference: Reference | None) -> Guards:
    return NO_GUARDS if reference is None else reference.guards


def judged_call(
    extension: Extension, script: Script, call: CallSite, guards: Guards = NO_GUARDS
) -> CheckedCall | None:
    """What is wrong with a call in an extension; None where the schemas do not describe it."""
    env = environment(extension)
    found = schema_path_of(extension, call.path)
    version = extension.manifest.version
    if found is None or any(version not in stop.availability.versions for stop in found.elements):
        return None
    member, name, api = found.member, ".".join(call.path), ".".join(found.path)
    written = call.arguments
    call = replace(call, arguments=tuple(with_constant_values(extension, each) for each in written))
    if isinstance(member, Function) and not found.rest:
        problems = judge_function_call(api, name, member, call.arguments, call.open, env)
    elif isinstance(member, Event) and len(found.rest) == 1:
        problems = judge_listener_call(name, member, found.rest[0], call.arguments, call.open, env)
    else:
        return None
    if problems:
        from extlint.checks.calls.legacy_signatures import as_signature

        problems = tuple(with_help(extension, problems, written))
        problems = as_signature(".".join((*found.path, *found.rest)), call.arguments, env, problems)
    return CheckedCall(script, call, member, api, problems, guards)
