"""The results of a check. They have the members of the JSON of `extlint check`, with the same names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.json import Decoder, decode, encode
from msgspec.structs import replace

from extlint.package.files import path_below

Target: TypeAlias = Literal["reference", "firefox", "chrome", "firefox_android", "edge", "safari"]
"""The name of a target: a browser, or `reference`, the specification that browsers have in common."""

Severity: TypeAlias = Literal["error", "warning", "info"]
"""The severity of a finding."""


class Position(Struct, frozen=True):
    """A position in a text."""

    line: int
    """The line, counted from 1. Lines end at LF, CRLF or a lone CR."""
    column: int
    """The column, counted from 1, in Unicode code points."""


class Related(Struct, frozen=True):
    """A second location that explains a finding."""

    path: str
    """The file, relative to the extension's root, with `/` between the parts."""
    start: Position
    """The first position."""
    end: Position
    """The position after the last one."""
    message: str
    """The explanation."""


class Edit(Struct, frozen=True):
    """A change of a file: `text` replaces the part from `start` to `end`. It may be empty."""

    path: str
    """The file, relative to the extension's root, with `/` between the parts."""
    start: Position
    """The first position that is replaced."""
    end: Position
    """The position after the last one."""
    text: str
    """The new text, with the line ends of the file."""


class Fix(Struct, frozen=True):
    """A fix of a mistake: edits that are applied all or not at all."""

    safe: bool
    """Whether the fix certainly does what the author meant, and nothing else. Review others."""
    message: str
    """A description of the edits, as an imperative sentence without a period."""
    edits: tuple[Edit, ...]
    """The edits, which do not overlap. Their positions are those before any of them is applied."""


class Finding(Struct, frozen=True):
    """One mistake at one location of one extension."""

    rule: str
    """The name of the rule. `extlint rule NAME` explains it."""
    severity: Severity
    """The severity, which a configuration may have changed."""
    message: str
    """The mistake, in one sentence."""
    path: str
    """The file, relative to the extension's root, with `/` between the parts."""
    start: Position
    """The first position."""
    end: Position
    """The position after the last one."""
    extension: str
    """The path of the extension's folder or archive; see `Extension.path`."""
    api: str | None
    """The member of the API that the finding is about (`tabs.query`), if any."""
    targets: tuple[Target, ...]
    """The targets in which it is a mistake."""
    related: tuple[Related, ...]
    """Other locations that explain it."""
    help: str | None
    """A suggestion, if there is one."""
    fix: Fix | None
    """A fix, if there is one. In an archive, `extlint check --fix` does not apply it."""
    url: str
    """The address of the rule's page."""

    @property
    def file(self) -> str:
        """The path of the file as a program can open it: below that of the extension's folder or archive."""
        return path_below(self.extension, self.path)


class UncheckedCode(Struct, frozen=True):
    """Code of an extension that was not checked, or only in part."""

    reason: str
    """`unbuilt`, `template`, `invalid`, `replaced`, `generated`, `unresolved` or `unconnected`."""
    names: tuple[str, ...]
    """The files, or other names, that it is about."""
    sources: Mapping[str, str]
    """The sources that were checked in place of files that are not built."""
    message: str
    """The reason and the remedy, in one sentence."""


class Extension(Struct, frozen=True):
    """An extension that was checked."""

    path: str
    """Its folder or archive, relative to the current folder if the path of the check is."""
    targets: tuple[Target, ...]
    """The targets for which it was checked."""
    targets_from: str
    """The origin of the targets, as a word: `option`, `configuration`, `manifest` or others."""
    files: int
    """The number of its files that were examined."""
    incomplete: int
    """The number of files that were analyzed only in part."""
    only_in: Mapping[str, int]
    """For the target `reference`: the number of findings that only one browser has, by browser."""
    unbuilt: tuple[str, ...]
    """The files that the manifest names and a build has yet to make."""
    unchecked: tuple[UncheckedCode, ...]
    """The code that was not checked."""
    broken: tuple[str, ...] = ()
    """The files with findings that may hide others, to be fixed first."""


