"""Drops findings about what happens when code runs, if that code never runs."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.checks.availability.dead_events import calls_for_dead_events
from extlint.checks.reachability.sent_messages import sends_messages, unsent_messages
from extlint.checks.reachability.unused_scripts import is_unused_script
from extlint.extension import Extension, Script
from extlint.finding import Finding


def without_dead_code(
    extension: Extension, found: Sequence[Finding], *, must_be_sent: bool
) -> tuple[Finding, ...]:
    """Returns findings without those that `must_run` and are in code that nothing runs.

    Such code is a script that nothing loads, a function that nothing calls, a listener of an event that
    never comes, or code for a message that nothing sends, which is also left out for rules whose findings
    `must_be_sent`. Only scripts that are files of their own are searched.
    """
    scripts: dict[str, list[Script]] = {}
    for each in extension.scripts:
        scripts.setdefault(each.path, []).append(each)
    return tuple(
        each
        for each in found
        if not (
            (each.must_run or must_be_sent)
            and _never_runs(extension, each, scripts.get(each.path, []), only_unsent=not each.must_run)
        )
    )


def _never_runs(
    extension: Extension, finding: Finding, scripts: Sequence[Script], *, only_unsent: bool
) -> bool:
    """Whether nothing runs the place of a finding, or only whether it is for a message that nothing sends.

    `scripts` are those of its file.
    """
    if not scripts:
        return False
    if not only_unsent and is_unused_script(extension, scripts[0]):
        return True
    start, end = (scripts[0].index.offset(each) for each in finding.span)
    script = max((each for each in scripts if each.base <= start), key=lambda each: each.base, default=None)
    if script is None:
        return False
    span = start - script.base, end - script.base
    if any(each.on_load and each.span == span for each in script.facts.references):
        return False
    unsent = unsent_messages(extension)
    if only_unsent:
        return (
            bool(unsent)
            and sends_messages(extension)
            and extension.searches.is_unreached(script, span, unsent)
        )
    dead = calls_for_dead_events(extension) | unsent
    return extension.searches.never_runs(script, span, dead)
