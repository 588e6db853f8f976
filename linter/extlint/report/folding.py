"""Folds equivalent findings of one extension: after the first ones, only the locations are shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence

from extlint.finding import Finding

MAX_SHOWN = 3
"""Equivalent findings that are shown in full."""

MAX_WIDTH = 60
"""Characters of a line of locations after its path."""


def fold_findings(findings: Sequence[Finding]) -> Iterator[tuple[Finding, Sequence[Finding]]]:
    """Yields each finding that is shown, in order, with those whose locations only are listed after it.

    Findings are equivalent if they have the same rule, severity, targets, message and help, and the same kind
    of fix. The last one shown has the others.
    """
    alike: defaultdict[Hashable, list[Finding]] = defaultdict(list)
    for each in findings:
        alike[_folding_key(each)].append(each)
    shown: defaultdict[Hashable, int] = defaultdict(int)
    for each in findings:
        key = _folding_key(each)
        shown[key] += 1
        if shown[key] <= MAX_SHOWN:
            yield each, alike[key][MAX_SHOWN:] if shown[key] == MAX_SHOWN else ()


def _folding_key(finding: Finding) -> Hashable:
    is_safe = None if finding.fix is None else finding.fix.safe
    return finding.rule, finding.severity, finding.targets, finding.message, finding.help, is_safe


def location_lines(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """Yields the locations of findings as lines: the path of a file, and its lines and columns as `3:5, 8:1`.

    If they do not fit on one line, the next one begins with the path again.
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
