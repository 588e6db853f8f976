"""Finds calls that remove all alarms each time a background starts, so that none goes off twice."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.events import Origin
from extlint.analysis.facts.script_facts import FailureHandling, Reference
from extlint.analysis.facts.values import ObjectValue
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import call_to, unguarded_calls
from extlint.checks.reachability.occasions import (
    background_ended_when_idle,
    occasions_of,
    runs_in_background,
)
from extlint.extension import Extension, Script
from extlint.schema.targets import engine_of

_CREATE, _CLEAR_ALL = ("alarms", "create"), ("alarms", "clearAll")
_PERIOD = "periodInMinutes"
_BEGINNINGS = frozenset({("runtime", "onInstalled"), ("runtime", "onStartup")})
"""The events that come only when the extension or the browser begins."""


def removals_at_start(extension: Extension) -> Iterator[tuple[Script, Reference, str]]:
    """Yields the calls that remove all alarms at each start, with the name of the background.

    Yields nothing if alarms may be created again after the start.
    """
    engine = engine_of(extension.target.name)
    background = background_ended_when_idle(extension.manifest, engine)
    if background is None or not _are_repeated_alarms_created_once(extension):
        return
    for script, reference, call in unguarded_calls(extension, FailureHandling.INSPECTED):
        if call.path == _CLEAR_ALL and runs_in_background(script, engine):
            occasions = occasions_of(extension, script, call)
            is_at_start = any(each.origin is Origin.LOAD and each.certain for each in occasions)
            if is_at_start and not unavailabilities_of(extension, call.path, script.contexts):
                yield script, reference, background


def _are_repeated_alarms_created_once(extension: Extension) -> bool:
    """Whether scripts create repeated alarms, and any alarm only when something begins."""
    is_repeated = False
    for script in extension.scripts:
        for reference in (*script.facts.references, *script.facts.possible_references):
            if reference.path != _CREATE or reference.only_tested:
                continue
            call = call_to(extension, script, reference)
            occasions = frozenset() if call is None else occasions_of(extension, script, call)
            if call is None or not occasions:
                return False
            if any(each.origin is not Origin.EVENT or each.event not in _BEGINNINGS for each in occasions):
                return False
            options = call.arguments[-1] if call.arguments else None
            is_repeated = is_repeated or (isinstance(options, ObjectValue) and _PERIOD in options.fields)
    return is_repeated
