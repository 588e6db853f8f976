"""Corrects the versions of a browser that have a member, as they were read from packages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from extlint_facts.corrections.rows import Correction, CorrectionError, report_stale

VERSIONS = "versions"
"""The only key that these corrections set: `[added]`, `[added, removed]`, or null for unknown versions."""


def correct_versions(
    members: Mapping[str, dict[str, Any]], browser: str, found: Iterable[Correction]
) -> None:
    """Applies corrections to the versions of members in place.

    `members` has the versions by browser, by path. Raises StaleCorrectionError for a correction that changes
    nothing, and CorrectionError for one that sets another key.
    """
    for row in found:
        if set(row.keys) != {VERSIONS}:
            raise CorrectionError(f"corrections: {', '.join(row.at)} must set '{VERSIONS}' and nothing else")
        for path in row.at:
            known = members.get(path, {})
            if path not in members:
                report_stale(f"corrections: the packages have no versions of {path}")
            elif known.get(browser) == row.keys[VERSIONS]:
                report_stale(
                    f"corrections: the packages say the same of {path} in {browser}; delete the place, "
                    f"or the row if it has no other"
                )
            elif row.keys[VERSIONS] is None:
                del known[browser]
            else:
                known[browser] = row.keys[VERSIONS]
