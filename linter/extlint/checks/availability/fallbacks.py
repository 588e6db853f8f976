"""Fallbacks: code that runs only if a test found a member missing, and is for such browsers.

In `if (browser.action) … else browser.browserAction.…` the `else` is for Manifest V2, and is correct in an
extension for Manifest V3 unless it certainly runs there.
"""

from __future__ import annotations

from extlint.checks.api.reasons import is_unavailable
from extlint.checks.api.schema_path import find_schema_path
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.checks.portability.other_browsers import in_other_browsers
from extlint.extension import Extension, Script
from extlint.schema.model import SchemaSet
from extlint.script.facts.script_facts import API_ROOT, ApiPath, Guards

_VERSIONS = (2, 3)
_REASONS = frozenset({Reason.MANIFEST_VERSION, Reason.UNKNOWN, Reason.UNSUPPORTED})


def is_fallback(extension: Extension, script: Script, unavailability: Unavailability, guards: Guards) -> bool:
    """Whether code runs only without a member that may be missing, and is correct in such a case.

    That is, some browser and manifest version without this member has the member that the code names.
    """
    missing = [each for each in guards.missing if each[0] != API_ROOT]
    if unavailability.reason not in _REASONS or not missing:
        return False
    undecided = [each for each in missing if not is_unavailable(extension, each, script.contexts)]
    known = [each.schemas for each in (extension, *in_other_browsers(extension))]
    return any(
        _has_member(schemas, unavailability.path, version)
        and not all(_has_member(schemas, each, version) for each in undecided)
        for schemas in known
        for version in _VERSIONS
    )


def _has_member(schemas: SchemaSet, path: ApiPath, version: int) -> bool:
    """Whether some extension of a manifest version has the member at a path."""
    found = find_schema_path(schemas, path, version)
    return (
        found is not None
        and bool(found.elements)
        and not found.rest
        and all(version in each.availability.versions for each in found.elements)
        and not any(each.availability.unsupported for each in found.elements)
    )
