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


def gecko(**keys: object) -> dict[str, object]:
    """Returns manifest keys for Firefox, with an ID and other keys for Gecko."""
    return {"browser_specific_settings": {"gecko": {"id": "a@example.com", **keys}}}


def script(text: str, **keys: object) -> Files:
    """Returns an extension with a background script."""
    return {"manifest.json": manifest(background={"scripts": ["a.js"]}, **(gecko() | keys)), "a.js": text}


def page(markup: str) -> Files:
    """Returns an extension with a popup."""
    return {"manifest.json": manifest(action={"default_popup": "a.html"}, **gecko()), "a.html": markup}


def locale(text: str, **keys: object) -> Files:
    """Returns an extension with messages."""
    keys = gecko() | {"default_locale": "en"} | keys
    return {"manifest.json": manifest(**keys), "_locales/en/messages.json": text}


def only(**keys: object) -> Files:
    """Returns an extension with only a manifest."""
    return {"manifest.json": manifest(**(gecko() | keys))}


CASES: dict[str, Files] = {
    "DEPRECATED_API": script('browser.extension.getURL("a.png");', manifest_version=2),
    "UNSUPPORTED_API": script("browser.tabs.crate({});"),
    "INCOMPATIBLE_API": script("browser.tabs.group({tabIds: 1});", **gecko(strict_min_version="128.0")),
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
    "JS_SYNTAX_ERROR": script("function a() {\n  browser.management.getSelf();"),
    "DANGEROUS_EVAL": script('eval("1");'),
    "NO_IMPLIED_EVAL": script('setTimeout("a()", 1);'),
    "INLINE_SCRIPT": page("<!doctype html><script>a()</script>"),
    "REMOTE_SCRIPT": page('<!doctype html><script src="https://example.com/a.js"></script>'),
    "JSON_INVALID": {"manifest.json": "{"},
    "JSON_BLOCK_COMMENTS": {"manifest.json": "/* a */ " + manifest()},
    "JSON_DUPLICATE_KEY": {
        "manifest.json": '{"manifest_version": 3, "name": "A", "name": "B", "version": "1"}'
    },
    "MANIFEST_FIELD_REQUIRED": {"manifest.json": '{"manifest_version": 3, "name": "A"}'},
    "MANIFEST_FIELD_INVALID": only(action={"default_title": 1}),
    "VERSION_FORMAT_INVALID": only(version="1.0.0.0.0beta"),
    "MANIFEST_FIELD_UNSUPPORTED": only(browser_action={}),
    "MANIFEST_PERMISSIONS": only(permissions=["tab"]),
    "MANIFEST_OPTIONAL_PERMISSIONS": only(optional_permissions=["tab"]),
    "MANIFEST_HOST_PERMISSIONS": only(host_permissions=["example"]),
    "MANIFEST_BAD_PERMISSION": only(permissions=[1]),
    "APPLICATIONS_INVALID": only(applications={"gecko": {"id": "a@example.com"}}),
    "MANIFEST_CONTENT_SCRIPT_FILE_NOT_FOUND": only(
        content_scripts=[{"matches": ["https://example.com/*"], "js": ["b.js"]}]
    ),
    "NO_MESSAGES_FILE": only(default_locale="en"),
    "NO_DEFAULT_LOCALE": {
        "manifest.json": manifest(**gecko()),
        "_locales/en/messages.json": '{"a": {"message": "A"}}',
    },
    "NO_MESSAGE": locale('{"a": {}}'),
    "MISSING_PLACEHOLDER": locale('{"a": {"message": "$B$"}}', name="__MSG_a__"),
    "CORRUPT_ICON_FILE": {"manifest.json": manifest(icons={"48": "a.png"}, **gecko()), "a.png": b"A"},
    "WRONG_ICON_EXTENSION": {"manifest.json": manifest(icons={"48": "a.txt"}, **gecko()), "a.txt": b"A"},
    "MANIFEST_THEME_IMAGE_NOT_FOUND": only(theme={"images": {"theme_frame": "a.png"}}),
    "BACKGROUND_SERVICE_WORKER_NOFALLBACK": {
        "manifest.json": manifest(background={"service_worker": "a.js"}, **gecko()),
        "a.js": "",
    },
    "ADDON_ID_REQUIRED": {"manifest.json": manifest()},
    "MISSING_DATA_COLLECTION_PERMISSIONS": only(),
    "NONE_DATA_COLLECTION_IS_EXCLUSIVE": only(
        **gecko(data_collection_permissions={"required": ["none", "bookmarksInfo"]})
    ),
    "MANIFEST_CSP_UNSAFE_EVAL": only(
        content_security_policy={"extension_pages": "script-src 'self' 'unsafe-eval'"}
    ),
    "MANIFEST_FIELD_PRIVILEGED": only(experiment_apis={}),
    "APPLICATIONS_DEPRECATED": {
        "manifest.json": manifest(manifest_version=2, applications={"gecko": {"id": "a@example.com"}})
    },
    "INCOGNITO_SPLIT_UNSUPPORTED": only(incognito="split"),
    "MANIFEST_THEME_LWT_ALIAS": only(theme={"colors": {"accentcolor": "red"}}),
    "MANIFEST_PERMISSIONS_PRIVILEGED": only(permissions=["telemetry"]),
    "IGNORED_APPLICATIONS_PROPERTY": only(
        applications={"gecko": {"id": "a@example.com"}}, manifest_version=2
    ),
    "INVALID_PLACEHOLDER_NAME": locale('{"a": {"message": "A", "placeholders": {"b-c": {"content": "C"}}}}'),
    "NO_PLACEHOLDER_CONTENT": locale(
        '{"a": {"message": "$B$", "placeholders": {"b": {}}}}', name="__MSG_a__"
    ),
    "MANIFEST_DICT_NOT_FOUND": only(dictionaries={"en": "a.dic"}),
}
"""The smallest extension for which addons-linter reports each code."""


def rules_for(files: Files) -> set[str]:
    """Returns the rules that report an extension, in any group."""
    return {finding.rule for finding in lint(files, tuple(RULES), "firefox")}


def test_each_row_has_a_case() -> None:
    assert set(ROWS) == set(CASES)


@pytest.mark.parametrize("code", CASES)
def test_the_rule_of_a_row_speaks(code: str) -> None:
    assert ROWS[code]
    assert set(ROWS[code]) <= rules_for(CASES[code])


def test_names_on_the_page_are_those_of_rules() -> None:
    assert {name for names in ROWS.values() for name in names} <= {*RULES, *GROUPS}
