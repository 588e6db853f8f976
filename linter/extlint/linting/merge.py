"""Merges the findings of several rules and targets, so that one mistake is one finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from extlint.finding import Finding, Fix, Severity
from extlint.registry import RULES
from extlint.schema.targets import browser_name
from extlint.text.wording import listed

_CAUSE_OF = {name: rule.follows for name, rule in RULES.items() if rule.follows is not None}
"""A mapping from a rule to the rule whose finding at the same location is the cause of its own."""

_CAUSES = frozenset(_CAUSE_OF.values())

_SEVERITY_NAMES = {Severity.INFO: "a note", Severity.WARNING: "a warning", Severity.ERROR: "an error"}


def across_targets(
    findings: Iterable[Finding], severity: Callable[[Iterable[Severity]], Severity] = max
) -> tuple[Finding, ...]:
    """Returns findings sorted by path, position and rule; those of several targets are merged.

    Findings of several targets at one location become one; several of the same target do not. If the targets
    have different reasons, the help contains all of them; `severity` chooses among their severities. A
    finding whose cause is reported at the same location becomes a part of its help. A fix is kept only if all
    targets have the same one.
    """
    places: dict[object, dict[tuple[str, ...], dict[str, Finding]]] = {}
    for finding in findings:
        by_target = places.setdefault((finding.path, finding.span, finding.rule), {})
        by_target.setdefault(finding.targets, {}).setdefault(finding.message, finding)
    merged = [
        _merged(each, severity)
        for by_target in places.values()
        for each in _group_by_mistake([list(own.values()) for own in by_target.values()])
    ]
    unique = _across_rules(merged)
    return tuple(sorted(unique, key=Finding.sort_key))


def _across_rules(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yields the findings without those with a cause at the same location, whose help then includes them."""
    causes = {(each.path, each.span, each.rule): each for each in findings if each.rule in _CAUSES}
    following: dict[Finding, list[Finding]] = {}
    for each in findings:
        cause = causes.get((each.path, each.span, _CAUSE_OF.get(each.rule, "")))
        if cause is not None:
            following.setdefault(cause, []).append(each)
        elif each.rule not in _CAUSES:
            yield each
    for each in findings:
        if each.rule in _CAUSES:
            yield _with_following(each, following.get(each, ()))


def _with_following(cause: Finding, following: Sequence[Finding]) -> Finding:
    help = [] if cause.help is None else [cause.help]
    for each in following:
        help += _by_browser([each], lambda finding: finding.message) if each.targets != cause.targets else []
    targets = dict.fromkeys(target for each in (cause, *following) for target in each.targets)
    return replace(cause, help="; ".join(help) or None, targets=tuple(targets))


def _group_by_mistake(by_target: Sequence[Sequence[Finding]]) -> list[list[Finding]]:
    """Groups the findings at one location, given for each target, by the mistake that they report.

    Findings with the same message report one mistake, and so do those with the same general message. The
    rest is grouped in the order of each target.
    """
    mistakes: list[list[Finding]] = []
    for own in by_target:
        free, left = list(mistakes), list(own)
        for same in (_same_message, _same_general):
            for finding in tuple(left):
                found = next((each for each in free if same(each[0], finding)), None)
                if found is not None:
                    found.append(finding)
                    free.remove(found)
                    left.remove(finding)
        for found, finding in zip(free, left, strict=False):
            found.append(finding)
        mistakes += ([each] for each in left[len(free) :])
    return mistakes


def _same_message(one: Finding, other: Finding) -> bool:
    return one.message == other.message


def _same_general(one: Finding, other: Finding) -> bool:
    return one.general is not None and one.general == other.general


def _merged(findings: Sequence[Finding], severity: Callable[[Iterable[Severity]], Severity]) -> Finding:
    """Returns one finding for one mistake in several targets, with the chosen one of their severities.

    Different messages become the general one, or without one a message with a sentence per browser.
    """
    first = findings[0]
    if len(findings) == 1:
        return first
    general = first.general if all(_same_general(first, each) for each in findings) else None
    differ = len({each.message for each in findings}) > 1
    message = general or "; ".join(_by_browser(findings, lambda each: each.message))
    return replace(
        first,
        message=message if differ else first.message,
        severity=severity(each.severity for each in findings),
        api=next((each.api for each in findings if each.api is not None), None),
        help="; ".join(_sentences(findings, differ=differ and general is not None)) or None,
        related=tuple(dict.fromkeys(related for each in findings for related in each.related)),
        targets=tuple(dict.fromkeys(target for each in findings for target in each.targets)),
        fix=_common_fix(findings),
    )


def _common_fix(findings: Sequence[Finding]) -> Fix | None:
    """Returns the fix that all targets have, which is safe if it is safe for each of them."""
    fixes = [each.fix for each in findings if each.fix is not None]
    if len(fixes) < len(findings) or len({each.edits for each in fixes}) > 1:
        return None
    return min(fixes, key=lambda each: each.safe)


def mark_unsafe_fixes(findings: Iterable[Finding], targets: Sequence[str]) -> tuple[Finding, ...]:
    """Returns the findings, with fixes marked as unsafe if not every target has the finding."""

    def with_safety(finding: Finding) -> Finding:
        if finding.fix is None or not finding.fix.safe or {*targets} <= {*finding.targets}:
            return finding
        return replace(finding, fix=replace(finding.fix, safe=False))

    return tuple(map(with_safety, findings))


def _sentences(findings: Sequence[Finding], *, differ: bool) -> Iterator[str]:
    """Yields the differences by browser: message (if `differ`), help and severity; then the common help."""
    helps = {each.help for each in findings}
    has_severity = len({each.severity for each in findings}) > 1

    def own(finding: Finding) -> str | None:
        severity = f"this is {_SEVERITY_NAMES[finding.severity]}" if has_severity else None
        help = finding.help if len(helps) > 1 else None
        reason = (finding.message if finding.reason is None else finding.reason) if differ else None
        parts = [each for each in (reason, help, severity) if each]
        others = "; ".join(parts[1:])
        return f"{parts[0]} ({others})" if others else next(iter(parts), None)

    yield from _by_browser(findings, own)
    if len(helps) == 1:
        yield from filter(None, helps)


def _by_browser(findings: Sequence[Finding], say: Callable[[Finding], str | None]) -> Iterator[str]:
    """Yields each different sentence with its browsers: `Firefox: …`."""
    browsers_by_sentence: dict[str | None, list[str]] = {}
    for each in findings:
        browsers_by_sentence.setdefault(say(each), []).extend(browser_name(target) for target in each.targets)
    yield from (
        f"{listed(browsers, 'and')}: {what}"
        for what, browsers in browsers_by_sentence.items()
        if what is not None
    )
