"""What a rule is, and the helper every rule module begins with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from extlint.extension import Extension
from extlint.finding import Finding, Related, Severity
from extlint.text import Span


class Rule(Struct, frozen=True):
    """A rule's name and severity; makes its findings, so that no call site repeats them.

    `about_uses` is true for a rule that judges the uses of the API in scripts, each by itself.
    """

    name: str
    severity: Severity
    about_uses: bool = False

    def at(
        self,
        path: str,
        span: Span,
        message: str,
        *,
        api: str | None = None,
        help: str | None = None,
        related: tuple[Related, ...] = (),
        severity: Severity | None = None,
        general: str | None = None,
        reason: str | None = None,
    ) -> Finding:
        """A finding of this rule at a place; `severity` where it is not the rule's own."""
        severity = self.severity if severity is None else severity
        return Finding(
            self.name, severity, message, path, span, api, help, related, general=general, reason=reason
        )


class RuleModule(Protocol):
    """A module of `extlint_rules`: its docstring is its documentation."""

    __doc__: str | None
    RULE: Rule

    def check(self, extension: Extension) -> Iterator[Finding]:
        """Yields one finding for each mistake."""
        ...
