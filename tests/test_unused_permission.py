"""Unused permissions: tables of small packages and the permissions that are reported."""

from __future__ import annotations

import json
from functools import partial

import pytest
from harness import Files, lint, manifest, text_under
from packages import package_in, package_of

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets import Target

RULE = "unused-permission"
BACKGROUND: dict[str, object] = {"background": {"service_worker": "b.js"}}


def unused_permissions(files: Files, target: str = "chrome") -> list[str]:
    """Returns the reported permissions, as written in the manifest."""
    return [json.loads(text_under(files, finding)) for finding in lint(files, [RULE], target)]


def with_script(source: str, *permissions: str, **keys: object) -> dict[str, str]:
    return {"manifest.json": manifest(permissions=permissions, **BACKGROUND, **keys), "b.js": source}


REPORTED = {
    "a match pattern": ("chrome.runtime.id", "https://example.com/*"),
    "all addresses": ("chrome.runtime.id", "<all_urls>"),
    "the tab in front, and no way to choose it": ("chrome.tabs.onCreated.addListener(f)", "activeTab"),
    "no use": ("chrome.runtime.reload()", "alarms"),
    "a member without a required permission": ("chrome.management.getSelf()", "management"),
    "members with another required permission": ("chrome.downloads.download({url: u})", "downloads.open"),
    "only a test of the namespace": (
        "if (chrome.management) chrome.management.uninstallSelf()",
        "management",
    ),
    "a namespace in a variable": ("const { downloads } = chrome; downloads.download({})", "downloads.open"),
    "a namespace as `this`": ("f(chrome.downloads.search.bind(chrome.downloads))", "downloads.open"),
    "localStorage": ("localStorage.a = 1", "storage"),
    "native messages without one": ("chrome.runtime.sendMessage(1)", "nativeMessaging"),
    "requests that are only watched": (
        "chrome.webRequest.onCompleted.addListener(f, {urls: []})",
        "webRequestBlocking",
    ),
    "a tab that is opened": ("chrome.tabs.create({url: 'https://example.com'})", "tabs"),
    "a promise of tabs that a listener returns in vain": (
        "chrome.webRequest.onCompleted.addListener(() => chrome.tabs.query({}, ([{id}]) => f(id)), all)",
        "tabs",
    ),
    "a tab's id": ("chrome.tabs.query({active: true}, ([tab]) => f(tab.id))", "tabs"),
    "a title in a sentence": (f"chrome.tabs.create({{}}); f('no{' ' * 100}title')", "tabs"),
    "a title that is given": ("chrome.notifications.create({title: 'a', message: 'b'})", "tabs"),
    "an error that unknown code gets": (
        "chrome.tabs.query({}, ([tab]) => f(tab.id, chrome.runtime.lastError)); f(page.url)",
        "tabs",
    ),
    "no database": ("chrome.alarms.create({when: 1})", "unlimitedStorage"),
    "no position": ("chrome.alarms.create({when: 1})", "geolocation"),
    "no text is copied": ("chrome.alarms.create({when: 1})", "clipboardWrite"),
    "a library's own require": (
        "typeof require === 'function' ? f(require('jquery')) : f(); chrome.runtime.id",
        "alarms",
    ),
    "a page that is only read, in another letter case": ("fetch('B.HTML'); chrome.runtime.id", "alarms"),
    "suffixes of pages": ("f(name.endsWith('.html'), '.xhtml', 'text/.html')", "alarms"),
    "a page of a book": ("book.add('cover.xhtml'); chrome.runtime.id", "alarms"),
    "a page that is only read and not there": ("fetch('gone.html'); chrome.runtime.id", "alarms"),
    "a page that is opened and not there": ("chrome.tabs.create({url: 'gone.html'})", "alarms"),
    "a script that is read and not there": ("fetch(chrome.runtime.getURL('gone.js'))", "alarms"),
    "a worker that is not there": ("new Worker('w.js'); chrome.runtime.id", "alarms"),
    "a page that is not there": ("open(chrome.runtime.getURL('p.html'))", "alarms"),
    "an injected script that is not there": (
        "chrome.scripting.executeScript({target: {tabId: 1}, files: ['c.js']})",
        "alarms",
    ),
    "a script that is injected, in another letter case": (
        "chrome.scripting.executeScript({target: t, files: ['B.js']})",
        "alarms",
    ),
    "a name in a comment": ("chrome.runtime.id // chrome.alarms", "alarms"),
    "a name in a long comment": ("/* chrome.alarms.create() */ chrome.runtime.id", "alarms"),
    "a URL of something else": ("chrome.storage.local.get(({ url }) => f(url, location.title))", "tabs"),
    "a variable of the same name": ("const alarms = [1]; alarms.push(chrome.runtime.id)", "alarms"),
    "a function of the same name": ("function alarms() {} alarms(chrome.runtime.id)", "alarms"),
    "a text of the same name": ("chrome.runtime.sendMessage('alarms', () => {})", "alarms"),
    "a member of an object that no root can be": (
        "for (const each of all()) each.alarms.create({}); chrome.runtime.id",
        "alarms",
    ),
    "a pattern for an object that no root can be": (
        "const { one, alarms } = all(); chrome.runtime.id",
        "alarms",
    ),
    "a key of the same name, and a variable for the root": (
        "const api = self.browser ?? chrome; const { cookies } = f(); api.runtime.sendMessage({ cookies })",
        "cookies",
    ),
    "all addresses, and words for members": (
        "debugger; const identity = f(), { history, cookies } = g(identity); chrome.runtime.id; h('dom')",
        "<all_urls>",
    ),
    "the tab in front, and words for members": (
        "chrome.action.onClicked.addListener(() => f()); detectLanguage(); g('no cookies')",
        "activeTab",
    ),
    "the tab in front, and words for ways to choose it": (
        "chrome.runtime.id; f(menus, omnibox)",
        "activeTab",
    ),
    "a tab opened by a listener": (
        "chrome.runtime.onInstalled.addListener(() => chrome.tabs.create({}))",
        "tabs",
    ),
    "a tab opened by a click": ("addEventListener('click', () => chrome.tabs.create({}))", "tabs"),
    "a tab opened by a handler": ("button.onclick = () => chrome.tabs.create({})", "tabs"),
    "a tab opened later": ("setTimeout(() => chrome.tabs.create({}), 9)", "tabs"),
    "the polyfill": ("import browser from 'webextension-polyfill'; browser.runtime.id", "alarms"),
    "the polyfill with types": (
        "import { browser } from 'webextension-polyfill-ts'; browser.runtime.id",
        "alarms",
    ),
    "a storage area that is computed": ("chrome.storage[area].get(f)", "alarms"),
    "a style that is imported": ("import './a.css'; chrome.runtime.id", "alarms"),
}


