"""Content security policies of extensions."""

from __future__ import annotations

import pytest
from format_tables import Row, accepted_texts, reported

FIREFOX_2 = "firefox-csp-2"
FIREFOX_3 = "firefox-csp-3"
CHROME_2 = "chrome-csp-2"
CHROME_3 = "chrome-csp-3"
ALL_FORMATS = (FIREFOX_2, FIREFOX_3, CHROME_2, CHROME_3)

ACCEPTED = [
    "script-src 'self'",
    "script-src 'self'; object-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'; object-src 'none';",
    "default-src 'self'; img-src * data:; style-src 'self' 'unsafe-inline'; connect-src https: wss:",
    "SCRIPT-SRC 'SELF'",
    " ; script-src\t'self' ;; worker-src 'none'",
    "script-src 'self' http://localhost:8080 http://127.0.0.1:*",
    "script-src 'self'; frame-src https://example.com; upgrade-insecure-requests",
]

MISSPELLED: list[Row] = [
    ("script-sr 'self'", "unknown directive `script-sr`", "script-src 'self'"),
    ("script_src 'self'", "unknown directive `script_src`", "script-src 'self'"),
    ("script-src: 'self'", "unknown directive `script-src:`", "script-src 'self'"),
    ("script-src='self'", "unknown directive `script-src='self'`", "script-src 'self'"),
    (
        "script-src self; object-src self",
        "`self` in `script-src` is not the keyword `'self'`",
        "script-src 'self'; object-src 'self'",
    ),
    ('script-src "self"', "`\"self\"` in `script-src` is not the keyword `'self'`", "script-src 'self'"),
    ("script-src ‘self’", "`‘self’` in `script-src` is not the keyword `'self'`", "script-src 'self'"),
    ("script-src 'slef'", "`'slef'` in `script-src` is not the keyword `'self'`", "script-src 'self'"),
    (
        "script-src 'self'; img-src none",
        "`none` in `img-src` is not the keyword `'none'`",
        "script-src 'self'; img-src 'none'",
    ),
    (
        "script-src 'self'; script-src 'none'",
        "the directive `script-src` is repeated, and only the first one counts",
        None,
    ),
    ("script-src 'self'; img-src ü.example", "it cannot contain `ü`", None),
]


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_directives_in_every_browser(name: str) -> None:
    assert accepted_texts(name, ACCEPTED) == ACCEPTED
    assert reported(name, MISSPELLED) == MISSPELLED


UNSAFE: list[Row] = [
    ("script-src 'self' 'unsafe-inline'", "`'unsafe-inline'` is not allowed in `script-src`", None),
    ("script-src 'self' 'nonce-abc'", "`'nonce-abc'` is not allowed in `script-src`", None),
    ("script-src 'self' 'strict-dynamic'", "`'strict-dynamic'` is not allowed in `script-src`", None),
]
REMOTE = [
    "script-src 'self' http://example.com",
    "script-src 'self' https:",
    "script-src 'self' https://*",
    "script-src 'self' https://*.com",
    "script-src 'self' data:",
    "script-src 'self' *",
    "script-src 'self' ws://localhost:3000",
]


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_unsafe_script_sources_are_rejected_everywhere(name: str) -> None:
    assert reported(name, UNSAFE) == UNSAFE
    assert accepted_texts(name, REMOTE) == []


def test_manifest_v2_accepts_eval_and_named_hosts() -> None:
    takes = [
        "script-src 'self' 'unsafe-eval'; object-src 'self'",
        "script-src 'self' https://example.com https://*.example.com:443/path; object-src 'self'",
        "script-src 'self' blob:; object-src 'self'",
    ]
    for name in (FIREFOX_2, CHROME_2):
        assert accepted_texts(name, takes) == takes


def test_manifest_v3_rejects_eval_and_named_hosts() -> None:
    table: list[Row] = [
        ("script-src 'self' 'unsafe-eval'", "`'unsafe-eval'` is not allowed in `script-src`", None),
        (
            "script-src 'self' https://example.com",
            "`https://example.com` is not allowed in `script-src`,"
            " because Manifest V3 does not allow remote code",
            None,
        ),
        (
            "script-src 'self'; worker-src https://example.com",
            "`https://example.com` is not allowed in `worker-src`,"
            " because Manifest V3 does not allow remote code",
            None,
        ),
    ]
    for name in (FIREFOX_3, CHROME_3):
        assert reported(name, table) == table


