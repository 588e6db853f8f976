"""The results of a run: a report for each extension, and the counts of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from posixpath import normpath
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from extlint.finding import Finding, Fix, Severity
from extlint.package.discovery.scope import Skipped
from extlint.package.files import Package, path_below
from extlint.project.target_detection.choice import Choice, Origin
from extlint.registry import UNREADABLE
from extlint.schema.targets import BROWSERS
from extlint.text.positions import Position

if TYPE_CHECKING:
    from extlint.linting.suppression.comment import Comment
    from extlint.linting.unchecked_code import UncheckedCode


_RULES_OF_UNCLEAR_MANIFESTS = ("invalid-value", "missing-key")


class Change(Struct, frozen=True):
    """The change that fixes made to a file: its bytes before and after."""

    path: str
    before: bytes
    after: bytes


class Report(Struct, frozen=True):
    """The report of one extension: its findings in order, and how many of its files were examined.

    `choice` has the targets for which it was checked. `unreadable` has one sentence for each file that could
    not be read. `incomplete` counts the files that were analyzed only in part. A finding of severity
    `fail_level` or worse fails the run. `comments` are those that suppress findings, and `suppressed` counts
    the suppressed findings, by comments or otherwise. `fixed` counts the findings that the `changes` of files
    removed; of these, `fixed_later` appeared only after other fixes. `unfixed` counts those whose fixes
    turned out to be useless, or to break a file. `unchecked_code` has the code that was not checked.
    `baseline` is the user's name for the baseline that suppresses `in_baseline` of the findings, and has
    `outdated` other entries, which are no longer found. `only_in` are the findings that the target
    `reference` does not report because only one browser has them, each with the target that reports it.
    `unchanged` counts the findings that were left out because their lines did not change. The
    `unclear_manifests` do not state their version, or contain something else than an object. `ignored` counts
    the findings for which comments or entries were added to the files `ignored_in`. `newer` has the browsers
    whose oldest supported version is newer than the facts about the browser, with that version.
    """

    package: Package
    findings: tuple[Finding, ...]
    files: int
    choice: Choice
    unreadable: tuple[str, ...] = ()
    incomplete: int = 0
    fail_level: Severity = Severity.ERROR
    comments: tuple[Comment, ...] = ()
    suppressed: int = 0
    fixed: int = 0
    fixed_later: int = 0
    unfixed: int = 0
    changes: tuple[Change, ...] = ()
    unchecked_code: tuple[UncheckedCode, ...] = ()
    baseline: str | None = None
    in_baseline: int = 0
    outdated: int = 0
    only_in: tuple[Finding, ...] = ()
    unchanged: int = 0
    unclear_manifests: tuple[str, ...] = ()
    ignored: int = 0
    ignored_in: tuple[str, ...] = ()
    newer: tuple[tuple[str, int], ...] = ()

    @property
    def broken_files(self) -> tuple[str, ...]:
        """The files with findings that may hide others: they cannot be read as browsers read them."""
        return tuple(
            dict.fromkeys(
                each.path
                for each in self.findings
                if each.rule in UNREADABLE
                or (each.path in self.unclear_manifests and each.rule in _RULES_OF_UNCLEAR_MANIFESTS)
            )
        )

    @property
    def runs_nowhere(self) -> bool:
        """Whether each browser has an error that the target `reference` does not report."""
        errors = [each for each in self.only_in if each.severity is Severity.ERROR]
        return len({target for each in errors for target in each.targets}) == len(BROWSERS)

    @property
    def fails(self) -> bool:
        """Whether a finding fails the run."""
        return any(finding.severity >= self.fail_level for finding in self.findings)


class IdleEntry(Struct, frozen=True):
    """A configuration entry that matches nothing: the file as users call it, the position, and a sentence."""

    file: str
    position: Position
    sentence: str


class CheckedExtension(Struct, frozen=True):
    """The part of a `Report` that is stored after the findings of an extension are written.

    `only_in` counts the findings that only one browser has, by target. `runs_nowhere` is true if these
    include an error of each browser. `broken_files` are those whose findings may hide others.
    """

    path: str
    targets: tuple[str, ...]
    origin: Origin
    reason: str
    files: int
    incomplete: int = 0
    unchecked_code: tuple[UncheckedCode, ...] = ()
    only_in: Mapping[str, int] = field(default_factory=dict)
    runs_nowhere: bool = False
    broken_files: tuple[str, ...] = ()


class Summary(Struct, eq=False):
    """Counts over all extensions of a run, and the extensions in the order in which they were checked.

    `fixed`, `fixed_later` and `unfixed` are as in `Report`. `fixable` counts the remaining findings with a
    safe fix, and `fixable_unsafely` those with another fix; findings in archives, which are not changed, are
    not fixable. `unchecked` has a sentence for each package or file that could not be checked. For each
    baseline, `in_baseline` counts the findings that it suppresses, `outdated` its entries without a finding,
    and `written` the findings that were written to it. `unchanged`, `ignored`, `ignored_in` and
    `newer` are as in `Report`. `idle` are the configuration entries that match nothing.
    """

    checked: list[CheckedExtension] = field(default_factory=list)
    files: int = 0
    incomplete: int = 0
    suppressed: int = 0
    fixed: int = 0
    fixed_later: int = 0
    unfixed: int = 0
    fixable: int = 0
    fixable_unsafely: int = 0
    severities: Counter[Severity] = field(default_factory=Counter)
    rules: Counter[tuple[str, Severity]] = field(default_factory=Counter)
    unchecked: list[str] = field(default_factory=list)
    in_baseline: Counter[str] = field(default_factory=Counter)
    outdated: Counter[str] = field(default_factory=Counter)
    written: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    idle: Sequence[IdleEntry] = ()
    unchanged: int = 0
    ignored: int = 0
    ignored_in: list[str] = field(default_factory=list)
    newer: dict[str, int] = field(default_factory=dict)

    def add(self, report: Report) -> None:
        """Adds the report of an extension to the counts."""
        choice = report.choice
        name = report.package.name
        self.checked.append(
            CheckedExtension(
                name,
                choice.names,
                choice.origin,
                choice.reason,
                report.files,
                report.incomplete,
                report.unchecked_code,
                Counter(target for each in report.only_in for target in each.targets),
                report.runs_nowhere,
                report.broken_files,
            )
        )
        self.files += report.files
        self.incomplete += report.incomplete
        self.suppressed += report.suppressed
        self.fixed += report.fixed
        self.fixed_later += report.fixed_later
        self.unfixed += report.unfixed
        self.unchanged += report.unchanged
        self._add_newer(dict(report.newer))
        self.ignored += report.ignored
        self.ignored_in += [path_below(name, path) for path in report.ignored_in]
        if report.baseline is not None:
            self.in_baseline[report.baseline] += report.in_baseline
            self.outdated[report.baseline] += report.outdated
        fixes = [
            fix for finding in report.findings if (fix := possible_fix(finding, report.package)) is not None
        ]
        safe = sum(fix.safe for fix in fixes)
        self.fixable += safe
        self.fixable_unsafely += len(fixes) - safe
        self.severities.update(finding.severity for finding in report.findings)
        self.rules.update((finding.rule, finding.severity) for finding in report.findings)

    def record_skipped(self, skipped: Iterable[Skipped]) -> None:
        """Records the extensions that were skipped, except those that were checked anyway."""
        checked = {each.path for each in self.checked}
        left_out = {each.path: each for each in skipped if each.path not in checked}
        self.skipped = [left_out[path] for path in sorted(left_out)]

    def merge(self, other: Summary) -> None:
        """Adds the counts of another summary."""
        self.checked += other.checked
        self.files += other.files
        self.incomplete += other.incomplete
        self.suppressed += other.suppressed
        self.fixed += other.fixed
        self.fixed_later += other.fixed_later
        self.unfixed += other.unfixed
        self.unchanged += other.unchanged
        self._add_newer(other.newer)
        self.ignored += other.ignored
        self.ignored_in += other.ignored_in
        self.fixable += other.fixable
        self.fixable_unsafely += other.fixable_unsafely
        self.severities += other.severities
        self.rules += other.rules
        self.unchecked += other.unchecked
        self.in_baseline.update(other.in_baseline)
        self.outdated.update(other.outdated)

    def _add_newer(self, other: Mapping[str, int]) -> None:
        for name, version in other.items():
            self.newer[name] = max(version, self.newer.get(name, 0))

    @property
    def extensions(self) -> int:
        """The number of extensions."""
        return len(self.checked)

    @property
    def by_path(self) -> list[CheckedExtension]:
        """The extensions in output order, each without code whose build output is another of them."""
        outputs = {normpath(each.path) for each in self.checked}
        found = sorted(self.checked, key=lambda each: each.path)
        return [
            replace(
                each, unchecked_code=tuple(code for code in each.unchecked_code if code.output not in outputs)
            )
            if each.unchecked_code
            else each
            for each in found
        ]

    @property
    def targets(self) -> list[str]:
        """The targets of all extensions, sorted."""
        return sorted({target for each in self.checked for target in each.targets})

    @property
    def findings(self) -> int:
        """The number of findings, of any severity."""
        return self.severities.total()


def possible_fix(finding: Finding, package: Package) -> Fix | None:
    """Returns the fix of a finding, or None in an archive, which is not changed."""
    return None if package.packed else finding.fix


def target_suffix(finding: Finding, targets: frozenset[str]) -> str:
    """Returns the targets of a finding, in parentheses.

    Returns an empty string if it concerns all targets of its extension.
    """
    return "" if targets <= {*finding.targets} else f" ({', '.join(finding.targets)})"


def full_message(finding: Finding, targets: frozenset[str]) -> str:
    """Returns the message of a finding, its targets, and the help."""
    message = f"{finding.message}{target_suffix(finding, targets)}"
    return message if finding.help is None else f"{message}; help: {finding.help}"
