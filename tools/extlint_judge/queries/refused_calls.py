"""Calls that match the schemas of a browser but are rejected anyway."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from extlint.finding import Severity
from extlint_judge.browsers.session import BACKGROUND, Session
from extlint_judge.extensions import Manifest, extension, manifest
from extlint_judge.query import FAILS, Query, contradictions, findings

PERMISSIONS = (
    *(
        "alarms",
        "bookmarks",
        "browsingData",
        "contentSettings",
        "contextMenus",
        "cookies",
        "declarativeNetRequest",
        "desktopCapture",
        "downloads",
    ),
    *("history", "nativeMessaging", "notifications", "offscreen", "proxy", "readingList", "scripting"),
    *("search", "sidePanel", "storage", "tabs", "<all_urls>"),
)

_MENU = "contextMenus.create(%s)"
_REGISTER = "scripting.registerContentScripts([%s])"
_NOTIFY = "notifications.create(%s)"
_NOTIFICATION = {"type": "basic", "iconUrl": "icon.png", "title": "a", "message": "b"}


def _notification_call(**more: object) -> str:
    options = {name: value for name, value in (_NOTIFICATION | more).items() if value is not None}
    return _NOTIFY % json.dumps(options)


def _rule(condition: str) -> str:
    rule = f"{{id: 1, action: {{type: 'block'}}, condition: {condition}}}"
    return f"declarativeNetRequest.updateSessionRules({{removeRuleIds: [1], addRules: [{rule}]}})"


def _texts(call: str, texts: Sequence[str]) -> dict[str, str]:
    """Returns a call with each of some strings."""
    return {call % repr(text): call % json.dumps(text, ensure_ascii=False) for text in texts}


PATTERNS = (
    *("<all_urls>", "*://*/*", "https://a.example/*", "https://*.example/*", "http://localhost:8080/*"),
    *("file:///*", "ftp://a.example/*", "ws://a.example/*", "about:*", "data:*", "chrome://*/*"),
    *("a.example", "https://a.example", "*", "", "http:/a/*", "https:///*", "https://*a.example/*"),
    *("https://a.*.example/*", "*://a.example:443/*", "HTTPS://a.example/*", "moz-extension://*/*"),
)
_URLS = (
    *("https://a.example/", "http://a.example/b", "a.example", "/a.html", "", "javascript:alert(1)"),
    *("data:text/html,a", "about:blank", "about:config", "about:newtab", "chrome://settings", "file:///a"),
    *("https://", "//a.example/", "mailto:a@a.example"),
)
_OPENED = (
    *("javascript:alert(1)", "https://", "about:config", "about:preferences#search", "about:support"),
    "data:text/html,a",
)
"""URLs that are opened. They are few, as windows and tabs start event pages again."""

_COLORS = (
    *("red", "#f00", "#ff0000", "notacolor", "", "#ff", "#gg0000", "ff0000", "RED", "transparent"),
    *("currentColor", "rebeccapurple", "rgb(1, 2, 3)", "rgb(1,2,3)", "rgb(300, 0, 0)", "rgb(1, 2, 3"),
    *(
        "rgba(1, 2, 3, 0.5)",
        "rgb(1 2 3)",
        "hsl(0, 100%, 50%)",
        "hsla(0, 100%, 50%, 1)",
        "var(--a)",
        "inherit",
    ),
    *("rgba(1, 2, 3)", "hwb(0 0% 0%)", "#F00", "#ff000080", "#f008", "canvas", "grey", "rgb(1%, 2%, 3%)"),
)
_HEADERS = (
    *("Accept-Charset", "Accept-Encoding", "Access-Control-Request-Headers", "Access-Control-Request-Method"),
    *("Connection", "Content-Length", "Cookie", "Cookie2", "Date", "DNT", "Expect", "Host", "Keep-Alive"),
    *("Origin", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Via", "Proxy-A", "Sec-A", "Referer"),
    *("Set-Cookie", "User-Agent", "Accept", "Authorization", "Content-Type", "If-Range", "Range", "X-A"),
)
_SAVED = ("data:,a", "javascript:1", "chrome://a/b", "file:///a", "chrome-extension://a/b", "about:blank")
_COOKIE = "cookies.set({url: 'https://a.example/', %s})"
_BOOKMARKS = ("0", "1", "2", "none", "toolbar_____", "unfiled_____", "root________", "abcdefghijkl", "", "x1")
_SUGGESTIONS = (
    "a & b",
    "a &amp; b",
    "a < b",
    "<match>a",
    "<match>a</match>",
    "<b>a</b>",
    "a > b",
    "a &nbsp; b",
    "<url>a</b>",
)
_ICONS = (
    "''",
    "{}",
    "{16: 'icon.png'}",
    "{'16': 'none.png'}",
    "{x: 'icon.png'}",
    "'https://a.example/a.png'",
    "'data:image/png;base64,AAAA'",
)
_OF_CONTENT = "contentSettings.javascript.set({primaryPattern: %s, setting: 'block'})"
_SET_CONTENT = "contentSettings.%s.set({primaryPattern: 'https://a.example/*', setting: '%s'})"
_SETTINGS = ("allow", "ask", "block", "deny", "session_only")
_WITH_SETTINGS = (
    *("automaticDownloads", "camera", "clipboard", "cookies", "images", "javascript", "location"),
    *("microphone", "notifications", "popups"),
)
_NATIVE_HOSTS = ("org.example.app", "a_1", "org.Example", "org.my-app", "a..b", ".a", "a.", "a b", "")
_CONTEXTS = ("all", "action", "browser_action", "page_action", "launcher", "link")

CALLS: Mapping[str, str] = {
    "a menu with an id": _MENU % "{id: 'a', title: 'a'}",
    "a menu without an id": _MENU % "{title: 'a'}",
    "a menu with an empty id": _MENU % "{id: '', title: 'a'}",
    "a menu with onclick": _MENU % "{id: 'b', title: 'a', onclick() {}}",
    "a menu with onclick: null": _MENU % "{id: 'f', title: 'a', onclick: null}",
    "a menu without a title": _MENU % "{id: 'c'}",
    "a menu with an empty title": _MENU % "{id: 'g', title: ''}",
    "a separator without a title": _MENU % "{id: 'd', type: 'separator'}",
    "a notification": _notification_call(),
    **{f"a notification without {name}": _notification_call(**{name: None}) for name in _NOTIFICATION},
    "a notification without anything": _NOTIFY % "{}",
    "a notification with an empty iconUrl": _notification_call(iconUrl=""),
    "a notification with an empty title": _notification_call(title=""),
    "a notification with an empty message": _notification_call(message=""),
    "a notification with an icon that is not there": _notification_call(iconUrl="none.png"),
    "a notification with the address of an icon that is not there": (
        _NOTIFY % "{type: 'basic', iconUrl: api.runtime.getURL('none.png'), title: 'a', message: 'b'}"
    ),
    "a notification of type image without imageUrl": _notification_call(type="image"),
    "a notification of type list without items": _notification_call(type="list"),
    "a notification of type progress without progress": _notification_call(type="progress"),
    "a notification with items of type basic": _notification_call(items=[{"title": "a", "message": "b"}]),
    "a notification with progress of type basic": _notification_call(progress=5),
    "a notification with progress of 101": _notification_call(type="progress", progress=101),
    "a notification with a priority of 3": _notification_call(priority=3),
    "a notification with three buttons": _notification_call(buttons=[{"title": "a"}] * 3),
    "an update without anything": "notifications.update('none', {})",
    "a notification with imageUrl of type basic": _notification_call(imageUrl="icon.png"),
    "an injection of nothing": "scripting.executeScript({target: {tabId: 1}})",
    "an injection of a function and files": (
        "scripting.executeScript({target: {tabId: 1}, func() {}, files: ['a.js']})"
    ),
    "an injection of no files": "scripting.executeScript({target: {tabId: 1}, files: []})",
    "an injection of files with args": (
        "scripting.executeScript({target: {tabId: 1}, files: ['a.js'], args: [1]})"
    ),
    "an injection into frames and all frames": (
        "scripting.executeScript({target: {tabId: 1, frameIds: [0], allFrames: true}, func() {}})"
    ),
    "a style of nothing": "scripting.insertCSS({target: {tabId: 1}})",
    "a style of css and files": "scripting.insertCSS({target: {tabId: 1}, css: 'a', files: ['a.css']})",
    "a removal of a style of nothing": "scripting.removeCSS({target: {tabId: 1}})",
    "a panel for nothing": "sidePanel.open({})",
    "an offscreen document without a reason": (
        "offscreen.createDocument({url: 'a.html', reasons: [], justification: 'a'})"
    ),
    "an icon of nothing": "action.setIcon({})",
    "a download to an absolute path": "downloads.download({url: 'http://127.0.0.1:9/', filename: '/tmp/a'})",
    "a download to a path up": "downloads.download({url: 'http://127.0.0.1:9/', filename: '../a'})",
    "a download to no name": "downloads.download({url: 'http://127.0.0.1:9/', filename: ''})",
    "a download to a name with a colon": "downloads.download({url: 'http://127.0.0.1:9/', filename: 'a:b'})",
    "a download of no address": "downloads.download({url: ''})",
    "a download of a path": "downloads.download({url: 'a.txt'})",
    "a choice of a screen without a tab": "desktopCapture.chooseDesktopMedia(['screen'])",
    "a tab in a container without permission for cookies": (
        "tabs.create({url: 'about:blank', cookieStoreId: 'firefox-default'})"
    ),
    "no highlighted tab": "tabs.highlight({tabs: []})",
    "a move of no tab": "tabs.move([], {index: 0})",
    "a window with a tab and its size when maximized": ("windows.create({state: 'maximized', width: 100})"),
    "an update of a window to maximized with a size": (
        "windows.update((await api.windows.getAll())[0].id, {state: 'maximized', width: 100})"
    ),
    "a focused window that is minimized": "windows.create({state: 'minimized', focused: true})",
    "a rule with a regexFilter": _rule("{regexFilter: '^https://a[.]example/[0-9]+'}"),
    **_texts("tabs.query({url: %s})", PATTERNS),
    **_texts("tabs.create({url: %s})", _OPENED),
    **_texts("windows.create({url: %s})", _OPENED),
    **_texts("cookies.get({url: %s, name: 'a'})", _URLS),
    **_texts("cookies.set({url: %s, name: 'a'})", _URLS),
    **_texts("cookies.remove({url: %s, name: 'a'})", _URLS),
    **_texts("history.addUrl({url: %s})", _URLS),
    **_texts("bookmarks.create({url: %s})", _URLS),
    **_texts("runtime.setUninstallURL(%s)", _URLS),
    **_texts("offscreen.createDocument({url: %s, reasons: ['BLOBS'], justification: 'a'})", _URLS),
    **_texts("action.setPopup({popup: %s})", _URLS),
    **_texts("action.setBadgeBackgroundColor({color: %s})", _COLORS),
    **_texts("action.setBadgeTextColor({color: %s})", _COLORS),
    **_texts(
        "contextMenus.create({id: 'm' + Math.random(), title: 'a', documentUrlPatterns: [%s]})", PATTERNS
    ),
    **_texts("contextMenus.create({id: 'c' + Math.random(), title: 'a', contexts: [%s]})", _CONTEXTS),
    **_texts(
        "scripting.registerContentScripts([{id: 'p' + Math.random(), js: ['a.js'], matches: [%s]}])",
        PATTERNS,
    ),
    **_texts(
        "scripting.registerContentScripts([{id: %s, js: ['a.js'], matches: ['<all_urls>']}])", ("", "_a", "a")
    ),
    "two scripts with one id": _REGISTER
    % ", ".join(["{id: 'y', js: ['a.js'], matches: ['<all_urls>']}"] * 2),
    "a script without matches": _REGISTER % "{id: 'x', js: ['a.js']}",
    "a script with empty matches": _REGISTER % "{id: 'x', js: ['a.js'], matches: []}",
    "a script without files": _REGISTER % "{id: 'x', matches: ['<all_urls>']}",
    "a script with an empty list": _REGISTER % "{id: 'x', js: [], matches: ['<all_urls>']}",
    "a badge of 100 characters": f"action.setBadgeText({{text: '{'x' * 100}'}})",
    "a badge of 101 characters": f"action.setBadgeText({{text: '{'x' * 101}'}})",
    "a badge of 51 umlauts": f"action.setBadgeText({{text: '{'ü' * 51}'}})",
    "a badge for no tab": "action.setBadgeText({tabId: -1, text: 'a'})",
    "a tab of no tab": "tabs.get(-1)",
    "a cookie for all sites that is insecure": (
        "cookies.set({url: 'https://a.example/', name: 'a', sameSite: 'no_restriction'})"
    ),
    "a cookie for all sites that is secure": (
        "cookies.set({url: 'https://a.example/', name: 'a', sameSite: 'no_restriction', secure: true})"
    ),
    "a rule file that is not listed": (
        "declarativeNetRequest.updateEnabledRulesets({enableRulesetIds: ['a']})"
    ),
    **_texts("cookies.getAll({url: %s})", _URLS),
    **_texts("downloads.download({url: %s})", _SAVED),
    **_texts("downloads.download({url: 'http://127.0.0.1:9/', headers: [{name: %s, value: 'a'}]})", _HEADERS),
    **_texts("history.deleteUrl({url: %s})", _URLS),
    **_texts("history.getVisits({url: %s})", _URLS),
    **_texts("readingList.addEntry({url: %s, title: 'a', hasBeenRead: false})", _URLS),
    **_texts(_COOKIE % "name: %s, value: 'b'", ("a", "", "a;b", "a=b", "a b", "__Secure-a", "__Host-a")),
    **_texts(_COOKIE % "name: 'a', value: %s", ("b", "", "b;c", "b=c", "b c", "b,c")),
    **_texts(_COOKIE % "name: 'a', path: %s", ("/", "/b", "b", "")),
    **_texts(_COOKIE % "name: 'a', domain: %s", ("a.example", ".a.example", "b.example", "example", "")),
    **_texts(_COOKIE % "name: 'a', partitionKey: {topLevelSite: %s}", ("https://b.example", "b.example")),
    "a cookie with an empty partition": _COOKIE % "name: 'a', partitionKey: {}",
    "a cookie of one host with a domain": _COOKIE % "name: '__Host-a', secure: true, domain: 'a.example'",
    "a cookie without a name and value": _COOKIE % "",
    "a secure cookie for http": "cookies.set({url: 'http://c.example/', name: 'a', secure: true})",
    "a lax cookie for http": "cookies.set({url: 'http://d.example/', name: 'a', sameSite: 'lax'})",
    **_texts("bookmarks.create({parentId: %s, title: 'a'})", _BOOKMARKS),
    **_texts("bookmarks.get(%s)", _BOOKMARKS[:8]),
    **_texts("bookmarks.getChildren(%s)", _BOOKMARKS[:7]),
    **_texts("bookmarks.getSubTree(%s)", _BOOKMARKS[:7]),
    **_texts("bookmarks.remove(%s)", ("none", "x1")),
    **_texts("bookmarks.removeTree(%s)", ("none", "x1")),
    **_texts("bookmarks.update(%s, {title: 'a'})", ("none", "x1")),
    **_texts("bookmarks.move(%s, {index: 0})", ("none", "x1")),
    **_texts("omnibox.setDefaultSuggestion({description: %s})", _SUGGESTIONS),
    **{f"an icon with the path {each}": f"action.setIcon({{path: {each}}})" for each in _ICONS},
    "an icon of no data": "action.setIcon({imageData: {}})",
    **_texts("permissions.remove({origins: [%s]})", ("<all_urls>", "https://a.example/*")),
    **_texts("permissions.remove({permissions: [%s]})", ("tabs", "idle", "activeTab")),
    **_texts("permissions.contains({origins: [%s]})", PATTERNS),
    **_texts("browsingData.remove({origins: [%s]}, {cache: true})", ("https://a.example", "a.example")),
    "browsing data with and without hosts": (
        "browsingData.remove({origins: ['https://a'], excludeOrigins: ['https://b']}, {cache: true})"
    ),
    **{
        f"{kind} of a host": f"browsingData.remove({{origins: ['https://a.example']}}, {{{kind}: true}})"
        for kind in (
            *("appcache", "cache", "cacheStorage", "cookies", "downloads", "fileSystems", "formData"),
            *("history", "indexedDB", "localStorage", "passwords", "serviceWorkers", "webSQL"),
        )
    },
    **_texts(_OF_CONTENT, PATTERNS),
    **{
        f"{name} set to {setting}": _SET_CONTENT % (name, setting)
        for name in _WITH_SETTINGS
        for setting in _SETTINGS
    },
    **_texts("runtime.sendNativeMessage(%s, {})", _NATIVE_HOSTS),
    "an item of 8192 bytes": f"storage.sync.set({{a: '{'x' * 8189}'}})",
    "an item of 8193 bytes": f"storage.sync.set({{a: '{'x' * 8190}'}})",
    "a change of managed storage": "storage.managed.set({a: 1})",
    "a removal from managed storage": "storage.managed.remove('a')",
    "a removal of all managed storage": "storage.managed.clear()",
    "a search for nothing": "search.query({text: ''})",
    "a search in a tab and a new tab": "search.query({text: 'a', tabId: 1, disposition: 'NEW_TAB'})",
    **_texts(
        "downloads.search({orderBy: [%s]})",
        ("startTime", "-startTime", "filename", "x", "-x", "url", "exists"),
    ),
    "no downloads": "downloads.search({limit: -1})",
    **{
        f"a zoom of {each}": f"tabs.setZoom({each})"
        for each in ("-1", "0", "0.1", "0.2", "1", "5", "6", "10")
    },
    "a proxy without rules": "proxy.settings.set({value: {mode: 'fixed_servers'}})",
    "a proxy without a script": "proxy.settings.set({value: {mode: 'pac_script'}})",
    "a proxy of the system": "proxy.settings.set({value: {mode: 'system'}})",
    "an offscreen document for tests": (
        "offscreen.createDocument({url: 'a.html', reasons: ['TESTING'], justification: 'a'})"
    ),
    "an active tab that is discarded": "tabs.create({url: 'about:blank', discarded: true, active: true})",
    "a tab with a title": "tabs.create({url: 'about:blank', title: 'a'})",
    "a tab in a window -1": "tabs.create({windowId: -1})",
    "a window with a reader": "tabs.create({url: 'about:reader?url=https://a.example'})",
    "rules of a file that is not listed": (
        "declarativeNetRequest.updateStaticRules({rulesetId: 'a', disableRuleIds: [1]})"
    ),
    "disabled rules of a file that is not listed": (
        "declarativeNetRequest.getDisabledRuleIds({rulesetId: 'a'})"
    ),
    "a menu in another that does not exist": _MENU % "{id: 'n', title: 'a', parentId: 'none'}",
    "an update of a menu that does not exist": "contextMenus.update('none', {title: 'a'})",
    "a removal of a menu that does not exist": "contextMenus.remove('none')",
    "a removal of a script that does not exist": "scripting.unregisterContentScripts({ids: ['none']})",
    "an update of a script that does not exist": (
        "scripting.updateContentScripts([{id: 'none', js: ['a.js']}])"
    ),
    "an alarm without a time": "alarms.create('a', {})",
    "an alarm with when and delayInMinutes": "alarms.create('a', {when: 1, delayInMinutes: 1})",
}
"""The calls."""

_ERRORS_TO_CALLBACK = ("contextMenus.", "desktopCapture.", "notifications.")
"""Namespaces that report errors only to a callback."""

READS: Mapping[str, str] = {
    "two keys of a storage, one of which is there": "storage.local.get(['a', 'c'])",
    "two defaults of a storage, one of which is there": "storage.local.get({b: 1, c: 2})",
    "the tabs of a window": "windows.getCurrent().then((it) => it.tabs ?? null)",
    "the tabs of all windows": "windows.getAll().then((all) => all[0].tabs ?? null)",
    "the tabs of a window, if they are not wanted": (
        "windows.getLastFocused({populate: false}).then((it) => it.tabs ?? null)"
    ),
}
"""Calls whose results are observed."""

_PROBE = """(async () => {
  const api = globalThis.browser ?? chrome;
  await api.storage.local.set({ a: 1, b: 2 });
  const answered = (call) => new Promise((resolve) => {
    const give = (problem) => resolve(problem ? `fails: ${problem}` : "works");
    const failed = (error) => give(error.message);
    setTimeout(resolve, 15000, "is not answered");
    try {
      call(give)?.then?.((value) => resolve(value ?? "works"), failed);
    } catch (error) {
      failed(error);
    }
  });
  const ask = (calls) => Promise.all(
    Object.entries(calls).map(async ([name, call]) => [name, await answered(call)]),
  );
  const read = await ask({ %(reads)s });
  return Object.fromEntries([...read, ...await ask({ %(calls)s })]);
})()"""
"""The reads come first, as hundreds of calls at once keep a busy browser from its storage."""


RULES = (
    *("invalid-argument", "missing-permission"),
    *("unknown-api", "unsupported-api", "wrong-argument-count", "wrong-manifest-version"),
)
_OTHER_REASONS = re.compile(
    "is not a function|is undefined|No tab with id|user gesture|Unable to download|No tabs given|No highlight"
    "|Cannot find menu item|Nonexistent script ID|Script with ID|Content script with id|No host permissions"
    "|Could not load javascript|Page failed to load|Only a single offscreen"
    "|Cannot access contents of url|private browsing permission|Bookmark not found|Failed to fetch"
    "|native messaging host not found|No such native application"
    "|parentGuid must be valid|source image could not be decoded|An unexpected error"
)
"""Errors for reasons that are not in the arguments, or unknown to extlint."""


def _cases(browser: str) -> Mapping[str, Manifest]:
    """Returns the manifests with each kind of background."""

    def keys(version: int, **background: Any) -> Manifest:
        action = "action" if version == 3 else "browser_action"
        hosts = {"host_permissions": ["<all_urls>"]} if version == 3 else {}
        return manifest(
            version,
            permissions=PERMISSIONS,
            background=background,
            omnibox={"keyword": "judge"},
            **hosts,
            **{action: {}},
        )

    if browser == "chromium":
        return {"a service worker": keys(3, service_worker=BACKGROUND)}
    scripts = [BACKGROUND]
    return {
        "an event page": keys(3, scripts=scripts),
        "an event page of version 2": keys(2, scripts=scripts, persistent=False),
        "a background page": keys(2, scripts=scripts),
    }


def _ask(session: Session, keys: Manifest) -> Any:
    calls = ", ".join(f"{json.dumps(name)}: {_call_probe(call)}" for name, call in CALLS.items())
    reads = ", ".join(f"{json.dumps(name)}: {_read_probe(call)}" for name, call in READS.items())
    files = extension(keys, {"icon.png": _icon()})
    return session.evaluate(files, _PROBE % {"calls": calls, "reads": reads}, BACKGROUND)


def _call_probe(call: str) -> str:
    if call.startswith(_ERRORS_TO_CALLBACK):
        return f"(give) => void api.{call[:-1]}, () => give(api.runtime.lastError?.message))"
    return f"async () => void (await api.{call})"


def _read_probe(call: str) -> str:
    return f"async () => `gives ${{JSON.stringify(await api.{call})}}`"


@cache
def _icon() -> bytes:
    """Returns a black PNG image, 16 by 16 pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(16 * (1 + 3 * 16)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _compare(browser: str, keys: Manifest, answers: Mapping[str, str]) -> Iterator[str]:
    api = "browser" if browser == "firefox" else "chrome"
    lines = [f"{api}.{call.replace('api.', f'{api}.')};" for call in CALLS.values()]
    files = extension(keys, {BACKGROUND: "\n".join(["async () => {", *lines, "}"])})
    found = findings(browser, files, *RULES)
    reported = {each.span.start.line for each in found if each.severity is Severity.ERROR}
    fails = {
        name: answers[name].startswith(FAILS)
        for name in CALLS
        if answers[name] != "is not answered"
        and not (answers[name].startswith(FAILS) and _OTHER_REASONS.search(answers[name]))
    }
    yield from contradictions((name for line, name in enumerate(CALLS, 2) if line in reported), fails)


refused_calls = Query(
    "refused-calls",
    """Query calls that match the schemas and fail.

    They are made in each kind of background.

    The exit code is 1 if extlint disagrees.
    """,
    _cases,
    _ask,
    _compare,
)
