"""The scripts of one package, each read and analysed once."""

from __future__ import annotations

from collections.abc import Mapping

from extlint.contexts.builder import COMPONENTS, LaidOutScript, Place
from extlint.extension import Script
from extlint.package.tolerant import TolerantPackage
from extlint.resolution.resolver import Gives, ModuleResolver, given_by
from extlint.script.analyse import analyse
from extlint.script.facts import NO_EXPORTS, ScriptFacts
from extlint.text import TextIndex, decode
from extlint.values import Value

DEEPEST = 25
"""How many modules may wait for each other's exports."""


class ScriptReader:
    """Gives the facts of script files and of the inline scripts of pages."""

    def __init__(self, files: TolerantPackage, resolver: ModuleResolver | None = None) -> None:
        self._files = files
        self._resolver = resolver or ModuleResolver(files)
        self._facts: dict[Place, ScriptFacts] = {}
        self._indexes: dict[str, TextIndex] = {}
        self._open: list[str] = []

    def facts(self, place: Place) -> ScriptFacts:
        """What a script does. Of a file that cannot be read nothing is known."""
        if place not in self._facts:
            path, body = place
            data = decode(self._files.read(path))
            start, end = body or (0, len(data))
            self._open.append(path)
            facts = analyse(data[start:end], path, lambda name: self._exports(path, name))
            self._open.pop()
            self._facts[place] = ScriptFacts(complete=False) if path in self._files.failed else facts
        return self._facts[place]

    def _exports(self, importer: str, name: str) -> Mapping[str, Value]:
        """What the module exports that an import means; of imports in a circle nothing is known."""
        found = self._resolver.find(name, importer) if given_by(name) is Gives.MODULE else None
        if found is None or found.lower().endswith(COMPONENTS):
            return NO_EXPORTS
        if found in self._open or len(self._open) > DEEPEST:
            return NO_EXPORTS
        return self.facts((found, None)).exports

    def script(self, placed: LaidOutScript) -> Script:
        """A script as rules see it."""
        if placed.path not in self._indexes:
            self._indexes[placed.path] = TextIndex(decode(self._files.read(placed.path)))
        facts = self.facts((placed.path, placed.body))
        start = placed.body[0] if placed.body else 0
        return Script(placed.path, facts, self._indexes[placed.path], placed.contexts, start)
