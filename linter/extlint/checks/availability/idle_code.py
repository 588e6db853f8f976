"""Code that never runs: what nothing loads or calls, and what is for events or messages that never come.

Findings about what happens when it runs are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence

from extlint.checks.availability.dead_events import calls_for_dead_events
from extlint.checks.reachability.closed_world import has_all_named_files, has_known_scripts
from extlint.checks.reachability.sent_messages import sends_messages, unsent_messages
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
    unsent = _surely_unsent_messages(extension) if must_be_sent else unsent_messages(extension)
    dead = calls_for_dead_events(extension) | unsent
    idle = Idle(dead, files, is_build_source(extension))
    return extension.searches.never_runs(script, span, idle)


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
    unsent = _surely_unsent_messages(extension)
    return (
        bool(unsent)
        and span not in _uses_on_load(extension, *script.location)
        and extension.searches.is_unreached(script, span, Idle(unsent))
    )


def _surely_unsent_messages(extension: Extension) -> frozenset[Place]:
    """Returns the `unsent_messages` if scripts send others, and none is missing."""
    unsent = unsent_messages(extension)
    is_sure = (
        bool(unsent)
        and sends_messages(extension)
        and has_known_scripts(extension)
        and has_all_named_files(extension)
    )
    return unsent if is_sure else frozenset()


@query
def _uses_on_load(extension: Extension, path: str, base: int) -> frozenset[ByteSpan]:
    """Returns the uses of the API that run when a script is loaded."""
    return frozenset(each.span for each in extension.facts_at(path, base).references if each.on_load)