def test_firefox_requires_self_in_script_sources() -> None:
    must = "`script-src` must include `'self'`"
    missing = "`script-src` is missing"
    table: list[Row] = [
        ("script-src 'none'", must, None),
        ("script-src https://example.com", must, None),
        ("object-src 'self'", missing, None),
        ("", missing, None),
        (
            "default-src 'self' https://example.com",
            f"{missing}; `default-src` can replace it only with sources in the package",
            None,
        ),
        ("script-src 'self'; worker-src *", "`*` is not allowed in `worker-src`", None),
        ("script-src 'self'; child-src data:", "`data:` is not allowed in `child-src`", None),
    ]
    assert reported(FIREFOX_2, table) == table
    takes = ["default-src 'none'", "script-src 'self'; object-src *", "script-src 'self' 'sha256-AAAA'"]
    for name in (FIREFOX_2, FIREFOX_3):
        assert accepted_texts(name, takes) == takes


def test_chrome_accepts_only_package_code_in_manifest_v3() -> None:
    takes = ["script-src 'none'", "script-src", "default-src 'none'", "script-src 'self'; default-src *"]
    assert accepted_texts(CHROME_3, takes) == takes
    remote = "because Manifest V3 does not allow remote code"
    table: list[Row] = [
        ("", "`script-src` is missing", None),
        ("object-src 'self'", "`script-src` is missing", None),
        ("default-src https:", f"`https:` is not allowed in `default-src`, {remote}", None),
        ("script-src 'self'; object-src data:", f"`data:` is not allowed in `object-src`, {remote}", None),
        ("script-src 'self' blob:", f"`blob:` is not allowed in `script-src`, {remote}", None),
        ("script-src 'self' 'sha256-AAAA'", "`'sha256-AAAA'` is not allowed in `script-src`", None),
    ]
    assert reported(CHROME_3, table) == table


def test_chrome_rejects_insecure_sources_in_manifest_v2() -> None:
    table: list[Row] = [
        ("script-src 'self'; object-src data:", "`data:` is not allowed in `object-src`", None),
        (
            "default-src 'self' http://example.com",
            "`http://example.com` is not allowed in `default-src`; `https://` is",
            None,
        ),
    ]
    assert reported(CHROME_2, table) == table
    takes = ["", "script-src 'none'", "script-src 'self' 'sha256-AAAA'", "script-src 'self' 'wasm-eval'"]
    assert accepted_texts(CHROME_2, takes) == takes


def test_chrome_requires_a_valid_header_value() -> None:
    comma = "it cannot contain a comma; directives end with `;`"
    table: list[Row] = [
        ("script-src 'self', object-src 'self'", comma, "script-src 'self'; object-src 'self'"),
        ("script-src 'self', 'wasm-unsafe-eval'", comma, "script-src 'self' 'wasm-unsafe-eval'"),
        ("script-src\n'self'", "it cannot contain a line break", "script-src 'self'"),
    ]
    for name in (CHROME_2, CHROME_3):
        assert reported(name, table) == table


def test_sandbox_policies() -> None:
    takes = [
        "sandbox",
        "sandbox allow-scripts allow-forms; script-src 'self' 'unsafe-eval' https://example.com",
        "script-src *; SANDBOX allow-scripts",
    ]
    assert accepted_texts("csp-sandbox", takes) == takes
    comma = "it cannot contain a comma; directives end with `;`"
    end = "`allow-same-origin` would defeat the sandbox"
    table: list[Row] = [
        ("", "the directive `sandbox` is missing", None),
        ("script-src 'self'", "the directive `sandbox` is missing", None),
        ("sandbox allow-scripts allow-same-origin", end, None),
        ("sandbox ALLOW-SAME-ORIGIN", end, None),
        ("sandbox allow-scrips", "`sandbox` does not accept `allow-scrips`", None),
        ("sandbox allow-forms, allow-modals", comma, "sandbox allow-forms allow-modals"),
    ]
    assert reported("csp-sandbox", table) == table