@pytest.mark.parametrize(("source", "permission"), REPORTED.values(), ids=REPORTED.keys())
def test_reported(source: str, permission: str) -> None:
    assert unused_permissions(with_script(source, permission)) == [permission]


SILENT = {
    "a call": ("chrome.alarms.create({when: 1})", "alarms"),
    "a guarded call": ("try { if (chrome.alarms) chrome.alarms.create({when: 1}) } catch {}", "alarms"),
    "an optional call": ("chrome.alarms?.create({when: 1})", "alarms"),
    "a call in an uncalled function": ("function f() { browser.alarms.clearAll() }", "alarms"),
    "a namespace that is given away": ("f(chrome.management, (each) => each.getAll())", "management"),
    "a namespace that is taken out": ("const { management: m } = chrome; f(m); g('getAll')", "management"),
    "a misspelled member": ("chrome.management.gteAll(f)", "management"),
    "a member that it takes the place of": ("chrome.tabs.executeScript({code: '1'})", "scripting"),
    "a misspelled namespace": ("chrome.alarm.create({when: 1})", "alarms"),
    "a member whose permission is another one's too": ("chrome.downloads.open(1)", "downloads.open"),
    "Firefox's namespace": ("browser.browserSettings.homepageOverride.get({})", "browserSettings"),
    "Chrome's namespace": ("chrome.fontSettings.getFontList()", "fontSettings"),
    "a nested namespace": ("chrome.system.cpu.getInfo()", "system.cpu"),
    "a member that is computed": ("chrome[name].create({})", "alarms"),
    "a member of the storage that is computed": ("chrome.storage[area].get(f)", "storage"),
    "an object that may be the root": ("f(chrome); function f(api) { g(api.alarms) }", "alarms"),
    "a name in a string": ("f(chrome, 'alarms')", "alarms"),
    "a root in a list": ("for (const api of all([chrome])) api.alarms.create({})", "alarms"),
    "a root in a map": ("all.set('a', chrome); all.get('a').alarms.create({})", "alarms"),
    "a root in a field": (
        "class A { constructor() { this.api = chrome } } all(A, (a) => a.api.alarms.create({}))",
        "alarms",
    ),
    "a root that a getter gives": (
        "class A { get api() { return chrome } } class B extends A { f() { this.api.alarms.create({}) } }",
        "alarms",
    ),
    "a root in a computed property": ("all[key] = chrome; all[key].alarms.create({})", "alarms"),
    "a root among the rest": ("function f(...all) { all[0].alarms.create({}) } f(chrome)", "alarms"),
    "a root that a generator gives": (
        "function* all() { yield chrome } for (const api of all()) api.alarms.create({})",
        "alarms",
    ),
    "a pattern for a root in a list": ("const { one, alarms } = [chrome].find(f)", "alarms"),
    "a root of an unknown object": (
        "((root) => { const api = root.browser || root.chrome; api.alarms.create({}) })(this);"
        " chrome.runtime.id",
        "alarms",
    ),
    "a root by its name": (
        "const name = f() ? 'browser' : 'chrome'; self[name].alarms.create({}); chrome.runtime.id",
        "alarms",
    ),
    "a root by a path": (
        "const find = (path) => path.split('.').reduce((of, name) => of[name], self);"
        " find('chrome.runtime.id'); find(key).alarms.create({}); chrome.runtime.id",
        "alarms",
    ),
    "one of two namespaces": (
        "const space = f() ? chrome.alarms : chrome.storage; space.clearAll()",
        "alarms",
    ),
    "a variable of another page": (
        "var api = chrome; chrome.runtime.getBackgroundPage((page) => page.api.alarms.create({}))",
        "alarms",
    ),
    "code in a text": ("new Function('chrome.alarms.create({})')(); chrome.runtime.id", "alarms"),
    "a tab that answers a message": (
        "chrome.runtime.onMessage.addListener(() => chrome.tabs.create({}))",
        "tabs",
    ),
    "a tab that a function gives back": ("self.open = () => chrome.tabs.create({})", "tabs"),
    "a script that cannot be parsed": ("f(chrome.runtime.id", "alarms"),
    "an import of a package": ("import { wake } from 'alarm-clock'; chrome.runtime.id; wake()", "alarms"),
    "a script that is not there": ("import './other.js'; chrome.runtime.id", "alarms"),
    "no permission that is known": ("chrome.runtime.id", "someday"),
    "a match pattern, and a request": ("fetch(address)", "https://example.com/*"),
    "a match pattern, and a tab's address": (
        "chrome.tabs.get(1, (tab) => f(tab.url))",
        "https://example.com/*",
    ),
    "a match pattern, and an injection": ("chrome.scripting.executeScript(what)", "https://example.com/*"),
    "all addresses, and a picture": ("chrome.tabs.captureVisibleTab(f)", "<all_urls>"),
    "all addresses, and cookies": ("f(chrome.cookies)", "<all_urls>"),
    "all addresses, and cookies of a namespace": (
        "for (const api of all({ api: chrome })) api.cookies.get({})",
        "<all_urls>",
    ),
    "all addresses, and code in a namespace that is given away": (
        "f(chrome.tabs, (tabs) => tabs.executeScript({}))",
        "<all_urls>",
    ),
    "all addresses, and an address": ("f('https://example.com')", "<all_urls>"),
    "the tab in front, and menus": ("chrome.contextMenus.onClicked.addListener(f)", "activeTab"),
    "a browser that stays": ("chrome.runtime.id", "background"),
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
    "a tab's title far behind a comma": (
        f"chrome.tabs.get(1, ({{ id,{' ' * 100}title }}) => g(title))",
        "tabs",
    ),
    "a tab's icon by its name": ("chrome.tabs.get(1, (tab) => f(tab['favIconUrl']))", "tabs"),
    "tabs by their address": ("chrome.tabs.query({url: 'https://example.com/*'})", "tabs"),
    "a sender's tab": ("chrome.runtime.onMessage.addListener((m, s) => f(s.tab.url))", "tabs"),
    "a URL opened next to a URL read": (
        "chrome.tabs.create({url: 'a'}); chrome.tabs.get(1, (tab) => f(tab.url))",
        "tabs",
    ),
    "a URL of an object from unknown code": ("f(chrome, (each) => g(each.url))", "tabs"),
    "a URL of an object from a part of the API": ("f(chrome.runtime, (each) => g(each.url))", "tabs"),
    "a window's tabs": ("chrome.windows.getAll({populate: true}, (all) => f(all[0].tabs[0].title))", "tabs"),
    "a tab of a closed window": (
        "chrome.sessions.onChanged.addListener(async () => {"
        " for (const each of await chrome.sessions.getRecentlyClosed()) f(each.tab?.url) })",
        "tabs",
    ),
    "a tab of a menu": ("chrome.contextMenus.onClicked.addListener((info, tab) => f(tab.title))", "tabs"),
    "old notifications": (
        "webkitNotifications.createNotification(i, t, m); chrome.runtime.id",
        "notifications",
    ),
    "a database": ("indexedDB.open('a'); chrome.runtime.id", "unlimitedStorage"),
    "a position": ("navigator.geolocation.watchPosition(f); chrome.runtime.id", "geolocation"),
    "a copy": ("document.execCommand('copy'); chrome.runtime.id", "clipboardWrite"),
}


