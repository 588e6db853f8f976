"""Finds the files of a package that were analyzed only in part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from extlint.analysis.facts.omissions import Reason
from extlint.extension import FileOmission, Script
from extlint.manifest.manifest import Manifest
from extlint.package.tolerant import TolerantPackage
from extlint.project.contexts.script import Layout

_REPORTED_SEPARATELY = (Reason.UNREADABLE, Reason.FAILURE)
"""Reasons to omit a script that are reported to the user separately."""


def omissions_in(
    files: TolerantPackage, manifest: Manifest, layout: Layout, scripts: Sequence[Script]
) -> Mapping[str, FileOmission]:
    """Returns the omissions so far, by path: one for each file, however many of its scripts are concerned.

    Files that cannot be read at all, or in which extlint itself failed, are not included, as each is reported
    separately.
    """
    found = {path: FileOmission(Reason.FILE_SIZE) for path in files.too_large}
    found |= {path: FileOmission(Reason.MEMORY) for path in files.too_costly}
    found |= {path: FileOmission(Reason.PAGE_SIZE) for path in layout.large_pages}
    if manifest.is_unfilled_template:
        found[manifest.path] = FileOmission(Reason.TEMPLATE)
    for script in scripts:
        omission = script.facts.omission
        if omission is None or omission.reason in _REPORTED_SEPARATELY:
            continue
        places = tuple(map(script.span, omission.places))
        known = found.get(script.path, FileOmission(omission.reason))
        found[script.path] = FileOmission(known.reason, tuple(sorted({*known.places, *places})))
    return found
