"""Counts the findings that fixes remove, by whether they existed before the first fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from extlint.finding import Finding


class Tally:
    """The fate of the findings that had a fix at first, and the number of others that were fixed.

    A fix moves the text after it, and changes messages with it. Findings of one rule in one file are counted,
    but not identified.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._remaining = _counted(findings)
        self.fixed = 0
        self.fixed_later = 0

    def count_fixed(self, findings: Iterable[Finding]) -> None:
        """Counts findings whose fixes were applied. Those that did not exist at first appeared later."""
        found = _counted(findings)
        self.fixed += found.total()
        self.fixed_later += (found - self._remaining).total()
        self._remaining -= found

    def count_disappeared(self, remaining: Iterable[Finding]) -> None:
        """Counts initial findings that the fixes of others removed; the `remaining` ones still have a fix."""
        self.fixed += (self._remaining - _counted(remaining)).total()


def _counted(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    return Counter((each.rule, each.path) for each in findings)
