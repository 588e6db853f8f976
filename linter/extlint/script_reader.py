"""The scripts of one package, each read and analysed once."""

from __future__ import annotations

from extlint.contexts.builder import LaidOutScript, Place
from extlint.extension import Script
from extlint.package.tolerant import TolerantPackage
from extlint.script.analyse import analyse
from extlint.script.facts import ScriptFacts
from extlint.text import TextIndex, decode


class ScriptReader:
    """Gives the facts of script files and of the inline scripts of pages."""

    def __init__(self, files: TolerantPackage) -> None:
        self._files = files
        self._facts: dict[Place, ScriptFacts] = {}

    def facts(self, place: Place) -> ScriptFacts:
        """What a script does. Of a file that cannot be read nothing is known."""
        if place not in self._facts:
            path, body = place
            data = decode(self._files.read(path))
            start, end = body or (0, len(data))
            facts = analyse(data[start:end], path)
            self._facts[place] = ScriptFacts(complete=False) if path in self._files.failed else facts
        return self._facts[place]

    def script(self, placed: LaidOutScript) -> Script:
        """A script as rules see it."""
        facts = self.facts((placed.path, placed.body))
        start = placed.body[0] if placed.body else 0
        return Script(
            placed.path, facts, TextIndex(decode(self._files.read(placed.path))), placed.contexts, start
        )
