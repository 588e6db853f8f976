"""The closing lines of human-readable output: counts, and the targets that were checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from extlint.finding import Severity
from extlint.package.discovery.scope import SkippedBy
from extlint.package.files import path_below
from extlint.project.target_detection.choice import Origin
from extlint.registry import INCOMPLETE_ANALYSIS
from extlint.report.report import CheckedExtension, Summary
from extlint.report.terminal import Style
from extlint.report.visible import visible
from extlint.text.wording import counted, listed, listed_with_count
from extlint_schemas import date_of_facts, newest_releases

SEVERITY_NOUNS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


_ORIGIN_NOUNS = {
    Origin.MANIFEST: "manifests",
    Origin.SCRIPTS: "scripts",
    Origin.NAME: "names",
    Origin.PROJECT: "projects",
    Origin.CONFIGURATION: "configurations",
}
"""Nouns for the sources that determine the targets of several extensions."""

_NO_TARGET = "nothing names a target"
"""The reason for the default target of several extensions, some of them for Thunderbird."""


SAFE, UNSAFE = "[*]", "[~]"
"""The marks of findings that `--fix` fixes, and that it fixes only with `--unsafe-fixes`."""


def closing_lines(summary: Summary, style: Style, *, marked: bool = False) -> str:
    """Returns the counts, such as `Found 2 errors in 1 extension (4 files).`, and the checked targets.

    The next lines report how many findings were fixed, can be fixed, and were suppressed, if any were, which
    files to fix first, and which baselines were written, or have to be. For each choice of targets, a line
    gives the reason for it.
    The last lines report which extensions were not checked, how many files were analyzed in part, and the
    configuration entries that match nothing. `marked` is whether findings have marks, which the line about
    fixes explains.
    """
    groups = _groups(summary.by_path)
    lines = (_checked(each, is_only=len(groups) == 1) for each in groups)
    suppressed = f"{_suppressed(summary)}{''.join(_baselines(summary))}{_unchanged(summary)}"
    fixes = f"{_fixes(summary, style, marked=marked)}{_broken(summary, style)}"
    counts = f"{_findings(summary, style)}\n{fixes}{suppressed}"
    unchecked = f"{_unchecked_code(summary, style)}{_skipped(summary)}{_incomplete(summary, style)}"
    return f"{counts}{''.join(lines)}{_newer(summary, style)}{unchecked}{_idle(summary, style)}"


def _suppressed(summary: Summary) -> str:
    """Returns the lines about suppressed findings, and about new suppressions, or an empty string."""
    if not summary.suppressed:
        return ""
    added = ""
    if summary.ignored:
        files = visible(listed_with_count(list(dict.fromkeys(summary.ignored_in))))
        added = f"added suppressions of {counted(summary.ignored, 'finding')} to {files}\n"
    verb = "was" if summary.suppressed == 1 else "were"
    known = summary.in_baseline.total()
    by = f", {known} by the baseline" if known else ""
    if known == summary.suppressed:
        by = " by the baseline"
    return f"{added}{counted(summary.suppressed, 'finding')} {verb} suppressed{by}\n"


def _unchanged(summary: Summary) -> str:
    """Returns the line about findings on lines that did not change, or an empty string."""
    if not summary.unchanged:
        return ""
    verb, their = ("was", "its line") if summary.unchanged == 1 else ("were", "their lines")
    return f"{counted(summary.unchanged, 'finding')} {verb} left out, as {their} did not change\n"


def _baselines(summary: Summary) -> Iterator[str]:
    """Yields the lines about written baselines, and those with outdated entries that should be rewritten."""
    for name, count in sorted(summary.written.items()):
        yield visible(f"wrote {counted(count, 'finding')} to the baseline {name}") + "\n"
    for name, count in sorted(summary.outdated.items()):
        if count and name not in summary.written:
            verb = "is" if count == 1 else "are"
            what = f"{counted(count, 'finding')} of the baseline {name} {verb} no longer found"
            yield visible(f"{what}: write it again with --write-baseline") + "\n"


def _unchecked_code(summary: Summary, style: Style) -> str:
    """Returns the lines about code that was not checked."""
    if not any(each.unchecked_code for each in summary.checked):
        return ""
    from extlint.report.unchecked_lines import unchecked_lines

    return unchecked_lines(summary, style)


def _skipped(summary: Summary) -> str:
    """Returns the lines about ignored extensions, old copies, and manifests of an unknown purpose.

    Those that a configuration excludes are not mentioned.
    """
    ignored, copies, others = (
        [each.path for each in summary.skipped if each.by is by]
        for by in (SkippedBy.GIT, SkippedBy.COPY, SkippedBy.NAME)
    )
    lines = ""
    if ignored:
        them = "it" if len(ignored) == 1 else "them"
        lines = f"not checked, as Git ignores {them}: {visible(listed_with_count(ignored))}\n"
    if copies:
        are, which = ("is an old copy", "it") if len(copies) == 1 else ("are old copies", "one of them")
        named = visible(listed_with_count(copies))
        lines += f"not checked: {named} {are} of the extension; to check {which}, give its path\n"
    if others:
        manifests, which = ("manifest", "it") if len(others) == 1 else ("manifests", "one of them")
        named = visible(listed_with_count(others))
        lines += f"not checked: the {manifests} {named}; to check {which}, give its path\n"
    return lines


def _newer(summary: Summary, style: Style) -> str:
    """Returns the line about browsers that are newer than the facts about them, or an empty string."""
    if not summary.newer:
        return ""
    newest = newest_releases()
    known = listed([f"{name} {newest[name]}" for name in sorted(summary.newer)], "and")
    newer = listed([f"{name} {version}" for name, version in sorted(summary.newer.items())], "and")
    day = date_of_facts()
    return style("yellow", f"the facts of {day} describe browsers up to {known}, not {newer}") + (
        ": a newer extlint may find more\n"
    )


def _idle(summary: Summary, style: Style) -> str:
    """Returns the lines about configuration entries that match nothing."""
    return "".join(
        f"{visible(f'{each.file}:{each.position.line}:{each.position.column}')}: "
        f"{style('yellow', visible(each.sentence))}\n"
        for each in summary.idle
    )


def _fixes(summary: Summary, style: Style, *, marked: bool) -> str:
    """Returns the line about fixed or fixable findings, `2 can be fixed with --fix`, or an empty string."""
    sure, unsure = summary.fixable, summary.fixable_unsafely
    parts = [f"fixed {_fixed(summary)}"] if summary.fixed else []
    if summary.unfixed:
        parts.append(f"{summary.unfixed} could not be fixed")
    if sure:
        parts.append(f"{_mark(style, marked, SAFE)}{sure} can be fixed with --fix")
    if unsure:
        more = " more" if sure else ""
        parts.append(f"{_mark(style, marked, UNSAFE)}{unsure}{more} can be fixed with --fix --unsafe-fixes")
    return "; ".join(parts) + "\n" if parts else ""


def _broken(summary: Summary, style: Style) -> str:
    """Returns the line about files whose findings may hide others, or an empty string."""
    files = [path_below(each.path, name) for each in summary.by_path for name in each.broken_files]
    if not files:
        return ""
    named = style("yellow", visible(f"fix {listed_with_count(files)} first"))
    return f"{named}: the errors there may hide other findings\n"


def _mark(style: Style, marked: bool, mark: str) -> str:
    return f"{style('green', mark)} " if marked else ""


def diff_summary(summary: Summary) -> str:
    """Returns the closing line of `--diff`: `would fix 2 findings`."""
    count = _fixed(summary) if summary.fixed else "nothing"
    failed = f"; {summary.unfixed} could not be fixed" if summary.unfixed else ""
    rest = summary.fixable_unsafely
    return f"would fix {count}{failed}{f'; {rest} can be fixed with --unsafe-fixes' if rest else ''}\n"


def _fixed(summary: Summary) -> str:
    """Returns the number of fixed findings, and of those that appeared only after other fixes."""
    later = summary.fixed_later
    first = counted(summary.fixed - later, "finding")
    return f"{first}, and {later} more that appeared after that" if later else first


def _incomplete(summary: Summary, style: Style) -> str:
    """Returns the line about files that were analyzed only in part, or an empty string."""
    if not summary.incomplete:
        return ""
    verb, them = ("was", "it") if summary.incomplete == 1 else ("were", "them")
    is_reported = any(rule == INCOMPLETE_ANALYSIS for rule, _ in summary.rules)
    where = "" if is_reported else f" (the rule {INCOMPLETE_ANALYSIS} names {them})"
    number = style("yellow", counted(summary.incomplete, "file"))
    return f"{number} {verb} analyzed only in part, so mistakes in {them} may be missing{where}\n"


def _groups(extensions: Sequence[CheckedExtension]) -> list[list[CheckedExtension]]:
    """Returns the extensions grouped by the targets for which they were checked, the largest group first."""
    found: dict[tuple[str, ...], list[CheckedExtension]] = {}
    for each in extensions:
        found.setdefault(each.targets, []).append(each)
    return sorted(found.values(), key=lambda group: (-len(group), group[0].targets))


def _checked(group: Sequence[CheckedExtension], *, is_only: bool) -> str:
    """Returns a line such as `checked for chrome (3 extensions): the background is a service worker`."""
    subject = group[0].path if len(group) == 1 else counted(len(group), "extension")
    target_list = listed(group[0].targets, "and") if group[0].targets else "no target"
    where = "" if is_only else f" ({subject})"
    return visible(f"checked for {target_list}{where}: {_choice_reason(group)}{_only_in(group)}") + "\n"


def _only_in(group: Sequence[CheckedExtension]) -> str:
    """Returns how many findings only one browser has: `; --target chrome reports 2 more`, or nothing."""
    counts: Counter[str] = Counter()
    for each in group:
        counts.update(each.only_in)
    verb, more = " reports", " more"
    parts = []
    for target, count in sorted(counts.items()):
        option = target if target.isalpha() else f'"{target}"'
        parts.append(f"--target {option}{verb} {count}{more}")
        verb = more = ""
    return f"; {', '.join(parts)}" if parts else ""


def _choice_reason(group: Sequence[CheckedExtension]) -> str:
    if len({each.reason for each in group}) == 1:
        return group[0].reason
    nouns = [noun for origin, noun in _ORIGIN_NOUNS.items() if any(each.origin is origin for each in group)]
    return f"their {listed(nouns, 'or')} say so" if nouns else _NO_TARGET


def _findings(summary: Summary, style: Style) -> str:
    """Returns the number of findings: `Found 2 errors in 1 extension (4 files).`."""
    where = f"in {counted(summary.extensions, 'extension')} ({counted(summary.files, 'file')})."
    counts = [
        style.severity(severity, counted(summary.severities[severity], noun))
        for severity, noun in SEVERITY_NOUNS.items()
        if summary.severities[severity]
    ]
    if not counts:
        if any(each.runs_nowhere for each in summary.checked):
            return f"{style('yellow', 'Each browser reports errors, but none in common,')} {where}"
        if any(code.hides_code for each in summary.by_path for code in each.unchecked_code):
            return f"{style('yellow', 'No findings')} {where.replace('in ', 'in the checked part of ', 1)}"
        return f"{style('green', 'No findings')} {where}"
    return f"Found {listed(counts, 'and')} {where}"


def statistics(summary: Summary) -> str:
    """Returns one line for each rule with findings, the most frequent first."""
    counts = rule_counts(summary)
    width = max((len(str(count)) for count, _, _ in counts), default=0)
    return "".join(f"{count:{width}} {severity!s:7} {rule}\n" for count, severity, rule in counts)


def rule_counts(summary: Summary) -> list[tuple[int, Severity, str]]:
    """Returns the number of findings of each rule, with their severity, the most frequent first."""
    ordered = sorted(summary.rules.items(), key=lambda item: (-item[1], item[0]))
    return [(count, severity, rule) for (rule, severity), count in ordered]
