"""Format cases: of Mozilla's linter, which has its own opinion, and of Firefox itself."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from extlint.formats.registry import problem

SHARED = Path(__file__).resolve().parents[3] / "shared" / "conformance"
OF_THE_LINTER = SHARED / "addons-linter" / "format.json"
OF_FIREFOX = SHARED / "dialect" / "firefox_schemas.json"

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

FIREFOX_SAYS_OTHERWISE = {
    ("isStrictRelativeUrl", "https://foo bar.com"),
    ("imageDataOrStrictRelativeUrl", "https://foo bar.com"),
}
"""A host with a space is not a valid URL, so Firefox treats it as a path."""

ARGUMENT = re.compile(r"\[\{(\w+): (\"[^\n]*\")\}\]")


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


def _of_the_linter() -> list[tuple[str, str, bool]]:
    return [(each["format"], each["value"], each["expect"]["valid"]) for each in _read(OF_THE_LINTER)]


def _of_firefox() -> list[tuple[str, str, bool]]:
    found = []
    for each in _read(OF_FIREFOX)["cases"] if OF_FIREFOX.is_file() else ():
        argument = ARGUMENT.fullmatch(each.get("args_js") or "")
        if each.get("target") in ("testing.format", "testing.formatDate") and argument:
            found.append((argument[1], json.loads(argument[2]), each["expect"] == "accept"))
    return found


@pytest.mark.parametrize(("name", "text", "valid"), _of_the_linter())
def test_mozillas_linter_agrees_but_where_firefox_does_not(name: str, text: str, valid: bool) -> None:
    agrees = (problem(NAMES[name], text) is None) == valid
    assert agrees == ((name, text) not in FIREFOX_SAYS_OTHERWISE)


@pytest.mark.parametrize(("name", "text", "valid"), _of_firefox())
def test_firefox_agrees(name: str, text: str, valid: bool) -> None:
    assert (problem(NAMES[name], text) is None) == valid
