"""The manifest cases of Mozilla's linter: validity and error locations; each disagreement has a reason.

The cases are stored next to the checkout, and are skipped if they are missing. Warnings are not compared:
that tool too considers a manifest with warnings valid.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from manifest_spans import ManifestSpans

from extlint.checker import check_package
from extlint.finding import Finding, Severity
from extlint.package.files import Package
from extlint.schema.targets import Target
from extlint.text.positions import Span

CASES = (
    Path(__file__).resolve().parents[3] / "shared" / "conformance" / "addons-linter" / "manifest_schema.json"
)
RULES = (
    "conflicting-keys",
    "deprecated-key",
    "invalid-value",
    "missing-key",
    "refused-by-store",
    "unknown-key",
    "unknown-permission",
    "wrong-manifest-version",
)
LEAST_AGREEMENT = 0.97

REJECTED_BY_CODE: dict[str, tuple[str, ...]] = {
    "ADMIN_INSTALL_ONLY_PROP_RESERVED": (
        "/applications/gecko/admin_install_only",
        "/browser_specific_settings/gecko/admin_install_only",
    ),
    "BACKGROUND_SERVICE_WORKER_NOFALLBACK": ("/background",),
    "HAS_PREVIOUS_CONSENT_IS_RESERVED": (
        "/browser_specific_settings/gecko/data_collection_permissions/has_previous_consent",
    ),
    "MANIFEST_EMPTY_DICTS": ("/dictionaries",),
    "MANIFEST_MULTIPLE_DICTS": ("/dictionaries",),
    "MANIFEST_THEME_CSS_GRADIENT_MIN_VERSION": ("/theme/images/additional_backgrounds",),
    "PROP_NAME_INVALID": ("/name",),
    "RESTRICTED_HOMEPAGE_URL": ("/developer/url", "/homepage_url"),
    "STRICT_MAX_VERSION": ("/browser_specific_settings/gecko/strict_max_version",),
    "VERSION_FORMAT_INVALID": ("/version",),
}
"""Errors that the tool reports outside its schema, so that the case counts as valid there, with their
locations.
"""

WARNED_BY_CODE: dict[str, tuple[str, ...]] = {
    "IGNORED_APPLICATIONS_PROPERTY": ("/applications",),
    "MANIFEST_CSP": ("/content_security_policy",),
    "MANIFEST_CSP_UNSAFE_EVAL": ("/content_security_policy",),
    "MANIFEST_FIELD_UNSUPPORTED": (
        "/action/browser_style",
        "/options_ui/browser_style",
        "/page_action/browser_style",
    ),
    "VERSION_FORMAT_DEPRECATED": ("/version",),
}
"""Warnings of the tool for which extlint may report an error, with their locations."""

REASONS = {
    "manifest_schema-231e82ec5e49": "as right: the tool refuses each path, and extlint the list, "
    "which is in the form of manifest version 2",
    "manifest_schema-b02656e229f3": "both are right: the case is about add-ons for administrators, "
    "which the tool allows if asked",
    "manifest_schema-c977b7d26223": "extlint is right: Firefox warns of such permissions; it was asked",
}
REASONS |= {
    f"manifest_schema-{case}": "extlint is right: the case validates only the schema; the tool refuses a "
    "gradient without `strict_min_version` later"
    for case in ("2536880c196f", "b6db828fe068", "c59412ff6c66")
}
"""The cases with a different result here: which side is right, and why."""


def cases() -> list[dict[str, Any]]:
    return json.loads(CASES.read_bytes()) if CASES.exists() else []


def findings(manifest: dict[str, Any]) -> tuple[Finding, ...]:
    text = json.dumps(manifest).encode()
    package = Package("ext", {"manifest.json": lambda: text}, complete=False)
    return check_package(package, [Target("firefox")], RULES).findings


def rejected_findings(found: tuple[Finding, ...]) -> list[Finding]:
    """Returns the findings that the tool rejects too: errors, and permissions that do not exist."""
    return [each for each in found if each.severity is Severity.ERROR or each.rule == "unknown-permission"]


def reported(case: dict[str, Any], codes: Mapping[str, Sequence[str]]) -> list[str]:
    """Returns the locations that the tool reports outside its schema."""
    return [place for code in case["asserted"]["codes"] for place in codes.get(code, ())]


def is_at_pointer(places: ManifestSpans, pointer: str, finding: Finding) -> bool:
    """Whether a finding is inside the value that a pointer leads to, or exactly at its key."""
    value = places.value_span(pointer)
    return finding.span == places.key_span(pointer) or (value is not None and within(finding.span, value))


def within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def extra_findings(case: dict[str, Any], found: tuple[Finding, ...]) -> list[Finding]:
    """Returns the errors of extlint at locations for which the tool reports nothing."""
    places = ManifestSpans(json.dumps(case["manifest"]).encode())
    theirs = reported(case, REJECTED_BY_CODE | WARNED_BY_CODE)
    theirs += [error["instance_path"] for error in case["expect"]["errors"]]
    return [
        each for each in rejected_findings(found) if not any(is_at_pointer(places, at, each) for at in theirs)
    ]


def agrees(case: dict[str, Any], found: tuple[Finding, ...]) -> bool:
    """Whether each location that the tool rejects has a finding, or a valid case has no error.

    Warnings of extlint count for locations that the tool rejects.
    """
    places = ManifestSpans(json.dumps(case["manifest"]).encode())
    by_code = [at for at in reported(case, REJECTED_BY_CODE) if places.value_span(at)]
    if case["expect"]["valid"] and not by_code:
        return not extra_findings(case, found)
    theirs = by_code + [error["instance_path"] for error in case["expect"]["errors"]]
    return bool(found) and all(any(is_at_pointer(places, at, each) for each in found) for at in theirs)


@pytest.mark.skipif(not CASES.exists(), reason="the cases are not beside the checkout")
def test_agrees_with_manifest_cases_of_mozillas_linter() -> None:
    every = [(case, findings(case["manifest"])) for case in cases()]
    different = [case["id"] for case, found in every if not agrees(case, found)]
    assert sorted(different) == sorted(REASONS)
    more = {case["id"] for case, found in every if extra_findings(case, found)}
    assert more <= set(different)
    agreeing = len(every) - len(different)
    assert agreeing / len(every) >= LEAST_AGREEMENT, f"{agreeing} of {len(every)}"