@pytest.mark.parametrize(("source", "permission"), SILENT.values(), ids=SILENT.keys())
def test_used_permission_is_not_reported(source: str, permission: str) -> None:
    assert unused_permissions(with_script(source, permission)) == []


KEYS: dict[str, tuple[str, dict[str, object]]] = {
    "rules of requests": ("declarativeNetRequest", {"declarative_net_request": {"rule_resources": []}}),
    "a side panel": ("sidePanel", {"side_panel": {"default_path": "a.html"}}),
    "a schema of managed storage": ("storage", {"storage": {"managed_schema": "schema.json"}}),
    "a client of OAuth": ("identity", {"oauth2": {"client_id": "a", "scopes": []}}),
    "a voice": ("ttsEngine", {"tts_engine": {"voices": []}}),
    "an app": ("alarms", {"app": {"background": {"scripts": ["b.js"]}}}),
    "an experiment": ("alarms", {"experiment_apis": {}}),
}


@pytest.mark.parametrize(("permission", "keys"), KEYS.values(), ids=KEYS.keys())
def test_manifest_key_uses_its_permission(permission: str, keys: dict[str, object]) -> None:
    assert unused_permissions(with_script("chrome.runtime.id", permission, **keys)) == []


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
    "a script that may be fetched": (page("<script src=lib/a.js></script><script>f()</script>"), []),
    "a script that is not there": (
        page("<script src=a.js></script><script>f()</script>"),
        ["alarms", "tabs"],
    ),
    "a template of the page": (
        page("<script>chrome.tabs.query({}, f)</script><p>{{ tab.title }}: {{ alarms }}</p>"),
        ["alarms"],
    ),
    "no script at all": (page(""), []),
}


@pytest.mark.parametrize(("files", "expected"), PAGES.values(), ids=PAGES.keys())
def test_permission_used_only_in_pages(files: dict[str, str], expected: list[str]) -> None:
    assert unused_permissions(files) == expected


OTHERS: dict[str, tuple[dict[str, str], list[str]]] = {
    "a script that nothing is known to load": ({"other.js": "chrome.alarms.clearAll()"}, []),
    "a script that does something else": ({"other.js": "chrome.runtime.id"}, ["alarms"]),
    "a component": ({"Other.vue": "<script>chrome.alarms.clearAll()</script>"}, []),
    "markup of a component": ({"Other.vue": "<p>{{ chrome.alarms }}</p>"}, []),
    "words in a component": ({"Other.vue": "<script>f().alarms</script>"}, ["alarms"]),
    "a source in another language": ({"other.coffee": "wake()"}, []),
    "a picture": ({"alarms.png": "alarms"}, ["alarms"]),
    "a page whose name is in other letters": (
        {"other.js": "fetch('Page.html')", "page.html": ""},
        ["alarms"],
    ),
}


@pytest.mark.parametrize(("others", "expected"), OTHERS.values(), ids=OTHERS.keys())
def test_permission_may_be_used_in_other_files(others: dict[str, str], expected: list[str]) -> None:
    assert unused_permissions({**with_script("chrome.runtime.id", "alarms"), **others}) == expected


@pytest.mark.parametrize(
    ("folder", "dependency", "count"),
    [
        pytest.param("public", "react-scripts", 0, id="scripts are elsewhere"),
        pytest.param("app/public", "vite", 0, id="further below"),
        pytest.param("src", "vite", 1, id="the scripts themselves"),
        pytest.param("public", "eslint", 1, id="no build"),
    ],
)
def test_permission_may_be_used_by_scripts_of_a_build(folder: str, dependency: str, count: int) -> None:
    inner = with_script("chrome.runtime.id", "alarms")
    files = {f"{folder}/{name}": text for name, text in inner.items()}
    files |= {"package.json": json.dumps({"devDependencies": {dependency: "1"}}), "lib/index.tsx": "f()"}
    found = check_package(package_in(files, f"{folder}/"), [Target("chrome")], [RULE]).findings
    assert len(found) == count


def test_optional_permissions_are_not_reported() -> None:
    assert unused_permissions(with_script("chrome.runtime.id", optional_permissions=["alarms"])) == []


def test_incomplete_package_is_not_reported() -> None:
    files = package_of(with_script("chrome.runtime.id", "alarms"))
    part = Package("ext", {path: partial(files.read, path) for path in files.paths}, complete=False)
    assert check_package(part, [Target("chrome")], [RULE]).findings == ()


@pytest.mark.parametrize(("version", "expected"), [(2, ["scripting"]), (3, [])])
def test_successor_counts_where_the_member_is_removed(version: int, expected: list[str]) -> None:
    files = with_script("browser.tabs.executeScript({code: '1'})", "scripting", manifest_version=version)
    assert unused_permissions(files, "firefox") == expected


@pytest.mark.parametrize("target", ["firefox", "chrome", "edge", "safari"])
def test_message_is_the_same_for_every_browser(target: str) -> None:
    files = with_script("chrome.runtime.id", "cookies")
    (finding,) = lint(files, [RULE], target)
    assert finding.message == "the permission `cookies` is not used anywhere in the package"


@pytest.mark.parametrize("target", ["reference", "chrome", "firefox", "edge"])
def test_unused_permission_is_reported_for_every_target(target: str) -> None:
    assert unused_permissions(with_script("browser.management.getSelf()", "management"), target) == [
        "management"
    ]
    assert unused_permissions(with_script("browser.alarms.clearAll()", "alarms", "idle"), target) == ["idle"]
    assert unused_permissions(with_script("browser.management.getAll()", "management"), target) == []


