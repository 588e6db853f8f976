"""Suppresses the findings of an extension: with comments, and with entries of its configuration."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from extlint.checking.fix_rounds import NotWrittenError, apply_fixes, write_changes
from extlint.checking.output_file import OutputFile
from extlint.finding import Finding, Fix
from extlint.linting.configuration.configuration import PerFileIgnore
from extlint.linting.configuration.entries import entry_of
from extlint.linting.configuration.insertion import with_ignores
from extlint.linting.configuration.project_file import Configurations, display_name
from extlint.linting.configuration.source import FORMS, Source, source_at
from extlint.linting.configuration.usage_error import Place, UsageError
from extlint.linting.suppression.ignores import suppressing_edits, without_ignored
from extlint.package.disk import is_below, read_file
from extlint.package.files import Package, UnreadableError
from extlint.package.suffixes import COMMENTABLE, has_suffix
from extlint.registry import INCOMPLETE_ANALYSIS, UNUSED_SUPPRESSION
from extlint.report.report import Report
from extlint.text.json.reader import read_json
from extlint.text.json.values import JsonNode
from extlint.text.patterns import lazy
from extlint.text.positions import TextIndex, decode

_UNSUPPRESSED = (INCOMPLETE_ANALYSIS, UNUSED_SUPPRESSION)
"""The rules that report nothing that the author could leave as it is."""

_SPECIAL = lazy(r"[*?\[\]\\#!]|\s(?=\Z)|\A\s")


class Ignoring(Struct, frozen=True):
    """Adds suppressions for the findings of a package. `config` is the configuration of all extensions."""

    reason: str
    config: str | None
    is_dry: bool = False
    is_filter: bool = False

    def __call__(
        self, package: Package, report: Report, check: Callable[[Package], Report]
    ) -> tuple[Report, Sequence[str]]:
        """Returns the report of the remaining findings, and a sentence for an error.

        `report` is the result of `check` for the package.
        """
        if not report.findings:
            return report, ()
        if package.packed:
            return report, (f"cannot add comments to {package.name}: files in archives are not changed",)
        commented = self._with_comments(package, report, check)
        try:
            write_changes(package, commented.changes)
        except NotWrittenError as error:
            return report, (str(error),)
        changed = tuple(each.path for each in commented.changes)
        commented = replace(commented, changes=(), ignored_in=changed)
        try:
            return self._with_entries(package, commented), ()
        except (UnreadableError, UsageError) as error:
            return commented, (str(error),)

    def _with_comments(self, package: Package, report: Report, check: Callable[[Package], Report]) -> Report:
        """Returns the report after comments, as changes of files, without comments that do not help."""
        own: dict[Finding, Fix | None] = {}

        def with_comments(found: Report) -> Report:
            findings = tuple(replace(each, fix=None) for each in found.findings)
            own.update(zip(findings, (each.fix for each in found.findings), strict=True))
            return replace(found, findings=tuple(_suppressible(found.package, findings, self.reason)))

        done = apply_fixes(
            package, with_comments(report), lambda files: with_comments(check(files)), unsafe=False
        )
        findings = (replace(each, fix=None) for each in done.findings)
        return replace(
            done,
            findings=tuple(replace(each, fix=own.get(each)) for each in findings),
            fixed=0,
            fixed_later=0,
            unfixed=0,
            ignored=done.fixed,
        )

    def _with_entries(self, package: Package, report: Report) -> Report:
        """Returns the report after entries for findings in files without comments, which are written."""
        ignores: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for finding in report.findings:
            pattern = _pattern(report.package, finding)
            if pattern is not None:
                ignores[pattern][finding.rule] = None
        if not ignores:
            return report
        source, present = self._configuration(package)
        rules = {
            pattern: tuple(dict.fromkeys((*present.get(pattern, ()), *names)))
            for pattern, names in ignores.items()
        }
        data = read_file(source.path, source.display_path) if os.path.lexists(source.path) else b""
        new = with_ignores(source, data, rules, self.reason)
        OutputFile(source.path).write(new.decode())
        remaining = without_ignored(report.findings, report.package, tuple(_entries(rules)))
        count = len(report.findings) - len(remaining)
        return replace(
            report,
            findings=remaining,
            suppressed=report.suppressed + count,
            ignored=report.ignored + count,
            ignored_in=(*report.ignored_in, os.path.relpath(source.path, package.name or ".")),
        )

    def _configuration(self, package: Package) -> tuple[Source, Mapping[str, Sequence[str]]]:
        """Returns the file that has or receives the configuration of a package, and the rules of its entries.

        Raises UnreadableError if entries there would not apply to the package.
        """
        configuration = Configurations(self.config).of(package.name)
        if not configuration.file:
            here, folder = os.getcwd(), os.path.abspath(package.name or ".")
            top = here if is_below(folder, here + os.sep) or folder == here else folder
            return Source(top, display_name(package.name or ".", top), FORMS[0]), {}
        entry = entry_of(configuration, package.name, package.manifest_path)
        if entry is not None and entry.configuration.per_file_ignores:
            raise UnreadableError(
                f"cannot add per-file-ignores to {configuration.file}: an [[extension]] entry replaces them"
            )
        source = source_at(os.path.join(configuration.folder, os.path.basename(configuration.file)))
        source = replace(source, display_folder=os.path.dirname(configuration.file))
        return source, {each.pattern: each.rules for each in configuration.per_file_ignores}


def _suppressible(package: Package, findings: Iterable[Finding], reason: str) -> Iterator[Finding]:
    """Yields findings, with a fix that suppresses them by a comment if that is possible."""
    by_path: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_path[finding.path].append(finding)
    for path, found in by_path.items():
        if not has_suffix(path, COMMENTABLE) or path not in package:
            yield from found
            continue
        rules_by_line: defaultdict[int, dict[str, None]] = defaultdict(dict)
        for each in found:
            if each.rule not in _UNSUPPRESSED:
                rules_by_line[each.span.start.line][each.rule] = None
        rules = {line: tuple(names) for line, names in rules_by_line.items()}
        edits = suppressing_edits(decode(package.peek(path)), path, rules, reason)
        for each in found:
            edit = None if each.rule in _UNSUPPRESSED else edits.get(each.span.start.line)
            yield each if edit is None else replace(each, fix=Fix(True, (edit,), "Suppress it"))


def _pattern(package: Package, finding: Finding) -> str | None:
    """Returns the key of `per-file-ignores` for a finding in a file without comments, or None."""
    path = finding.path
    if finding.rule in _UNSUPPRESSED or path.startswith("../") or has_suffix(path, COMMENTABLE):
        return None
    is_ambiguous = any(each.endswith(f"/{path}") for each in package.paths)
    glob = f"{'/' if is_ambiguous else ''}{_SPECIAL.sub('?', path)}"
    if path not in package or not has_suffix(path, (".json",)):
        return glob
    data = decode(package.read(path))
    root = read_json(data, trailing_commas=True).root
    if root is None:
        return glob
    pointer = "".join(f"/{each}" for each in _steps(root, TextIndex(data).offset(finding.span.start)))
    return f"{glob}#{pointer}" if pointer else glob


def _steps(node: JsonNode, offset: int) -> Iterator[str]:
    """Yields the steps to the innermost value that contains an offset, or whose key does."""
    if isinstance(node.value, dict):
        for name, member in node.value.items():
            if member.key[0] <= offset < member.node.span[1]:
                yield name.replace("~", "~0").replace("/", "~1")
                yield from _steps(member.node, offset)
                return
    for index, item in enumerate(node.items()):
        if item.span[0] <= offset < item.span[1]:
            yield str(index)
            yield from _steps(item, offset)
            return


def _entries(rules: Mapping[str, Sequence[str]]) -> Iterator[PerFileIgnore]:
    from extlint.linting.configuration.keys import KEYS

    yield from KEYS["per-file-ignores"].kind.read(
        {name: list(each) for name, each in rules.items()}, Place("")
    )


def reason_of(text: str) -> str:
    """Returns the reason for suppressions. Raises UsageError for a text that no comment can contain."""
    reason = " ".join(text.split())
    if not reason or not reason.isprintable():
        raise UsageError("--add-ignores requires a reason")
    for end in ("*/", "-->"):
        if end in reason:
            raise UsageError(f"the reason of --add-ignores must not contain {end}, which ends a comment")
    return reason
