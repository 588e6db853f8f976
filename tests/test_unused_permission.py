"""Which permissions nothing uses: tables of small packages, and the permissions that are told of."""

from __future__ import annotations

import json
from functools import partial

import pytest
from harness import Files, lint, manifest, under
from packages import package_of

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.target import Target

RULE = "unused-permission"
BACKGROUND = {"background": {"service_worker": "b.js"}}


def unused(files: Files, target: str = "chrome") -> list[str]:
    """The permissions that are told of, as they are written."""
    return [json.loads(under(files, finding)) for finding in lint(files, [RULE], target)]


def with_script(source: str, *permissions: str, **keys: object) -> dict[str, str]:
    return {"manifest.json": manifest(permissions=permissions, **BACKGROUND, **keys), "b.js": source}


TOLD = {
    "no use": ("chrome.runtime.reload()", "alarms"),
    "a member that needs none": ("chrome.management.getSelf()", "management"),
    "members that need another one": ("chrome.downloads.download({url: u})", "downloads.open"),
    "a test of the namespace alone": (
        "if (chrome.management) chrome.management.uninstallSelf()",
        "management",
    ),
    "localStorage": ("localStorage.a = 1", "storage"),
    "native messages without one": ("chrome.runtime.sendMessage(1)", "nativeMessaging"),
    "requests that are only watched": (
        "chrome.webRequest.onCompleted.addListener(f, {urls: []})",
        "webRequestBlocking",
    ),
    "a tab that is opened": ("chrome.tabs.create({url: 'https://example.com'})", "tabs"),
    "a tab's id": ("chrome.tabs.query({active: true}, ([tab]) => f(tab.id))", "tabs"),
    "a title that is given": ("chrome.notifications.create({title: 'a', message: 'b'})", "tabs"),
    "no database": ("chrome.alarms.create({when: 1})", "unlimitedStorage"),
    "no position": ("chrome.alarms.create({when: 1})", "geolocation"),
    "no text is copied": ("chrome.alarms.create({when: 1})", "clipboardWrite"),
    "a library's own require": (
        "typeof require === 'function' ? f(require('jquery')) : f(); chrome.runtime.id",
        "alarms",
    ),
    "the polyfill": ("import browser from 'webextension-polyfill'; browser.runtime.id", "alarms"),
    "a style that is imported": ("import './a.css'; chrome.runtime.id", "alarms"),
}


@pytest.mark.parametrize(("source", "permission"), TOLD.values(), ids=TOLD.keys())
def test_told(source: str, permission: str) -> None:
    assert unused(with_script(source, permission)) == [permission]


SILENT = {
    "a call": ("chrome.alarms.create({when: 1})", "alarms"),
    "a guarded call": ("try { if (chrome.alarms) chrome.alarms.create({when: 1}) } catch {}", "alarms"),
    "an optional call": ("chrome.alarms?.create({when: 1})", "alarms"),
    "a call in a function that nobody calls": ("function f() { browser.alarms.clearAll() }", "alarms"),
    "a namespace that is given away": ("f(chrome.management)", "management"),
    "a namespace that is taken out": ("const { management: m } = chrome; f(m)", "management"),
    "a member of it": ("chrome.management.getAll(f)", "management"),
    "a misspelled member": ("chrome.management.gteAll(f)", "management"),
    "a member that it takes the place of": ("chrome.tabs.executeScript({code: '1'})", "scripting"),
    "a misspelled namespace": ("chrome.alarm.create({when: 1})", "alarms"),
    "a member whose permission is another one's too": ("chrome.downloads.open(1)", "downloads.open"),
    "Firefox's namespace": ("browser.browserSettings.homepageOverride.get({})", "browserSettings"),
    "Chrome's namespace": ("chrome.fontSettings.getFontList()", "fontSettings"),
    "a nested namespace": ("chrome.system.cpu.getInfo()", "system.cpu"),
    "a member that is computed": ("chrome[name].create({})", "alarms"),
    "an object that may be the root": ("f(chrome); function f(api) { g(api.alarms) }", "alarms"),
    "a name in a string": ("f(chrome, 'alarms')", "alarms"),
    "a name in a comment": ("// alarms would do\nchrome.runtime.id", "alarms"),
    "a script that cannot be parsed": ("f(chrome.runtime.id", "alarms"),
    "an import of a package": ("import { wake } from 'alarm-clock'; chrome.runtime.id; wake()", "alarms"),
    "a script that is not there": ("import './other.js'; chrome.runtime.id", "alarms"),
    "a worker that is not there": ("new Worker('w.js'); chrome.runtime.id", "alarms"),
    "an injected script that is not there": (
        "chrome.scripting.executeScript({target: {tabId: 1}, files: ['c.js']})",
        "alarms",
    ),
    "a page that is not there": ("open(chrome.runtime.getURL('p.html'))", "alarms"),
    "no permission that is known": ("chrome.runtime.id", "someday"),
    "a match pattern": ("chrome.runtime.id", "https://example.com/*"),
    "all addresses": ("chrome.runtime.id", "<all_urls>"),
    "the tab in front": ("chrome.runtime.id", "activeTab"),
    "a browser that stays": ("chrome.runtime.id", "background"),
    "native messages": ("chrome.runtime.connectNative('a')", "nativeMessaging"),
    "native messages by an alias": (
        "const { runtime } = chrome; runtime.connectNative('a')",
        "nativeMessaging",
    ),
    "menus by their other name": ("chrome.contextMenus.create({})", "menus"),
    "blocked requests": (
        "chrome.webRequest.onBeforeRequest.addListener(f, {urls: []}, ['blocking'])",
        "webRequestBlocking",
    ),
    "containers": ("browser.tabs.create({cookieStoreId: c})", "cookies"),
    "notifications of the web": ("new Notification('a'); chrome.runtime.id", "notifications"),
    "a tab's address": ("chrome.tabs.query({}, (tabs) => f(tabs[0].url))", "tabs"),
    "a tab's title in a pattern": ("chrome.tabs.get(1, ({ id, title }) => f(title))", "tabs"),
    "a tab's icon by its name": ("chrome.tabs.get(1, (tab) => f(tab['favIconUrl']))", "tabs"),
    "tabs by their address": ("chrome.tabs.query({url: 'https://example.com/*'})", "tabs"),
    "a sender's tab": ("chrome.runtime.onMessage.addListener((m, s) => f(s.tab.url))", "tabs"),
    "an address that is opened beside one that is read": (
        "chrome.tabs.create({url: 'a'}); chrome.tabs.get(1, (tab) => f(tab.url))",
        "tabs",
    ),
    "a database": ("indexedDB.open('a'); chrome.runtime.id", "unlimitedStorage"),
    "a position": ("navigator.geolocation.watchPosition(f); chrome.runtime.id", "geolocation"),
    "a copy": ("document.execCommand('copy'); chrome.runtime.id", "clipboardWrite"),
}


