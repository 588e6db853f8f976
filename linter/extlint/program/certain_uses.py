"""Determines when a place in a script runs: on load, or on known events, also through modules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from extlint.analysis.call_graph.entry_points import ExternalName, NameKind
from extlint.analysis.expressions.replaced_globals import replacements
from extlint.analysis.facts.events import Occasion, Origin
from extlint.analysis.facts.script_facts import LoadedAddress
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.modules.foreign_uses import foreign_uses
from extlint.analysis.reachability.awaits import Awaits
from extlint.analysis.reachability.occasions import OccasionFinder, delayed
from extlint.extension import Script
from extlint.program.script_reader import ScriptReader
from extlint.program.searched_scripts import SearchedScripts
from extlint.project.contexts.script import ScriptLocation
from extlint.text.positions import ByteSpan

MAX_MODULES = 4
"""The maximum number of modules through which exported names are followed."""


class CertainUses:
    """Finds the occasions of places in the scripts of one package."""

    def __init__(self, scripts: SearchedScripts, reader: ScriptReader) -> None:
        self._scripts = scripts
        self._reader = reader
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

    def occasions(self, script: Script, span: ByteSpan) -> frozenset[Occasion]:
        """Returns the occasions of an expression, those in other modules in place of the exported names."""
        return self._through_modules(
            self._scripts.location_of(script), self._occasions(script, span), MAX_MODULES
        )

    def _through_modules(
        self, of: ScriptLocation, occasions: frozenset[Occasion], steps: int
    ) -> frozenset[Occasion]:
        found = set[Occasion]()
        for each in occasions:
            is_export = each.origin is Origin.SHARED and each.is_export and steps
            elsewhere = self._in_importers(of, each.name, steps) if is_export else None
            found |= delayed(elsewhere, each.waits, False, False) if elsewhere else {each}
        return frozenset(found)

    def _in_importers(self, of: ScriptLocation, name: str, steps: int) -> frozenset[Occasion] | None:
        """Returns the occasions of what a module exports, or None if not all of its uses are known."""
        exported, found = ExternalName(name, NameKind.EXPORT), frozenset[Occasion]()
        for location in self._scripts.potential_users(exported, of):
            evaluator, finder = self._scripts.evaluator(location), self._finder(location)
            if evaluator is None or finder is None:
                return None
            is_meant = self._reader.import_test(location[0], of[0])
            uses = evaluator.attempt(None, partial(foreign_uses, evaluator, exported, is_meant))
            if uses is None or uses.names:
                return None
            for use in uses.uses:
                occasions = evaluator.attempt(None, partial(finder.of_use, use))
                if occasions is None:
                    return None
                found |= self._through_modules(location, occasions, steps - 1)
        return found

    def _occasions(self, script: Script, span: ByteSpan) -> frozenset[Occasion]:
        location = self._scripts.location_of(script)
        evaluator, finder = self._scripts.evaluator(location), self._finder(location)
        if evaluator is None or finder is None:
            return frozenset()
        found = evaluator.attempt(span, lambda: finder.of(evaluator.tree.leaf_at(span[1] - 1)))
        return found or frozenset()

    def _finder(self, location: ScriptLocation) -> OccasionFinder | None:
        evaluator = self._scripts.evaluator(location)
        if evaluator is None:
            return None
        if location not in self._finders:
            guards = GuardReader(evaluator)
            self._finders[location] = OccasionFinder(evaluator, guards, Awaits(evaluator.tree))
        return self._finders[location]
