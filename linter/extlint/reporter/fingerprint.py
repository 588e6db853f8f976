"""What stays the same of a finding when its lines move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from extlint.finding import Finding
from extlint.package.files import path_below
from extlint.reporter.people import Lines

LENGTH = 32
"""Hexadecimal digits of a fingerprint."""

MAX_CHARACTERS = 1000
"""Characters of the code under a finding that count."""


def fingerprints(folder: str, findings: Sequence[Finding], lines: Lines) -> list[str]:
    """One for each finding of an extension that lies in `folder`, no two of them alike.

    It is made of the file, the rule, and the code that the finding stands at, without its white space. Where
    these are the same, the first finding, the second and so on have one of their own.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for each in findings:
        key = (path_below(folder, each.path), each.rule, _code(each, lines))
        seen[key] += 1
        text = "\0".join((*key, str(seen[key])))
        found.append(sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH])
    return found


def _code(finding: Finding, lines: Lines) -> str:
    """The code on the first line of a finding; what its API is, or its message, where there is none."""
    (first, start), (last, end) = finding.span
    line = lines.of(finding.path)(first)
    code = line[start - 1 : end - 1 if last == first else None][:MAX_CHARACTERS]
    return "".join(code.split()) or finding.api or finding.message
