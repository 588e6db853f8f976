"""Compares what a browser says to manifests with what extlint says."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from differences import Compared, Difference
from extlint.checker import check_package
from extlint.package.folder import open_folder
from extlint.target import target_of
from manifest_probes import Probe
from manifest_verdicts import ACCEPTED, Verdict, write_extension

RULES = (
    "conflicting-keys",
    "deprecated-key",
    "invalid-value",
    "missing-file",
    "missing-key",
    "unknown-key",
    "unknown-permission",
    "wrong-manifest-version",
)
"""The rules that judge the values of a manifest."""

NOTHING = "nothing"


def compared(asked: Iterable[tuple[Probe, Verdict]], target: str, folder: Path) -> Compared:
    """Where one of the two has something to say to a manifest, and the other has not."""
    result = Compared(0, [])
    for probe, verdict in asked:
        result.number += 1
        ours = _ours(probe, target, folder)
        if (verdict.outcome == ACCEPTED) != (ours == NOTHING):
            version = probe.manifest.get("manifest_version")
            theirs = f"{verdict.outcome}: {'; '.join(verdict.texts)}" if verdict.texts else verdict.outcome
            result.different.append(Difference(probe.path, f"{probe.what} in {version}", theirs, ours))
    return result


def _ours(probe: Probe, target: str, folder: Path) -> str:
    write_extension(probe.manifest, folder)
    wanted = target_of(target)
    assert wanted is not None
    report = check_package(open_folder(folder, "judge"), (wanted,), RULES)
    return "; ".join(f"{each.rule}: {each.message}" for each in report.findings) or NOTHING