TABS = "chrome.tabs.query({ active: true })"
GET = "chrome.tabs.get(1, (tab) => "

PASSED_ON = {
    "sent": f"{TABS}.then((tabs) => chrome.runtime.sendMessage(tabs))",
    "sent in an object": f"{GET}chrome.runtime.sendMessage({{ tab }}))",
    "sent after await": f"(async () => {{ const [tab] = await {TABS}; port.postMessage(tab) }})()",
    "made a text of": f"{GET}f(JSON.stringify(tab)))",
    "stored": f"{GET}chrome.storage.local.set({{ a: tab }}))",
    "kept in an object": f"{GET}{{ this.tab = tab }})",
    "kept in a list": f"{GET}list.push(tab))",
    "kept under a number": f"{GET}{{ tabs[1] = tab }})",
    "copied": f"{GET}f({{ ...tab }}))",
    "the rest of it": "chrome.tabs.get(1, ({ id, ...rest }) => f(rest))",
    "each key": f"{GET}{{ for (const k in tab) f(k) }})",
    "a key that is computed": f"{GET}f(tab[k]))",
    "a list of some": f"{TABS}.then((tabs) => f(tabs.filter((t) => t.active)))",
    "a list that is made of them": f"{TABS}.then((tabs) => f(tabs.map((t) => t)))",
    "answered with": "chrome.runtime.onMessage.addListener((m, sender, answer) => answer(sender))",
    "logged to the console": f"{GET}console.log(tab))",
    "the changes to a tab": "chrome.tabs.onUpdated.addListener((id, change) => f(change))",
    "in a window": "chrome.windows.getAll({ populate: true }, (all) => f(all))",
    "of a button": "chrome.action.onClicked.addListener((tab) => f(tab))",
    "returned to who knows whom": f"export async function g() {{ const [tab] = await {TABS}; return tab }}",
    "promised to who knows whom": f"export const g = () => {TABS}",
    "to a function that is passed": "function g(done) { chrome.tabs.get(1, done) }",
    "to a promise": "new Promise((resolve) => chrome.tabs.get(1, resolve))",
    "to a function that is not seen": f"{TABS}.then(show)",
    "to a chain": f"{TABS}.then((tabs) => {{ return tabs[0] }}).then(show)",
    "to a chain that reads a field": f"{TABS}.then((tabs) => {{ return tabs[0] }}).then((t) => f(t.url))",
    "to a chain that is returned": (
        f"export function g() {{ return {TABS}.then((tabs) => {{ return tabs[0] }}) }}"
    ),
    "to a chain that is promised": "export const g = () => f().then(() => chrome.tabs.create({}))",
    "to a chain that is passed on": "h(f().then(() => { return chrome.tabs.create({}) }))",
    "to a chain that is kept": "const p = f().then(() => { return chrome.tabs.create({}) }); h(p)",
    "to a chain that is awaited": (
        "(async () => { h(await f().then(() => { return chrome.tabs.create({}) })) })()"
    ),
    "to the end of a chain": "f().then(() => chrome.tabs.create({})).catch(g).then(show)",
    "to a chain that a chain gives": (
        "export const g = () => f().then(() => f().then(() => chrome.tabs.create({})))"
    ),
    "to a chain whose end reads its arguments": (
        "f().then(() => chrome.tabs.create({})).then(function () { show(arguments) })"
    ),
    "with others": f"Promise.all([f(), {TABS}]).then((all) => h(all))",
    "with others, a field": f"Promise.all([f(), {TABS}]).then(([a, [tab]]) => h(tab.url))",
    "with others, one of them": f"Promise.all([f(), {TABS}]).then(([a, tabs]) => h(tabs))",
    "with others, the rest": f"Promise.all([f(), {TABS}]).then(([a, ...rest]) => h(rest))",
    "with others, as arguments": f"Promise.all([f(), {TABS}]).then(function ([a]) {{ h(arguments) }})",
    "with others, after await": (
        f"(async () => {{ const [a, tabs] = await Promise.all([f(), {TABS}]); h(tabs) }})()"
    ),
    "with others, after await, whole": (
        f"(async () => {{ const all = await Promise.all([{TABS}]); h(all) }})()"
    ),
    "with others, promised": f"export const g = () => Promise.all([f(), {TABS}])",
    "in a list": f"h([f(), {TABS}])",
    "each change": "chrome.tabs.onUpdated.addListener((id) => f(id))",
    "each change, as what has changed is ignored": (
        "function g(id, change, tab) { f(tab.status) } chrome.tabs.onUpdated.addListener(g)"
    ),
    "each change of a field that is unknown": (
        "chrome.tabs.onUpdated.addListener((id) => f(id), { properties: [name] })"
    ),
    "to a listener that is not seen": "chrome.tabs.onUpdated.addListener(changed)",
    "to all parameters": "chrome.tabs.onUpdated.addListener((...all) => f(all))",
    "the function": "f(chrome.tabs.query)",
    "the namespace": "f(chrome.tabs)",
    "found by unknown words": "chrome.tabs.query(words, () => {})",
}

