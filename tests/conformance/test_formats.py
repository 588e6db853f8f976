"""Format cases: of Mozilla's linter, which has its own opinion, and of Firefox itself."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from extlint.text.formats.registry import problem

SHARED = Path(__file__).resolve().parents[3] / "shared" / "conformance"
LINTER_FILE = SHARED / "addons-linter" / "format.json"
FIREFOX_FILE = SHARED / "dialect" / "firefox_schemas.json"

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the cases are not here")

NAMES = {
    "manifestShortcutKey": "firefox-shortcut",
    "isStrictRelativeUrl": "strict-relative-url",
    "imageDataOrStrictRelativeUrl": "image-data-or-path",
    "isAnyUrl": "any-url",
    "isAbsoluteUrl": "absolute-url",
    "isSecureUrl": "secure-url",
    "isOrigin": "origin",
    "contentSecurityPolicySandbox": "csp-sandbox",
    "hostname": "hostname",
    "canonicalDomain": "canonical-domain",
    "origin": "origin",
    "relativeUrl": "relative-url",
    "strictRelativeUrl": "strict-relative-url",
    "url": "url",
    "date": "date",
}
"""Maps the names of both tools' formats to those of extlint."""

FIREFOX_DISAGREES = {
    ("isStrictRelativeUrl", "https://foo bar.com"),
    ("imageDataOrStrictRelativeUrl", "https://foo bar.com"),
}
"""A host with a space is not a valid URL, so Firefox treats it as a path."""

ARGUMENT = re.compile(r"\[\{(\w+): (\"[^\n]*\")\}\]")


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


def _linter_cases() -> list[tuple[str, str, bool]]:
    return [(each["format"], each["value"], each["expect"]["valid"]) for each in _read(LINTER_FILE)]


def _firefox_cases() -> list[tuple[str, str, bool]]:
    found = []
    for each in _read(FIREFOX_FILE)["cases"] if FIREFOX_FILE.is_file() else ():
        argument = ARGUMENT.fullmatch(each.get("args_js") or "")
        if each.get("target") in ("testing.format", "testing.formatDate") and argument:
            found.append((argument[1], json.loads(argument[2]), each["expect"] == "accept"))
    return found


@pytest.mark.parametrize(("name", "text", "valid"), _linter_cases())
def test_format_agrees_with_mozillas_linter_unless_firefox_disagrees(
    name: str, text: str, valid: bool
) -> None:
    agrees = (problem(NAMES[name], text) is None) == valid
    assert agrees == ((name, text) not in FIREFOX_DISAGREES)


@pytest.mark.parametrize(("name", "text", "valid"), _firefox_cases())
def test_format_agrees_with_firefox(name: str, text: str, valid: bool) -> None:
    assert (problem(NAMES[name], text) is None) == valid
