"""Fixes the findings of an extension until no fixes remain, and writes the changed files.

The findings that fixes remove are counted, by whether they existed before the first fix.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from extlint.checking.fix_composition import ChangedPackage, Composition, compose_fixes
from extlint.finding import Finding
from extlint.package.disk import is_below, read_file
from extlint.package.files import Package, UnreadableError, path_below
from extlint.processes.resources import run_on_stop
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


class NotWrittenError(Exception):
    """The reason why files were not changed; the text is one sentence for the user."""


class _Prepared(Struct):
    """A temporary file with a new text, next to the file that it replaces."""

    name: str
    temporary: Path
    file: Path


def write_changes(package: Package, changes: Sequence[Change]) -> None:
    """Writes the changes of a package's files. Raises NotWrittenError if not all of them could be written.

    All new texts are on the disk before the first file is replaced, so nothing is changed if one cannot
    be written. A file keeps its permissions; a link to it remains a link. A file that was changed
    since it was checked is left unchanged, and so is one outside of the extension's folder.
    """
    if not changes:
        return
    root = Path(package.name or ".")
    if not root.is_dir():
        raise NotWrittenError(f"cannot fix {package.name}: files in archives are not changed")
    prepared: list[_Prepared] = []

    def forget() -> None:
        for each in prepared:
            with suppress(OSError):
                each.temporary.unlink(missing_ok=True)

    with run_on_stop(forget):
        try:
            for change in changes:
                is_manifest = change.path in (package.manifest_path, *package.variants)
                may_be_outside = is_manifest or change.path.startswith("../")
                prepared.append(_prepare(root, change, path_below(package.name, change.path), may_be_outside))
            for each in prepared:
                try:
                    each.temporary.replace(each.file)
                except OSError as error:
                    raise _failure(each.name, error) from None
        finally:
            forget()


def _prepare(root: Path, change: Change, name: str, may_be_outside: bool) -> _Prepared:
    """Writes a new text next to its file. Raises NotWrittenError.

    Only a manifest, and a source of a folder that a build copies, `may_be_outside` of the extension's folder.
    """
    try:
        file = (root / change.path).resolve(strict=True)
        if not may_be_outside and not is_below(str(file), str(root.resolve()).rstrip(os.sep) + os.sep):
            raise NotWrittenError(
                f"cannot fix {name}: it is a link to a file outside of the extension's folder"
            )
        if read_file(str(file), name) != change.before:
            raise NotWrittenError(f"cannot fix {name}: it was changed while it was checked")
        file.open("r+b").close()
        temporary = file.with_name(f".extlint-{os.urandom(4).hex()}.tmp")
        try:
            with temporary.open("xb") as stream:
                stream.write(change.after)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.chmod(file.stat().st_mode & 0o7777)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    except UnreadableError as error:
        raise NotWrittenError(str(error)) from None
    except OSError as error:
        raise _failure(name, error) from None
    return _Prepared(name, temporary, file)


def _failure(name: str, error: OSError) -> NotWrittenError:
    return NotWrittenError(f"cannot write {name}: {(error.strerror or str(error)).lower()}")
