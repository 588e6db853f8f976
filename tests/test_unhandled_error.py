"""Calls that fail in ordinary use, and whose error nothing handles: `unhandled-error`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULE = "unhandled-error"
BOTH = "firefox,chrome"
SEND = "chrome.tabs.sendMessage(tab.id, 'x')"
CALLEE = "chrome.tabs.sendMessage"
LISTEN = "chrome.runtime.onMessage.addListener((message) => show(message));"


def found(script: str, target: str = BOTH, content: str = LISTEN, **keys: object) -> list[str]:
    """Returns the source text of each finding in a background script, with a content script."""
    own = {
        "permissions": ["contextMenus", "scripting", "tabs"],
        "host_permissions": ["<all_urls>"],
        "action": {},
        "background": {"scripts": ["a.js"], "service_worker": "a.js"},
        "content_scripts": [{"matches": ["https://example.com/*"], "js": ["content.js"]}],
    }
    files = {"manifest.json": manifest(**{**own, **keys}), "a.js": script, "content.js": content}
    return [text for _, text in reported(files, [RULE], target)]


def clicked(code: str, before: str = "") -> str:
    """Returns a script that runs code when the user clicks on the button."""
    return f"{before}chrome.action.onClicked.addListener(async (tab) => {{ {code} }});"


UNHANDLED = {
    "a statement": clicked(f"{SEND};"),
    "await": clicked(f"await {SEND};"),
    "a used result": clicked(f"const answer = await {SEND}; show(answer);"),
    "then": clicked(f"{SEND}.then(show);"),
    "finally": clicked(f"{SEND}.finally(show);"),
    "void": clicked(f"void {SEND};"),
    "an operand": clicked(f"tab.id && {SEND};"),
    "a branch": clicked(f"tab.id ? {SEND} : show();"),
    "Promise.all": clicked(f"await Promise.all([{SEND}, show()]);"),
    "try without await": clicked(f"try {{ {SEND}; }} catch (error) {{ show(error); }}"),
    "try with finally": clicked(f"try {{ await {SEND}; }} finally {{ show(); }}"),
    "a callback": clicked("chrome.tabs.sendMessage(tab.id, 'x', (answer) => show(answer));"),
    "a callback with a name": clicked(
        "chrome.tabs.sendMessage(tab.id, 'x', take);", "function take(answer) { show(answer); } "
    ),
    "a callback that settles a promise": clicked(
        "const x = await new Promise((resolve) => chrome.tabs.sendMessage(tab.id, 'x', resolve));"
    ),
    "undefined as the callback": clicked("chrome.tabs.sendMessage(tab.id, 'x', undefined);"),
    "options": clicked("chrome.tabs.sendMessage(tab.id, 'x', { frameId: 0 });"),
    "an arrow function": "chrome.action.onClicked.addListener((tab) => " + SEND + ");",
    "a function": clicked(
        "send(tab);", "async function send(tab) { await chrome.tabs.sendMessage(tab.id, 'x'); } "
    ),
    "one of two callers": clicked(
        "send(tab).catch(show); send(tab);", "const send = (tab) => chrome.tabs.sendMessage(tab.id, 'x'); "
    ),
    "a method": (
        "const sender = { async send() { const [tab] = await chrome.tabs.query({});"
        f" await {SEND}; }} }}; chrome.tabs.onCreated.addListener(() => {{ sender.send(); }});"
    ),
    "a timer": clicked(f"setTimeout(() => {SEND}, 100);"),
    "an idle callback": clicked(f"requestIdleCallback(() => {SEND});"),
    "a listener of a port": (
        "chrome.runtime.connectNative('a').onMessage.addListener(async () => {"
        f" const [tab] = await chrome.tabs.query({{}}); await {SEND}; }});"
    ),
    "a callback of another call": (
        "chrome.tabs.onCreated.addListener(() => { chrome.tabs.query({ active: true }, async ([tab]) => {"
        f" await {SEND}; }}); }});"
    ),
    "a listener of jQuery": f"$('a').on('click', () => chrome.tabs.query({{}}, ([tab]) => {SEND}));",
    "each tab": (
        "chrome.tabs.onCreated.addListener(async () => { const tabs = await chrome.tabs.query({});"
        f" tabs.forEach((tab) => {SEND}); }});"
    ),
    "a map": (
        "chrome.tabs.onCreated.addListener(async () => { const tabs = await chrome.tabs.query({});"
        f" await Promise.all(tabs.map((tab) => {SEND})); }});"
    ),
    "a loop": (
        "chrome.tabs.onCreated.addListener(async () => {"
        f" for (const tab of await chrome.tabs.query({{}})) await {SEND}; }});"
    ),
    "an id of a tab": "chrome.tabs.onUpdated.addListener((id) => chrome.tabs.sendMessage(id, 1));",
    "an updated tab": f"chrome.tabs.onUpdated.addListener((id, change, tab) => {{ {SEND}; }});",
    "an activated tab": (
        "chrome.tabs.onActivated.addListener(({ tabId }) => chrome.tabs.sendMessage(tabId, 1));"
    ),
    "a menu": (
        "chrome.contextMenus.create({ id: 'a', title: 'a' });"
        f" chrome.contextMenus.onClicked.addListener((info, tab) => {{ {SEND}; }});"
    ),
    "a command": f"chrome.commands.onCommand.addListener((name, tab) => {{ {SEND}; }});",
    "an address that only one of two callers tests": clicked(
        "if (tab.url.includes('example')) send(tab);",
        "chrome.tabs.onUpdated.addListener((id, change, tab) => send(tab));"
        " function send(tab) { chrome.tabs.sendMessage(tab.id, 'x'); } ",
    ),
    "an address that is only stored": clicked(f"last = tab.url; {SEND};"),
    "a function whose name is that of an injection": clicked(
        "inject(tab);", "function inject(tab) { chrome.tabs.sendMessage(tab.id, 'x'); } "
    ),
    "a method whose name is that of an injection": (
        "const sender = { async ping() { const [tab] = await chrome.tabs.query({});"
        f" await {SEND}; }} }}; chrome.tabs.onCreated.addListener(() => {{ sender.ping(); }});"
    ),
    "a comment about a test": clicked(f"/* inject the script */ {SEND};"),
    "a message of a page": (
        "chrome.runtime.onMessage.addListener(() => { chrome.tabs.query({ active: true }).then(([tab]) => {"
        f" {SEND}; }}); }});"
    ),
}

HANDLED = {
    "catch": clicked(f"{SEND}.catch(() => {{}});"),
    "catch after then": clicked(f"{SEND}.then(show).catch(show);"),
    "then with two functions": clicked(f"{SEND}.then(show, show);"),
    "try": clicked(f"try {{ await {SEND}; }} catch {{}}"),
    "try around a callback with await": clicked(f"try {{ await Promise.all([{SEND}]); }} catch {{}}"),
    "allSettled": clicked(f"await Promise.allSettled([{SEND}]);"),
    "Promise.any": clicked(f"await Promise.any([{SEND}, show()]);"),
    "a callback that reads the error": clicked(
        "chrome.tabs.sendMessage(tab.id, 'x', (answer) => { if (!chrome.runtime.lastError) show(answer); });"
    ),
    "a callback that calls what reads it": clicked(
        "chrome.tabs.sendMessage(tab.id, 'x', () => { check(); });",
        "function check() { return chrome.runtime.lastError; } ",
    ),
    "a callback that is not known": clicked("chrome.tabs.sendMessage(tab.id, 'x', take);"),
    "all callers": clicked(
        "send(tab).catch(show);", "async function send(tab) { await chrome.tabs.sendMessage(tab.id, 'x'); } "
    ),
    "a caller with try": clicked(
        "try { await send(tab); } catch {}",
        "const send = async (tab) => { await chrome.tabs.sendMessage(tab.id, 'x'); }; ",
    ),
    "a promise for unknown callers": (
        "export async function send() { const [tab] = await chrome.tabs.query({}); return " + SEND + "; }"
    ),
    "a promise that is stored": clicked(f"pending = {SEND};"),
    "a promise that is passed on": clicked(f"track({SEND});"),
    "a response": (
        "chrome.runtime.onMessage.addListener(async () => { const [tab] = await chrome.tabs.query({});"
        f" return {SEND}; }});"
    ),
    "unhandledrejection": clicked(f"{SEND};", "addEventListener('unhandledrejection', show); "),
}

CERTAIN_TABS = {
    "a tab on an unknown occasion": f"menu.on('click', () => chrome.tabs.query({{}}, ([tab]) => {SEND}));",
    "the sender": "chrome.runtime.onMessage.addListener((m, { tab }) => { " + SEND + "; });",
    "a tab with an unknown id": clicked("chrome.tabs.sendMessage(wanted, 'x');"),
    "an address that is tested": clicked(f"if (tab.url.startsWith('https://example.com/')) {SEND};"),
    "an address that is tested by a caller": clicked(
        "if (tab.url?.includes('example')) send(tab);",
        "function send(tab) { chrome.tabs.sendMessage(tab.id, 'x'); } ",
    ),
    "a function that tests the tab": clicked(f"if (!isSupported(tab)) return; {SEND};"),
    "an address that is asked for": (
        "chrome.tabs.onCreated.addListener(async () => {"
        f" const [tab] = await chrome.tabs.query({{ url: 'https://example.com/*' }}); {SEND}; }});"
    ),
    "a query that is not known": (
        "chrome.tabs.onCreated.addListener(async () => { const [tab] = await chrome.tabs.query(wanted);"
        f" {SEND}; }});"
    ),
    "an injected script": clicked(
        "await chrome.scripting.executeScript({ target: { tabId: tab.id }, files: [] }).catch(show);"
        f" {SEND};"
    ),
    "a listener that is added after an injection": (
        "chrome.tabs.executeScript({ file: 'b.js' }).then(listen);"
        " function listen() { document.onclick = () => chrome.tabs.query({ active: true }).then(([tab]) =>"
        f" {SEND}); }}"
    ),
    "a button that is disabled": clicked(f"{SEND};", "chrome.action.disable(); "),
    "menus for some pages": (
        "chrome.contextMenus.create({ id: 'a', title: 'a', documentUrlPatterns: ['https://example.com/*'] });"
        f" chrome.contextMenus.onClicked.addListener((info, tab) => {{ {SEND}; }});"
    ),
    "code that never runs": f"function unused(tab) {{ {SEND}; }}",
}


@pytest.mark.parametrize("script", UNHANDLED.values(), ids=UNHANDLED)
def test_unhandled_error_is_reported(script: str) -> None:
    assert found(script) == [CALLEE]


@pytest.mark.parametrize("script", HANDLED.values(), ids=HANDLED)
def test_handled_error_is_not_reported(script: str) -> None:
    assert found(script) == []


@pytest.mark.parametrize("script", CERTAIN_TABS.values(), ids=CERTAIN_TABS)
def test_message_to_certain_tabs_is_not_reported(script: str) -> None:
    assert found(script) == []


INJECTIONS = {
    "a script": ("chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ['content.js'] })", 3),
    "a style sheet": ("chrome.scripting.insertCSS({ target: { tabId: tab.id }, css: '' })", 3),
    "a script of version 2": ("chrome.tabs.executeScript(tab.id, { file: 'content.js' })", 2),
    "the active tab of version 2": ("chrome.tabs.executeScript({ file: 'content.js' })", 2),
}


@pytest.mark.parametrize(("call", "version"), INJECTIONS.values(), ids=INJECTIONS)
def test_injection_into_any_tab_is_reported(call: str, version: int) -> None:
    script = clicked(f"{call};")
    expected = [call.partition("(")[0]]
    if version == 3:
        assert found(script) == expected
        assert found(script, "chrome", host_permissions=[]) == []
    else:
        keys = {"manifest_version": 2, "permissions": ["<all_urls>"], "browser_action": {}}
        script = script.replace("action.", "browserAction.")
        assert found(script, "firefox", LISTEN, action=None, host_permissions=None, **keys) == expected


INSERT = "chrome.scripting.insertCSS({ target: { tabId: %s }, css: '' })"
VISITED = "chrome.webNavigation.onCompleted.addListener((details) => { %s }%s);"
NAVIGATIONS = {
    "a visited page": VISITED % (INSERT % "details.tabId", ""),
    "its tab in a variable": (
        "let tab; "
        + VISITED % ("tab = details.tabId; show();", "")
        + f" function show() {{ {INSERT % 'tab'}; }}"
    ),
    "its frame": VISITED % (f"if (details.frameId === 0) {INSERT % 'details.tabId'};", ""),
    "stored settings": VISITED
    % (f"chrome.storage.local.get('a', () => {{ {INSERT % 'details.tabId'}; }});", ""),
}


@pytest.mark.parametrize("script", NAVIGATIONS.values(), ids=NAVIGATIONS)
def test_injection_into_visited_page_is_reported(script: str) -> None:
    assert found(script) == ["chrome.scripting.insertCSS"]


CERTAIN_PAGES = {
    "a filter of visited pages": VISITED
    % (INSERT % "details.tabId", ", { url: [{ hostSuffix: 'example.com' }] }"),
    "a filter of updated tabs": (
        f"chrome.tabs.onUpdated.addListener((id) => {{ {INSERT % 'id'}; }}, {{ urls: ['*://a.example/*'] }});"
    ),
    "an unknown filter": VISITED % (INSERT % "details.tabId", ", wanted"),
    "a tested address": VISITED % (f"if (details.url.includes('example')) {INSERT % 'details.tabId'};", ""),
    "a known tab": VISITED % (f"if (known.has(details.tabId)) {INSERT % 'details.tabId'};", ""),
    "a stored condition": VISITED % (f"if (settings.on) {INSERT % 'details.tabId'};", ""),
}


@pytest.mark.parametrize("script", CERTAIN_PAGES.values(), ids=CERTAIN_PAGES)
def test_injection_into_certain_pages_is_not_reported(script: str) -> None:
    assert found(script) == []


OF_BROWSER = "pages of the browser or its store"
PAGES: dict[str, tuple[dict[str, object], str]] = {
    "every site": ({"host_permissions": ["*://*/*"]}, OF_BROWSER),
    "one site": ({"host_permissions": ["https://a.example/*"]}, "pages other than `https://a.example/*`"),
    "sites that are asked for later": ({"optional_host_permissions": ["<all_urls>"]}, OF_BROWSER),
    "the active tab": ({"host_permissions": [], "permissions": ["activeTab", "scripting"]}, OF_BROWSER),
    "a site and the active tab": (
        {"host_permissions": ["https://a.example/*"], "permissions": ["activeTab", "scripting"]},
        OF_BROWSER,
    ),
}


@pytest.mark.parametrize(("keys", "pages"), PAGES.values(), ids=PAGES)
def test_message_names_the_pages(keys: dict[str, object], pages: str) -> None:
    own = {"permissions": ["scripting"], "host_permissions": ["https://a.example/*"], "action": {}}
    text = manifest(**{**own, "background": {"service_worker": "a.js"}, **keys})
    (finding,) = lint({"manifest.json": text, "a.js": clicked(f"{INSERT % 'tab.id'};")}, [RULE], "chrome")
    assert f"fails in tabs with {pages}, and" in finding.message


GO = (
    "const go = async () => { const tabs = await chrome.tabs.query({});"
    " await chrome.tabs.sendMessage(tabs[0].id, 1); };"
)
HANDLERS = {
    "a handler": ("<button onClick={go}>a</button>", True),
    "a handler that calls a function": ("<button onClick={() => go()}>a</button>", True),
    "a handler that waits": ("<input onChange={async () => { await go(); }} />", True),
    "a property of a component": ("<Button onClick={go}>a</Button>", False),
    "a property of a component in an object": ("<a.button onClick={go}>a</a.button>", False),
    "another attribute": ("<button ref={go}>a</button>", False),
}


@pytest.mark.parametrize(("markup", "is_reported"), HANDLERS.values(), ids=HANDLERS)
def test_handler_in_markup(markup: str, is_reported: bool) -> None:
    files = {
        "manifest.json": manifest(
            action={"default_popup": "popup.html"},
            permissions=["tabs"],
            content_scripts=[{"matches": ["https://example.com/*"], "js": ["content.js"]}],
        ),
        "content.js": LISTEN,
        "popup.html": "<!doctype html><script src='popup.jsx' type='module'></script>",
        "popup.jsx": f"{GO} console.log(tab.url); render(() => {markup});",
    }
    assert bool(lint(files, [RULE], "chrome")) is is_reported


def broadcast(script: str, content: str = "", background: str = "", page: str = LISTEN) -> list[str]:
    """Returns the findings in a package whose popup listens to messages; each of its scripts may send one."""
    text = manifest(
        action={"default_popup": "popup.html"},
        background={"scripts": ["a.js"], "service_worker": "a.js"},
        content_scripts=[{"matches": ["https://example.com/*"], "js": ["content.js"]}],
        permissions=["alarms"],
    )
    files = {
        "manifest.json": text,
        "a.js": f"{background}\n{script}",
        "content.js": content,
        "popup.html": "<!doctype html><script src='popup.js'></script>",
        "popup.js": page,
    }
    return [text for _, text in reported(files, [RULE], BOTH)]


BROADCAST = "chrome.runtime.sendMessage('x')"
UPDATED = f"chrome.tabs.onUpdated.addListener(() => {{ {BROADCAST}; }});"


def test_message_to_pages_that_may_be_closed_is_reported() -> None:
    assert broadcast(UPDATED) == ["chrome.runtime.sendMessage"]
    for sent in ("null, 'x'", "null, 'x', {}", "null, 'x', () => show()", "undefined, 'x'"):
        assert broadcast(UPDATED.replace("'x'", sent)) == ["chrome.runtime.sendMessage"]
    assert broadcast(UPDATED.replace("{ chrome", "{ /* if it is open */ chrome")) == [
        "chrome.runtime.sendMessage"
    ]
    assert broadcast("", f"document.body.onclick = () => {BROADCAST};") == ["chrome.runtime.sendMessage"]
    assert broadcast(
        "chrome.alarms.create('a', { when: 1 });" + UPDATED.replace("tabs.onUpdated", "alarms.onAlarm")
    )


OPEN_PAGES = {
    "the background listens": ("", f"{BROADCAST};", LISTEN, LISTEN),
    "nothing listens": (UPDATED, "", "", ""),
    "a handler": (UPDATED.replace("'x')", "'x').catch(show)"), "", "", LISTEN),
    "the page sends the message that is answered": (
        UPDATED.replace("tabs.onUpdated", "runtime.onMessage"),
        "",
        "",
        f"{LISTEN} chrome.runtime.sendMessage('start').catch(show);",
    ),
    "the page is opened before": (
        UPDATED.replace("{ chrome", "{ chrome.action.openPopup(); chrome"),
        "",
        "",
        LISTEN,
    ),
    "the page injects the sender": (
        "",
        f"{BROADCAST};",
        "",
        f"{LISTEN} chrome.scripting.executeScript({{ target: {{ tabId: wanted }}, files: ['content.js'] }});",
    ),
    "a handler of a message after null": (UPDATED.replace("'x')", "null, 'x').catch(show)"), "", "", LISTEN),
    "a callback after null": (
        UPDATED.replace("'x')", "null, 'x', () => chrome.runtime.lastError)"),
        "",
        "",
        LISTEN,
    ),
    "another extension": (UPDATED.replace("'x'", "'a', 'x', {}"), "", "", LISTEN),
}


@pytest.mark.parametrize(("script", "content", "background", "page"), OPEN_PAGES.values(), ids=OPEN_PAGES)
def test_message_to_open_page_is_not_reported(script: str, content: str, background: str, page: str) -> None:
    assert broadcast(script, content, background, page) == []


HELP = {
    "a promise": (clicked(f"{SEND};"), 3, "add `.catch(() => {})`, or `await` it in a `try` block"),
    "a callback": (
        clicked("chrome.tabs.sendMessage(tab.id, 'x', () => show());"),
        3,
        "read `runtime.lastError` in the callback",
    ),
    "a message after null": (
        clicked("chrome.tabs.sendMessage(tab.id, null);"),
        3,
        "add `.catch(() => {})`, or `await` it in a `try` block",
    ),
    "version 2": (
        clicked(f"{SEND};").replace("action.", "browserAction."),
        2,
        "pass a callback that reads `runtime.lastError`",
    ),
}


@pytest.mark.parametrize(("script", "version", "expected"), HELP.values(), ids=HELP)
def test_help_fits_the_call(script: str, version: int, expected: str) -> None:
    keys = {"action" if version == 3 else "browser_action": {}, "background": {"scripts": ["a.js"]}}
    content_scripts = [{"matches": ["https://example.com/*"], "js": ["content.js"]}]
    text = manifest(manifest_version=version, content_scripts=content_scripts, **keys)
    (finding,) = lint({"manifest.json": text, "a.js": script, "content.js": LISTEN}, [RULE], "firefox")
    assert finding.help == expected
