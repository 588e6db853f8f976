"""The findings of several rules and targets as one list, in which one mistake is one finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from extlint.finding import Finding, Severity
from extlint.registry import RULES
from extlint.targets.request import shown_browser
from extlint.text.wording import listed

_UNLIKE = "each of these browsers reports a different problem here"
"""What is said of a place where browsers differ, and the rule has no words that hold for all of them."""

_CAUSE_OF = {name: rule.follows for name, rule in RULES.items() if rule.follows is not None}
"""A value that one browser does not take at all is one mistake, whatever others find in it."""

_CAUSES = frozenset(_CAUSE_OF.values())

_AS = {Severity.INFO: "a note", Severity.WARNING: "a warning", Severity.ERROR: "an error"}


def across_targets(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings by path, position and rule; what several targets refuse at one place by one rule is told once.

    What is wrong in several ways for one and the same target stays several findings. Where the targets have
    different reasons, the help has them all. What follows from a wrong value is told with that.
    """
    places: dict[object, dict[tuple[str, ...], dict[str, Finding]]] = {}
    for finding in findings:
        by_target = places.setdefault((finding.path, finding.span, finding.rule), {})
        by_target.setdefault(finding.targets, {}).setdefault(finding.message, finding)
    merged = [
        _merged(each)
        for by_target in places.values()
        for each in _mistakes([list(own.values()) for own in by_target.values()])
    ]
    told = _across_rules(merged)
    return tuple(sorted(told, key=lambda each: (each.path, each.span, each.rule, each.message)))


def _across_rules(findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings without those that follow from another one at the same place, whose help tells of them."""
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


def _with_following(cause: Finding, others: Sequence[Finding]) -> Finding:
    help = [] if cause.help is None else [cause.help]
    for each in others:
        help += _by_browser([each], lambda finding: finding.message) if each.targets != cause.targets else []
    targets = dict.fromkeys(target for each in (cause, *others) for target in each.targets)
    return replace(cause, help="; ".join(help) or None, targets=tuple(targets))


def _mistakes(by_target: Sequence[Sequence[Finding]]) -> list[list[Finding]]:
    """The findings at one place, those of each target given, by the mistake that they are about.

    Findings with the same message are about one mistake, and so are those with the same general words. What
    is left is one where both have one finding, and no general words tell them apart.
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
        if len(free) == len(left) == 1 and not (free[0][0].general and left[0].general):
            free[0].append(left.pop())
        mistakes += ([each] for each in left)
    return mistakes


def _same_message(one: Finding, other: Finding) -> bool:
    return one.message == other.message


def _same_general(one: Finding, other: Finding) -> bool:
    return one.general is not None and one.general == other.general


def _merged(findings: Sequence[Finding]) -> Finding:
    """One finding of what several targets have against one thing, as severe as the most severe of them."""
    first = findings[0]
    if len(findings) == 1:
        return first
    general = first.general if all(_same_general(first, each) for each in findings) else None
    differ = len({each.message for each in findings}) > 1
    return replace(
        first,
        message=(general or _UNLIKE) if differ else first.message,
        severity=max(each.severity for each in findings),
        api=next((each.api for each in findings if each.api is not None), None),
        help="; ".join(_sentences(findings, differ=differ)) or None,
        related=tuple(dict.fromkeys(related for each in findings for related in each.related)),
        targets=tuple(dict.fromkeys(target for each in findings for target in each.targets)),
    )


def _sentences(findings: Sequence[Finding], *, differ: bool) -> Iterator[str]:
    """What each browser says where not all say the same: of the mistake, of its mend, and how bad it is."""
    helps = {each.help for each in findings}

    def own(finding: Finding) -> str | None:
        help = finding.help if len(helps) > 1 else None
        reason = finding.message if finding.reason is None else finding.reason
        if not differ or not reason:
            return help
        return reason if help is None else f"{reason} ({help})"

    yield from _by_browser(findings, own)
    if len(helps) == 1:
        yield from filter(None, helps)
    if len({each.severity for each in findings}) > 1:
        yield from _by_browser(findings, lambda each: f"this is {_AS[each.severity]}")


def _by_browser(findings: Sequence[Finding], say: Callable[[Finding], str | None]) -> Iterator[str]:
    """A sentence for each thing that is said, with the browsers that say it: `Firefox: …`."""
    said: dict[str | None, list[str]] = {}
    for each in findings:
        said.setdefault(say(each), []).extend(shown_browser(target) for target in each.targets)
    yield from (f"{listed(who, 'and')}: {what}" for what, who in said.items() if what is not None)
