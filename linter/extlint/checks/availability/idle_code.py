"""Code that never runs: what nothing loads or calls, and what is for events or messages that never come.

Findings about what happens when it runs are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from extlint.checks.availability.dead_events import calls_for_dead_events
from extlint.checks.reachability.closed_world import has_all_named_files, has_known_scripts
from extlint.checks.reachability.sent_messages import message_tests, sends_messages, unsent_messages
from extlint.checks.reachability.unused_scripts import is_unused_script, unused_files
from extlint.extension import Extension, Idle, Place, Script
from extlint.finding import Finding
from extlint.project.builds import is_build_source
from extlint.queries.query import query
from extlint.text.positions import ByteSpan


def never_runs(extension: Extension, script: Script, span: ByteSpan, *, must_be_sent: bool = False) -> bool:
    """Whether nothing runs a place in a script.

    Nothing loads the script or calls the function, or the listener is of an event that never comes, or the
    branch for a message that no script sends, or a bundler may drop a declaration that nothing uses. Only
    scripts that are files of their own are searched. For `must_be_sent`, see `When.SENT`.
    """
    files = unused_files(extension)
    if is_unused_script(extension, script) or script.path in files:
        return True
    if span in _uses_on_load(extension, *script.location):
        return False
    dead, is_bundled = calls_for_dead_events(extension), is_build_source(extension)

    def is_idle(unsent: frozenset[Place]) -> bool:
        return extension.searches.never_runs(script, span, Idle(dead | unsent, files, is_bundled))

    if must_be_sent and not _knows_messages(extension):
        return is_idle(frozenset())
    return _is_idle_by_messages(extension, is_idle)


def without_dead_code(
    extension: Extension, found: Sequence[Finding], *, must_be_sent: bool
) -> tuple[Finding, ...]:
    """Returns findings without those that `must_run` and are in code that nothing runs.

    If they `must_be_sent`, the others are left out in code for a message that no script sends. See `When`.
    """
    return tuple(
        each
        for each in found
        if not ((each.must_run or must_be_sent) and _is_dead(extension, each, must_be_sent=must_be_sent))
    )


def _is_dead(extension: Extension, finding: Finding, *, must_be_sent: bool) -> bool:
    """Whether the code of a finding never runs."""
    scripts = extension.scripts_in(finding.path)
    if not scripts:
        return False
    start, end = (scripts[0].index.offset(each) for each in finding.span)
    script = max((each for each in scripts if each.base <= start), key=lambda each: each.base, default=None)
    if script is None:
        return finding.must_run and is_unused_script(extension, scripts[0])
    span = start - script.base, end - script.base
    if finding.must_run:
        return never_runs(extension, script, span, must_be_sent=must_be_sent)

    def is_idle(unsent: frozenset[Place]) -> bool:
        return bool(unsent) and extension.searches.is_unreached(script, span, Idle(unsent))

    return (
        span not in _uses_on_load(extension, *script.location)
        and _knows_messages(extension)
        and _is_idle_by_messages(extension, is_idle)
    )


def _is_idle_by_messages(extension: Extension, is_idle: Callable[[frozenset[Place]], bool]) -> bool:
    """Whether a place is idle if the tests of messages with these ends fail: those that no message passes.

    Whether the calls that send messages run is only asked where it matters.
    """
    if is_idle(unsent_messages(extension, False)):
        return True
    tests = message_tests(extension)
    return bool(tests) and is_idle(tests) and is_idle(unsent_messages(extension, True))


@query
def _knows_messages(extension: Extension) -> bool:
    """Whether scripts send messages, and no script is missing."""
    return sends_messages(extension) and has_known_scripts(extension) and has_all_named_files(extension)


@query
def _uses_on_load(extension: Extension, path: str, base: int) -> frozenset[ByteSpan]:
    """Returns the uses of the API that run when a script is loaded."""
    return frozenset(each.span for each in extension.facts_at(path, base).references if each.on_load)
