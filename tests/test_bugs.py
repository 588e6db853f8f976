"""Bugs from public threads: each is found at its position, and the repaired package has no findings."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from bug_cases import Bug, Files, bugs, missed
from harness import lint

from extlint.finding import Finding, Severity
from extlint.registry import RULES

BUGS = bugs()
CHECKED = [name for name, rule in RULES.items() if not rule.group.only_packed or name == "misplaced-manifest"]
"""The rules that run on a folder, and the one about archives."""

REPAIRED = [bug for bug in BUGS if bug.repaired is not None]
DECIDABLE = [bug for bug in BUGS if bug.undecidable is None]


def names(chosen: Sequence[Bug]) -> list[str]:
    return [bug.name for bug in chosen]


def found_in(files: Files, bug: Bug) -> list[Finding]:
    """Returns the findings of the rules for folders and of the bug's own rule."""
    also = [bug.rule] if bug.rule in RULES and bug.rule not in CHECKED else []
    return lint(files, [*CHECKED, *also], bug.target)


def said(findings: Sequence[Finding]) -> list[str]:
    return [f"{found.path}:{found.span.start.line} {found.rule}: {found.message}" for found in findings]


def is_of(bug: Bug, finding: Finding) -> bool:
    """Whether a finding is the one the bug expects: its rule, its line, and its words."""
    here = (finding.rule, finding.path, finding.span.start.line) == (bug.rule, bug.path, bug.line)
    text = f"{finding.message}; {finding.help}"
    return here and all(word in text for word in bug.words)


def reds(findings: Sequence[Finding]) -> list[Finding]:
    return [found for found in findings if found.severity > Severity.INFO]


@pytest.mark.parametrize("bug", BUGS, ids=names(BUGS))
def test_a_bug_is_found_where_it_is(bug: Bug) -> None:
    findings = found_in(bug.files, bug)
    expected = bug.undecidable is None and bug.name not in missed()
    assert any(is_of(bug, found) for found in findings) == expected, said(findings)
    others = [found for found in reds(findings) if not is_of(bug, found) and found.rule not in bug.also]
    assert said(others) == []


@pytest.mark.parametrize("bug", REPAIRED, ids=names(REPAIRED))
def test_nothing_is_said_of_the_repaired_package(bug: Bug) -> None:
    assert bug.repaired is not None
    assert said(reds(found_in(bug.repaired, bug))) == []


def test_no_thread_is_used_twice() -> None:
    assert len({bug.source for bug in BUGS}) == len(BUGS)


def test_what_is_missed_is_decidable() -> None:
    assert set(missed()) <= set(names(DECIDABLE))


def test_nine_of_ten_are_found() -> None:
    assert 10 * len(missed()) <= len(DECIDABLE)
