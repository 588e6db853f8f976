"""Mistakes in a manifest, for one target: one finding per mistake, at its position."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import lint, text_under

from extlint.finding import Severity
from extlint.schema.words.formats import title
from extlint.text.formats.registry import FORMATS

RULES = (
    "unknown-key",
    "invalid-value",
    "missing-key",
    "unknown-permission",
    "wrong-manifest-version",
    "deprecated-key",
    "conflicting-keys",
)


def findings_of(target: str, keys: dict[str, Any]) -> list[tuple[str, str, str, str | None]]:
    """Returns the rule, source text, message and help of each finding about these keys, except notes.

    For Chrome, the target is the last version that loads the manifest.
    """
    base: dict[str, Any] = {"manifest_version": 3, "name": "Test", "version": "1.0"}
    files = {"manifest.json": json.dumps({**base, **keys}, ensure_ascii=False)}
    if target == "chrome" and keys.get("manifest_version") == 2:
        target = "chrome<=138"
    found = lint(files, RULES, target)
    found = [each for each in found if each.severity > Severity.INFO]
    return [(each.rule, text_under(files, each), each.message, each.help) for each in found]


def only_finding(target: str, keys: dict[str, Any]) -> tuple[str, str, str, str | None]:
    (finding,) = findings_of(target, keys)
    return finding


SCRIPT: dict[str, Any] = {"matches": ["*://*/*"], "js": ["a.js"]}

EVERYWHERE: dict[str, tuple[dict[str, Any], tuple[str, str, str]]] = {
    "a misspelled key": (
        {"permisions": ["storage"]},
        (
            "unknown-key",
            '"permisions"',
            "unknown key `permisions` in the manifest; did you mean `permissions`?",
        ),
    ),
    "a misspelled key that is required is one mistake": (
        {"content_scripts": [{"match": ["*://*/*"], "js": ["a.js"]}]},
        (
            "unknown-key",
            '"match"',
            "unknown key `match` in an item of `content_scripts`; did you mean `matches`?",
        ),
    ),
    "a missing key below the top": (
        {"content_scripts": [{"js": ["a.js"]}]},
        (
            "missing-key",
            '{"js": ["a.js"]}',
            "an item of `content_scripts` is missing the required key `matches`",
        ),
    ),
    "a value of the wrong type": (
        {"permissions": "storage"},
        ("invalid-value", '"storage"', "`permissions` must be a list, not a string"),
    ),
    "a value that is not listed": (
        {"content_scripts": [{**SCRIPT, "run_at": "document_strat"}]},
        (
            "invalid-value",
            '"document_strat"',
            "`run_at` cannot be `document_strat`; did you mean `document_start`?",
        ),
    ),
    "a value that is near nothing": (
        {"content_scripts": [{**SCRIPT, "run_at": "soon"}]},
        (
            "invalid-value",
            '"soon"',
            "`run_at` cannot be `soon`; it can be `document_start`, `document_end` or `document_idle`",
        ),
    ),
    "a pattern without a scheme": (
        {"host_permissions": ["example.org/*"]},
        (
            "invalid-value",
            '"example.org/*"',
            "`example.org/*` is not a valid match pattern: it must begin with a scheme such as `https://`, or"
            " with `*://` for http and https; did you mean `*://example.org/*`?",
        ),
    ),
    "an unknown permission": (
        {"permissions": ["storag"]},
        ("unknown-permission", '"storag"', "unknown permission `storag`; did you mean `storage`?"),
    ),
    "a permission that is an object": (
        {"permissions": [{"storage": True}]},
        (
            "invalid-value",
            '{"storage": true}',
            "an item of `permissions` must be a string, not an object",
        ),
    ),
    "an icon without its size": (
        {"icons": {"16px": "a.png"}},
        ("unknown-key", '"16px"', "unknown key `16px` in `icons`"),
    ),
    "a number that is too high": (
        {"manifest_version": 4},
        ("invalid-value", "4", "`manifest_version` must be 2 or 3, not `4`"),
    ),
    "a policy, which is not repeated": (
        {"content_security_policy": {"extension_pages": "script-src 'self' https://example.org"}},
        (
            "invalid-value",
            "\"script-src 'self' https://example.org\"",
            "invalid content security policy: `https://example.org` is not allowed in `script-src`, "
            "because Manifest V3 does not allow remote code",
        ),
    ),
    "a path that is blank": (
        {"icons": {"16": " "}},
        ("invalid-value", '" "', "a blank string is not a valid file path: it does not name a file"),
    ),
    "an address instead of a path": (
        {"icons": {"16": "https://example.org/a.png"}},
        (
            "invalid-value",
            '"https://example.org/a.png"',
            "`https://example.org/a.png` is not a valid file path: "
            "it is a URL, but the file must be in the package",
        ),
    ),
    "a yes or no that is a string": (
        {"content_scripts": [{**SCRIPT, "all_frames": "true"}]},
        (
            "invalid-value",
            '"true"',
            "`all_frames` must be true or false, not a string; did you mean `true`?",
        ),
    ),
    "a version that is a string": (
        {"manifest_version": "3"},
        (
            "invalid-value",
            '"3"',
            "`manifest_version` must be a whole number, not a string; did you mean `3`?",
        ),
    ),
}


@pytest.mark.parametrize("name", EVERYWHERE)
@pytest.mark.parametrize("target", ["reference", "firefox", "chrome", "edge"])
def test_mistake_is_reported_once_in_every_browser(name: str, target: str) -> None:
    keys, expected = EVERYWHERE[name]
    assert only_finding(target, keys)[:3] == expected


WRONG_VERSION: dict[str, tuple[dict[str, Any], tuple[str, str, str | None]]] = {
    "a Manifest V2 key": (
        {"browser_action": {}},
        ('"browser_action"', "`browser_action` was removed in Manifest V3", "use `action`"),
    ),
    "a Manifest V3 key": (
        {"manifest_version": 2, "host_permissions": ["*://*/*"]},
        ('"host_permissions"', "`host_permissions` requires Manifest V3", "use `permissions`"),
    ),
    "hosts among permissions": (
        {"permissions": ["https://example.org/*"]},
        (
            '"https://example.org/*"',
            "match patterns in `permissions` were removed in Manifest V3",
            "use `host_permissions`",
        ),
    ),
    "a policy that is a string": (
        {"content_security_policy": "script-src 'self'"},
        (
            "\"script-src 'self'\"",
            "`content_security_policy` as a string was removed in Manifest V3",
            "use an object with the policy under `extension_pages`",
        ),
    ),
    "a policy that is an object": (
        {"manifest_version": 2, "content_security_policy": {"extension_pages": "script-src 'self'"}},
        (
            '{"extension_pages": "script-src \'self\'"}',
            "`content_security_policy` as an object requires Manifest V3",
            "use only the string of `extension_pages`",
        ),
    ),
    "resources in a flat list": (
        {"web_accessible_resources": ["a.png", "b.png"]},
        (
            '["a.png", "b.png"]',
            "`web_accessible_resources` as a list of strings was removed in Manifest V3",
            "use a list of objects with `resources` and `matches`",
        ),
    ),
    "a persistent background": (
        {"background": {"service_worker": "a.js", "scripts": ["a.js"], "persistent": True}},
        ('"persistent"', "`background.persistent` was removed in Manifest V3", None),
    ),
}


@pytest.mark.parametrize("name", WRONG_VERSION)
@pytest.mark.parametrize("target", ["reference", "firefox", "chrome"])
def test_key_of_the_other_manifest_version(name: str, target: str) -> None:
    keys, expected = WRONG_VERSION[name]
    assert only_finding(target, keys) == ("wrong-manifest-version", *expected)


@pytest.mark.parametrize(
    ("version", "help"),
    [(2, None), (3, "match patterns in `permissions` were removed in Manifest V3: use `host_permissions`")],
)
def test_invalid_host_among_permissions(version: int, help: str | None) -> None:
    keys = {"manifest_version": version, "permissions": ["http://127.0.0.1:8080"]}
    assert only_finding("firefox", keys) == (
        "invalid-value",
        '"http://127.0.0.1:8080"',
        "`http://127.0.0.1:8080` is not a valid match pattern: it has no path; `/*` matches every path; "
        "did you mean `http://127.0.0.1:8080/*`?",
        help,
    )


def test_string_that_one_version_accepts_in_one_format() -> None:
    icon = "https://example.org/a.ico"
    provider = {"name": "A", "search_url": "https://example.org/?q={searchTerms}", "favicon_url": icon}
    keys = {"chrome_settings_overrides": {"search_provider": provider}}
    assert only_finding("firefox", keys) == (
        "wrong-manifest-version",
        f'"{icon}"',
        f"`favicon_url` in Manifest V3 must be a path in the extension, not `{icon}`",
        None,
    )


@pytest.mark.parametrize(
    ("keys", "reported_by"),
    [
        pytest.param({"background": {"scripts": ["a.js"]}}, ["chrome"], id="a background without a worker"),
        pytest.param(
            {"background": {"service_worker": "a.js", "scripts": ["a.js"]}}, [], id="both: for both"
        ),
        pytest.param({"side_panel": {"default_path": "a.html"}}, [], id="a key of Chrome"),
        pytest.param({"sidebar_action": {"default_panel": "a.html"}}, [], id="a key of Firefox"),
        pytest.param(
            {"side_panel": {"default_path": "a.html"}, "sidebar_action": {"default_panel": "a.html"}},
            [],
            id="the same for both",
        ),
        pytest.param(
            {"minimum_chrome_version": "110", "side_panel": {"default_path": "a.html"}},
            [],
            id="a manifest that is plainly for Chrome too",
        ),
        pytest.param(
            {
                "browser_specific_settings": {"gecko": {"id": "a@example.org"}},
                "sidebar_action": {"default_panel": "a.html"},
            },
            [],
            id="a manifest that is plainly for Firefox too",
        ),
        pytest.param({"key": "YWJj", "update_url": "https://example.org/"}, [], id="keys of a store"),
        pytest.param({"permissions": ["offscreen", "menus"]}, [], id="permissions of another browser"),
        pytest.param(
            {"compose_action": {}, "permissions": ["messagesRead", "compose"]},
            [],
            id="keys and permissions for Thunderbird",
        ),
        pytest.param({"page_action": {}}, ["chrome"], id="page actions in Manifest V3"),
        pytest.param({"_comment": 1, "//": 2, "$schema": "a", "#a": 3}, [], id="comments"),
        pytest.param({"__firefox__name": "A", "{{chrome}}.name": "B"}, [], id="keys that a build replaces"),
        pytest.param({"description": None}, ["chrome"], id="null, which Firefox ignores"),
    ],
)
def test_mistake_is_reported_only_for_some_targets(keys: dict[str, Any], reported_by: list[str]) -> None:
    assert [
        target for target in ("reference", "firefox", "chrome") if findings_of(target, keys)
    ] == reported_by


def test_key_restricted_to_mv3_only_in_chrome() -> None:
    keys = {"manifest_version": 2, "content_scripts": [{**SCRIPT, "world": "MAIN"}]}
    message = "`content_scripts.world` requires Manifest V3"
    help = "use a `<script>` that the content script puts into the page"
    assert only_finding("chrome", keys) == ("wrong-manifest-version", '"world"', message, help)
    assert findings_of("firefox", keys) == []


@pytest.mark.parametrize(
    ("target", "keys", "second", "first"),
    [
        (
            "chrome",
            {"manifest_version": 2, "page_action": {}, "browser_action": {}},
            "browser_action",
            "page_action",
        ),
        ("firefox", {"background": {"scripts": ["a.js"], "page": "a.html"}}, "page", "scripts"),
        ("firefox", {"theme": {"colors": {"frame": "#000"}}, "permissions": []}, "permissions", "theme"),
    ],
)
def test_conflicting_keys(target: str, keys: dict[str, Any], second: str, first: str) -> None:
    base: dict[str, Any] = {"manifest_version": 3, "name": "Test", "version": "1.0"}
    files = {"manifest.json": json.dumps({**base, **keys})}
    (finding,) = lint(files, ["conflicting-keys"], target)
    assert text_under(files, finding) == f'"{second}"'
    assert [each.message for each in finding.related] == [f"`{first}` is here"]


def test_manifest_with_invalid_version_is_checked_against_both() -> None:
    keys = {"manifest_version": "3", "browser_action": {}, "action": {}, "descripton": "A"}
    assert [rule for rule, *_ in findings_of("chrome", keys)] == ["invalid-value", "unknown-key"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_title(name: str) -> None:
    assert title(name).replace(" ", "").replace("-", "").isalpha()
