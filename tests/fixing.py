"""Fixes packages given as tables of files, and checks the invariants of all fixes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness import Files
from packages import package_of

from extlint.checker import check_package
from extlint.checking.fixes.rounds import apply_fixes
from extlint.package.files import Package
from extlint.registry import RULES
from extlint.report.report import Report
from extlint.schema.targets.request import target_of


def checker_for(target: str, select: Sequence[str] | None) -> Callable[[Package], Report]:
    rules = tuple(RULES if select is None else select)
    targets = [found for each in target.split(",") if (found := target_of(each)) is not None]
    return lambda package: check_package(package, targets, rules)


def fixed(
    files: Files, target: str = "reference", *, unsafe: bool = False, select: Sequence[str] | None = None
) -> dict[str, str]:
    """Returns the files that fixes change, with their new contents. A second run must not change them
    again.
    """
    check = checker_for(target, select)
    package = package_of(files)
    report = apply_fixes(package, check(package), check, unsafe=unsafe)
    changed_files = {each.path: each.after for each in report.changes}
    again = package_of({**files, **changed_files})
    second = apply_fixes(again, check(again), check, unsafe=unsafe)
    assert not second.changes, "a second run changes nothing"
    assert second.findings == report.findings, "what remains is what is found then"
    return {path: data.decode() for path, data in changed_files.items()}
