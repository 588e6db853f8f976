"""Fixes the findings of an extension, and checks the result again until no fixes remain.

The findings that fixes remove are counted, by whether they existed before the first fix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from extlint.checking.fix_composition import ChangedPackage, Composition, compose_fixes
from extlint.finding import Finding
from extlint.package.files import Package
from extlint.registry import UNREADABLE
from extlint.report.report import Change, Report
from extlint.text.positions import Position


class Tally:
    """The fate of the findings that had a fix at first, and the number of others that were fixed.

    A fix moves the text after it, and changes messages with it. Findings of one rule in one file are counted,
    but not identified.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._remaining = _counted(findings)
        self.fixed = 0
        self.fixed_later = 0

    def count_fixed(self, findings: Iterable[Finding]) -> None:
        """Counts findings whose fixes were applied. Those that did not exist at first appeared later."""
        found = _counted(findings)
        self.fixed += found.total()
        self.fixed_later += (found - self._remaining).total()
        self._remaining -= found

    def count_disappeared(self, remaining: Iterable[Finding]) -> None:
        """Counts initial findings that the fixes of others removed; the `remaining` ones still have a fix."""
        self.fixed += (self._remaining - _counted(remaining)).total()


def _counted(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    return Counter((each.rule, each.path) for each in findings)


MAX_ROUNDS = 20
"""The maximum number of repeated checks. A round applies all fixes that do not change the same text."""

_Key: TypeAlias = tuple[str, str, Position, str]
"""The key of a finding: rule, path, position and message."""


def apply_fixes(
    package: Package,
    report: Report,
    check: Callable[[Package], Report],
    *,
    unsafe: bool,
    only: str | None = None,
) -> Report:
    """Returns the report of the remaining findings after fixes of a package, with the changes of its files.

    `report` is the result of `check` for the package. Unsafe fixes are applied only if `unsafe`. Of those
    that change the same text the first is applied, and the others in the next round to its result. A fix that
    breaks a file, or does not remove its finding, is not applied, and the finding then has no fix. With
    `only` no other file may change. No file is written.
    """
    contents: Mapping[str, bytes] = {}
    states = [contents]
    useless: set[_Key] = set()
    tally = Tally(each for each in report.findings if _is_requested(each, unsafe, only))
    for _ in range(MAX_ROUNDS):
        fixes = [each for each in report.findings if _is_requested(each, unsafe, only)]
        applied = compose_fixes(
            ChangedPackage(package, contents), (each for each in fixes if _key(each) not in useless)
        )
        new_contents = _changed(package, {**contents, **applied.contents})
        if new_contents in states:
            break
        after = check(ChangedPackage(package, new_contents))
        failed = list(_failed_fixes(applied, report.findings, after.findings))
        useless.update(failed)
        if not failed:
            states.append(new_contents)
            tally.count_fixed(applied.findings)
            report, contents = after, new_contents
    else:
        fixes = [each for each in fixes if _key(each) in useless]
    tally.count_disappeared(each for each in report.findings if _is_requested(each, unsafe, only))
    failing = set(map(_key, fixes))
    changes = (Change(path, package.peek(path), data) for path, data in sorted(contents.items()))
    return replace(
        report,
        findings=tuple(
            replace(each, fix=None) if _key(each) in failing else each for each in report.findings
        ),
        changes=tuple(changes),
        fixed=tally.fixed,
        fixed_later=tally.fixed_later,
        unfixed=len(fixes),
    )


def _changed(package: Package, contents: Mapping[str, bytes]) -> Mapping[str, bytes]:
    return {path: data for path, data in contents.items() if data != package.peek(path)}


def _is_requested(finding: Finding, unsafe: bool, only: str | None) -> bool:
    fix = finding.fix
    return (
        fix is not None
        and (fix.safe or unsafe)
        and (only is None or all(each.path == only for each in fix.edits))
    )


def _key(finding: Finding) -> _Key:
    return finding.rule, finding.path, finding.span.start, finding.message


def _failed_fixes(
    applied: Composition, before: Sequence[Finding], after: Sequence[Finding]
) -> Iterator[_Key]:
    """Yields the findings whose fixes did not remove them, or made a file unreadable."""
    had, has = (Counter(map(_key, findings)) for findings in (before, after))
    unreadable = {each.path for each in before if each.rule in UNREADABLE}
    broken = {each.path for each in after if each.rule in UNREADABLE} - unreadable
    for finding in applied.findings:
        key = _key(finding)
        edits = () if finding.fix is None else finding.fix.edits
        if has[key] >= had[key] or any(edit.path in broken for edit in edits):
            yield key
