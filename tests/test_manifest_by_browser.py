"""Manifest mistakes reported for one browser only, as verified in Firefox 153 and Chromium 156."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import lint

from extlint.finding import Severity

RULES = (
    "conflicting-keys",
    "invalid-value",
    "missing-key",
    "unknown-key",
    "unknown-permission",
    "wrong-manifest-version",
)
PAGE = "https://example.org/*"
GECKO: dict[str, Any] = {"gecko": {"id": "a@example.org"}}
RESOURCE: dict[str, Any] = {"resources": ["a.png"]}


def ruleset(name: str) -> Any:
    rules = {"id": name, "enabled": True, "path": "rules.json"}
    return {"permissions": ["declarativeNetRequest"], "declarative_net_request": {"rule_resources": [rules]}}


def search(**keys: Any) -> Any:
    provider = {"name": "A", "keyword": "a", "search_url": "https://example.org/", **keys}
    return {"chrome_settings_overrides": {"search_provider": provider}}


def script(*matches: str, **keys: Any) -> Any:
    return {"content_scripts": [{"matches": matches, "js": ["a.js"], **keys}]}


CHROME = [
    pytest.param({"permissions": [{"socket": ["tcp-connect:*:*"]}]}, [], id="a permission with arguments"),
    pytest.param(
        {"permissions": [{"socket": [], "usbDevices": []}]},
        ["invalid-value"],
        id="two permissions in one object",
    ),
    pytest.param({"permissions": [{"storage": []}]}, ["invalid-value"], id="arguments of another permission"),
    pytest.param({"author": ["A", "B"]}, [], id="an author, which Chrome does not read"),
    pytest.param({"content_scripts": [{"matches": [PAGE]}]}, ["missing-key"], id="a script without files"),
    pytest.param({"content_scripts": [{"matches": [PAGE], "css": ["a.css"]}]}, [], id="styles are enough"),
    pytest.param({"commands": {"a": {}}}, ["missing-key"], id="a command without a description"),
    pytest.param(
        {"commands": {"_execute_action": {}}}, [], id="the command of the action without a description"
    ),
    pytest.param(
        {"commands": {"a": {"description": "A", "suggested_key": {"ios": "Ctrl+A"}}}},
        ["unknown-key"],
        id="a platform that Chrome does not know",
    ),
    pytest.param(
        {"commands": {"a": {"description": "A", "suggested_key": {"mac": "Command+B"}}}},
        ["missing-key"],
        id="a shortcut for only one platform",
    ),
    pytest.param(
        {"commands": {"a": {"description": "A", "suggested_key": {"mac": "Command+B", "default": "Ctrl+B"}}}},
        [],
        id="a shortcut for one platform and the others",
    ),
    pytest.param({"icons": {"16": "a.png", "2048": "b.png"}}, [], id="sizes of icons"),
    pytest.param({"icons": {"2049": "a.png"}}, ["unknown-key"], id="an icon larger than any"),
    pytest.param({"icons": {"16": ""}}, ["invalid-value"], id="an icon without a path"),
    pytest.param({"web_accessible_resources": [RESOURCE]}, ["missing-key"], id="resources without matches"),
    pytest.param(
        {"web_accessible_resources": [{**RESOURCE, "use_dynamic_url": True}]},
        [],
        id="a dynamic URL is enough",
    ),
    pytest.param(
        {"web_accessible_resources": [{**RESOURCE, "use_dynamic_url": False}]},
        ["missing-key"],
        id="no dynamic URL is as good as nothing",
    ),
    pytest.param(
        {"web_accessible_resources": [{**RESOURCE, "use_dynamic_url": False, "matches": []}]},
        [],
        id="a disabled dynamic URL with empty matches",
    ),
    pytest.param({"side_panel": {"default_path": "panel/"}}, ["invalid-value"], id="a folder as a panel"),
    pytest.param({"action": {"default_popup": " "}}, ["invalid-value"], id="a blank path"),
    pytest.param({"action": {"default_popup": ""}}, [], id="no popup"),
    pytest.param(
        {"manifest_version": 2, **script(PAGE, world="MAIN")},
        ["wrong-manifest-version"],
        id="a world in Manifest V2",
    ),
    pytest.param(
        {"manifest_version": 2, "browser_specific_settings": GECKO, **script(PAGE, world="MAIN")},
        [],
        id="a world in Manifest V2, for Firefox",
    ),
    pytest.param({"page_action": {}}, ["wrong-manifest-version"], id="a page action in Manifest V3"),
    pytest.param(
        {"page_action": {}, "browser_specific_settings": GECKO},
        [],
        id="a page action in Manifest V3, for Firefox",
    ),
    pytest.param(
        {"browser_action": {}, "browser_specific_settings": GECKO},
        ["wrong-manifest-version"],
        id="a key that no browser supports in Manifest V3",
    ),
    pytest.param(
        {"web_accessible_resources": [{**RESOURCE, "matches": [f"{PAGE}a"]}]},
        ["invalid-value"],
        id="resources for a path",
    ),
    pytest.param(
        {"chrome_url_overrides": {"newtab": "a.html", "history": "b.html"}},
        ["conflicting-keys"],
        id="two pages replaced",
    ),
    pytest.param(ruleset("_a"), ["invalid-value"], id="a name that Chrome keeps for itself"),
    pytest.param(
        script("https://example.org/a", match_origin_as_fallback=True),
        ["invalid-value"],
        id="a path instead of an origin",
    ),
    pytest.param(script(PAGE, "<all_urls>", match_origin_as_fallback=True), [], id="whole origins"),
    pytest.param({"omnibox": {"keyword": ""}}, ["invalid-value"], id="an empty keyword"),
    pytest.param({"oauth2": {"scopes": []}}, ["missing-key"], id="a client without an id"),
    pytest.param({"side_panel": {}}, ["missing-key"], id="a side panel without a path"),
    pytest.param({"key": "MII IBIj"}, ["invalid-value"], id="a key with a space in it"),
    pytest.param({"key": "MIIBIjANBgkq"}, [], id="a key in base64"),
    pytest.param({"permissions": ["windows", "commands"]}, [], id="names that Chrome takes in silence"),
    pytest.param({"permissions": ["window"]}, ["unknown-permission"], id="a name that it does not take"),
    pytest.param({"sandbox": {"pages": ["a.html"]}}, [], id="sandboxed pages"),
    pytest.param(
        {"sandbox": {"pages": ["a.html"], "content_security_policy": "sandbox"}},
        ["wrong-manifest-version"],
        id="a policy for sandboxed pages in its Manifest V2 place",
    ),
    pytest.param(
        {"options_ui": {"page": "a.html", "chrome_style": True}},
        ["wrong-manifest-version"],
        id="chrome_style in Manifest V3",
    ),
    pytest.param({"theme": {"colors": {"frame": [1, 2, 3, 0.5]}}}, [], id="a color of a theme"),
    pytest.param({"theme": {"colors": {"frame": "red"}}}, ["invalid-value"], id="a color as CSS has it"),
    pytest.param({"externally_connectable": {"ids": ["*"]}}, [], id="any extension may connect"),
    pytest.param(
        {"manifest_version": 2, "browser_action": {"default_state": "disabled"}},
        ["wrong-manifest-version"],
        id="a state that only actions have",
    ),
    pytest.param({"manifest_version": 2, "permissions": ["chrome://favicon/"]}, [], id="icons of sites"),
]

FIREFOX = [
    pytest.param({"icons": {"16": "\t"}}, ["invalid-value"], id="an icon with a blank path"),
    pytest.param({"icons": {"16": "icons/"}}, [], id="a folder as an icon"),
    pytest.param({"options_ui": {"page": " "}}, [], id="a page with a blank path"),
    pytest.param(
        {"manifest_version": 2, **script(PAGE, world="MAIN")}, [], id="a main world script in Manifest V2"
    ),
    pytest.param({"background": {"service_worker": "a.js"}}, ["missing-key"], id="only a service worker"),
    pytest.param(
        {"background": {"service_worker": "a.js", "scripts": ["a.js"]}},
        [],
        id="a service worker with scripts",
    ),
    pytest.param({"background": {"scripts": []}}, ["invalid-value"], id="no scripts"),
    pytest.param({"content_scripts": [{"matches": [PAGE]}]}, [], id="a script without files"),
    pytest.param({"commands": {"a": {}}}, [], id="a command without a description"),
    pytest.param(
        {"commands": {"a": {"suggested_key": "Ctrl+A"}}}, ["invalid-value"], id="a shortcut for all platforms"
    ),
    pytest.param(
        {"commands": {"a": {"suggested_key": {"default": "Ctrl+A", "ios": "any"}}}},
        [],
        id="shortcuts of platforms without Firefox",
    ),
    pytest.param(
        {"web_accessible_resources": [RESOURCE]},
        ["missing-key"],
        id="web accessible resources without matches",
    ),
    pytest.param(
        {"web_accessible_resources": [{**RESOURCE, "matches": [f"{PAGE}a"]}]}, [], id="resources for a path"
    ),
    pytest.param({"icons": {"016": "a.png"}}, ["unknown-key"], id="a size that begins with a zero"),
    pytest.param({"action": {"default_icon": ""}}, ["invalid-value"], id="an icon without a path"),
    pytest.param({"action": {"browser_style": False}}, [], id="browser_style that asks for nothing"),
    pytest.param(
        {"action": {"browser_style": True}}, ["wrong-manifest-version"], id="browser_style in Manifest V3"
    ),
    pytest.param({"page_action": {"browser_style": 1}}, ["invalid-value"], id="browser_style as a number"),
    pytest.param(search(search_url="http://example.org/"), ["invalid-value"], id="a search without https"),
    pytest.param(search(search_url="http://localhost/"), [], id="a search on this machine"),
    pytest.param(
        {"browser_specific_settings": {"gecko": {"strict_min_version": "*"}}},
        ["invalid-value"],
        id="an invalid version",
    ),
    pytest.param({"browser_specific_settings": {"duckduckgo": {}}}, [], id="settings of other browsers"),
    pytest.param({"author": {"email": "a@example.org"}}, ["invalid-value"], id="an author as Chrome has it"),
    pytest.param({"theme": {"colors": {"frame": "red", "toolbar": [1, 2, 3]}}}, [], id="colors of a theme"),
    pytest.param({"theme": {"colors": {"frame": "rad"}}}, ["invalid-value"], id="an invalid color"),
    pytest.param(
        {"theme": {"images": {"theme_frame": {"linear-gradient": "red, blue)"}}}},
        ["invalid-value"],
        id="an invalid gradient",
    ),
    pytest.param(
        {"manifest_version": 2, "applications": GECKO, "browser_specific_settings": GECKO},
        ["conflicting-keys"],
        id="the old name next to the new one",
    ),
    pytest.param(
        {"manifest_version": 2, "applications": GECKO, "browser_specific_settings": {"edge": {}}},
        [],
        id="the old name next to settings for other browsers",
    ),
    pytest.param(
        {"manifest_version": 2, "applications": GECKO, "browser_specific_settings": 1},
        ["invalid-value"],
        id="the old name next to a number",
    ),
    pytest.param({"dictionaries": {"en": "en.txt"}}, ["invalid-value"], id="a dictionary of another kind"),
]


def reported_rules(target: str, keys: dict[str, Any]) -> list[str]:
    base: dict[str, Any] = {"manifest_version": 3, "name": "Test", "version": "1.0"}
    if target == "chrome" and keys.get("manifest_version") == 2:
        target = "chrome<=138"
    found = lint({"manifest.json": json.dumps({**base, **keys})}, RULES, target)
    return [each.rule for each in found if each.severity > Severity.INFO]


@pytest.mark.parametrize(("keys", "rules"), CHROME)
def test_rules_reported_for_chrome(keys: dict[str, Any], rules: list[str]) -> None:
    assert reported_rules("chrome", keys) == rules


@pytest.mark.parametrize(("keys", "rules"), FIREFOX)
def test_rules_reported_for_firefox(keys: dict[str, Any], rules: list[str]) -> None:
    assert reported_rules("firefox", keys) == rules


@pytest.mark.parametrize(
    "keys", [{"background": {"service_worker": "a.js"}}, {"content_scripts": [{"matches": [PAGE]}]}]
)
def test_rejection_by_one_browser_is_not_reported_for_reference(keys: dict[str, Any]) -> None:
    assert reported_rules("reference", keys) == []


@pytest.mark.parametrize(
    ("target", "keys", "message"),
    [
        (
            "firefox",
            {"omnibox": {"keyword": "a b"}},
            "`keyword` must be a single word without `:` that does not begin with `?`, not `a b`",
        ),
        (
            "firefox",
            {"action": {"browser_style": True}},
            "`browser_style` with the value `true` was removed in Manifest V3",
        ),
        (
            "chrome",
            {"action": {"browser_style": True}},
            "the manifest key `browser_style` is not available in Chrome; "
            "it is available in Firefox in Manifest V2",
        ),
        (
            "chrome",
            {"action": {"browser_style": False}},
            "the manifest key `browser_style` is not available in Chrome; it is available in Firefox",
        ),
        (
            "chrome",
            {"web_accessible_resources": [{"resources": ["a.png"], "use_dynamic_url": False}]},
            "an item of `web_accessible_resources` requires `matches` or `extension_ids`",
        ),
        (
            "firefox",
            {"manifest_version": 2, "browser_action": {"default_state": "disabled"}},
            "unknown key `default_state` in `browser_action`; the known keys are `browser_style`, "
            "`default_area`, `default_icon`, `default_popup`, `default_title` and `theme_icons`",
        ),
        ("chrome", {"action": {"default_popup": "a/"}}, "`a/` is not a valid file path: it names a folder"),
        (
            "chrome",
            {"action": {"default_popup": "/a/#/b.html"}},
            "`/a/#/b.html` is not a valid file path: it names a folder",
        ),
        ("chrome", {"key": "MII " * 100}, "`key` must be base64 without spaces and line breaks"),
        (
            "chrome",
            {"theme": {"colors": {"frame": "red"}}},
            "`frame` must be a list, not a string",
        ),
    ],
)
def test_message_describes_the_required_format(target: str, keys: dict[str, Any], message: str) -> None:
    base: dict[str, Any] = {"manifest_version": 3, "name": "Test", "version": "1.0"}
    (finding,) = lint({"manifest.json": json.dumps({**base, **keys})}, RULES, target)
    assert finding.message == message


@pytest.mark.parametrize(
    "keys",
    [
        {"content_scripts": [{"matches": ["any"]}]},
        {"icons": {"4096": "a.png"}},
        {"homepage_url": "any"},
        {"manifest_version": 2, "content_scripts": [{"matches": [PAGE], "world": "MAIN"}]},
        {"action": {"default_popup": "a/"}},
        {"web_accessible_resources": [{"resources": []}]},
    ],
)
def test_mistakes_unverified_in_safari_are_not_reported(keys: dict[str, Any]) -> None:
    assert reported_rules("safari", keys) == []
