"""Severities of manifest mistakes, which depend on what the browser does about them.

Each row was verified in Firefox 153.7 or Chromium 156: an error if the browser rejects the package or its
background, a warning if it ignores something, and a note if this only concerns another browser.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import lint, manifest, text_under

RULES = (
    "conflicting-keys",
    "deprecated-key",
    "invalid-value",
    "missing-key",
    "unknown-key",
    "unknown-permission",
    "wrong-manifest-version",
)
GECKO: dict[str, Any] = {"gecko": {"id": "a@example.org"}}
V2: dict[str, Any] = {"manifest_version": 2}
WORKER: dict[str, Any] = {"background": {"service_worker": "a.js"}}
PAGE = "https://example.org/*"


def findings_of(target: str, keys: dict[str, Any]) -> list[str]:
    """Returns the severity, rule and source text of each finding about a manifest with these keys."""
    base: dict[str, Any] = {"manifest_version": 3, "name": "Test", "version": "1.0"}
    files = {"manifest.json": json.dumps({**base, **keys})}
    return [f"{each.severity} {each.rule} {text_under(files, each)}" for each in lint(files, RULES, target)]


def message(target: str, keys: dict[str, Any]) -> str:
    base: dict[str, Any] = {"manifest_version": 3, "name": "Test", "version": "1.0"}
    (finding,) = lint({"manifest.json": json.dumps({**base, **keys})}, RULES, target)
    return finding.message


def script(**keys: Any) -> dict[str, Any]:
    return {"content_scripts": [{"matches": [PAGE], **keys}]}


def options(**keys: Any) -> dict[str, Any]:
    return {"options_ui": {"page": "a.html", **keys}}


FIREFOX: dict[str, tuple[dict[str, Any], list[str]]] = {
    "an old name next to the new one": (
        {**V2, "applications": GECKO, "browser_specific_settings": GECKO},
        ['warning conflicting-keys "browser_specific_settings"'],
    ),
    "only the old name": ({**V2, "applications": GECKO}, ['warning deprecated-key "applications"']),
    "an old name in Manifest V3": (
        {"applications": GECKO},
        ['warning wrong-manifest-version "applications"'],
    ),
    "a version with letters": ({"version": "0.5rc2"}, ['warning invalid-value "0.5rc2"']),
    "a version that is a number": ({"version": 0.5}, ["error invalid-value 0.5"]),
    "no scripts in the background": ({"background": {"scripts": []}}, ["warning invalid-value []"]),
    "an empty background": ({"background": {}}, ["warning missing-key {}"]),
    "only a worker": (WORKER, ['error missing-key {"service_worker": "a.js"}']),
    "a worker with scripts": ({"background": {"service_worker": "a.js", "scripts": ["a.js"]}}, []),
    "scripts that are a text": ({"background": {"scripts": "a.js"}}, ['error invalid-value "a.js"']),
    "a persistent background": (
        {"background": {"scripts": ["a.js"], "persistent": True}},
        ['warning wrong-manifest-version "persistent"'],
    ),
    "a page with scripts": (
        {"background": {"page": "a.html", "scripts": ["a.js"]}},
        ['warning conflicting-keys "scripts"'],
    ),
    "the browser's style": (
        {"sidebar_action": {"default_panel": "a.html", "browser_style": True}},
        ["warning wrong-manifest-version true"],
    ),
    "its style in options": (options(browser_style=True), ["warning wrong-manifest-version true"]),
    "its style in options with a tab": (options(browser_style=True, open_in_tab=True), []),
    "a style that is not a boolean": (options(browser_style="yes"), ['error invalid-value "yes"']),
    "a policy that is a text": (
        {"content_security_policy": "script-src 'self'"},
        ["warning wrong-manifest-version \"script-src 'self'\""],
    ),
    "a host among permissions": ({"permissions": [PAGE]}, [f'warning wrong-manifest-version "{PAGE}"']),
    "a permission that is a number": ({"permissions": [1]}, ["warning invalid-value 1"]),
    "permissions that are a text": ({"permissions": "tabs"}, ['error invalid-value "tabs"']),
    "a permission for Mozilla's own": (
        {"permissions": ["telemetry"]},
        ['warning unknown-permission "telemetry"'],
    ),
    "a permission for studies": ({"permissions": ["normandyAddonStudy"]}, []),
    "the same as an optional one": (
        {"optional_permissions": ["normandyAddonStudy"]},
        ['warning invalid-value "normandyAddonStudy"'],
    ),
    "a misspelled one": ({"permissions": ["telemetri"]}, ['warning unknown-permission "telemetri"']),
    "one that few get": ({"permissions": ["geckoProfiler"]}, ['error unknown-permission "geckoProfiler"']),
    "a Manifest V3 permission": (
        {**V2, "optional_permissions": ["userScripts"]},
        ['warning wrong-manifest-version "userScripts"'],
    ),
    "the same permission in Manifest V3": ({"optional_permissions": ["userScripts"]}, []),
    "an API of its own": ({"experiment_apis": {}}, ['warning unknown-key "experiment_apis"']),
    "an unknown key": ({"permisions": []}, ['warning unknown-key "permisions"']),
    "an unknown size": ({"icons": {"judge": "a.png"}}, ['error unknown-key "judge"']),
    "a comment among sizes": ({"icons": {"//": "large", "16": "a.png"}}, ['error unknown-key "//"']),
    "a comment at the top": ({"_comment": "a"}, ['info unknown-key "_comment"']),
    "a comment in a script": (script(js=["a.js"], _comment="a"), ['info unknown-key "_comment"']),
    "a theme with a background": (
        {"theme": {"colors": {"frame": "red"}}, "background": {"scripts": ["a.js"]}},
        ['error conflicting-keys "background"'],
    ),
    "a theme without its colors": ({"theme": None}, ['warning unknown-key "theme"']),
    "an invalid color": ({"theme": {"colors": {"frame": "rad"}}}, ['warning invalid-value "rad"']),
    "a gradient": ({"theme": {"images": {"theme_frame": {"linear-gradient": "red, blue"}}}}, []),
    "a gradient of a file": (
        {"theme": {"images": {"additional_backgrounds": [{"linear-gradient": "a.html"}]}}},
        ['warning invalid-value "a.html"'],
    ),
    "a size that is null": ({"icons": {"16": None}}, ["error invalid-value null"]),
    "a key that is null": ({"action": None, "description": None}, []),
    "a null Manifest V2 key": (
        {"browser_action": None},
        ['warning wrong-manifest-version "browser_action"'],
    ),
    "a split mode": ({"incognito": "split"}, ['warning invalid-value "split"']),
    "an unknown mode": ({"incognito": "splitt"}, ['error invalid-value "splitt"']),
    "scripts without files": (script(js=[]), []),
    "an icon of another site": (
        {"icons": {"16": "https://example.org/a.png"}},
        ['error invalid-value "https://example.org/a.png"'],
    ),
    "a key and a permission for Chrome": (
        {"side_panel": {"default_path": "a.html"}, "permissions": ["sidePanel"], "version_name": "1"},
        [
            'info unknown-key "side_panel"',
            'info unknown-permission "sidePanel"',
            'info unknown-key "version_name"',
        ],
    ),
    "marks for Chrome": ({"minimum_chrome_version": "100", "key": "YWJj", "__chrome__name": "A"}, []),
    "a key and a permission for Thunderbird": (
        {"compose_action": {}, "permissions": ["compose"]},
        ['info unknown-key "compose_action"', 'info unknown-permission "compose"'],
    ),
}

CHROME: dict[str, tuple[dict[str, Any], list[str]]] = {
    "version 2": (V2, ["error invalid-value 2"]),
    "version 2, and something else": ({**V2, "icons": 1}, ["error invalid-value 2", "error invalid-value 1"]),
    "version 4": ({"manifest_version": 4}, ["warning invalid-value 4"]),
    "version 1": ({"manifest_version": 1}, ["error invalid-value 1"]),
    "a version with letters": ({"version": "0.5rc2"}, ['error invalid-value "0.5rc2"']),
    "scripts without files": (script(js=[]), ["error invalid-value []"]),
    "scripts without files or styles": (script(js=[], css=[]), ["error invalid-value []"]),
    "scripts with only styles": (script(js=[], css=["a.css"]), []),
    "an icon of another site": (
        {"icons": {"16": "https://example.org/a.png"}},
        ['error invalid-value "https://example.org/a.png"'],
    ),
    "an unknown size": ({"icons": {"judge": "a.png"}}, ['error unknown-key "judge"']),
    "an unknown key in an action": ({"action": {"popup": "a.html"}}, ['warning unknown-key "popup"']),
    "a Manifest V2 background": (
        {"background": {"scripts": ["a.js"]}},
        ['error wrong-manifest-version "scripts"'],
    ),
    "a background for Firefox too": (
        {"background": {"service_worker": "a.js", "scripts": ["a.js"]}},
        ['info wrong-manifest-version "scripts"'],
    ),
    "a service worker that is a list": (
        {"background": {"service_worker": ["a.js"]}},
        ['error invalid-value ["a.js"]'],
    ),
    "a permission that ended": (
        {"permissions": ["webRequestBlocking"]},
        ['warning wrong-manifest-version "webRequestBlocking"'],
    ),
    "the same where only policies install it": (
        {"permissions": ["webRequestBlocking", "enterprise.deviceAttributes"]},
        [],
    ),
    "the same next to an optional permission for that": (
        {"permissions": ["webRequestBlocking"], "optional_permissions": ["enterprise.deviceAttributes"]},
        ['warning wrong-manifest-version "webRequestBlocking"'],
    ),
    "the same for Firefox, which gives it": (
        {"permissions": ["webRequestBlocking"], "browser_specific_settings": GECKO},
        ['info wrong-manifest-version "webRequestBlocking"'],
    ),
    "a misspelled one": (
        {"permissions": ["webRequestBlockin"]},
        ['warning unknown-permission "webRequestBlockin"'],
    ),
    "a host among permissions": ({"permissions": [PAGE]}, [f'warning wrong-manifest-version "{PAGE}"']),
    "an invalid host": ({"host_permissions": ["example.org"]}, ['warning invalid-value "example.org"']),
    "a host that is a number": ({"host_permissions": [1]}, ["error invalid-value 1"]),
    "a key of apps": ({"sockets": {}}, ['warning unknown-key "sockets"']),
    "a policy that is a text": (
        {"content_security_policy": "script-src 'self'"},
        ["error wrong-manifest-version \"script-src 'self'\""],
    ),
    "a style of its own": (options(chrome_style=True), ["error wrong-manifest-version true"]),
    "options without a page": ({"options_ui": {}}, ["warning missing-key {}"]),
    "an empty externally_connectable": ({"externally_connectable": {}}, ["warning missing-key {}"]),
    "an empty list may connect": ({"externally_connectable": {"ids": []}}, ["warning invalid-value []"]),
    "a detail about pages that may not connect": (
        {"externally_connectable": {"ids": ["*"], "accepts_tls_channel_id": True}},
        ['warning missing-key {"ids": ["*"], "accepts_tls_channel_id": true}'],
    ),
    "an empty shortcut": ({"commands": {"a": {"description": "A", "suggested_key": ""}}}, []),
    "an empty shortcut of a platform": (
        {"commands": {"a": {"description": "A", "suggested_key": {"default": ""}}}},
        ['error invalid-value ""'],
    ),
    "some may connect": ({"externally_connectable": {"ids": ["*"]}}, []),
    "the command of another action": (
        {"commands": {"_execute_browser_action": {}}},
        ['warning wrong-manifest-version "_execute_browser_action"'],
    ),
    "an invalid shortcut for that command": (
        {"commands": {"_execute_browser_action": {"suggested_key": {"default": "A"}}}},
        ['warning wrong-manifest-version "_execute_browser_action"', 'error invalid-value "A"'],
    ),
    "an id in addition to the wildcard": (
        {
            "web_accessible_resources": [
                {"resources": ["a.png"], "extension_ids": ["*", "abcdefghijklmnopabcdefghijklmnop"]}
            ]
        },
        ['error invalid-value ["*", "abcdefghijklmnopabcdefghijklmnop"]'],
    ),
    "namespaces without a permission": (
        {"permissions": ["runtime", "i18n"]},
        ['warning unknown-permission "runtime"', 'warning unknown-permission "i18n"'],
    ),
    "namespaces accepted as permissions": ({"permissions": ["networking", "windows"]}, []),
    "the sockets of apps": (
        {"permissions": ["socket"], "optional_permissions": ["socket"]},
        ['error unknown-permission "socket"'] * 2,
    ),
    "keys and permissions for Firefox": (
        {"sidebar_action": {"default_panel": "a.html"}, "permissions": ["menus", "telemetry"]},
        [
            'info unknown-key "sidebar_action"',
            'info unknown-permission "menus"',
            'info unknown-permission "telemetry"',
        ],
    ),
    "a key for Firefox in an action": (
        {"action": {"default_area": "navbar"}},
        ['info unknown-key "default_area"'],
    ),
    "the same, for Firefox too": (
        {"action": {"default_area": "navbar"}, "browser_specific_settings": GECKO},
        [],
    ),
    "marks for Firefox": ({"browser_specific_settings": GECKO, "__firefox__name": "A"}, []),
    "a comment at the top": ({"//": "a"}, ['info unknown-key "//"']),
    "a comment in an action": ({"action": {"//": "a"}}, []),
}


@pytest.mark.parametrize("name", FIREFOX)
def test_severities_in_firefox(name: str) -> None:
    keys, expected = FIREFOX[name]
    assert sorted(findings_of("firefox", keys)) == sorted(expected)


@pytest.mark.parametrize("name", CHROME)
def test_severities_in_chrome(name: str) -> None:
    keys, expected = CHROME[name]
    assert sorted(findings_of("chrome", keys)) == sorted(expected)


@pytest.mark.parametrize(
    ("target", "keys", "text"),
    [
        ("chrome", V2, "Chrome removed support for Manifest V2 in version 139"),
        (
            "chrome",
            {"permissions": ["menus"]},
            "the permission `menus` is not available in Chrome; it is available in Firefox",
        ),
        (
            "firefox",
            {"permissions": ["sidePanel"]},
            "the permission `sidePanel` is not available in Firefox; it is available in Chrome",
        ),
        (
            "firefox",
            {"side_panel": {"default_path": "a.html"}},
            "the manifest key `side_panel` is not available in Firefox; it is available in Chrome",
        ),
        (
            "chrome",
            {"background": {"service_worker": "a.js", "scripts": ["a.js"]}},
            "in Chrome, `background.scripts` was removed in Manifest V3; Firefox supports it",
        ),
        (
            "firefox",
            {"permissions": ["telemetry"]},
            "the permission `telemetry` is only for Mozilla's own add-ons",
        ),
        ("chrome", {"sockets": {}}, "`sockets` is only for Chrome apps"),
    ],
)
def test_message_names_the_browser(target: str, keys: dict[str, Any], text: str) -> None:
    assert message(target, keys) == text


@pytest.mark.parametrize(
    ("add_on_id", "is_reported"),
    [
        ("list@mozilla.org", False),
        ("list@mozilla.com", False),
        ("list@shield.mozilla.org", False),
        ("mozilla.org@example.org", True),
        ("list@example.mozilla.org", True),
    ],
)
@pytest.mark.parametrize("settings", ["browser_specific_settings", "applications"])
def test_what_only_add_ons_of_mozilla_may_use(settings: str, add_on_id: str, is_reported: bool) -> None:
    own = {**V2, settings: {"gecko": {"id": add_on_id}}}
    reserved = {"permissions": ["telemetry"], "experiment_apis": {}}
    expected = ['warning unknown-permission "telemetry"', 'warning unknown-key "experiment_apis"']
    found = [each for each in findings_of("firefox", {**own, **reserved}) if " unknown-" in each]
    assert sorted(found) == sorted(expected * is_reported)
    assert findings_of("firefox", {**own, "permissions": ["telemtry"]}) != []


@pytest.mark.parametrize(
    ("target", "refused"),
    [
        ("chrome", True),
        ("chrome>=120", True),
        ("chrome<=139", True),
        ("chrome<=138", False),
        ("chrome>=88<=120", False),
        ("edge", False),
        ("firefox", False),
        ("safari", False),
        ("reference", False),
    ],
)
def test_manifest_v2_is_rejected_for_recent_chrome(target: str, refused: bool) -> None:
    assert findings_of(target, V2) == (["error invalid-value 2"] if refused else [])


def test_minimum_chrome_version_sets_no_maximum() -> None:
    assert findings_of("chrome", {**V2, "minimum_chrome_version": "88"}) == ["error invalid-value 2"]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"permissions": ["menus", "sidePanel"]}, []),
        ({"permissions": ["telemetry"]}, ['info unknown-permission "telemetry"']),
        ({"_comment": 1, "version_name": "1"}, ['info unknown-key "_comment"']),
        (V2, []),
    ],
)
def test_reference_target_has_the_notes_of_all_browsers(keys: dict[str, Any], expected: list[str]) -> None:
    assert findings_of("reference", keys) == expected


def test_reference_target_reports_an_error_if_one_browser_rejects() -> None:
    assert findings_of("reference", {"version": "0.5rc2"}) == ['error invalid-value "0.5rc2"']


INLINE = "script-src 'self' 'unsafe-inline'; object-src 'self'"


@pytest.mark.parametrize("target", ["firefox", "chrome<=138", "edge", "reference"])
def test_insecure_mv2_policy_is_a_warning(target: str) -> None:
    keys = {**V2, "content_security_policy": INLINE}
    assert findings_of(target, keys) == [f'warning invalid-value "{INLINE}"']
    assert (
        findings_of(target, {**V2, "content_security_policy": "script-src 'self'; object-src 'self'"}) == []
    )


def test_mv2_policy_that_is_an_invalid_header_is_an_error() -> None:
    keys = {**V2, "content_security_policy": "script-src 'self', object-src 'self'"}
    assert findings_of("chrome<=138", keys) == [
        "error invalid-value \"script-src 'self', object-src 'self'\""
    ]


def test_insecure_mv3_policy_is_an_error_only_in_chrome() -> None:
    keys = {"content_security_policy": {"extension_pages": INLINE}}
    assert findings_of("chrome", keys) == [f'error invalid-value "{INLINE}"']
    assert findings_of("firefox", keys) == [f'warning invalid-value "{INLINE}"']


BOTH: dict[str, Any] = {"background": {"service_worker": "a.js", "scripts": ["a.js"]}}
FOR_TWO: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a background for each": (BOTH, ['info wrong-manifest-version "scripts"']),
    "a key for one": ({"sidebar_action": {"default_panel": "a.html"}}, ['info unknown-key "sidebar_action"']),
    "a key for the other": ({"side_panel": {"default_path": "a.html"}}, ['info unknown-key "side_panel"']),
    "permissions": (
        {"permissions": ["offscreen", "menus"]},
        ['info unknown-permission "offscreen"', 'info unknown-permission "menus"'],
    ),
}


@pytest.mark.parametrize(("keys", "alone"), FOR_TWO.values(), ids=FOR_TWO.keys())
def test_key_that_another_target_reads_has_no_note(keys: dict[str, Any], alone: list[str]) -> None:
    assert findings_of("firefox,chrome", keys) == []
    found = [*findings_of("firefox", keys), *findings_of("chrome", keys)]
    assert sorted(each for each in found if each.startswith("info")) == sorted(alone)


def test_key_of_firefox_on_another_system_has_a_note_only_without_it() -> None:
    keys = {"sidebar_action": {"default_panel": "a.html"}}
    assert findings_of("firefox_android", keys) == ['info unknown-key "sidebar_action"']
    assert findings_of("firefox_android,firefox", keys) == []


OWNERS: dict[str, tuple[dict[str, Any], str]] = {
    "kiosk": ({"kiosk": {}}, "it is only for Chrome apps"),
    "sockets": ({"sockets": {}}, "it is only for Chrome apps"),
    "tts_engine": ({"tts_engine": {"voices": []}}, "it is available in Chrome"),
    "file_handlers": ({"file_handlers": []}, "it is available in Chrome"),
    "side_panel": ({"side_panel": {}}, "it is available in Chrome"),
    "externally_connectable": ({"externally_connectable": {}}, "it is available in Chrome and Safari"),
}


@pytest.mark.parametrize(("keys", "owners"), OWNERS.values(), ids=OWNERS.keys())
def test_note_names_only_browsers_that_certainly_have_a_key(keys: dict[str, Any], owners: str) -> None:
    (key,) = keys
    assert message("firefox", keys) == f"the manifest key `{key}` is not available in Firefox; {owners}"


def test_background_type_is_read_only_with_a_worker() -> None:
    misspelled = {"background": {"service_worker": "a.js", "type": "modul"}}
    assert findings_of("chrome", misspelled) == ['error invalid-value "modul"']
    assert findings_of("chrome", {"background": {"service_worker": "a.js", "type": "module"}}) == []
    assert findings_of("chrome", {"background": {"type": "modul"}}) == ['warning invalid-value "modul"']


def test_requirement_of_plugins_is_rejected() -> None:
    assert findings_of("chrome", {"requirements": {"plugins": {"npapi": True}}}) == [
        "error invalid-value true"
    ]
    assert message("chrome", {"requirements": {"plugins": {"npapi": True}}}) == (
        "Chrome does not support NPAPI plugins"
    )
    assert findings_of("chrome", {"requirements": {"plugins": {"npapi": False}}}) == [
        'warning deprecated-key "plugins"'
    ]


@pytest.mark.parametrize("target", ["chrome", "firefox", "firefox,chrome", "reference"])
def test_permission_of_apps_is_named_as_such(target: str) -> None:
    keys = {"permissions": ["fullscreen"]}
    assert findings_of(target, keys) == ['warning unknown-permission "fullscreen"']
    assert message(target, keys) == "the permission `fullscreen` is only for Chrome apps"


def test_comment_is_one_note_for_several_browsers() -> None:
    (finding,) = lint({"manifest.json": manifest(_comment="a")}, ["unknown-key"], "firefox,firefox_android")
    assert (finding.message, finding.help) == ("browsers warn about the manifest key `_comment`", None)
