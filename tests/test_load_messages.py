"""Values that browsers report when they load a manifest that their schemas accept: tables."""

from __future__ import annotations

import pytest
from harness import lint, manifest

from extlint.finding import Severity

LETTERS = {Severity.ERROR: "E", Severity.WARNING: "W", Severity.INFO: "I"}
RULES = ("conflicting-keys", "invalid-value", "missing-key")


def found(target: str, **keys: object) -> list[str]:
    """Returns the severity, the rule and the start of the message of each finding in a manifest."""
    findings = lint({"manifest.json": manifest(**keys)}, RULES, target)
    return [f"{LETTERS[each.severity]} {each.rule}: {each.message}" for each in findings]


def script(name: str, key: str = "js") -> dict[str, object]:
    return {"content_scripts": [{"matches": ["https://example.org/*"], key: [name]}]}


def gecko(**keys: object) -> dict[str, object]:
    return {"browser_specific_settings": {"gecko": {"id": "a@example.com", **keys}}}


@pytest.mark.parametrize("target", ["chrome", "edge", "firefox", "reference"])
@pytest.mark.parametrize(
    ("name", "is_script"),
    [
        ("a.js", True),
        ("a.JS", True),
        ("a.user.js", True),
        ("a.mjs", True),
        ("a.js?b.html", True),
        ("a.ts", True),
        ("a.vue", True),
        ("a.coffee", True),
        ("a", True),
        ("{{file}}.html", True),
        ("a.html", False),
        ("a.cjs", False),
        ("a.js.map", False),
        ("a.json", False),
        ("a.css", False),
        ("a.txt", False),
    ],
)
def test_content_scripts_are_scripts(target: str, name: str, is_script: bool) -> None:
    reports = found(target, **script(name))
    assert [each[: len("E invalid-value: ")] for each in reports] == ["E invalid-value: "] * (not is_script)


@pytest.mark.parametrize(
    ("target", "name", "is_reported"),
    [
        ("chrome", "a.css", False),
        ("chrome", "a.scss", False),
        ("chrome", "a.txt", True),
        ("chrome", "a.js", True),
        ("firefox", "a.txt", False),
    ],
)
def test_style_sheets_are_style_sheets(target: str, name: str, is_reported: bool) -> None:
    message = f"W invalid-value: `{name}` is not a style sheet: Chrome does not load it"
    assert found(target, **script(name, "css")) == [message] * is_reported


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"permissions": ["tabs"], "optional_permissions": ["history"]}, None),
        (
            {"permissions": ["history", "tabs"], "optional_permissions": ["tabs"]},
            "`tabs` is already in `permissions`: Chrome ignores the optional `tabs`",
        ),
        ({"host_permissions": ["https://a.org/*"], "optional_host_permissions": ["https://b.org/*"]}, None),
        (
            {"host_permissions": ["https://a.org/*"], "optional_host_permissions": ["https://a.org/*"]},
            "`https://a.org/*` is already in `host_permissions`: Chrome ignores the optional `https://a.org/*`",
        ),
        (
            {"host_permissions": ["<all_urls>"], "optional_host_permissions": ["https://a.org/*"]},
            "`<all_urls>` is already in `host_permissions`: Chrome ignores the optional `https://a.org/*`",
        ),
        ({"host_permissions": ["*://*/*"], "optional_host_permissions": ["<all_urls>"]}, None),
        ({"host_permissions": ["*://*/*"], "optional_host_permissions": ["file:///*"]}, None),
    ],
)
def test_request_that_is_optional_and_required(keys: dict[str, object], message: str | None) -> None:
    assert found("chrome", **keys) == ([] if message is None else [f"W conflicting-keys: {message}"])
    assert found("firefox", **keys) == []


@pytest.mark.parametrize(
    ("target", "keys", "expected"),
    [
        ("chrome", {"minimum_chrome_version": "88"}, None),
        ("chrome", {"minimum_chrome_version": "87"}, "W invalid-value: Chrome 87 does not load Manifest V3"),
        ("chrome", {"minimum_chrome_version": "999"}, "E invalid-value: Chrome 999 does not exist yet"),
        ("chrome", gecko(strict_min_version="999.0"), None),
        ("firefox", {"minimum_chrome_version": "999"}, None),
        ("firefox", gecko(strict_min_version="109.0"), None),
        (
            "firefox",
            gecko(strict_min_version="108.9"),
            "W invalid-value: Firefox 108.9 does not load Manifest V3",
        ),
        ("firefox", gecko(strict_min_version="999.0"), "E invalid-value: Firefox 999 does not exist yet"),
        ("firefox", {**gecko(strict_min_version="48.0"), "manifest_version": 2}, None),
    ],
)
def test_oldest_version_loads_the_manifest_and_exists(
    target: str, keys: dict[str, object], expected: str | None
) -> None:
    reports = found(target, **keys)
    assert [each[: len(expected or "")] for each in reports] == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    ("target", "name", "is_reported"),
    [
        ("firefox", "a" * 75, False),
        ("firefox", "a" * 76, True),
        ("firefox", "__MSG_" + "a" * 75 + "__", False),
        ("chrome", "a" * 76, False),
    ],
)
def test_long_name(target: str, name: str, is_reported: bool) -> None:
    message = "W invalid-value: `name` has 76 characters, and Firefox warns about more than 75"
    assert found(target, name=name) == [message] * is_reported


@pytest.mark.parametrize(
    ("version", "read"),
    [
        ("2026.02.24", "2026.2.24"),
        ("1.00", "1.0"),
        ("0.0.0.01", "0.0.0.1"),
        ("1.0", None),
        ("10.20.30", None),
        ("0.100", None),
    ],
)
def test_version_with_a_leading_zero(version: str, read: str | None) -> None:
    message = f"W invalid-value: Chrome reads `version` as `{read}`, and warns about the leading zero"
    assert [each[: len(message)] for each in found("chrome", version=version)] == [message] * (
        read is not None
    )


def test_first_number_with_a_leading_zero_has_one_finding() -> None:
    assert [each[:16] for each in found("chrome", version="01.02")] == ["E invalid-value:"]


@pytest.mark.parametrize(
    ("declared", "is_reported"),
    [
        ({}, True),
        ({"optional": ["locationInfo"]}, True),
        ({"required": ["none"]}, False),
        ({"required": []}, False),
    ],
)
def test_data_collection_without_required_data(declared: object, is_reported: bool) -> None:
    keys = gecko(data_collection_permissions=declared)
    assert [each[: len("W missing-key")] for each in found("firefox", **keys)] == [
        "W missing-key"
    ] * is_reported
    assert found("chrome", **keys) == []