PARTLY_USED = {
    "a part": f"{GET}f(tab.id))",
    "parts": "chrome.tabs.get(1, ({ id, windowId }) => f(id, windowId))",
    "after await": f"(async () => {{ const [tab] = await {TABS}; f(tab.id) }})()",
    "a test": f"{GET}{{ if (tab && !tab.active) f(`${{tab.id}}`) }})",
    "a loop": f"{TABS}.then((tabs) => {{ for (const tab of tabs) f(tab.id) }})",
    "parts of each": f"{TABS}.then((tabs) => f(tabs.map((tab) => tab.id)))",
    "one of them": f"{TABS}.then((tabs) => {{ const t = tabs.find((t) => t.active); f(t.id, tabs.length) }})",
    "an own function": "function g(tab) { f(tab.id) } chrome.tabs.get(1, (tab) => g(tab))",
    "changes of other fields": (
        "chrome.tabs.onUpdated.addListener((id) => f(id), { properties: ['status'] })"
    ),
    "a result that nothing uses": "f().then(() => { return chrome.tabs.create({}) })",
    "a result that nothing uses, with a handler": "f().then(() => chrome.tabs.create({})).catch(g)",
    "a result that nothing uses, of a chain in a chain": (
        "export const g = () => f().then(() => { return f().then(() => chrome.tabs.create({})).catch(h) })"
        ".then(() => 1)"
    ),
    "a result that the end of a chain ignores": (
        "export const g = () => f().then(() => chrome.tabs.create({})).then((tab) => f())"
    ),
    "no error": "chrome.tabs.create({}).then(() => f(), (error) => g(error))",
    "an error of one with a name": (
        "function g(e) { h(e) } const p = chrome.tabs.create({}); p.then(() => f(), g)"
    ),
    "a port to elsewhere": "export const port = chrome.runtime.connect(); h(port)",
    "the end of a listener": "export const g = () => chrome.tabs.onCreated.removeListener(h)",
    "a result that nothing uses, after await": (
        "(async () => { await f().then(() => { return chrome.tabs.create({}) }); })()"
    ),
    "a part of one with others": f"Promise.all([f(), {TABS}]).then(([a, [tab]]) => h(tab.id))",
    "a part of one with others, after await": (
        f"(async () => {{ const [a, tabs] = await Promise.all([f(), {TABS}]); h(tabs[0].id) }})()"
    ),
    "the end of several": f"(async () => {{ await Promise.all([f(), {TABS}]); h() }})()",
    "a listener by name": "function g(id, change) { f(change.status) } chrome.tabs.onUpdated.addListener(g)",
    "returned to who is seen": (
        f"export {{}}; async function g() {{ return (await {TABS})[0] }} g().then(({{ id }}) => f(id))"
    ),
    "a part of a sender": "chrome.runtime.onMessage.addListener((m, sender) => f(sender.tab.id))",
    "other results": "chrome.storage.local.get('a', (all) => f(all)); chrome.alarms.getAll((all) => f(all))",
}


@pytest.mark.parametrize("target", ["reference", "chrome", "firefox"])
@pytest.mark.parametrize("source", PASSED_ON.values(), ids=PASSED_ON.keys())
def test_entire_tab_passed_on_uses_the_permission(source: str, target: str) -> None:
    assert unused_permissions(with_script(source, "tabs"), target) == []


@pytest.mark.parametrize("target", ["reference", "chrome", "firefox"])
@pytest.mark.parametrize("source", PARTLY_USED.values(), ids=PARTLY_USED.keys())
def test_unrestricted_tab_fields_do_not_use_the_permission(source: str, target: str) -> None:
    assert unused_permissions(with_script(source, "tabs"), target) == ["tabs"]


REQUESTS = "chrome.webRequest.onBeforeRequest.addListener(f, { urls: ['<all_urls>'] }"

BLOCKING = {
    "options from elsewhere": (f"{REQUESTS}, options)", False),
    "options from constants": (
        f"{REQUESTS}, Object.values(chrome.webRequest.ResourceType))",
        False,
    ),
    "arguments from elsewhere": ("chrome.webRequest.onBeforeRequest.addListener(...all)", False),
    "a constant": (f"{REQUESTS}, [chrome.webRequest.OnBeforeRequestOptions.BLOCKING])", False),
    "other options": (f"{REQUESTS}, ['requestBody'])", True),
    "another constant": (f"{REQUESTS}, [chrome.webRequest.OnBeforeRequestOptions.REQUEST_BODY])", True),
    "no options": (f"{REQUESTS})", True),
}


@pytest.mark.parametrize(("source", "is_unused"), BLOCKING.values(), ids=BLOCKING.keys())
def test_blocking_permission_is_used_only_by_blocking_listeners(source: str, is_unused: bool) -> None:
    found = unused_permissions(with_script(source, "webRequest", "webRequestBlocking"), "firefox")
    assert found == (["webRequestBlocking"] if is_unused else [])


@pytest.mark.parametrize("policy", ["script-src 'self'", "script-src 'self' https://example.com"])
@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(
    "tag",
    ["<script src=https://example.com/a.js>", "<script async src='//example.com/a.js'>"],
    ids=["with a scheme", "without one"],
)
def test_remote_script_uses_permissions_only_if_the_policy_allows_it(
    version: int, policy: str, tag: str
) -> None:
    files = page(f"{tag}</script><script src=a.js></script>")
    keys: dict[str, object] = {"permissions": ["alarms"], "options_ui": {"page": "p.html"}}
    if version == 2:
        keys["content_security_policy"] = f"{policy}; object-src 'self'"
    files["manifest.json"] = manifest(manifest_version=version, **keys)
    is_used = version == 2 and "https" in policy
    assert unused_permissions({**files, "a.js": "chrome.runtime.id"}) == ([] if is_used else ["alarms"])


USER_GESTURES: dict[str, dict[str, object]] = {
    "a button": {"action": {}},
    "shortcuts": {"commands": {}},
    "a keyword": {"omnibox": {"keyword": "a"}},
    "a panel": {"side_panel": {"default_path": "a.html"}},
}


@pytest.mark.parametrize("keys", USER_GESTURES.values(), ids=USER_GESTURES.keys())
def test_user_gestures_expose_the_fields_of_the_active_tab(keys: dict[str, object]) -> None:
    source = "chrome.tabs.query({}, ([tab]) => f(tab.url))"
    assert unused_permissions(with_script(source, "activeTab", **keys)) == []
    assert unused_permissions(with_script(source, "activeTab")) == ["activeTab"]
    assert unused_permissions(with_script("fetch(address)", "activeTab")) == ["activeTab"]


USES_OF_THE_ACTIVE_TAB = {
    "the id of the tab": ("chrome.tabs.query({active: true}, ([tab]) => f(tab.id))", False),
    "a new tab": ("chrome.tabs.create({url: 'https://example.com'})", False),
    "a message to the tab": (
        "chrome.tabs.query({active: true}, ([{id}]) => chrome.tabs.sendMessage(id, 1))",
        False,
    ),
    "another page in the tab": ("chrome.tabs.update({url: 'https://example.com'})", False),
    "a request in a comment": ("chrome.runtime.id // fetch", False),
    "an injection": ("chrome.scripting.executeScript(what)", True),
    "an injection by a computed name": ("chrome.scripting[`execute${kind}`](what)", True),
    "a picture": ("chrome.tabs.captureVisibleTab(f)", True),
    "a stream": ("chrome.tabCapture.capture({}, f)", True),
    "a request": ("fetch(address)", True),
    "a request of an own file": ("fetch('b.js')", False),
    "a request of a file that is not there": ("fetch('words.json')", True),
    "a request of a part of a server that users fill in": ("fetch(`${''}/words/${word}`)", True),
    "a request of a place in an own folder": ("fetch(`/${word}.json`)", False),
    "a request to a known host": ("fetch(`https://api.example.com/${word}`)", False),
    "a tab that unknown code gets": ("chrome.tabs.query({active: true}, library.show)", True),
    "a title of the tab": ("chrome.action.onClicked.addListener(({title}) => f(title))", True),
    "a click whose page is read": (
        "chrome.contextMenus.onClicked.addListener((info) => f(info.pageUrl, info.selectionText))",
        False,
    ),
    "a menu whose link is read": ("browser.menus.onShown.addListener((info) => f(info.linkUrl))", True),
}


