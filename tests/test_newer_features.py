"""Properties, promises and manifest keys that are newer than the oldest supported browser."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, reported

from extlint.finding import Severity

RULES = ("too-new-api",)
PERMISSIONS: dict[str, object] = {
    "permissions": ["scripting", "storage", "tabGroups", "tabs"],
    "host_permissions": ["*://*/*"],
}


SELF = "script-src 'self'"


def files(source: str, oldest: str = "115.0", /, **keys: object) -> Files:
    settings = {"gecko": {"id": "a@example.org", "strict_min_version": oldest}}
    found = {
        "background": {"scripts": ["b.js"]},
        "browser_specific_settings": settings,
        **PERMISSIONS,
        **keys,
    }
    return {"manifest.json": manifest(**found), "b.js": source}


def for_chrome(source: str, oldest: str, **keys: object) -> Files:
    found = {
        "background": {"service_worker": "b.js"},
        "minimum_chrome_version": oldest,
        **PERMISSIONS,
        **keys,
    }
    return {"manifest.json": manifest(**found), "b.js": source}


SCRIPT = "{id: 'a', matches: ['*://*/*'], js: ['b.js'], %s}"
REGISTER = f"browser.scripting.registerContentScripts([{SCRIPT}])"
IN_FIREFOX = {
    "a property in an array": (REGISTER % "matchOriginAsFallback: true", ["matchOriginAsFallback"]),
    "a value": ("browser.scripting.executeScript({target, world: 'MAIN', func() {}})", ["'MAIN'"]),
    "an old value": ("browser.scripting.executeScript({target, world: 'ISOLATED', func() {}})", []),
    "a property of a query": ("browser.tabs.query({groupId: 1, active: true})", ["groupId"]),
    "a property that is not certain": ("browser.tabs.query({...more})", []),
    "behind a condition": ("if (x) browser.tabs.query({groupId: 1})", []),
    "in a function that is called behind one": (
        "function f() { browser.tabs.query({groupId: 1}) } if (x) f()",
        [],
    ),
    "where failing is expected": ("try { browser.tabs.query({groupId: 1}) } catch { f() }", []),
    "a member that is too new itself": ("browser.tabGroups.query({title: 'a'})", ["browser.tabGroups.query"]),
    "a result": ("browser.tabs.query({}).then(([tab]) => f(tab.groupId))", []),
}


@pytest.mark.parametrize(("source", "expected"), IN_FIREFOX.values(), ids=IN_FIREFOX.keys())
def test_newer_argument_properties(source: str, expected: list[str]) -> None:
    assert [text for _, text in reported(files(source), RULES, "firefox")] == expected
    assert reported(files(source, "153.0"), RULES, "firefox") == []


CHROME = {
    "awaited": ("(async () => { const { a } = await GET('a'); f(a) })()", "91", 1),
    "a field of it": ("(async () => { const it = await GET('a'); f(it.a) })()", "91", 1),
    "then": ("GET('a').then((it) => f(it.a))", "91", 1),
    "then, without a read": ("GET('a').then(f)", "91", 1),
    "catch": ("GET('a').catch(f)", "91", 1),
    "then, only if it is there": ("GET('a')?.then(f)", "91", 0),
    "with a callback": ("GET('a', (it) => f(it.a))", "91", 0),
    "one of each": ("GET('a', (it) => f(it.a)); GET('b').then((it) => f(it.b))", "91", 1),
    "in a newer browser": ("GET('a').then((it) => f(it.a))", "95", 0),
    "nothing is read": ("chrome.storage.local.set({a: 1})", "91", 0),
    "by another root": ("browser.storage.local.get('a').then((it) => f(it.a))", "91", 0),
}


@pytest.mark.parametrize(("source", "oldest", "number"), CHROME.values(), ids=CHROME.keys())
def test_newer_promises(source: str, oldest: str, number: int) -> None:
    found = lint(for_chrome(source.replace("GET", "chrome.storage.local.get"), oldest), RULES, "chrome")
    message = (
        "the promise of `storage.local.get` was added in Chrome 95, "
        f"but the extension also runs in Chrome {oldest}"
    )
    assert [each.message for each in found] == [message] * number


def test_chrome_namespace_has_no_promises_in_mv2() -> None:
    old = for_chrome("chrome.storage.local.get('a').then((it) => f(it.a))", "91", manifest_version=2)
    assert lint(old, RULES, "chrome<=138") == []


CONTENT_SCRIPT = {"matches": ["*://*/*"], "js": ["b.js"], "match_origin_as_fallback": True}
HOST = "*://a.org/*"
KEYS: dict[str, tuple[dict[str, object], list[str]]] = {
    "a key in a list": ({"content_scripts": [CONTENT_SCRIPT]}, ['"match_origin_as_fallback"']),
    "an old key": ({"options_ui": {"page": "o.html"}}, []),
    "a key that no version has": ({"side_panel": {"default_path": "o.html"}}, []),
    "a key that older versions can ignore": (
        {"background": {"scripts": ["b.js"], "preferred_environment": ["document"]}},
        [],
    ),
    "a key added in Manifest V3": ({"action": {}}, []),
    "optional hosts": ({"optional_host_permissions": [HOST]}, ['"optional_host_permissions"']),
    "optional hosts under both keys": (
        {"optional_host_permissions": [HOST], "optional_permissions": ["tabs", HOST]},
        [],
    ),
    "other hosts under both keys": (
        {"optional_host_permissions": [HOST, "*://b.org/*"], "optional_permissions": [HOST]},
        ['"optional_host_permissions"'],
    ),
    "optional permissions": (
        {"optional_host_permissions": [HOST], "optional_permissions": ["tabs"]},
        ['"optional_host_permissions"'],
    ),
}


OLD_COLORS = {"colors": {"textcolor": "#fff", "tab_background_text": "#fff"}}
OLDER_KEYS: dict[str, tuple[str, dict[str, object], list[str]]] = {
    "options under both keys": ("chrome", {"options_ui": {"page": "o.html"}, "options_page": "o.html"}, []),
    "options": ("chrome", {"options_ui": {"page": "o.html"}}, ['"options_ui"']),
    "a color under both keys": ("firefox", {"theme": OLD_COLORS}, []),
    "a color": (
        "firefox",
        {"theme": {"colors": {"tab_background_text": "#fff"}}},
        ['"tab_background_text"'],
    ),
}


@pytest.mark.parametrize(("browser", "keys", "expected"), OLDER_KEYS.values(), ids=OLDER_KEYS.keys())
def test_older_key_serves_older_versions(browser: str, keys: dict[str, object], expected: list[str]) -> None:
    oldest = {
        "minimum_chrome_version": "21",
        "browser_specific_settings": {"gecko": {"id": "a@example.org", "strict_min_version": "58.0"}},
    }
    text = manifest(manifest_version=2, **oldest, **keys)
    found = reported({"manifest.json": text, "o.html": ""}, RULES, browser)
    assert [each for _, each in found] == expected


ONLY_IN_OTHER_VERSION: dict[str, tuple[int, dict[str, object], list[str]]] = {
    "a key": (2, {"action": {"default_title": "x"}}, ["wrong-manifest-version"]),
    "a list of objects": (
        2,
        {"web_accessible_resources": [{"resources": ["b.js"], "matches": ["*://*/*"]}]},
        ["wrong-manifest-version"],
    ),
    "an object": (
        2,
        {"content_security_policy": {"extension_pages": "script-src 'self'"}},
        ["wrong-manifest-version"],
    ),
    "a key of this version": (2, {"background": {"scripts": ["b.js"], "type": "module"}}, ["too-new-api"]),
    "a newer key of the version": (3, {"optional_host_permissions": ["*://*/*"]}, ["too-new-api"]),
}


@pytest.mark.parametrize(
    ("version", "keys", "expected"), ONLY_IN_OTHER_VERSION.values(), ids=ONLY_IN_OTHER_VERSION.keys()
)
def test_key_of_the_other_manifest_version_is_one_mistake(
    version: int, keys: dict[str, object], expected: list[str]
) -> None:
    settings = {"gecko": {"id": "a@example.org", "strict_min_version": "58.0"}}
    text = manifest(manifest_version=version, browser_specific_settings=settings, **keys)
    found = lint({"manifest.json": text, "b.js": ""}, ("too-new-api", "wrong-manifest-version"), "firefox")
    assert [each.rule for each in found] == expected


V3_IN_FIREFOX = {
    "as old as Manifest V3": ("browser.scripting.getRegisteredContentScripts()", []),
    "newer": ("browser.storage.session.get('a')", ["browser.storage.session"]),
}


@pytest.mark.parametrize("oldest", ["91.0", "109.0"])
@pytest.mark.parametrize(("source", "expected"), V3_IN_FIREFOX.values(), ids=V3_IN_FIREFOX.keys())
def test_firefox_mv3_starts_with_version_109(source: str, expected: list[str], oldest: str) -> None:
    assert [text for _, text in reported(files(source, oldest, action={}), RULES, "firefox")] == expected


IN_CHROME = {
    "as old as Manifest V3": (3, "80", "chrome.action.setTitle({title: 'a'})", []),
    "newer than that": (3, "80", "chrome.storage.session.get('a')", ["chrome.storage.session"]),
    "as old as Manifest V2": (2, "10", "chrome.tabs.query({}, (it) => f(it))", []),
    "newer than Manifest V2": (2, "10", "chrome.storage.local.clear()", ["chrome.storage.local"]),
}


@pytest.mark.parametrize(
    ("version", "oldest", "source", "expected"), IN_CHROME.values(), ids=IN_CHROME.keys()
)
def test_chrome_manifest_versions_start_with_their_first_release(
    version: int, oldest: str, source: str, expected: list[str]
) -> None:
    background = {"service_worker": "b.js"} if version == 3 else {"scripts": ["b.js"]}
    keys: dict[str, object] = {"action": {}} if version == 3 else {}
    text = manifest(
        manifest_version=version,
        minimum_chrome_version=oldest,
        background=background,
        permissions=["storage"],
        **keys,
    )
    target = "chrome" if version == 3 else "chrome<=138"
    assert [text for _, text in reported({"manifest.json": text, "b.js": source}, RULES, target)] == expected


FIRST_VERSIONS = {
    "as old as extensions": ("browser.runtime.setUninstallURL('https://a.example/')", []),
    "newer": ("browser.menus.create({title: 'a', id: 'a'})", ["browser.menus.create"]),
}


@pytest.mark.parametrize("oldest", ["42.0", "45.0", "48.0"])
@pytest.mark.parametrize(("source", "expected"), FIRST_VERSIONS.values(), ids=FIRST_VERSIONS.keys())
def test_firefox_extensions_start_with_version_48(source: str, expected: list[str], oldest: str) -> None:
    old = {
        "manifest.json": manifest(
            manifest_version=2,
            background={"scripts": ["b.js"]},
            browser_specific_settings={"gecko": {"id": "a@example.org", "strict_min_version": oldest}},
            permissions=["menus"],
        ),
        "b.js": source,
    }
    assert [text for _, text in reported(old, RULES, "firefox")] == expected


@pytest.mark.parametrize(("keys", "expected"), KEYS.values(), ids=KEYS.keys())
def test_newer_manifest_keys(keys: dict[str, object], expected: list[str]) -> None:
    assert [text for _, text in reported(files("", **keys), RULES, "firefox")] == expected


def test_newer_key_with_an_older_alternative_is_not_reported() -> None:
    page = {"options_page": "o.html"}
    assert [text for _, text in reported(files("", **page), RULES, "firefox")] == ['"options_page"']
    both = {**page, "options_ui": {"page": "o.html"}}
    assert reported(files("", **both), RULES, "firefox") == []


def test_newer_key_is_a_warning() -> None:
    (finding,) = lint(files("", content_scripts=[CONTENT_SCRIPT]), RULES, "firefox")
    assert finding.severity is Severity.WARNING
    assert finding.message == (
        "`content_scripts.match_origin_as_fallback` was added in Firefox 128, "
        "but the extension also runs in Firefox 115"
    )


UPDATED = "browser.tabs.onUpdated.addListener(f, {more})"
REQUESTED = "browser.webRequest.onCompleted.addListener(f, {more})"
IN_LISTENERS = {
    "a new parameter": (UPDATED, "{properties: ['url']}", "60.0", ["{properties: ['url']}"]),
    "in a variable": (
        "const more = {properties: ['url']}; " + UPDATED,
        "more",
        "60.0",
        ["more"],
    ),
    "of any value": (UPDATED, "g()", "60.0", []),
    "that may be left out": (UPDATED, "...g()", "60.0", []),
    "no parameter": ("browser.tabs.onUpdated.addListener(f)", "", "60.0", []),
    "behind a test": ("if (g()) " + UPDATED, "{properties: ['url']}", "60.0", []),
    "an old parameter": (UPDATED, "{properties: ['url']}", "61.0", []),
    "a new property": (UPDATED, "{cookieStoreId: 'a'}", "61.0", ["cookieStoreId"]),
    "a new value": (UPDATED, "{properties: ['url', 'groupId']}", "61.0", ["'groupId'"]),
    "a new property of a filter": (REQUESTED, "{urls: ['*://*/*'], tabId: 1}", "52.0", ["tabId"]),
    "an old one": (REQUESTED, "{urls: ['*://*/*'], tabId: 1}", "53.0", []),
}


@pytest.mark.parametrize(
    ("source", "more", "oldest", "expected"), IN_LISTENERS.values(), ids=IN_LISTENERS.keys()
)
def test_newer_arguments_after_a_listener(source: str, more: str, oldest: str, expected: list[str]) -> None:
    keys: dict[str, object] = {"manifest_version": 2, "permissions": ["tabs", "webRequest", "*://*/*"]}
    package = files(source.replace("{more}", more), oldest, **keys)
    assert [text for _, text in reported(package, RULES, "firefox")] == expected


def test_nothing_is_reported_without_a_minimum_version() -> None:
    unstated = {"gecko": {"id": "a@example.org"}}
    package = files(
        REGISTER % "matchOriginAsFallback: true",
        content_scripts=[CONTENT_SCRIPT],
        browser_specific_settings=unstated,
    )
    assert lint(package, RULES, "firefox") == []
    assert len(lint(package, RULES, "firefox>=115")) == 2


def test_edge_starts_with_its_first_chromium_version() -> None:
    package = for_chrome("chrome.tabs.create({url: 'a.html'})", "22", icons={"16": "a.png"})
    assert lint(package, RULES, "edge") == []


def test_property_that_only_its_compatibility_data_names() -> None:
    found = {
        "manifest_version": 2,
        "browser_action": {},
        "background": {"scripts": ["b.js"]},
        "browser_specific_settings": {"gecko": {"id": "a@example.org", "strict_min_version": "57.0"}},
    }
    source = "browser.browserAction.setTitle({title: 'a', windowId: 1})"
    package = {"manifest.json": manifest(**found), "b.js": source}
    (finding,) = lint(package, RULES, "firefox")
    assert finding.message.startswith("`windowId` in `browserAction.setTitle` was added in Firefox 62")
    assert lint(package, RULES, "firefox>=62") == []


@pytest.mark.parametrize(
    ("background", "expected"),
    [
        ({"service_worker": "b.js", "type": "module"}, ["missing-key"]),
        ({"scripts": ["b.js"], "service_worker": "b.js", "type": "module"}, ["too-new-api"]),
    ],
)
def test_key_of_an_object_that_the_browser_refuses_is_one_mistake(
    background: dict[str, object], expected: list[str]
) -> None:
    package = files("", "109.0", background=background)
    found = lint(package, ["missing-key", "too-new-api"], "firefox")
    assert [each.rule for each in found] == expected


def test_versions_without_this_manifest_version_are_not_named() -> None:
    (finding,) = lint(for_chrome("chrome.storage.session.get()", "21"), RULES, "chrome")
    assert finding.message == (
        "`storage.session` was added in Chrome 102, but the extension also runs in Chrome 88"
    )
    (finding,) = lint(for_chrome("f()", "21", side_panel={"default_path": "a.html"}), RULES, "chrome")
    assert finding.message == "`side_panel` was added in Chrome 114, but the extension also runs in Chrome 88"
    (finding,) = lint(for_chrome("chrome.storage.session.get()", "101"), RULES, "chrome")
    assert finding.message.endswith("but the extension also runs in Chrome 101")


ANDROID_KEY = "`browser_action.default_icon` was added in Firefox for Android 79"
GAPS = {
    "before the gap": ("68.11", [f"{ANDROID_KEY}, but the extension also runs in Firefox for Android 68.11"]),
    "the first version in the gap": ("69.0", []),
    "the last version in the gap": ("78.9", []),
    "the release after it": ("79.0", []),
}


@pytest.mark.parametrize(("oldest", "expected"), GAPS.values(), ids=GAPS.keys())
def test_versions_that_a_browser_skipped_mean_the_next_release(oldest: str, expected: list[str]) -> None:
    keys = {"browser_action": {"default_icon": "i.png"}, "manifest_version": 2}
    settings = {"gecko": {"id": "a@b.c", "strict_min_version": oldest}}
    content = {"manifest.json": manifest(**keys, browser_specific_settings=settings), "i.png": ""}
    assert [each.message for each in lint(content, RULES, "firefox_android")] == expected


def test_message_names_the_release_after_a_gap() -> None:
    content: Files = {
        "manifest.json": manifest(
            manifest_version=2,
            minimum_chrome_version="82",
            permissions=["declarativeNetRequest"],
            background={"scripts": ["b.js"]},
        ),
        "b.js": "chrome.declarativeNetRequest.getDynamicRules(() => {})",
    }
    assert [each.message for each in lint(content, RULES, "chrome<=138")] == [
        "`declarativeNetRequest` was added in Chrome 84, but the extension also runs in Chrome 83"
    ]
