"""Finds content scripts' calls of `storage.session`, which Chrome closes unless the extension opens it.

Chromium 156: the area exists in a content script, but each of its functions fails with "Access to storage
is not allowed from this context." In Firefox 153 it does not exist there, as the facts record.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import CallSite, FailureHandling, Reference
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import is_never_called, unguarded_calls
from extlint.checks.portability.other_manifests import is_for_sibling_manifest
from extlint.checks.reachability.closed_world import has_all_loaded_files
from extlint.checks.reachability.unused_scripts import with_unknown_context
from extlint.extension import Extension, Script
from extlint.project.contexts.words import words_of

SESSION = ("storage", "session")

_OPENING = "setAccessLevel"


def calls_of_closed_session(extension: Extension) -> Iterator[tuple[Script, Reference]]:
    """Yields each call that certainly fails for this reason. The target must be based on Chromium."""
    calls = [
        (script, reference)
        for script, reference, call in unguarded_calls(extension, FailureHandling.RECOVERED)
        if _is_closed(script, call) and reference.guards.runs_in is None
    ]
    if not calls or not _stays_closed(extension):
        return
    for script, reference in calls:
        if (
            not unavailabilities_of(extension, reference.path, script.contexts)
            and with_unknown_context(extension, script) is None
            and not is_for_sibling_manifest(extension, script, reference, _may_open)
            and not is_never_called(extension, script, reference)
        ):
            yield script, reference


def _is_closed(script: Script, call: CallSite) -> bool:
    kinds = {each.kind for each in script.contexts}
    return call.path[:-1] == SESSION and call.path[-1] != _OPENING and kinds == {ContextKind.CONTENT_SCRIPT}


def _stays_closed(extension: Extension) -> bool:
    """Whether all code of the extension is known, and no code opens the area."""
    return has_all_loaded_files(extension) and not words_of(extension).has(_OPENING)


def _may_open(extension: Extension, script: Script) -> bool:  # noqa: ARG001
    return not _stays_closed(extension)
