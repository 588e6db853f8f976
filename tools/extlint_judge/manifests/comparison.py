"""Compares a browser's verdicts on manifests with extlint's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from extlint.checker import check_package
from extlint.finding import Finding, Severity
from extlint.package.discovery.folder import open_folder
from extlint.schema.targets import target_of
from extlint_judge.differences import Comparison, Difference
from extlint_judge.manifests.probes import Probe
from extlint_judge.manifests.verdicts import ACCEPTED, REFUSED, WARNED, Verdict, write_extension

RULES = (
    "conflicting-keys",
    "deprecated-key",
    "invalid-json",
    "invalid-value",
    "missing-file",
    "missing-key",
    "unknown-key",
    "unknown-permission",
    "wrong-manifest-version",
)
"""The rules that check the values of a manifest."""

NOTHING = "nothing"

MATCHING_SEVERITIES = {
    REFUSED: (Severity.ERROR,),
    WARNED: (Severity.WARNING, Severity.INFO),
    ACCEPTED: (None,),
}
"""The worst severity of extlint's findings that corresponds to each outcome in a browser, or None for no
findings.
"""


def compare_verdicts(verdicts: Iterable[tuple[Probe, Verdict]], target: str, folder: Path) -> Comparison:
    """Returns the manifests where a browser's verdict is milder or stricter than extlint's."""
    result = Comparison(0, [])
    for probe, verdict in verdicts:
        result.number += 1
        findings = _extlint_findings(probe, target, folder)
        if not _agree(verdict, findings):
            where = f"{probe.what} in {_version(probe)}"
            theirs = f"{verdict.outcome}: {'; '.join(verdict.texts)}" if verdict.texts else verdict.outcome
            result.different.append(Difference(probe.path, where, theirs, _text(findings)))
    return result


def _agree(verdict: Verdict, findings: Sequence[Finding]) -> bool:
    """Whether extlint's findings correspond to a browser's verdict, with or without missing files."""
    without_files = [each for each in findings if each.rule != "missing-file"]
    return any(
        max((each.severity for each in some), default=None) in MATCHING_SEVERITIES[verdict.outcome]
        for some in (findings, without_files)
    )


def _version(probe: Probe) -> object:
    return probe.manifest.get("manifest_version") if isinstance(probe.manifest, dict) else "a text"


def _extlint_findings(probe: Probe, target: str, folder: Path) -> Sequence[Finding]:
    write_extension(probe.manifest, folder)
    resolved_target = target_of(target)
    assert resolved_target is not None
    return check_package(open_folder(folder, "judge"), (resolved_target,), RULES).findings


def _text(findings: Sequence[Finding]) -> str:
    """Returns the findings as text, the worst first."""
    worst_first = sorted(findings, key=lambda each: -each.severity)
    return "; ".join(f"{each.severity} {each.rule}: {each.message}" for each in worst_first) or NOTHING
