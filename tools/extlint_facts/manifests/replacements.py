"""The replacements of keys that manifests still use."""

from __future__ import annotations

from extlint_facts.corrections.rows import EVERY_BROWSER, corrections

REPLACEMENTS: dict[tuple[int, str], str] = {
    (each.keys.get("manifest_version", 0), at): each.keys["instead"]
    for each in corrections(EVERY_BROWSER, "replacement")
    for at in each.at
}
"""The replacement, by manifest version (0: both) and the path or name of the key."""
