"""Determines whether a place in a script is certain to run: on load, or whenever a known event occurs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from extlint.analysis.expressions.replaced_globals import replacements
from extlint.analysis.facts.occasions import Occasion, Origin
from extlint.analysis.facts.script_facts import LoadedAddress
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.reachability.awaits import Awaits
from extlint.analysis.reachability.occasions import OccasionFinder
from extlint.extension import Script
from extlint.program.searched_scripts import SearchedScripts
from extlint.project.contexts.script import ScriptLocation
from extlint.text.positions import ByteSpan


class CertainUses:
    """Finds the occasions of places in the scripts of one package."""

    def __init__(self, scripts: SearchedScripts) -> None:
        self._scripts = scripts
        self._finders: dict[ScriptLocation, OccasionFinder] = {}

    def certainly_runs(self, script: Script, span: ByteSpan) -> bool:
        """Whether an expression runs on each load of its script, or on each occurrence of some event."""
        return any(each.certain or each.origin is Origin.PLATFORM for each in self._occasions(script, span))

    def runs_at_once(self, script: Script, span: ByteSpan) -> bool:
        """Whether an expression runs on each load of its script, before the script waits for anything."""
        return any(
            each.origin is Origin.LOAD and each.certain and not each.waits
            for each in self._occasions(script, span)
        )

    def replacements(self, script: Script, names: frozenset[str]) -> Sequence[tuple[str, ByteSpan]]:
        """Returns the members of globals that a script certainly replaces by a function, and the places."""
        evaluator = self._scripts.evaluator(self._scripts.location_of(script))
        if evaluator is None:
            return ()
        found = evaluator.attempt(None, lambda: [*replacements(evaluator, names)])
        return [(name, place.span) for name, place in found or () if self.certainly_runs(script, place.span)]

    def loads_of_strings(self, script: Script, spans: Sequence[ByteSpan]) -> list[LoadedAddress]:
        """Returns the loads of the addresses that are written as strings at these places."""
        evaluator = self._scripts.evaluator(self._scripts.location_of(script))
        if evaluator is None:
            return []
        from extlint.analysis.trace.loaded_addresses import AddressUses

        uses, found = AddressUses(evaluator), list[LoadedAddress]()
        for span in spans:
            name = evaluator.tree.text[span[0] + 1 : span[1] - 1].decode("utf-8", "replace")
            found += evaluator.attempt(span, partial(uses.loads_of, span, name, span)) or ()
        return found

    def _occasions(self, script: Script, span: ByteSpan) -> frozenset[Occasion]:
        location = self._scripts.location_of(script)
        evaluator = self._scripts.evaluator(location)
        if evaluator is None:
            return frozenset()
        if location not in self._finders:
            guards = GuardReader(evaluator)
            self._finders[location] = OccasionFinder(evaluator, guards, Awaits(evaluator.tree))
        finder = self._finders[location]
        found = evaluator.attempt(span, lambda: finder.of(evaluator.tree.leaf_at(span[1] - 1)))
        return found or frozenset()
