"""Removes the findings that comments suppress."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from extlint.finding import Finding
from extlint.linting.suppression.comment import Comment, Scope


def without_suppressed(findings: Iterable[Finding], comments: Sequence[Comment]) -> tuple[Finding, ...]:
    """Returns the findings that no comment suppresses."""
    scopes: dict[str, list[Scope]] = {}
    for comment in comments:
        scopes.setdefault(comment.path, []).extend(comment.scopes)

    def is_suppressed(finding: Finding) -> bool:
        own = scopes.get(finding.path, ())
        return any(each.covers(finding.rule, finding.span.start) for each in own)

    return tuple(each for each in findings if not is_suppressed(each))