class Skipped(Struct, frozen=True):
    """An extension in a folder that was not checked."""

    path: str
    """Its folder or manifest."""
    reason: str
    """The reason, as a word: `gitignore`, `exclude`, `target`, `name` or `copy`."""


class UnusedEntry(Struct, frozen=True):
    """An entry of a configuration that matches nothing."""

    path: str
    """The file of the configuration."""
    start: Position
    """The position of the entry."""
    message: str
    """The reason why it is unnecessary, in one sentence."""


class BaselineCounts(Struct, frozen=True):
    """The use of a baseline."""

    suppressed: int
    """The number of findings that are in the baseline, and so not in the report."""
    fixed: int
    """The number of findings in the baseline that no longer occur."""


class Summary(Struct, frozen=True, omit_defaults=True):
    """The counts of a check."""

    extensions: int
    """The number of extensions that were checked."""
    files: int
    """The number of files that were examined."""
    errors: int
    """The number of findings of severity `error`."""
    warnings: int
    """The number of findings of severity `warning`."""
    infos: int
    """The number of findings of severity `info`."""
    suppressed: int
    """The number of findings that comments, the configuration or a baseline suppress."""
    fixed: int
    """The number of findings that `--fix` has fixed: 0, as the API changes no files."""
    fixed_later: int
    """The number of those that appeared only after other fixes."""
    unfixed: int
    """The number of findings whose fixes turned out to be useless."""
    fixable: int
    """The number of findings with a safe fix."""
    fixable_unsafely: int
    """The number of findings with another fix."""
    incomplete: int
    """The number of files that were analyzed only in part."""
    targets: tuple[Target, ...]
    """The targets of all extensions."""
    baseline: BaselineCounts | None = None
    """The use of a baseline, or None without one."""


class Report(Struct, frozen=True):
    """The result of a check."""

    version: int
    """The version of the JSON format: 1. New members do not count as a new version."""
    findings: tuple[Finding, ...]
    """The findings of all extensions: sorted by extension, file and position."""
    extensions: tuple[Extension, ...]
    """The extensions that were checked, sorted by path."""
    skipped: tuple[Skipped, ...]
    """The extensions that were skipped."""
    unused_entries: tuple[UnusedEntry, ...]
    """The entries of configurations that match nothing."""
    summary: Summary
    """The counts."""
    unchecked: tuple[str, ...] = ()
    """A sentence for each extension and each file that could not be checked. It is not part of the JSON."""
    fails: bool = False
    """Whether there is a finding at or above the fail level. It is not part of the JSON."""

    @property
    def exit_status(self) -> int:
        """The exit status of `extlint check`: 2 if something was not checked, 1 if the run fails, or 0."""
        return 2 if self.unchecked else int(self.fails)

    def to_dict(self) -> dict[str, Any]:
        """Returns the JSON of `extlint check --output-format json` as a new dictionary."""
        found: dict[str, Any] = decode(encode(self))
        del found["unchecked"], found["fails"]
        return found

    def to_json(self) -> str:
        """Returns the JSON of `extlint check --output-format json`: the same text, to the byte."""
        from extlint.report.formats.json_output import output_text

        return output_text(self.to_dict())


class Changes(Struct, frozen=True):
    """The result of a check by a `Session`, compared with the check before."""

    report: Report
    """The report of this check."""
    added: tuple[Finding, ...]
    """The findings that the report before did not have; at first, all."""
    removed: tuple[Finding, ...]
    """The findings of the report before that this one does not have."""


_decoder = Decoder(Report)


def report_of_json(text: str, unchecked: Sequence[str], *, fails: bool) -> Report:
    """Returns the report with a JSON text, and with what is not in it."""
    return replace(_decoder.decode(text), unchecked=tuple(unchecked), fails=fails)
