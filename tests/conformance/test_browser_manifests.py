"""The manifest cases of Firefox's and Chromium's own tests: whether each has findings, and their locations.

The cases are stored next to the checkout, and are skipped if they are missing. No case is omitted. A
browser's warning counts as much as an error, because either informs the author.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from manifest_spans import ManifestSpans

from extlint.checker import check_package
from extlint.finding import Finding, Severity
from extlint.package.files import Package
from extlint.schema.targets import Target
from extlint.text.positions import Span

CASES = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "dialect"
FILES = {"firefox": CASES / "firefox_manifest.json", "chrome": CASES / "chromium_manifest.json"}
RULES = (
    "conflicting-keys",
    "deprecated-key",
    "duplicate-key",
    "invalid-json",
    "invalid-value",
    "missing-key",
    "unknown-key",
    "unknown-permission",
    "wrong-manifest-version",
)
LEAST_AGREEMENT = 0.97

LAST_WITH_VERSION_2 = (138,)
"""The last version for Chromium's Manifest V2 tests, which are about browsers that load it."""

FILLED_IN = {"name": "test", "version": "0", "manifest_version": 2}
"""The keys that Firefox's tests add to a manifest without them."""

KEY = "key "
SCRIPT = "/content_scripts/0"
RESOURCES = "/web_accessible_resources/0"
PANEL = "/side_panel/default_path"

PLACES: dict[str, tuple[str, ...]] = {
    "fxman-02": ("/icons/16",),
    "fxman-03": ("/icons",),
    "fxman-05": ("/icons",),
    "fxman-06": ("/icons/16",),
    "fxman-07": ("/icons",),
    "fxman-08": ("/icons/16",),
    "fxman-15": ("/icons",),
    "crm-001": ("",),
    "crm-004": ("",),
    "crm-005": ("/name",),
    "crm-006": ("/description",),
    "crm-007": ("/icons",),
    "crm-008": ("/icons/128",),
    "crm-012": (f"{SCRIPT}/matches",),
    "crm-016": (SCRIPT,),
    "crm-017": (f"{SCRIPT}/js",),
    "crm-020": (f"{SCRIPT}/js/0",),
    "crm-021": (f"{SCRIPT}/css",),
    "crm-023": ("/permissions",),
    "crm-024": ("/host_permissions",),
    "crm-025": ("/permissions/0",),
    "crm-027": ("/options_page",),
    "crm-030": ("/minimum_chrome_version",),
    "crm-032": ("/short_name",),
    "crm-033": ("/short_name",),
    "crm-042": ("/manifest_version",),
    "crm-043": ("/manifest_version",),
    "crm-055": (RESOURCES,),
    "crm-056": (RESOURCES,),
    "crm-058": tuple(f"{RESOURCES}/{key}/{at}" for key in ("matches", "extension_ids") for at in range(3)),
    "crm-060": (f"{RESOURCES}/extension_ids/0",),
    "crm-061": (f"{RESOURCES}/matches/1",),
    "crm-075": (PANEL,),
    "crm-076": ("/side_panel",),
    "crm-077": (PANEL,),
    "crm-078": (PANEL,),
    "crm-079": (PANEL,),
    "crm-082": ("/permissions/0", "/optional_permissions/0"),
    "crm-089": (f"{KEY}{SCRIPT}/world",),
    "crm-102": ("/browser_action",),
    "crm-103": ("/browser_action/default_popup",),
    "crm-104": ("/browser_action/default_title",),
    "crm-105": ("/browser_action/default_icon",),
    "crm-106": (f"{KEY}/browser_action/default_state",),
    "crm-108": (f"{KEY}/browser_action/default_state",),
    "crm-115": ("/page_action/default_popup",),
    "crm-116": ("/page_action/default_title",),
    "crm-117": ("/page_action/default_icon",),
    "crm-118": (f"{KEY}/page_action/default_state",),
    "crm-120": (f"{KEY}/page_action/default_state",),
    "crm-124": ("/action",),
    "crm-138": ("/content_security_policy/extension_pages",),
    "crm-140": ("/content_security_policy",),
}
"""The exact locations of all findings: these values, or their keys.

The location in the browser's message is at most as precise. For a case with warnings about the
version the location is that; any other case that is not listed has none.
"""

REASONS = {
    "fxman-67": "extlint is right: Firefox reads `applications` in silence, and MDN calls it deprecated",
    "crm-047": "extlint is right: Chromium 156 was asked, and warns of the manifest version 4",
    "crm-053": "extlint is right: Chromium 156 was asked, and refuses it where `use_dynamic_url` is false",
}
"""The cases with a different result here: which side is right, and why."""


def cases(browser: str) -> list[dict[str, Any]]:
    path = FILES[browser]
    return json.loads(path.read_text("utf-8"))["cases"] if path.exists() else []


def text_of(case: dict[str, Any], browser: str) -> bytes:
    filled_in = FILLED_IN if browser == "firefox" else {}
    return json.dumps({**filled_in, **case["manifest"]}).encode()


def findings(text: bytes, browser: str) -> tuple[Finding, ...]:
    package = Package("ext", {"manifest.json": lambda: text}, complete=False)
    is_old = browser == "chrome" and b'"manifest_version": 2' in text
    target = Target(browser, maximum=LAST_WITH_VERSION_2) if is_old else Target(browser)
    return check_package(package, [target], RULES).findings


def has_complaint(case: dict[str, Any]) -> bool:
    """Whether the browser rejects a manifest or warns about it."""
    warnings = case.get("warnings") or case.get("warnings_about") or case.get("warning_constant")
    return case["expect"] == "reject" or bool(warnings)


def expected_places(case: dict[str, Any]) -> tuple[str, ...]:
    if not has_complaint(case):
        return ()
    if any("processing version" in each for each in case.get("warnings", ())):
        return ("/version",)
    return PLACES[case["id"]]


def span_of(manifest: ManifestSpans, place: str) -> Span | None:
    """Returns the span of the value or key that a table row names."""
    pointer = place.removeprefix(KEY)
    return manifest.value_span(pointer) if pointer == place else manifest.key_span(pointer)


def agrees(case: dict[str, Any], browser: str) -> bool:
    """Whether findings are exactly where the browser reports something, with errors if it rejects the
    manifest.
    """
    text = text_of(case, browser)
    found = findings(text, browser)
    if case["expect"] == "reject" and not any(each.severity is Severity.ERROR for each in found):
        return False
    manifest = ManifestSpans(text)
    return {each.span for each in found} == {span_of(manifest, each) for each in expected_places(case)}


every = [
    pytest.param(case, browser, id=f"{case['id']} {case.get('source', '')}".strip())
    for browser in FILES
    for case in cases(browser)
]


@pytest.mark.skipif(not CASES.exists(), reason="the cases are not beside the checkout")
@pytest.mark.parametrize(("case", "browser"), every)
def test_manifest_of_browser_tests_has_expected_findings(case: dict[str, Any], browser: str) -> None:
    assert agrees(case, browser) == (case["id"] not in REASONS)


@pytest.mark.skipif(not CASES.exists(), reason="the cases are not beside the checkout")
@pytest.mark.parametrize("browser", FILES)
def test_agrees_with_most_browser_tests(browser: str) -> None:
    total = cases(browser)
    agreeing = sum(case["id"] not in REASONS for case in total)
    assert agreeing / len(total) >= LEAST_AGREEMENT, f"{agreeing} of {len(total)}"
