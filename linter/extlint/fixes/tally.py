"""Counts the findings that fixes mend, by whether they were there before the first fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from extlint.finding import Finding


class Tally:
    """What came of the findings that had a fix at first, and how many others were mended.

    A fix moves what stands after it, and words of messages with it. Findings of one rule in one file are
    counted, not told apart.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._left = _counted(findings)
        self.fixed = 0
        self.fixed_later = 0

    def mended(self, findings: Iterable[Finding]) -> None:
        """Counts findings whose fixes were applied. Those that were not there at first came up later."""
        found = _counted(findings)
        self.fixed += found.total()
        self.fixed_later += (found - self._left).total()
        self._left -= found

    def gone(self, remaining: Iterable[Finding]) -> None:
        """Counts those of the beginning that the fixes of others mended; `remaining` still have one."""
        self.fixed += (self._left - _counted(remaining)).total()


def _counted(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    return Counter((each.rule, each.path) for each in findings)
