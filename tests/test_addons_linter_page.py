"""The page about addons-linter names the matching extlint rule for each of its codes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from harness import Files, lint, manifest

from extlint.registry import GROUPS, RULES

PAGE = (Path(__file__).parent.parent / "docs" / "addons-linter.md").read_text("utf-8")
ROWS = {
    code: re.findall(r"`([a-z-]+)`", rule)
    for codes, rule in re.findall(r"^\| (`[A-Z_`, ]+`) \| (.+?) \|$", PAGE, re.MULTILINE)
    for code in re.findall(r"`([A-Z_]+)`", codes)
}


def gecko_settings(**keys: object) -> dict[str, object]:
    """Returns manifest keys for Firefox, with an ID and other keys for Gecko."""
    return {"browser_specific_settings": {"gecko": {"id": "a@example.com", **keys}}}


def script_extension(text: str, **keys: object) -> Files:
    """Returns an extension with a background script."""
    return {
        "manifest.json": manifest(background={"scripts": ["a.js"]}, **(gecko_settings() | keys)),
        "a.js": text,
    }


def popup_extension(markup: str) -> Files:
    """Returns an extension with a popup."""
    return {
        "manifest.json": manifest(action={"default_popup": "a.html"}, **gecko_settings()),
        "a.html": markup,
    }


def locale_extension(text: str, **keys: object) -> Files:
    """Returns an extension with messages."""
    keys = gecko_settings() | {"default_locale": "en"} | keys
    return {"manifest.json": manifest(**keys), "_locales/en/messages.json": text}


def manifest_extension(**keys: object) -> Files:
    """Returns an extension with only a manifest."""
    return {"manifest.json": manifest(**(gecko_settings() | keys))}


CASES: dict[str, Files] = {
    "DEPRECATED_API": script_extension('browser.extension.getURL("a.png");', manifest_version=2),
    "UNSUPPORTED_API": script_extension("browser.tabs.crate({});"),
    "INCOMPATIBLE_API": script_extension(
        "browser.tabs.group({tabIds: 1});", **gecko_settings(strict_min_version="128.0")
    ),
    "STORAGE_SYNC": {
        "manifest.json": manifest(
            manifest_version=2, permissions=["storage"], background={"scripts": ["a.js"]}
        ),
        "a.js": 'browser.storage.sync.get("a");',
    },
    "STORAGE_MANAGED": {
        "manifest.json": manifest(
            manifest_version=2, permissions=["storage"], background={"scripts": ["a.js"]}
        ),
        "a.js": 'browser.storage.managed.get("a");',
    },
    "IDENTITY_GETREDIRECTURL": {
        "manifest.json": manifest(
            manifest_version=2, permissions=["identity"], background={"scripts": ["a.js"]}
        ),
        "a.js": "browser.identity.getRedirectURL();",
    },
    "JS_SYNTAX_ERROR": script_extension("function a() {\n  browser.management.getSelf();"),
    "DANGEROUS_EVAL": script_extension('eval("1");'),
    "NO_IMPLIED_EVAL": script_extension('setTimeout("a()", 1);'),
    "INLINE_SCRIPT": popup_extension("<!doctype html><script>a()</script>"),
    "REMOTE_SCRIPT": popup_extension('<!doctype html><script src="https://example.com/a.js"></script>'),
    "JSON_INVALID": {"manifest.json": "{"},
    "JSON_BLOCK_COMMENTS": {"manifest.json": "/* a */ " + manifest()},
    "JSON_DUPLICATE_KEY": {
        "manifest.json": '{"manifest_version": 3, "name": "A", "name": "B", "version": "1"}'
    },
    "MANIFEST_FIELD_REQUIRED": {"manifest.json": '{"manifest_version": 3, "name": "A"}'},
    "MANIFEST_FIELD_INVALID": manifest_extension(action={"default_title": 1}),
    "VERSION_FORMAT_INVALID": manifest_extension(version="1.0.0.0.0beta"),
    "MANIFEST_FIELD_UNSUPPORTED": manifest_extension(browser_action={}),
    "MANIFEST_PERMISSIONS": manifest_extension(permissions=["tab"]),
    "MANIFEST_OPTIONAL_PERMISSIONS": manifest_extension(optional_permissions=["tab"]),
    "MANIFEST_HOST_PERMISSIONS": manifest_extension(host_permissions=["example"]),
    "MANIFEST_BAD_PERMISSION": manifest_extension(permissions=[1]),
    "APPLICATIONS_INVALID": manifest_extension(applications={"gecko": {"id": "a@example.com"}}),
    "MANIFEST_CONTENT_SCRIPT_FILE_NOT_FOUND": manifest_extension(
        content_scripts=[{"matches": ["https://example.com/*"], "js": ["b.js"]}]
    ),
    "NO_MESSAGES_FILE": manifest_extension(default_locale="en"),
    "NO_DEFAULT_LOCALE": {
        "manifest.json": manifest(**gecko_settings()),
        "_locales/en/messages.json": '{"a": {"message": "A"}}',
    },
    "NO_MESSAGE": locale_extension('{"a": {}}'),
    "MISSING_PLACEHOLDER": locale_extension('{"a": {"message": "$B$"}}', name="__MSG_a__"),
    "CORRUPT_ICON_FILE": {
        "manifest.json": manifest(icons={"48": "a.png"}, **gecko_settings()),
        "a.png": b"A",
    },
    "WRONG_ICON_EXTENSION": {
        "manifest.json": manifest(icons={"48": "a.txt"}, **gecko_settings()),
        "a.txt": b"A",
    },
    "MANIFEST_THEME_IMAGE_NOT_FOUND": manifest_extension(theme={"images": {"theme_frame": "a.png"}}),
    "BACKGROUND_SERVICE_WORKER_NOFALLBACK": {
        "manifest.json": manifest(background={"service_worker": "a.js"}, **gecko_settings()),
        "a.js": "",
    },
    "ADDON_ID_REQUIRED": {"manifest.json": manifest()},
    "MISSING_DATA_COLLECTION_PERMISSIONS": manifest_extension(),
    "NONE_DATA_COLLECTION_IS_EXCLUSIVE": manifest_extension(
        **gecko_settings(data_collection_permissions={"required": ["none", "bookmarksInfo"]})
    ),
    "MANIFEST_CSP_UNSAFE_EVAL": manifest_extension(
        content_security_policy={"extension_pages": "script-src 'self' 'unsafe-eval'"}
    ),
    "MANIFEST_FIELD_PRIVILEGED": manifest_extension(experiment_apis={}),
    "APPLICATIONS_DEPRECATED": {
        "manifest.json": manifest(manifest_version=2, applications={"gecko": {"id": "a@example.com"}})
    },
    "INCOGNITO_SPLIT_UNSUPPORTED": manifest_extension(incognito="split"),
    "MANIFEST_THEME_LWT_ALIAS": manifest_extension(theme={"colors": {"accentcolor": "red"}}),
    "MANIFEST_PERMISSIONS_PRIVILEGED": manifest_extension(permissions=["telemetry"]),
    "IGNORED_APPLICATIONS_PROPERTY": manifest_extension(
        applications={"gecko": {"id": "a@example.com"}}, manifest_version=2
    ),
    "INVALID_PLACEHOLDER_NAME": locale_extension(
        '{"a": {"message": "A", "placeholders": {"b-c": {"content": "C"}}}}'
    ),
    "NO_PLACEHOLDER_CONTENT": locale_extension(
        '{"a": {"message": "$B$", "placeholders": {"b": {}}}}', name="__MSG_a__"
    ),
    "MANIFEST_DICT_NOT_FOUND": manifest_extension(dictionaries={"en": "a.dic"}),
}
"""The smallest extension for which addons-linter reports each code."""


def reporting_rules(files: Files) -> set[str]:
    """Returns the rules that report an extension, in any group."""
    return {finding.rule for finding in lint(files, tuple(RULES), "firefox")}


def test_each_row_has_a_case() -> None:
    assert set(ROWS) == set(CASES)


@pytest.mark.parametrize("code", CASES)
def test_rules_of_each_row_report_its_case(code: str) -> None:
    assert ROWS[code]
    assert set(ROWS[code]) <= reporting_rules(CASES[code])


def test_page_names_only_existing_rules() -> None:
    assert {name for names in ROWS.values() for name in names} <= {*RULES, *GROUPS}
