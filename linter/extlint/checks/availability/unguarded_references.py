"""References to the API without a guarding test or error handler, at their position or in their callers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from extlint.analysis.facts.script_facts import ApiPath, CallSite, FailureHandling, Guards, Reference
from extlint.checks.other_browsers import is_browser_specific
from extlint.checks.reachability.unreachable_code import (
    checked_facts,
    checked_script,
    checked_scripts,
    is_unreachable,
)
from extlint.checks.reachability.unused_scripts import is_unused_script
from extlint.extension import Extension, Idle, Script
from extlint.queries.query import query
from extlint.text.positions import ByteSpan


def unguarded_references(
    extension: Extension, min_handling: FailureHandling = FailureHandling.REPORTED
) -> Sequence[tuple[Script, Reference]]:
    """Returns the references that may run, do not just test for a member, and may throw unhandled.

    An error counts as handled if its handler does at least `min_handling`.
    """
    return [
        (script, each)
        for script in checked_scripts(extension)
        for each in unguarded_references_in(extension, script, min_handling)
    ]


def unguarded_references_in(
    extension: Extension, script: Script, min_handling: FailureHandling = FailureHandling.REPORTED
) -> Sequence[Reference]:
    """Returns the references in a script that `unguarded_references` returns."""
    return [each for each in _reached(extension, *script.location) if each.guards.failure < min_handling]


@query(is_kept=True)
def _reached(extension: Extension, path: str, base: int) -> tuple[Reference, ...]:
    """Returns the references that may run, and are not for another browser, however errors are handled."""
    script = checked_script(extension, path, base)
    return tuple(
        each
        for each in script.facts.references
        if not each.only_tested
        and not (
            _may_exclude(each.guards)
            and (
                is_browser_specific(extension, each.guards) or is_unreachable(extension, script, each.guards)
            )
        )
    )


def _may_exclude(guards: Guards) -> bool:
    """Whether guards may show that code never runs, or is for another browser."""
    return bool(
        guards.tested
        or guards.missing
        or guards.browser_tested
        or guards.constants
        or guards.manifest
        or guards.unreachable
        or guards.user_agent
        or guards.address
    )


def unguarded_calls(
    extension: Extension, min_handling: FailureHandling = FailureHandling.REPORTED
) -> Sequence[tuple[Script, Reference, CallSite]]:
    """Returns the unguarded references that are callees, each with its call."""
    return [
        (script, *each)
        for script in checked_scripts(extension)
        for each in unguarded_calls_in(extension, script, min_handling)
    ]


def unguarded_calls_in(
    extension: Extension, script: Script, min_handling: FailureHandling = FailureHandling.REPORTED
) -> Sequence[tuple[Reference, CallSite]]:
    """Returns the references in a script that `unguarded_calls` returns, each with its call."""
    return [
        each for each in _reached_calls(extension, *script.location) if each[0].guards.failure < min_handling
    ]


@query(is_kept=True)
def _reached_calls(extension: Extension, path: str, base: int) -> tuple[tuple[Reference, CallSite], ...]:
    calls = _calls_by_callee(extension, path, base)
    return tuple(
        (reference, call)
        for reference in _reached(extension, path, base)
        if (call := calls.get(reference.span)) is not None
    )


def is_guarded_by_callers(
    extension: Extension,
    script: Script,
    reference: Reference,
    excuses: Callable[[Guards], bool],
    min_handling: FailureHandling = FailureHandling.REPORTED,
) -> bool:
    """Whether a reference is guarded on every known call path to it.

    Check this last: it searches all scripts for callers. For `min_handling` see `unguarded_references`.
    """
    return holds_on_all_paths(
        extension, script, reference, lambda path: is_guarded(extension, path, min_handling) or excuses(path)
    )


def holds_on_all_paths(
    extension: Extension, script: Script, reference: Reference, holds: Callable[[Guards], bool]
) -> bool:
    """Whether a condition holds on every call path to a reference that may run; false if no path is known.

    It also holds if the reference runs only for messages that are sent where it holds. True if the search for
    call paths failed, as nothing is certain then.
    """
    if reference.on_load:
        return False
    return _holds_on_paths(extension, script, reference, holds) or _is_sent_where(
        extension, script, reference, holds
    )


def _holds_on_paths(
    extension: Extension, script: Script, reference: Reference, holds: Callable[[Guards], bool]
) -> bool:
    if not reference.is_called:
        return False
    paths = extension.searches.call_paths(script, reference)
    if paths is None:
        return True
    return bool(paths) and all(is_unreachable(extension, script, path) or holds(path) for path in paths)


def _is_sent_where(
    extension: Extension, script: Script, reference: Reference, holds: Callable[[Guards], bool]
) -> bool:
    """Whether a reference runs only for messages of the package that are sent where a condition holds."""
    from extlint.checks.reachability.sent_messages import tests_of_messages_sent_where

    def holds_at(sending: Script, callee: ByteSpan) -> bool:
        senders = (each for each in sending.facts.references if each.span == callee)
        return any(holds(each.guards) or _holds_on_paths(extension, sending, each, holds) for each in senders)

    tests = tests_of_messages_sent_where(extension, holds_at)
    return (
        bool(tests)
        and extension.searches.never_runs(script, reference.span, Idle(tests))
        and not extension.searches.never_runs(script, reference.span, Idle(frozenset()))
    )


def is_never_called(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether nothing in the package calls the function that contains a reference. Check this last."""
    return reference.is_called and extension.searches.never_runs(script, reference.span)


def is_never_used(extension: Extension, script: Script, path: ApiPath) -> bool:
    """Whether nothing calls the functions in which a script uses a member, or nothing loads the script."""
    uses = [each for each in script.facts.references if each.path[: len(path)] == path]
    is_uncalled = bool(uses) and all(is_never_called(extension, script, each) for each in uses)
    return is_uncalled or is_unused_script(extension, script)


def call_to(extension: Extension, script: Script, reference: Reference) -> CallSite | None:
    """Returns the call whose callee is a reference, or None."""
    return _calls_by_callee(extension, *script.location).get(reference.span)


@query
def _calls_by_callee(extension: Extension, path: str, base: int) -> Mapping[ByteSpan, CallSite]:
    calls = checked_facts(extension, path, base).calls
    return {each.callee: each for each in reversed(calls)}


def is_guarded(extension: Extension, guards: Guards, min_handling: FailureHandling) -> bool:
    """Whether an error is handled, by at least `min_handling`, or a condition tests for some browser."""
    return guards.failure >= min_handling or is_browser_specific(extension, guards)
