"""Fixes of mistakes in manifests: safe ones, and those applied only on request."""

from __future__ import annotations

import pytest
from fixing import fixed

MANIFEST = '{"manifest_version": 3, "name": "N", "version": "1", %s}'

SAFE = {
    "a misspelled key": ('"permision": ["tabs"]', '"permissions": ["tabs"]'),
    "a misspelled inner key": (
        '"action": {"defualt_title": "T"}',
        '"action": {"default_title": "T"}',
    ),
    "a misspelled permission": ('"permissions": ["managment"]', '"permissions": ["management"]'),
    "a permission without its s": ('"permissions": ["tab"]', '"permissions": ["tabs"]'),
    "a permission in the wrong case": ('"permissions": ["Storage"]', '"permissions": ["storage"]'),
    "a value of an enum": (
        '"content_scripts": [{"matches": ["<all_urls>"], "css": [], "run_at": "document-end"}]',
        '"content_scripts": [{"matches": ["<all_urls>"], "css": [], "run_at": "document_end"}]',
    ),
    "a truth in quotes": (
        '"content_scripts": [{"matches": ["<all_urls>"], "css": [], "all_frames": "true"}]',
        '"content_scripts": [{"matches": ["<all_urls>"], "css": [], "all_frames": true}]',
    ),
    "a pattern without a path": (
        '"host_permissions": ["https://example.com"]',
        '"host_permissions": ["https://example.com/*"]',
    ),
    "a host among the permissions": (
        '"permissions": ["tabs", "https://example.com/*"]',
        '"permissions": ["tabs"], "host_permissions": ["https://example.com/*"]',
    ),
    "several hosts": (
        '"permissions": ["*://*/*", "tabs", "<all_urls>"], "host_permissions": ["<all_urls>"]',
        '"permissions": ["tabs"], "host_permissions": ["<all_urls>", "*://*/*"]',
    ),
    "a host without a path": (
        '"permissions": ["https://example.com"]',
        '"permissions": [], "host_permissions": ["https://example.com/*"]',
    ),
    "a comma after the last item": ('"permissions": ["tabs",]', '"permissions": ["tabs"]'),
    "a comma after the last key, with a comment": (
        '"permissions": ["tabs"], // done\n',
        '"permissions": ["tabs"] // done\n',
    ),
    "a key that is there twice with one value": (
        '"permissions": ["tabs"], "permissions": ["tabs"]',
        '"permissions": ["tabs"]',
    ),
    "a command for the action of Manifest V2": (
        '"action": {}, "commands": {"_execute_browser_action": {}}',
        '"action": {}, "commands": {"_execute_action": {}}',
    ),
    "an action of Manifest V2": ('"browser_action": {}', '"action": {}'),
}


@pytest.mark.parametrize(("before", "after"), SAFE.values(), ids=SAFE.keys())
def test_safe_manifest_fix(before: str, after: str) -> None:
    found = fixed({"manifest.json": MANIFEST % before}, "chrome")
    assert found == {"manifest.json": MANIFEST % after}


UNSAFE = {
    "a short name that may mean something else": ('"permissions": ["mdns"]', '"permissions": ["dns"]'),
    "a word that is put otherwise": (
        '"action": {"title": "T"}',
        '"action": {"default_title": "T"}',
    ),
    "a pattern without a scheme": ('"host_permissions": ["a.b"]', '"host_permissions": ["*://a.b/*"]'),
    "a key that is there twice": (
        '"permissions": ["storage"], "permissions": ["tabs"]',
        '"permissions": ["tabs"]',
    ),
    "the script of a background": (
        '"background": {"scripts": ["b.js"], "type": "module"}',
        '"background": {"service_worker": "b.js", "type": "module"}',
    ),
    "a policy that is a string": (
        '"content_security_policy": "default-src \'self\'"',
        '"content_security_policy": {"extension_pages": "default-src \'self\'"}',
    ),
    "resources that are a list": (
        '"web_accessible_resources": ["a.png"]',
        '"web_accessible_resources": [{"resources": ["a.png"], "matches": ["<all_urls>"]}]',
    ),
}


