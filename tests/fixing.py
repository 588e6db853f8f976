"""Fixes packages given as tables of files, and checks the invariants of all fixes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from harness import Files
from packages import package_of

from extlint.checker import check_package
from extlint.checking.fix_rounds import apply_fixes
from extlint.finding import Finding
from extlint.package.files import Package
from extlint.registry import RULES
from extlint.report.report import Report
from extlint.schema.targets import target_of


def checker_for(target: str, select: Sequence[str] | None) -> Callable[[Package], Report]:
    rules = tuple(RULES if select is None else select)
    targets = [found for each in target.split(",") if (found := target_of(each)) is not None]
    return lambda package: check_package(package, targets, rules)


class Fixed(NamedTuple):
    """The findings before the fixes, those that remain, and the changed files."""

    before: Sequence[Finding]
    remaining: Sequence[Finding]
    files: dict[str, str]


def with_fixes(
    files: Files, target: str = "reference", *, unsafe: bool = False, select: Sequence[str] | None = None
) -> Fixed:
    """Applies the fixes of a package. A second run must not change its files again."""
    check = checker_for(target, select)
    package = package_of(files)
    first = check(package)
    report = apply_fixes(package, first, check, unsafe=unsafe)
    changed_files = {each.path: each.after for each in report.changes}
    if changed_files:
        again = package_of({**files, **changed_files})
        second = apply_fixes(again, check(again), check, unsafe=unsafe)
        assert not second.changes, "a second run changes nothing"
        assert second.findings == report.findings, "what remains is what is found then"
    changes = {path: data.decode() for path, data in changed_files.items()}
    return Fixed(first.findings, report.findings, changes)


def fixed(
    files: Files, target: str = "reference", *, unsafe: bool = False, select: Sequence[str] | None = None
) -> dict[str, str]:
    """Returns the files that fixes change, with their new contents."""
    return with_fixes(files, target, unsafe=unsafe, select=select).files
