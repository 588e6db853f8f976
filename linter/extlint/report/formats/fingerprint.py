"""Computes identifiers of findings that stay the same when lines move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from extlint.finding import Finding
from extlint.package.files import path_below
from extlint.report.formats.human_readable import Lines

LENGTH = 32
"""Hexadecimal digits of a fingerprint."""

MAX_CHARACTERS = 1000
"""Characters of the code under a finding that count."""


def fingerprints(folder: str, findings: Sequence[Finding], lines: Lines) -> list[str]:
    """Returns a unique fingerprint for each finding of an extension in `folder`.

    It depends on the file, the rule, and the code of the finding, without white space. Findings for which
    these are the same are numbered.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    found = []
    for each in findings:
        key = (path_below(folder, each.path), each.rule, _code(each, lines))
        counts[key] += 1
        text = "\0".join((*key, str(counts[key])))
        found.append(sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH])
    return found


def _code(finding: Finding, lines: Lines) -> str:
    """Returns the code on the first line of a finding, or else its API or its message."""
    (first, start), (last, end) = finding.span
    line = lines.of(finding.path)(first)
    code = line[start - 1 : end - 1 if last == first else None][:MAX_CHARACTERS]
    return "".join(code.split()) or finding.api or finding.message