@pytest.mark.parametrize(("before", "after"), UNSAFE.values(), ids=UNSAFE.keys())
def test_unsafe_manifest_fix(before: str, after: str) -> None:
    files = {"manifest.json": MANIFEST % before}
    assert fixed(files, "chrome") == {}
    assert fixed(files, "chrome", unsafe=True) == {"manifest.json": MANIFEST % after}


NOT_FIXED = {
    "an unknown key": '"zzz": 1',
    "a key with a value invalid for its near match": '"icon": "a.png"',
    "a key that is there by its right name too": '"permision": [], "permissions": []',
    "an action next to the one of Manifest V2": '"browser_action": {}, "action": {}',
    "an unknown permission": '"permissions": ["zzz"]',
    "several scripts of a background": '"background": {"scripts": ["b.js", "c.js"]}',
    "a key for another browser": '"sidebar_action": {"default_panel": "p.html"}',
}


@pytest.mark.parametrize("written", NOT_FIXED.values(), ids=NOT_FIXED.keys())
def test_unfixable_manifest_mistake(written: str) -> None:
    files = {"manifest.json": MANIFEST % written, "p.html": ""}
    assert fixed(files, "chrome", unsafe=True) == {}


def test_fix_for_one_of_several_browsers_is_unsafe() -> None:
    files = {"manifest.json": MANIFEST % '"applications": {"gecko": {"id": "a@b.c"}}'}
    after = {"manifest.json": MANIFEST % '"browser_specific_settings": {"gecko": {"id": "a@b.c"}}'}
    assert fixed(files, "firefox") == after
    assert fixed(files, "firefox,chrome") == {}
    assert fixed(files, "firefox,chrome", unsafe=True) == after


def test_locale_files_and_request_rules_are_fixed() -> None:
    rules = '[\n  {"id": 1, "action": {"type": "blok"}, "condition": {"resourceTypes": ["script"]}}\n]\n'
    files = {
        "manifest.json": MANIFEST
        % '"default_locale": "en", "permissions": ["declarativeNetRequest"], "declarative_net_request": '
        '{"rule_resources": [{"id": "r", "enabled": true, "path": "r.json"}]}',
        "r.json": rules,
        "_locales/en/messages.json": '{"a": {"mesage": "A"}}',
    }
    assert fixed(files, "chrome") == {
        "r.json": rules.replace("blok", "block"),
        "_locales/en/messages.json": '{"a": {"message": "A"}}',
    }


def test_block_comments_become_line_comments_for_firefox() -> None:
    text = (MANIFEST % '"permissions": ["tabs"]') + "\n"
    before = "/* One\n * and two */\n" + text.replace('"name"', '/* the name */\n/**/\n  "name"')
    after = "// One\n // and two\n" + text.replace('"name"', '// the name\n//\n  "name"')
    assert fixed({"manifest.json": before}, "firefox") == {"manifest.json": after}
    inside = text.replace('"tabs"', '/* all */ "tabs"')
    assert fixed({"manifest.json": inside}, "firefox", unsafe=True) == {}


def test_removal_of_comment_in_strict_json_is_unsafe() -> None:
    files = {
        "manifest.json": MANIFEST % '"permissions": ["declarativeNetRequest"], "declarative_net_request": '
        '{"rule_resources": [{"id": "r", "enabled": true, "path": "r.json"}]}',
        "r.json": "[ // none\n]",
    }
    assert fixed(files, "chrome") == {}
    assert fixed(files, "chrome", unsafe=True) == {"r.json": "[ \n]"}


def test_key_that_a_store_rejects_is_not_written_for_it() -> None:
    files = {"manifest.json": MANIFEST % '"update_ulr": "https://example.com/updates.xml"'}
    assert '"update_url"' in fixed(files, "chrome")["manifest.json"]
    assert fixed(files, "edge", unsafe=True) == {}
    assert fixed(files, "chrome,edge", unsafe=True) == {}