@pytest.mark.parametrize(
    ("source", "is_used"), USES_OF_THE_ACTIVE_TAB.values(), ids=USES_OF_THE_ACTIVE_TAB.keys()
)
def test_uses_of_the_active_tab(source: str, is_used: bool) -> None:
    found = unused_permissions(with_script(source, "activeTab", action={}))
    assert found == ([] if is_used else ["activeTab"])


@pytest.mark.parametrize(("hosts", "is_reported"), [([], False), (["https://example.com/*"], True)])
def test_access_without_an_action_uses_only_host_permissions(hosts: list[str], is_reported: bool) -> None:
    files = with_script("chrome.scripting.executeScript(what)", "activeTab", host_permissions=hosts)
    assert unused_permissions(files) == (["activeTab"] if is_reported else [])


FILTERED = "chrome.webRequest.onCompleted.addListener(() => chrome.tabs.query({}, (tabs) => f(tabs[0].id)), "

LISTENERS = {
    "the requested host": (FILTERED + "{urls: ['https://example.com/a']})", False),
    "all hosts": (FILTERED + "{urls: ['<all_urls>']})", True),
    "another host": (FILTERED + "{urls: ['https://example.com/a', 'https://other.test/*']})", True),
    "an unknown host": (FILTERED + "filter)", True),
    "an event that is passed on": (
        FILTERED + "{urls: ['https://example.com/a']}); f(chrome.webRequest.onErrorOccurred)",
        True,
    ),
}


@pytest.mark.parametrize(("source", "is_used"), LISTENERS.values(), ids=LISTENERS.keys())
def test_requests_of_requested_hosts_do_not_require_the_active_tab(source: str, is_used: bool) -> None:
    files = with_script(source, "activeTab", action={}, host_permissions=["https://example.com/*"])
    assert unused_permissions(files) == ([] if is_used else ["activeTab"])


@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_content_scripts_do_not_require_the_active_tab(target: str) -> None:
    scripts = [{"matches": ["https://*/*"], "js": ["c.js"]}]
    files = {
        "manifest.json": manifest(permissions=["activeTab"], action={}, content_scripts=scripts),
        "c.js": "f();",
    }
    assert unused_permissions(files, target) == ["activeTab"]


@pytest.mark.parametrize(("version", "targets"), [(3, "chrome,firefox"), (2, "firefox")])
@pytest.mark.parametrize(
    ("path", "is_used"), [("c.js", False), ("b.js", True), ("d.js", True)], ids=["web", "own", "either"]
)
def test_requests_of_content_scripts_do_not_require_the_active_tab(
    version: int, targets: str, path: str, is_used: bool
) -> None:
    key: dict[str, object] = {"action" if version == 3 else "browser_action": {"default_popup": "p.html"}}
    scripts = [{"matches": ["https://*/*"], "js": ["c.js", "d.js"]}]
    keys = {"manifest_version": version, "permissions": ["activeTab"], "content_scripts": scripts, **key}
    files = {
        "manifest.json": manifest(**keys),
        "p.html": "<script src=b.js></script><script src=d.js></script>",
        "b.js": "f();",
        "c.js": "f();",
        "d.js": "f();",
        path: "fetch(address);",
    }
    for target in targets.split(","):
        assert unused_permissions(files, target) == ([] if is_used else ["activeTab"])


@pytest.mark.parametrize(
    ("pattern", "hosts", "is_used"),
    [
        ("https://*.example.com/*", [], True),
        ("https://*.example.com/*", ["https://api.example.com/*"], False),
        ("https://*/*", [], False),
        ("https://other.test/*", [], False),
    ],
)
def test_request_to_the_host_of_content_scripts_may_require_the_active_tab(
    pattern: str, hosts: list[str], is_used: bool
) -> None:
    scripts = [{"matches": [pattern], "js": ["c.js"]}]
    source, keys = "fetch('https://api.example.com/a')", {"host_permissions": hosts, "action": {}}
    files = with_script(source, "activeTab", content_scripts=scripts, **keys)
    found = unused_permissions({**files, "c.js": "f()"})
    assert ("activeTab" in found) != is_used


@pytest.mark.parametrize(
    ("source", "host", "is_used"),
    [
        ("chrome.scripting.executeScript(what)", "<all_urls>", False),
        ("chrome.scripting.executeScript(what)", "*://*/*", True),
        ("chrome.tabs.captureVisibleTab(f)", "<all_urls>", True),
        ("chrome.tabs.query({}, ([tab]) => f(tab.url))", "<all_urls>", True),
        ("fetch(address)", "*://*/*", False),
        ("fetch(address)", "https://*/*", True),
    ],
)
def test_access_to_all_addresses_includes_the_active_tab(source: str, host: str, is_used: bool) -> None:
    found = unused_permissions(with_script(source, "activeTab", action={}, host_permissions=[host]))
    assert ("activeTab" in found) != is_used


def test_hosts_that_the_version_ignores_do_not_include_the_active_tab() -> None:
    source = "chrome.scripting.executeScript(what)"
    for target, permissions in (("chrome", ["activeTab", "<all_urls>"]), ("safari", ["activeTab"])):
        hosts = ["<all_urls>"] if target == "safari" else []
        files = with_script(source, *permissions, action={}, host_permissions=hosts)
        assert "activeTab" not in unused_permissions(files, target)


def test_message_says_which_permission_includes_the_active_tab() -> None:
    source = "chrome.scripting.insertCSS(what)"
    files = with_script(source, "activeTab", action={}, host_permissions=["<all_urls>"])
    assert [each.message for each in lint(files, [RULE], "chrome")] == [
        "the permission `activeTab` is not used anywhere in the package, because `<all_urls>` gives the same"
        " access"
    ]


