"""Bugs from public threads: each is found at its position, and the repaired package has no findings."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from bug_cases import Bug, Files, bugs, missed
from harness import lint

from extlint.finding import Finding, Severity
from extlint.registry import RULES

BUGS = bugs()
CHECKED_RULES = [
    name for name, rule in RULES.items() if not rule.group.only_packed or name == "misplaced-manifest"
]
"""The rules that run on a folder, and the one about archives."""

REPAIRED = [bug for bug in BUGS if bug.repaired is not None]
DECIDABLE = [bug for bug in BUGS if bug.undecidable is None]


def names(chosen: Sequence[Bug]) -> list[str]:
    return [bug.name for bug in chosen]


def findings_in(files: Files, bug: Bug) -> list[Finding]:
    """Returns the findings of the rules for folders and of the bug's own rule."""
    also = [bug.rule] if bug.rule in RULES and bug.rule not in CHECKED_RULES else []
    return lint(files, [*CHECKED_RULES, *also], bug.target)


def describe(findings: Sequence[Finding]) -> list[str]:
    return [f"{found.path}:{found.span.start.line} {found.rule}: {found.message}" for found in findings]


def is_expected(bug: Bug, finding: Finding) -> bool:
    """Whether a finding is the one the bug expects: its rule, its line, and its words."""
    here = (finding.rule, finding.path, finding.span.start.line) == (bug.rule, bug.path, bug.line)
    text = f"{finding.message}; {finding.help}"
    return here and all(word in text for word in bug.words)


def warnings_and_errors(findings: Sequence[Finding]) -> list[Finding]:
    return [found for found in findings if found.severity > Severity.INFO]


@pytest.mark.parametrize("bug", BUGS, ids=names(BUGS))
def test_bug_is_found_at_its_position(bug: Bug) -> None:
    findings = findings_in(bug.files, bug)
    expected = bug.undecidable is None and bug.name not in missed()
    assert any(is_expected(bug, found) for found in findings) == expected, describe(findings)
    unexpected = [
        found
        for found in warnings_and_errors(findings)
        if not is_expected(bug, found) and found.rule not in bug.also
    ]
    assert describe(unexpected) == []


@pytest.mark.parametrize("bug", REPAIRED, ids=names(REPAIRED))
def test_repaired_package_has_no_findings(bug: Bug) -> None:
    assert bug.repaired is not None
    assert describe(warnings_and_errors(findings_in(bug.repaired, bug))) == []


def test_each_bug_has_its_own_thread() -> None:
    assert len({bug.source for bug in BUGS}) == len(BUGS)


def test_missed_bugs_are_decidable() -> None:
    assert set(missed()) <= set(names(DECIDABLE))


def test_nine_of_ten_bugs_are_found() -> None:
    assert 10 * len(missed()) <= len(DECIDABLE)
