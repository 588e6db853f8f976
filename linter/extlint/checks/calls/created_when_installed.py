"""Finds calls that create something, and that a package makes only when it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from extlint.analysis.facts.events import Occasion, Origin
from extlint.analysis.facts.script_facts import ApiPath, CallSite, FailureHandling, Reference
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import unguarded_calls
from extlint.checks.reachability.closed_world import has_all_loaded_files, may_be_named
from extlint.checks.reachability.occasions import occasions_of, runs_in_background
from extlint.checks.reachability.possible_loads import running_scripts
from extlint.extension import Extension, Script
from extlint.schema.targets import engine_of

_INSTALLED = ("runtime", "onInstalled")
INSTALLED = ".".join(_INSTALLED)


def created_when_installed(
    extension: Extension, creating: AbstractSet[ApiPath]
) -> Iterator[tuple[Script, Reference, CallSite]]:
    """Yields the first call in each script of the background, if no other code of the package creates any.

    `creating` are functions with one name, by their paths.
    """
    calls = [
        (script, reference, call)
        for script, reference, call in unguarded_calls(extension, FailureHandling.INSPECTED)
        if call.path in creating
    ]
    if not calls or len(calls) != _count_uses(extension, creating) or not has_all_loaded_files(extension):
        return
    if any(each.facts.dynamic_accesses for each in running_scripts(extension)):
        return
    if any(may_be_named(extension, path) for path in creating) or not all(
        _is_when_installed(each)
        for script, _, call in calls
        for each in occasions_of(extension, script, call) or (None,)
    ):
        return
    engine, reported = engine_of(extension.target.name), set[tuple[str, int]]()
    for script, reference, call in calls:
        if (
            script.location not in reported
            and runs_in_background(script, engine)
            and not unavailabilities_of(extension, call.path, script.contexts)
        ):
            reported.add(script.location)
            yield script, reference, call


def _is_when_installed(occasion: Occasion | None) -> bool:
    return occasion is not None and occasion.origin is Origin.EVENT and occasion.event == _INSTALLED


def _count_uses(extension: Extension, creating: AbstractSet[ApiPath]) -> int:
    """Returns the number of places that name a function which creates something."""
    named = [
        reference
        for script in extension.scripts
        for reference in script.facts.references
        if reference.path in creating
    ]
    namespaces = {path[0] for path in creating}
    several = sum(
        any(each.path[0] in namespaces for each in choice.references)
        for script in extension.scripts
        for choice in script.facts.ambiguous_references
    )
    return len(named) + several