def test_permission_for_all_tabs_shows_the_fields_of_the_active_tab() -> None:
    source = "chrome.tabs.query({}, ([tab]) => f(tab.url))"
    assert unused_permissions(with_script(source, "activeTab", "tabs", action={})) == ["activeTab"]
    optional = with_script(source, "activeTab", optional_permissions=["tabs"], action={})
    assert unused_permissions(optional) == []
    injecting = with_script("chrome.scripting.executeScript(what); " + source, "activeTab", "tabs", action={})
    assert unused_permissions(injecting) == []


def test_unused_host_permissions_are_reported() -> None:
    hosts: dict[str, object] = {"host_permissions": ["*://*/*", "https://example.com/*"]}
    assert unused_permissions(with_script("chrome.runtime.id", **hosts)) == [
        "*://*/*",
        "https://example.com/*",
    ]
    assert unused_permissions(with_script("fetch(address)", **hosts)) == []
    assert unused_permissions(with_script("chrome.runtime.id", optional_host_permissions=["*://*/*"])) == []


def test_pattern_of_other_hosts_is_reported() -> None:
    hosts: dict[str, object] = {"host_permissions": ["https://*.example.com/*", "https://service.test/*"]}
    source = "fetch(`https://api.example.com/${word}`)"
    assert unused_permissions(with_script(source, **hosts)) == ["https://service.test/*"]
    assert unused_permissions(with_script(f"{source}; fetch(address)", **hosts)) == []


JQUERY = (
    "/*! jQuery v3.6.0 | (c) */ f(XMLHttpRequest, innerHTML, src, jQuery.proxy); if (!view.opener) view = e"
)


@pytest.mark.parametrize(
    ("name", "source", "is_used"),
    [
        ("jquery.min.js", "$.get('p.html')", False),
        ("lib/jquery-3.6.0.slim.js", "$.ajax({ url: 'https://service.test/' })", False),
        ("jquery.js", "$.get('https://api.example.com/')", True),
        ("jquery.js", "$.post(address)", True),
        ("jquery.js", "$('#list').load(address)", True),
        ("jquery.js", "$('#list').html(text)", False),
        ("jquery.plugin.js", "$.get('p.html')", True),
    ],
)
def test_jquery_requests_what_the_program_passes(name: str, source: str, is_used: bool) -> None:
    files = {
        "manifest.json": manifest(
            host_permissions=["https://example.com/*"], action={"default_popup": "p.html"}
        ),
        "p.html": f"<script src={name}></script><script src=p.js></script>",
        name: JQUERY,
        "p.js": f"chrome.runtime.id; {source}",
    }
    assert bool(lint(files, [RULE], "chrome")) != is_used


@pytest.mark.parametrize(
    ("source", "is_used"), [("image.src = `chrome://favicon/${a}`", True), ("f()", False)]
)
def test_icons_of_pages_may_require_a_pattern(source: str, is_used: bool) -> None:
    background = {"background": {"scripts": ["b.js"]}}
    keys = {"manifest_version": 2, "permissions": ["chrome://favicon/"], **background}
    files = {"manifest.json": manifest(**keys), "b.js": f"chrome.runtime.id; {source}"}
    assert unused_permissions(files) == ([] if is_used else ["chrome://favicon/"])


def test_permission_for_all_tabs_is_enough_for_their_addresses() -> None:
    hosts: dict[str, object] = {"host_permissions": ["https://example.com/*"]}
    source = "chrome.tabs.query({}, ([tab]) => f(tab.url))"
    assert unused_permissions(with_script(source, "tabs", **hosts)) == ["https://example.com/*"]
    assert unused_permissions(with_script(source, **hosts)) == []


ADDRESS = "show(new Image(), history.length, location.href, 'https://example.com'); f(page.url, page.title)"
PAGE: dict[str, object] = {"action": {"default_popup": "p.html"}}