@pytest.mark.parametrize(("source", "permission"), SILENT.values(), ids=SILENT.keys())
def test_silent(source: str, permission: str) -> None:
    assert unused(with_script(source, permission)) == []


KEYS: dict[str, tuple[str, dict[str, object]]] = {
    "rules of requests": ("declarativeNetRequest", {"declarative_net_request": {"rule_resources": []}}),
    "a side panel": ("sidePanel", {"side_panel": {"default_path": "a.html"}}),
    "a schema of managed storage": ("storage", {"storage": {"managed_schema": "schema.json"}}),
    "a client of OAuth": ("identity", {"oauth2": {"client_id": "a", "scopes": []}}),
    "a voice": ("ttsEngine", {"tts_engine": {"voices": []}}),
    "an app": ("alarms", {"app": {"background": {"scripts": ["b.js"]}}}),
    "an experiment": ("alarms", {"experiment_apis": {}}),
    "a page that is not there": ("alarms", {"options_page": "options.html"}),
}


@pytest.mark.parametrize(("permission", "keys"), KEYS.values(), ids=KEYS.keys())
def test_keys_of_the_manifest_are_uses(permission: str, keys: dict[str, object]) -> None:
    assert unused(with_script("chrome.runtime.id", permission, **keys)) == []


def page(body: str) -> dict[str, str]:
    return {
        "manifest.json": manifest(permissions=["alarms", "tabs"], action={"default_popup": "p.html"}),
        "p.html": f"<title>Alarm</title><h1 title=a>Tab</h1>{body}",
    }


PAGES: dict[str, tuple[dict[str, str], list[str]]] = {
    "an inline script": (page("<script>chrome.runtime.id</script>"), ["alarms", "tabs"]),
    "one that uses both": (
        page("<script>chrome.alarms.clearAll(); chrome.tabs.get(1, (tab) => f(tab.url))</script>"),
        [],
    ),
    "an address that is opened": (
        page("<script>chrome.tabs.create({url: 'https://example.com'})</script>"),
        ["alarms", "tabs"],
    ),
    "a script that is not there": (page("<script src=a.js></script><script>f()</script>"), []),
    "a template of the page": (page("<script>f()</script><p>{{ tab.title }}: {{ alarms }}</p>"), []),
    "no script at all": (page(""), []),
}


@pytest.mark.parametrize(("files", "expected"), PAGES.values(), ids=PAGES.keys())
def test_pages(files: dict[str, str], expected: list[str]) -> None:
    assert unused(files) == expected


OTHERS: dict[str, tuple[dict[str, str], list[str]]] = {
    "a script that nothing is known to load": ({"other.js": "chrome.alarms.clearAll()"}, []),
    "a script that does something else": ({"other.js": "chrome.runtime.id"}, ["alarms"]),
    "a component": ({"Other.vue": "<script>f().alarms</script>"}, []),
    "a source in another language": ({"other.coffee": "wake()"}, []),
    "a picture": ({"alarms.png": "alarms"}, ["alarms"]),
}


@pytest.mark.parametrize(("others", "expected"), OTHERS.values(), ids=OTHERS.keys())
def test_other_files_of_the_package(others: dict[str, str], expected: list[str]) -> None:
    assert unused({**with_script("chrome.runtime.id", "alarms"), **others}) == expected


def test_optional_permissions_are_left_alone() -> None:
    assert unused(with_script("chrome.runtime.id", optional_permissions=["alarms"])) == []


def test_a_package_of_which_only_a_part_is_known_is_left_alone() -> None:
    files = package_of(with_script("chrome.runtime.id", "alarms"))
    part = Package("ext", {path: partial(files.read, path) for path in files.paths}, complete=False)
    assert check_package(part, [Target("chrome")], [RULE]).findings == ()


@pytest.mark.parametrize("target", ["firefox", "chrome", "edge", "safari"])
def test_every_browser_says_it(target: str) -> None:
    files = with_script("chrome.runtime.id", "cookies")
    (finding,) = lint(files, [RULE], target)
    assert finding.message == "nothing in the package uses the permission `cookies`"


def test_the_specification_alone_asks_for_no_use() -> None:
    assert unused(with_script("browser.management.getSelf()", "management"), "reference") == []
    assert unused(with_script("browser.management.getSelf()", "management"), "firefox") == ["management"]
