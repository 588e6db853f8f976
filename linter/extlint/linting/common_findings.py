"""The findings for `reference`: those of the specification, and those that all browsers have in common.

The specification decides about the use of its own namespaces, and the browsers about everything else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.script_facts import Reference
from extlint.checks.reachability.unreachable_code import is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.linting.apply_rules import is_about_any_use
from extlint.linting.merge import across_targets
from extlint.registry import RULES
from extlint.schema.targets import SPECIFICATION, schema_set
from extlint.text.positions import Span

_AVAILABILITY = frozenset(
    {
        "missing-manifest-key",
        "missing-permission",
        "unknown-api",
        "unsupported-api",
        "wrong-context",
        "wrong-manifest-version",
    }
)
"""The rules about members that a script cannot use. In another browser, the reason may differ."""


def aligned(findings: Sequence[Finding]) -> Sequence[Finding]:
    """Returns findings of several browsers, those about the same unavailable member with the same rule."""
    rules: dict[object, dict[str, str]] = {}
    for each in findings:
        if each.rule in _AVAILABILITY:
            rules.setdefault((each.path, each.span), {}).setdefault(each.rule, each.targets[0])
    return tuple(
        replace(each, rule=next(iter(known)), general=None, fix=None)
        if (known := rules.get((each.path, each.span), {}))
        and each.rule in _AVAILABILITY
        and len(known) > 1
        and len({*known.values()}) == len(known)
        else each
        for each in findings
    )


class Comparison(Struct, frozen=True):
    """The extension in each of the browsers that `reference` compares, and the findings there."""

    browsers: Sequence[Extension]
    findings: Sequence[Finding]

    def common(self, own: Iterable[Finding]) -> Iterator[Finding]:
        """Yields the findings that all browsers have in common and that `reference` has not found itself.

        A browser that has no such namespace, or does not run the code, has no verdict. The severity is the
        lowest among the browsers.
        """
        reporting = {(target, *_place(each)) for each in self.findings for target in each.targets}
        known = {_place(each) for each in own if SPECIFICATION in each.targets}
        for finding in across_targets(self.findings, severity=min):
            place = _place(finding)
            if place in known or _is_decided(finding):
                continue
            if all(
                (each.target.name, *place) in reporting or not _has_verdict(each, finding)
                for each in self.browsers
            ):
                yield replace(finding, targets=(SPECIFICATION,))

    def only_in_one(self, reported: Iterable[Finding], targets: Collection[str]) -> tuple[Finding, ...]:
        """Returns the findings that are not reported, each with the target that reports it.

        `targets` are those of the run, which report their own.
        """
        options = {each.target.name: each.target.text for each in self.browsers}
        others = (
            replace(each, targets=(options[name],))
            for each in self.findings
            for name in each.targets
            if name not in targets
        )
        return without_reported(others, reported)


def without_reported(findings: Iterable[Finding], reported: Iterable[Finding]) -> tuple[Finding, ...]:
    """Returns the findings that are not among those that are reported, whatever their targets are."""
    known = set(map(_place, reported))
    return tuple(each for each in findings if _place(each) not in known)


def _place(finding: Finding) -> tuple[str, Span, str]:
    return finding.path, finding.span, finding.rule


def _is_decided(finding: Finding) -> bool:
    """Whether the specification decides about what a finding is about."""
    return is_about_any_use(RULES[finding.rule]) and (
        _namespace(finding.api) in schema_set(SPECIFICATION).names
    )


def _namespace(api: str | None) -> str:
    return (api or "").partition(".")[0]


def _has_verdict(extension: Extension, finding: Finding) -> bool:
    """Whether a browser has the namespace that a finding is about, and runs the code with the finding."""
    name = _namespace(finding.api)
    if name and name not in extension.schemas.names and name not in extension.schemas.parents:
        return False
    scripts = extension.scripts_in(finding.path)
    return not any(each.is_for_other_targets for each in scripts) and not any(
        is_unreachable(extension, script, reference.guards)
        for script in scripts
        for reference in script.facts.references
        if ".".join(reference.path).startswith(finding.api or " ") and _is_about(script, reference, finding)
    )


def _is_about(script: Script, reference: Reference, finding: Finding) -> bool:
    """Whether a finding is about a reference, or about the arguments of its call."""
    calls = (each.span for each in script.facts.calls if each.callee == reference.span)
    spans = map(script.span, (reference.span, *calls))
    return any(each.start <= finding.span.start and finding.span.end <= each.end for each in spans)