USES_OF_HOSTS: dict[str, tuple[dict[str, str], dict[str, object], bool]] = {
    "a content script with addresses": ({"c.js": ADDRESS}, {}, False),
    "a content script with a request": ({"c.js": "fetch(address)"}, {}, False),
    "a content script with a request in Manifest V2": (
        {"c.js": "fetch(address)"},
        {"manifest_version": 2, "permissions": ["https://example.com/*"], "host_permissions": []},
        True,
    ),
    "a content script that reads a picture": ({"c.js": "canvas.drawImage(a, 0, 0)"}, {}, True),
    "a content script with a style sheet": ({"c.js": "f(document.styleSheets[0].cssRules)"}, {}, True),
    "a content script that the background is, too": (
        {"c.js": "fetch(address)"},
        {"background": {"service_worker": "c.js"}},
        True,
    ),
    "a content script with a request of its page in Manifest V2": (
        {"c.js": "fetch('/list.json')"},
        {"manifest_version": 2, "permissions": ["https://example.com/*"], "host_permissions": []},
        False,
    ),
    "a content script with a request that users fill in, in Manifest V2": (
        {"c.js": "const SERVER = 'URL'; fetch(SERVER)"},
        {"manifest_version": 2, "permissions": ["https://example.com/*"], "host_permissions": []},
        True,
    ),
    "a script that nothing is known to load": ({"c.js": "f()", "d.js": ADDRESS}, {}, True),
    "a folder of which nothing is loaded": (
        {"c.js": "f()", "lib/d.js": ADDRESS, "lib/index.html": "<script src=d.js></script>"},
        {},
        False,
    ),
    "a script that another one may load": ({"c.js": "f('d.js')", "lib/d.js": ADDRESS}, {}, True),
    "a script with the name of a remote one": (
        {"c.js": "f()", "lib/d.js": ADDRESS, "p.html": "<script src=https://cdn.test/d.js></script>"},
        PAGE,
        False,
    ),
    "a test with a request": ({"c.js": "f()", "c.test.js": "fetch('https://example.com/a')"}, {}, False),
    "a program that writes the manifest": (
        {
            "c.js": "f()",
            "vite.config.js": "import { build } from 'vite'; build({hosts: ['https://example.com/*']})",
        },
        {},
        False,
    ),
    "a plain page": (
        {"c.js": "f()", "p.html": "<title>A</title><a href=https://example.com>B</a><img src=a.png>"},
        PAGE,
        False,
    ),
    "a page with a picture": ({"c.js": "f()", "p.html": "<img src=//example.com/a.png>"}, PAGE, False),
    "a page with a remote style sheet": (
        {"c.js": "f()", "p.html": "<link rel=stylesheet href=https://example.com/a.css>"},
        PAGE,
        False,
    ),
    "a page with a frame": ({"c.js": "f()", "p.html": "<iframe src='https://example.com'>"}, PAGE, True),
    "a page with a style": (
        {"c.js": "f()", "p.html": "<style>body {background: url(https://example.com/a)}</style>"},
        PAGE,
        True,
    ),
    "a page with a script": (
        {"c.js": "f()", "p.html": "<script src=p.js></script>", "p.js": "chrome.storage.local.set({url})"},
        PAGE,
        False,
    ),
    "a page whose script loads a picture": (
        {"c.js": "f()", "p.html": "<script src=p.js></script>", "p.js": "image.src = address"},
        PAGE,
        False,
    ),
    "a page whose script may load a page": (
        {
            "c.js": "f()",
            "p.html": "<script src=p.js></script><iframe id=frame></iframe>",
            "p.js": "frame.src = address",
        },
        PAGE,
        True,
    ),
    "a page whose script shows markup with a picture": (
        {
            "c.js": "f()",
            "p.html": "<script src=p.js></script>",
            "p.js": "list.innerHTML = `<a href='https://example.com'><img src='https://example.com/${a}.png'></a>`",
        },
        PAGE,
        False,
    ),
    "a page whose script plays a sound that is not there": (
        {"c.js": "f()", "p.html": "<script src=p.js></script>", "p.js": "new Audio('/music/a.mp3')"},
        PAGE,
        False,
    ),
    "a page whose script requests a file that is not there": (
        {"c.js": "f()", "p.html": "<script src=p.js></script>", "p.js": "fetch('/api/list')"},
        PAGE,
        True,
    ),
    "a page whose script reads a tab": (
        {
            "c.js": "f()",
            "p.html": "<script src=p.js></script>",
            "p.js": "chrome.tabs.query({}, ([tab]) => f(tab.url))",
        },
        PAGE,
        True,
    ),
    "a style sheet with a remote font": (
        {
            "c.js": "f()",
            "p.html": "<link rel=stylesheet href=p.css>",
            "p.css": "a {b: url('//cdn.example.com/b')}",
        },
        PAGE,
        True,
    ),
    "a menu whose link is read": (
        {"c.js": "f()", "b.js": "browser.menus.onShown.addListener((info) => f(info.linkUrl))"},
        BACKGROUND,
        True,
    ),
    "names of members in a content script": (
        {"c.js": "const all = [chrome]; f(all[0].runtime.id, g().history)"},
        {},
        False,
    ),
    "a panel of the developer tools": ({"c.js": "f()", "p.html": ""}, {"devtools_page": "p.html"}, False),
    "messages of web pages": (
        {"c.js": "f()"},
        {"externally_connectable": {"matches": ["https://example.com/*"]}},
        False,
    ),
    "downloads, visits, logins and navigations": (
        {
            "c.js": "f()",
            "b.js": "chrome.downloads.download({url}); chrome.history.search({text: ''}, f);"
            "chrome.identity.getAuthToken(f); chrome.webNavigation.onCompleted.addListener(f)",
        },
        BACKGROUND,
        False,
    ),
    "a notification with an own icon": (
        {"c.js": "f()", "b.js": "chrome.notifications.create({iconUrl: 'icons/48.png'})"},
        BACKGROUND,
        False,
    ),
    "a notification with an icon that is not known": (
        {"c.js": "f()", "b.js": "chrome.notifications.create({imageUrl: picture.url})"},
        BACKGROUND,
        True,
    ),
}


@pytest.mark.parametrize(("files", "keys", "is_used"), USES_OF_HOSTS.values(), ids=USES_OF_HOSTS.keys())
def test_uses_of_hosts(files: dict[str, str], keys: dict[str, object], is_used: bool) -> None:
    scripts = [{"matches": ["https://example.com/*"], "js": ["c.js"]}]
    hosts = {"host_permissions": ["https://example.com/*"], "content_scripts": scripts}
    found = lint({"manifest.json": manifest(**{**hosts, **keys}), **files}, [RULE], "chrome")
    assert bool(found) != is_used
    assert all(
        (each.help or "").endswith("content scripts require only their own `matches`") for each in found
    )


SITE = {"urlFilter": "||service.test/", "resourceTypes": ["main_frame"]}
CHANGED = {"type": "modifyHeaders", "requestHeaders": [{"header": "a", "operation": "remove"}]}
RULES_FOR_HOSTS = {
    "blocked requests": ({"type": "block"}, {}, False),
    "changed requests of any host": (CHANGED, {}, True),
    "changed pages of another host": (CHANGED, SITE, False),
    "changed pages of the host": (CHANGED, {**SITE, "urlFilter": "|https://api.example.com/"}, True),
    "changed pages of what has the name in its address": (
        CHANGED,
        {**SITE, "urlFilter": "service.test/"},
        True,
    ),
    "changed pages of an expression": (CHANGED, {"regexFilter": "^https://service.test/"}, True),
    "changed pictures of another host": (CHANGED, {**SITE, "resourceTypes": ["image"]}, True),
    "changed requests of the extension": (CHANGED, {"urlFilter": "||service.test/", "tabIds": [-1]}, False),
    "changed requests between other domains": (
        CHANGED,
        {"requestDomains": ["service.test"], "initiatorDomains": ["other.test"]},
        False,
    ),
    "changed requests from the domain": (
        CHANGED,
        {"requestDomains": ["service.test"], "initiatorDomains": ["example.com"]},
        True,
    ),
}


@pytest.mark.parametrize(
    ("action", "condition", "is_used"), RULES_FOR_HOSTS.values(), ids=RULES_FOR_HOSTS.keys()
)
def test_rules_for_requests_use_hosts(
    action: dict[str, object], condition: dict[str, object], is_used: bool
) -> None:
    keys: dict[str, object] = {
        "host_permissions": ["https://example.com/*"],
        "declarative_net_request": {"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]},
    }
    rules = json.dumps([{"id": 1, "action": action, "condition": condition}])
    for permission in ("declarativeNetRequest", "declarativeNetRequestWithHostAccess"):
        files = {**with_script("chrome.runtime.id", permission, **keys), "rules.json": rules}
        is_restricted = permission.endswith("Access") and condition == {}
        assert unused_permissions(files) == ([] if is_used or is_restricted else ["https://example.com/*"])


@pytest.mark.parametrize("target", ["chrome", "firefox", "reference"])
def test_invalid_pattern_is_one_mistake(target: str) -> None:
    files: Files = {"manifest.json": manifest(permissions=["chrome-extension://*/*"])}
    assert [each.rule for each in lint(files, ["invalid-value", "unused-permission"], target)] == [
        "invalid-value"
    ]
