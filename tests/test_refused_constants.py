"""Constants in calls that fit the schema and that browsers refuse anyway."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from harness import lint, manifest

PERMISSIONS = [
    *("bookmarks", "browsingData", "contentSettings", "contextMenus", "cookies", "declarativeNetRequest"),
    *("downloads", "history", "identity", "nativeMessaging", "offscreen", "proxy", "readingList"),
    *("scripting", "search", "storage", "tabs", "webRequest"),
]


def messages(calls: Iterable[str], target: str, **keys: object) -> dict[str, list[str]]:
    """Returns the messages of the findings in each call, which an event makes; one script has all calls."""
    lines = [*calls]
    codes = (each if each.startswith("const ") else f"chrome.{each}" for each in lines)
    script = "\n".join(f"chrome.action.onClicked.addListener((tab) => {{ {each}; }});" for each in codes)
    background: dict[str, object] = (
        {"service_worker": "a.js"} if target == "chrome" else {"scripts": ["a.js"]}
    )
    files = {
        "manifest.json": manifest(
            background=background,
            permissions=PERMISSIONS,
            host_permissions=["<all_urls>"],
            action={},
            omnibox={"keyword": "a"},
            **keys,
        ),
        "a.js": script,
    }
    found: dict[str, list[str]] = {each: [] for each in lines}
    for each in lint(files, ("invalid-argument",), target):
        found[lines[each.span.start.line - 1]].append(each.message)
    return found


ABSOLUTE = "it must be an absolute URL, such as `https://example.org/`"
WEB = "it must begin with `https://` or `http://`"
SCHEME = "it must begin with a scheme such as `https://`, or with `*://` for http and https"
WHOLE = "it must have a scheme, a host and a path, as `https://example.org/*`"
COOKIE = "cookies.set({ url: 'https://a.example/', %s })"
REGISTER = "scripting.registerContentScripts([{ id: %s, js: ['a.js'], matches: [%s] }])"

HOST = "the name of the application cannot be"
HOST_NAMES = "it must have only lowercase letters, digits, `_` and single dots between them"
READ_ONLY = "`storage.managed` is read-only: only the policies of administrators fill it"
OF_BROWSER = "only the browser may set this header"
NO_DATA = "Firefox downloads no `data:` URL; use `URL.createObjectURL` with a `Blob`"

REFUSED = {
    ("tabs.query({ url: 'a.example' })", "chrome"): f"`url` cannot be `a.example`: {SCHEME}",
    ("tabs.query({ url: ['<all_urls>', 'a.example'] })", "firefox"): f"`url` cannot be `a.example`: {WHOLE}",
    ("tabs.query({ url: '' })", "firefox"): "`url` must not be empty",
    (REGISTER % ("'a'", "'chrome://*/*'"), "chrome"): (
        "`matches` cannot be `chrome://*/*`: the scheme `chrome` is not allowed here"
    ),
    (REGISTER % ("'a'", "'about:*'"), "firefox"): (
        "`matches` cannot be `about:*`: the scheme `about` is not allowed here"
    ),
    (REGISTER % ("'_a'", "'<all_urls>'"), "firefox"): "`id` cannot be `_a`: an id must not begin with `_`",
    (REGISTER % ("''", "'<all_urls>'"), "chrome"): "`id` must not be empty",
    (
        "const one = { id: 'a', js: ['a.js'], matches: ['<all_urls>'] };"
        " chrome.scripting.registerContentScripts([one, { ...one, id: 'a' }])",
        "firefox",
    ): "an earlier script also has the id `a`",
    ("scripting.registerContentScripts([{ id: 'a', js: ['a.js'] }])", "chrome"): (
        "`scripts.matches` requires at least one pattern"
    ),
    ("scripting.registerContentScripts([{ id: 'a', matches: ['<all_urls>'] }])", "firefox"): (
        "`scripts.js` is required, unless `css` is there"
    ),
    ("tabs.create({ url: ' javascript:alert(1)' })", "chrome"): (
        "`url` cannot be ` javascript:alert(1)`: Chrome opens no `javascript:` URL for an extension; use"
        " `scripting.executeScript`"
    ),
    ("tabs.create({ url: 'about:preferences#search' })", "firefox"): (
        "`url` cannot be `about:preferences#search`: Firefox does not open its own pages for an extension"
    ),
    ("windows.create({ url: ['a.html', 'about:config'] })", "firefox"): (
        "`url` cannot be `about:config`: Firefox does not open its own pages for an extension"
    ),
    ("windows.create({ state: 'minimized', focused: true })", "chrome"): (
        "`createData.focused` must not be beside the state `minimized`"
    ),
    ("cookies.get({ url: 'a.example', name: 'a' })", "chrome"): f"`url` cannot be `a.example`: {ABSOLUTE}",
    ("cookies.set({ url: 'a.example', name: 'a' })", "firefox"): f"`url` cannot be `a.example`: {WEB}",
    ("cookies.set({ url: 'https://a.example/', name: 'a', sameSite: 'no_restriction' })", "firefox"): (
        "`details.sameSite` is only for cookies that are `secure`, if it is `no_restriction`"
    ),
    ("bookmarks.create({ url: '' })", "firefox"): "`url` must not be empty",
    ("runtime.setUninstallURL('/bye')", "chrome"): f"the URL cannot be `/bye`: {WEB}",
    ("action.setPopup({ popup: 'https://a.example/' })", "firefox"): (
        "`popup` cannot be `https://a.example/`: it must be a page of the extension"
    ),
    ("action.setBadgeBackgroundColor({ color: 'rde' })", "chrome"): (
        "`color` cannot be `rde`: unknown color name"
    ),
    (f"action.setBadgeText({{ text: '{'ü' * 51}' }})", "chrome"): (
        f"`text` cannot be `{'ü' * 51}`: a badge can have at most 100 bytes"
    ),
    (
        "scripting.executeScript({ target: { tabId: tab.id, allFrames: true, frameIds: [0] }, func() {} })",
        "chrome",
    ): ("`injection.target.frameIds` must not be beside `allFrames`"),
    ("contextMenus.create({ id: 'a', title: 'a', contexts: ['launcher'] })", "chrome"): (
        "the context `launcher` is only for packaged apps"
    ),
    ("cookies.get({ url: 'about:config', name: 'a' })", "chrome"): (
        "`url` cannot be `about:config`: no extension can access cookies of `about:` URLs"
    ),
    (COOKIE % "name: 'a;b', value: 'c'", "firefox"): (
        '`details.name` must be without `;` and `=`, not the string "a;b"'
    ),
    (COOKIE % "name: 'a', value: 'b;c'", "chrome"): (
        '`details.value` must be without `;`, not the string "b;c"'
    ),
    (COOKIE % "domain: 'a.example'", "firefox"): "`details.name` is required, unless `value` is there",
    (COOKIE % "name: 'a', domain: 'b.example'", "chrome"): (
        '`details.domain` must be the host of `url` or a domain above it, not the string "b.example"'
    ),
    (COOKIE % "name: 'a', path: 'b'", "chrome"): (
        '`details.path` must be a path that begins with `/`, not the string "b"'
    ),
    (COOKIE % "name: '__Host-a', value: 'b'", "chrome"): (
        "`details.name` may only have this prefix in cookies that are `secure`"
    ),
    ("cookies.set({ url: 'http://a.example/', name: 'a', secure: true })", "chrome"): (
        "`details.secure` is only for `https:` URLs"
    ),
    ("bookmarks.create({ parentId: 'toolbar_____', title: 'a' })", "chrome"): (
        "`parentId` cannot be `toolbar_____`: in Chrome, the id of a bookmark is a number"
    ),
    ("bookmarks.create({ parentId: '1', title: 'a' })", "firefox"): (
        "`parentId` cannot be `1`: in Firefox, the id of a bookmark has 12 characters, such as `toolbar_____`"
    ),
    ("bookmarks.create({ parentId: '0', title: 'a' })", "chrome"): (
        "`parentId` cannot be `0`: nothing can be added to the root of all bookmarks"
    ),
    ("bookmarks.getChildren('menu________')", "chrome"): (
        "the id cannot be `menu________`: in Chrome, the id of a bookmark is a number"
    ),
    ("bookmarks.getSubTree('2')", "firefox"): (
        "the id cannot be `2`: in Firefox, the id of a bookmark has 12 characters, such as `toolbar_____`"
    ),
    ("browsingData.remove({ origins: ['a.example'] }, { cache: true })", "chrome"): (
        "`origins` cannot be `a.example`: it must be an origin, such as `https://example.org`"
    ),
    ("browsingData.remove({ origins: ['https://a.example'] }, { history: true })", "chrome"): (
        "`history` must not be removed together with `origins` or `excludeOrigins`"
    ),
    ("contentSettings.images.set({ primaryPattern: 'a.example', setting: 'block' })", "chrome"): (
        f"`primaryPattern` cannot be `a.example`: {SCHEME}"
    ),
    ("contentSettings.images.set({ primaryPattern: 'https://a.example/b', setting: 'block' })", "chrome"): (
        "`primaryPattern` cannot be `https://a.example/b`: its path must be `/*`, not `/b`"
    ),
    ("contentSettings.cookies.set({ primaryPattern: '<all_urls>', setting: 'deny' })", "chrome"): (
        '`details.setting` must be one of "allow", "block" or "session_only", not the string "deny"'
    ),
    ("contentSettings.images.set({ primaryPattern: '<all_urls>', setting: 'ask' })", "chrome"): (
        '`details.setting` must be "allow" or "block", not the string "ask"'
    ),
    ("runtime.connectNative('org.Example')", "chrome"): f"{HOST} `org.Example`: {HOST_NAMES}",
    ("runtime.sendNativeMessage('my-app', {})", "chrome"): f"{HOST} `my-app`: {HOST_NAMES}",
    ("storage.managed.set({ a: 1 })", "chrome"): READ_ONLY,
    ("storage.managed.remove('a')", "firefox"): READ_ONLY,
    ("storage.managed.clear()", "firefox"): READ_ONLY,
    ("commands.update({ name: 'a', shortcut: 'x' })", "firefox"): (
        "`shortcut` cannot be `x`: the key `x` must be uppercase"
    ),
    (COOKIE % "name: '__Host-a', secure: true, domain: 'a.example'", "chrome"): (
        "`details.domain` is not allowed in the cookie `__Host-a`"
    ),
    ("downloads.search({ orderBy: ['-startTim'] })", "firefox"): (
        "`orderBy` cannot be `-startTim`: downloads have no such field"
    ),
    (
        "downloads.download({ url: 'https://a.example/', headers: [{ name: 'Referer', value: 'a' }] })",
        "chrome",
    ): (f"`headers.name` cannot be `Referer`: {OF_BROWSER}"),
    ("downloads.download({ url: tab.url, headers: [{ name: 'sec-a', value: tab.title }] })", "firefox"): (
        f"`headers.name` cannot be `sec-a`: {OF_BROWSER}"
    ),
    ("downloads.download({ url: 'data:,a' })", "firefox"): f"`url` cannot be `data:,a`: {NO_DATA}",
    ("downloads.download({ url: `data:text/html,${tab.title}` })", "firefox"): (
        f"`url` cannot be `data:text/html,…`: {NO_DATA}"
    ),
    (
        "const text = 'data:' + tab.title + ',' + encodeURIComponent(tab.title);"
        " chrome.downloads.download({ url: text, saveAs: true })",
        "firefox",
    ): f"`url` cannot be `data:…`: {NO_DATA}",
    ("tabs.create({ url: 'chrome-extension://' + chrome.runtime.id + '/a.html' })", "firefox"): (
        "`url` cannot be `chrome-extension://…`: pages of the package begin with `moz-extension:` here;"
        " use `runtime.getURL`"
    ),
    ("windows.create({ url: [`moz-extension://${tab.title}/a.html`] })", "chrome"): (
        "`url` cannot be `moz-extension://…`: pages of the package begin with `chrome-extension:` here;"
        " use `runtime.getURL`"
    ),
    ("tabs.update({ url: 'javascript:' + tab.title })", "chrome"): (
        "`url` cannot be `javascript:…`: Chrome opens no `javascript:` URL for an extension;"
        " use `scripting.executeScript`"
    ),
    ("history.deleteUrl({ url: 'a.example' })", "firefox"): f"`url` cannot be `a.example`: {ABSOLUTE}",
    ("omnibox.setDefaultSuggestion({ description: 'Search & find' })", "chrome"): (
        "`description` cannot be `Search & find`: it must be XML: write `&amp;` for `&` and `&lt;` for `<`,"
        " and close each element"
    ),
    ("proxy.settings.set({ value: { mode: 'fixed_servers' } })", "chrome"): (
        "`details.value.rules` is required for the mode `fixed_servers`"
    ),
    ("readingList.addEntry({ url: 'about:blank', title: 'a', hasBeenRead: false })", "chrome"): (
        f"`url` cannot be `about:blank`: {WEB}"
    ),
    ("search.query({ text: '' })", "chrome"): "`text` must not be empty",
    ("search.query({ text: 'a', tabId: 1, disposition: 'NEW_TAB' })", "firefox"): (
        "`queryInfo.disposition` must not be beside `tabId`"
    ),
    ("tabs.create({ windowId: -1 })", "chrome"): (
        "`createProperties.windowId` must be the id of a window, not the number -1"
    ),
    ("tabs.create({ url: 'about:blank', discarded: true, active: true })", "firefox"): (
        "`createProperties.active` must not be beside `discarded`"
    ),
    ("tabs.setZoom(tab.id, 10)", "firefox"): "`zoomFactor` must be from 0.2 to 5, or 0",
    ("permissions.remove({ permissions: ['tabs'] })", "chrome"): (
        "`tabs` cannot be removed: the manifest requires it"
    ),
    ("permissions.remove({ permissions: ['managment'] })", "chrome"): (
        "`managment` is not a permission; did you mean `management`?"
    ),
    ("permissions.remove({ permissions: ['idle'] })", "chrome"): (
        "`idle` cannot be removed: it is not among the permissions in the manifest"
    ),
    ("webRequest.onBeforeRequest.addListener(print, { urls: ['a.example'] })", "chrome"): (
        f"`urls` cannot be `a.example`: {SCHEME}"
    ),
    ("webRequest.onCompleted.addListener(print, { urls: ['*'] })", "firefox"): (
        f"`urls` cannot be `*`: {WHOLE}"
    ),
    ("action.setBadgeTextColor({ color: 'grey' })", "chrome"): (
        "`color` cannot be `grey`: Chrome does not know this name of a color"
    ),
    ("action.setBadgeBackgroundColor({ color: 'rgb(1 2 3)' })", "chrome"): (
        "`color` cannot be `rgb(1 2 3)`: Chrome accepts only forms such as `rgb(1, 2, 3)`,"
        " `rgba(1, 2, 3, 0.5)` and `hsl(0, 0%, 0%)`"
    ),
    ("action.setBadgeBackgroundColor({ color: 'canvas' })", "firefox"): (
        "`color` cannot be `canvas`: Firefox does not accept the colors of the system here"
    ),
    ("declarativeNetRequest.updateEnabledRulesets({ enableRulesetIds: ['ad'] })", "chrome"): (
        "the manifest lists no rule file with the id `ad`"
    ),
}


@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_constant_that_a_browser_refuses(target: str) -> None:
    expected = {call: [message] for (call, browser), message in REFUSED.items() if browser == target}
    assert messages(expected, target) == expected


ACCEPTED = (
    "tabs.query({ url: 'chrome-extension://*/*' })",
    "tabs.query({ url: tab.url })",
    "tabs.query({ url: `${tab.url}/*` })",
    "tabs.create({ url: 'a.html' })",
    "tabs.create({ url: 'about:blank' })",
    "tabs.create({ url: tab.url || 'https://a.example/' })",
    "tabs.create({ url: `about:${tab.title}` })",
    "tabs.create({ url: 'https://' + tab.title })",
    "tabs.create({ url: tab.title + 'chrome-extension:' })",
    "downloads.download({ url: tab.active ? `data:,${tab.title}` : tab.url })",
    "const text = tab.url.replace('data:', ''); chrome.downloads.download({ url: text })",
    "downloads.download({ url: tab.url, headers: [{ name: tab.title, value: 'a' }] })",
    "downloads.download({ url: tab.url, headers: [{ name: 'Authorization', value: 'a' }] })",
    "windows.create({ state: 'minimized', focused: false })",
    "cookies.set({ url: 'https://a.example/', name: 'a', sameSite: 'no_restriction', secure: true })",
    "cookies.set({ url: 'https://a.example/', name: 'a', sameSite: 'no_restriction', secure: tab.active })",
    "runtime.setUninstallURL('')",
    "action.setPopup({ popup: 'a.html' })",
    "action.setBadgeBackgroundColor({ color: 'rgb(0, 0, 0)' })",
    "action.setBadgeBackgroundColor({ color: 'rgba(0,0,0,0.5)' })",
    "action.setBadgeBackgroundColor({ color: 'hsl(0, 100%, 50%)' })",
    "action.setBadgeBackgroundColor({ color: 'lightgrey' })",
    "action.setBadgeBackgroundColor({ color: [0, 0, 0, 255] })",
    COOKIE % "name: 'a', value: 'b c=d', domain: '.a.example', path: '/b'",
    COOKIE % "value: 'b'",
    COOKIE % "name: 'a', partitionKey: {}",
    "commands.update({ name: 'a', shortcut: '' })",
    "contentSettings.images.set({ primaryPattern: '<all_urls>', setting: 'block' })",
    "contentSettings.location.set({ primaryPattern: '<all_urls>', setting: 'ask' })",
    "contentSettings.cookies.set({ primaryPattern: '<all_urls>', setting: tab.title })",
    "runtime.connectNative('org.example.my_app')",
    "runtime.connectNative(tab.title)",
    "storage.managed.get('a')",
    COOKIE % "name: tab.title",
    "cookies.set({ url: tab.url, name: 'a', domain: 'b.example' })",
    "bookmarks.getChildren(tab.title)",
    "bookmarks.create({ parentId: tab.active ? '1' : 'toolbar_____', title: 'a' })",
    "downloads.search({ orderBy: ['-startTime'], limit: 1 })",
    "omnibox.setDefaultSuggestion({ description: 'Search &amp; <match>find</match>' })",
    "tabs.setZoom(tab.id, 0)",
    "tabs.create({ windowId: tab.windowId })",
    "webRequest.onBeforeRequest.addListener(print, { urls: ['<all_urls>', '*://*.a.example/*'] })",
    "webRequest.onBeforeRequest.addListener(print, { urls: [tab.url] })",
    "permissions.contains({ origins: ['https://a.example/*'] })",
    f"action.setBadgeText({{ text: '{'x' * 100}' }})",
    REGISTER % ("tab.title", "tab.url"),
    "scripting.registerContentScripts([{ id: 'a', matches: ['<all_urls>'], ...tab }])",
    "scripting.executeScript({ target: { tabId: tab.id, allFrames: tab.active, frameIds: [0] }, func() {} })",
    "declarativeNetRequest.updateEnabledRulesets({ enableRulesetIds: ['ads'] })",
)


@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_value_that_browsers_may_accept(target: str) -> None:
    rules = {"rule_resources": [{"id": "ads", "enabled": False, "path": "r.json"}]}
    found = messages(ACCEPTED, target, declarative_net_request=rules)
    assert found == {call: [] for call in ACCEPTED}


WITH_PORT = {
    "tabs": "tabs.query({ url: ['http://localhost:8080/*'] })",
    "requests": "webRequest.onBeforeRequest.addListener(print, { urls: ['http://localhost:8080/*'] })",
    "menus": (
        "contextMenus.create({ id: 'a', title: 'a', documentUrlPatterns: ['http://localhost:8080/*'] })"
    ),
    "scripts": REGISTER % ("'a'", "'https://a.example/*', 'http://localhost:8080/*'"),
    "permissions": "permissions.request({ origins: ['http://localhost:8080/*'] })",
}


def test_pattern_with_a_port_matches_nothing_in_firefox() -> None:
    message = "`http://localhost:8080/*` matches nothing, as patterns have no ports in Firefox"
    calls = [*WITH_PORT.values()]
    assert messages(calls, "firefox") == {call: [message] for call in calls}
    assert messages(calls, "chrome") == {call: [] for call in calls}
    for other in ("'http://localhost/*'", "tab.url"):
        changed = [call.replace("'http://localhost:8080/*'", other) for call in calls]
        assert messages(changed, "firefox") == {call: [] for call in changed}


UNICODE = {
    "*://*.b\N{LATIN SMALL LETTER U WITH DIAERESIS}cher.example/*": "*://*.xn--bcher-kva.example/*",
    "https://B\N{LATIN CAPITAL LETTER U WITH DIAERESIS}CHER.example/a*": "https://xn--bcher-kva.example/a*",
    "https://stra\N{LATIN SMALL LETTER SHARP S}e.example:8080/*": "https://xn--strae-oqa.example/*",
    "https://\N{CJK UNIFIED IDEOGRAPH-4F8B}.example/*": "https://xn--fsq.example/*",
}


@pytest.mark.parametrize(("pattern", "meant"), UNICODE.items(), ids=range(len(UNICODE)))
def test_pattern_with_letters_of_other_scripts_matches_nothing_in_firefox(pattern: str, meant: str) -> None:
    call = f"tabs.query({{ url: ['{pattern}'] }})"
    reason = (
        "patterns have no ports in Firefox"
        if ":8080" in pattern
        else "Firefox does not convert hosts to Punycode"
    )
    assert messages([call], "firefox") == {call: [f"`{pattern}` matches nothing, as {reason}"]}
    assert messages([call], "chrome") == {call: []}
    for other in (meant, f"{pattern}', '{meant}"):
        changed = call.replace(pattern, other)
        assert messages([changed], "firefox") == {changed: []}
    files = {
        "manifest.json": manifest(host_permissions=[pattern], background={"scripts": ["a.js"]}),
        "a.js": "",
    }
    (finding,) = lint(files, ("invalid-value",), "firefox")
    assert finding.message == f"`{pattern}` matches nothing, as {reason}; did you mean `{meant}`?"


COVERING = {
    "*://localhost/*": True,
    "http://localhost/*": True,
    "<all_urls>": True,
    "http://*/*": True,
    "https://localhost/*": False,
    "http://localhost/a": False,
    "http://host/*": False,
    "http://localhost:8080/*": False,
}


@pytest.mark.parametrize(("other", "is_covered"), COVERING.items(), ids=COVERING.keys())
def test_pattern_with_a_port_and_another_pattern(other: str, is_covered: bool) -> None:
    keys = {"content_scripts": [{"matches": ["http://localhost:8080/*", other], "js": ["c.js"]}]}
    files = {
        "manifest.json": manifest(background={"scripts": ["a.js"]}, **keys),
        "a.js": "",
        "c.js": "",
    }
    found = lint(files, ("invalid-value",), "firefox")
    assert bool(found) is not is_covered
    assert {each.severity.name for each in found} <= {"WARNING"}


@pytest.mark.parametrize(
    "key",
    ["host_permissions", "optional_permissions", "optional_host_permissions", "web_accessible_resources"],
)
def test_pattern_with_a_port_in_the_manifest(key: str) -> None:
    patterns = ["http://localhost:8080/*"]
    value = [{"resources": ["a.js"], "matches": patterns}] if key == "web_accessible_resources" else patterns
    files = {"manifest.json": manifest(background={"scripts": ["a.js"]}, **{key: value}), "a.js": ""}
    (finding,) = lint(files, ("invalid-value",), "firefox")
    assert finding.message == (
        "`http://localhost:8080/*` matches nothing, as patterns have no ports in Firefox;"
        " did you mean `http://localhost/*`?"
    )
    assert lint(files, ("invalid-value",), "firefox,chrome") == [finding]
