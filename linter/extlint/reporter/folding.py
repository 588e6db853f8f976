"""Folds findings of one extension that say the same: of all but the first only the places are shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence

from extlint.finding import Finding

MAX_SHOWN = 3
"""How many findings that say the same are shown in full."""

MAX_WIDTH = 60
"""Characters that a line of places takes at most after its path."""


def folded(findings: Sequence[Finding]) -> Iterator[tuple[Finding, Sequence[Finding]]]:
    """Each finding that is shown, in order, with those of which only the places are listed after it.

    Findings say the same if they have the same rule, severity, targets, message and help, and can be fixed
    alike. The last that is shown of them has the others.
    """
    alike: defaultdict[Hashable, list[Finding]] = defaultdict(list)
    for each in findings:
        alike[_said(each)].append(each)
    shown: defaultdict[Hashable, int] = defaultdict(int)
    for each in findings:
        said = _said(each)
        shown[said] += 1
        if shown[said] <= MAX_SHOWN:
            yield each, alike[said][MAX_SHOWN:] if shown[said] == MAX_SHOWN else ()


def _said(finding: Finding) -> Hashable:
    is_safe = None if finding.fix is None else finding.fix.safe
    return finding.rule, finding.severity, finding.targets, finding.message, finding.help, is_safe


def places(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """The places of findings as lines: the path of a file, and its lines and columns as `3:5, 8:1`.

    Where they are too many for one line, the next begins with the path again.
    """
    path, line = "", ""
    for each in findings:
        place = f"{each.span.start.line}:{each.span.start.column}"
        if each.path == path and line and len(line) + len(place) + 2 <= MAX_WIDTH:
            line += f", {place}"
            continue
        if line:
            yield path, line
        path, line = each.path, place
    if line:
        yield path, line
