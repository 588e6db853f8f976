"""What is searched for in all scripts of a package, and only if a finding would be told.

A package in which nothing is wrong imports none of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from extlint.contexts.script import LaidOutScript
from extlint.extension import Extension, Script
from extlint.package.files import Package
from extlint.program.script_reader import ScriptReader
from extlint.resolution.resolver import ModuleResolver
from extlint.script.facts.script_facts import Guards, Reference

if TYPE_CHECKING:
    from extlint.program.callers import Callers
    from extlint.program.dead_code import DeadCode
    from extlint.program.sibling_manifests import Siblings


class Searches:
    """Searches in one package, which all its targets share."""

    def __init__(
        self,
        package: Package,
        files: Package,
        reader: ScriptReader,
        resolver: ModuleResolver,
        placed: Sequence[LaidOutScript],
        scripts: Sequence[Script],
    ) -> None:
        """`package` is read for other manifests, `files` for scripts; `placed` and `scripts` are the same."""
        self._package = package
        self._files = files
        self._reader = reader
        self._resolver = resolver
        self._placed = placed
        self._scripts = scripts

    def callers(self, script: Script, reference: Reference) -> frozenset[Guards]:
        """What holds on each of the ways that lead to a reference; nothing if none is seen."""
        return self._callers.ways(script, reference)

    def uncalled(self, script: Script, reference: Reference) -> bool:
        """Whether a reference is in a function that nothing in the package calls."""
        return self._uncalled.holds(script, reference)

    def siblings(self, extension: Extension, script: Script) -> Iterator[tuple[Extension, Script]]:
        """The extensions that have a script by other manifests, each with the script as it runs there."""
        return self._siblings.of(extension, script)

    @cached_property
    def _callers(self) -> Callers:
        from extlint.program.callers import Callers

        return Callers(self._reader, self._placed, self._scripts)

    @cached_property
    def _uncalled(self) -> DeadCode:
        from extlint.program.dead_code import DeadCode

        return DeadCode(self._callers, self._reader, self._files)

    @cached_property
    def _siblings(self) -> Siblings:
        from extlint.program.sibling_manifests import Siblings

        return Siblings(self._package, self._files, self._reader, self._resolver)
