"""The findings that comments leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from extlint.finding import Finding
from extlint.suppression.comment import Comment, Scope


def without_commented(
    findings: Iterable[Finding], comments: Sequence[Comment]
) -> tuple[tuple[Finding, ...], int]:
    """The findings that no comment suppresses, and how many the comments do."""
    scopes: dict[str, list[Scope]] = {}
    for comment in comments:
        scopes.setdefault(comment.path, []).extend(comment.scopes)

    def is_suppressed(finding: Finding) -> bool:
        own = scopes.get(finding.path, ())
        return any(each.covers(finding.rule, finding.span.start) for each in own)

    kept: list[Finding] = []
    suppressed = 0
    for each in findings:
        if is_suppressed(each):
            suppressed += 1
        else:
            kept.append(each)
    return tuple(kept), suppressed
