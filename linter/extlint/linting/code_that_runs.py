"""Drops findings about what happens when code runs, if that code never runs."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.checks.availability.dead_events import calls_for_dead_events
from extlint.checks.reachability.sent_messages import unsent_messages
from extlint.checks.reachability.unused_scripts import is_unused_script
from extlint.extension import Extension, Script
from extlint.finding import Finding


def without_dead_code(extension: Extension, found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Returns findings without those that `must_run` and are in code that nothing runs.

    Such code is a script that nothing loads, a function that nothing calls, a listener of an event that
    never comes, or a branch for a message that nothing sends. Only scripts that are files of their own are
    searched.
    """
    scripts: dict[str, list[Script]] = {}
    for each in extension.scripts:
        scripts.setdefault(each.path, []).append(each)
    return tuple(
        each
        for each in found
        if not (each.must_run and _never_runs(extension, each, scripts.get(each.path, [])))
    )


def _never_runs(extension: Extension, finding: Finding, scripts: Sequence[Script]) -> bool:
    """Whether nothing runs the place of a finding; `scripts` are those of its file."""
    if not scripts:
        return False
    if is_unused_script(extension, scripts[0]):
        return True
    start, end = (scripts[0].index.offset(each) for each in finding.span)
    script = max((each for each in scripts if each.base <= start), key=lambda each: each.base, default=None)
    if script is None:
        return False
    span = start - script.base, end - script.base
    if any(each.on_load and each.span == span for each in script.facts.references):
        return False
    dead = calls_for_dead_events(extension) | unsent_messages(extension)
    return extension.searches.never_runs(script, span, dead)
