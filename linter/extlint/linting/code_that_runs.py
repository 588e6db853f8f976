"""Drops findings about what happens when code runs, if that code never runs."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.checks.availability.idle_code import is_for_unsent_message, never_runs
from extlint.checks.reachability.unused_scripts import is_unused_script
from extlint.extension import Extension
from extlint.finding import Finding


def without_dead_code(
    extension: Extension, found: Sequence[Finding], *, must_be_sent: bool
) -> tuple[Finding, ...]:
    """Returns findings without those that `must_run` and are in code that nothing runs.

    If they `must_be_sent`, the other findings are left out in code for a message that no script sends. See
    `Rule`.
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
    return is_for_unsent_message(extension, script, span)
