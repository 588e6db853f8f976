"""Runs extlint on packages given as tables of files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from packages import package_of
from tables import store_of_rows

from extlint.analysis.cache.store import Store
from extlint.checker import check_package
from extlint.checking.report_of import apply_configuration
from extlint.finding import Finding, Fix
from extlint.linting.configuration.configuration import NO_CONFIGURATION
from extlint.registry import RULES
from extlint.rule import Fixable
from extlint.schema.targets import target_of
from extlint.text.positions import Span

Files = Mapping[str, str | bytes]

SENDER: Mapping[str, str] = {
    "send.js": "f('x', 'y', 'z'); chrome.runtime.sendMessage(message, (found) => show(found));"
}
"""A script that sends unknown messages, so that the listeners of a package may get some.

They may have the texts `x`, `y` and `z`.
"""

EXCEPT_IMPORTS = tuple(name for name in RULES if name not in ("misplaced-import", "undefined-name"))
"""The rules for tests of modules whose imports no build resolves, and that use names from elsewhere."""


def lint(
    files: Files, select: Sequence[str] | None = None, target: str = "reference", store: Store | None = None
) -> list[Finding]:
    """Returns the findings of a package for targets (`firefox,chrome>=120`), in order; of every rule by
    default. Without a store, the rows of a table share one, as many of them have the same scripts.
    """
    rules = tuple(RULES if select is None else select)
    targets = [found for each in target.split(",") if (found := target_of(each)) is not None]
    report = check_package(package_of(files), targets, rules, store=store or store_of_rows())
    findings = list(apply_configuration(report, rules, NO_CONFIGURATION).findings)
    for each in findings:
        assert each.fix is None or is_declared_fixable(each.rule, each.fix), (
            f"{each.rule}: see `fixable` of its row"
        )
    return findings


def is_declared_fixable(rule: str, fix: Fix) -> bool:
    """Whether the row of a rule declares that its findings may have such a fix."""
    return RULES[rule].fixable in ((Fixable.SAFELY,) if fix.safe else (Fixable.SAFELY, Fixable.UNSAFELY))


def manifest(**keys: object) -> str:
    """Returns a manifest with the required keys and these."""
    return json.dumps({"manifest_version": 3, "name": "Test", "version": "1.0", **keys})


def text_under(files: Files, finding: Finding) -> str:
    """Returns the source text that a finding covers."""
    content = files[finding.path]
    return text_at(content if isinstance(content, str) else content.decode("utf-8", "replace"), finding.span)


def text_at(text: str, span: Span) -> str:
    """Returns the part of a text that a span covers."""
    lines = text.splitlines(keepends=True)
    start, end = (sum(map(len, lines[: at.line - 1])) + at.column - 1 for at in (span.start, span.end))
    return text[start:end]


def reported(
    files: Files, select: Sequence[str] | None = None, target: str = "reference"
) -> list[tuple[str, str]]:
    """Returns the rule and the covered source text of each finding."""
    return [(finding.rule, text_under(files, finding)) for finding in lint(files, select, target)]
