"""Fields that browsers pass are known even if no schema lists them, and their misspellings are not."""

from __future__ import annotations

import pytest
from harness import lint, manifest

ALL = manifest(
    permissions=[
        *("bookmarks", "downloads", "history", "management", "menus", "proxy", "sessions", "tabs"),
        *("webNavigation", "webRequest"),
    ],
    host_permissions=["<all_urls>"],
    background={"scripts": ["a.js"], "service_worker": "a.js"},
    minimum_chrome_version="120",
)

REQUESTS = "browser.webRequest.{}.addListener(details => details.{}, {{urls: []}})"
EVENTS = "browser.{}.addListener(details => details.{})"
SENDERS = "browser.runtime.onMessage.addListener((message, sender) => sender.{})"
RESULTS = "async function f() {{ const result = await browser.{}; return result.{}; }} f()"


def field_messages(source: str, target: str) -> list[str]:
    """Returns the messages about fields, without their first part."""
    found = lint({"manifest.json": ALL, "a.js": source}, ["unknown-result-field"], target)
    return [finding.message.partition("has no field ")[2] for finding in found]


EVERY_STAGE = (
    *("onBeforeRequest", "onBeforeSendHeaders", "onSendHeaders", "onHeadersReceived", "onAuthRequired"),
    *("onBeforeRedirect", "onResponseStarted", "onCompleted", "onErrorOccurred"),
)

MAYBE_CACHED = (
    "onHeadersReceived",
    "onBeforeRedirect",
    "onResponseStarted",
    "onCompleted",
    "onErrorOccurred",
)


@pytest.mark.parametrize("stage", EVERY_STAGE)
@pytest.mark.parametrize(
    "field", ["frameAncestors", "proxyInfo", "requestSize", "responseSize", "ip", "documentId"]
)
def test_fields_of_every_request_stage_in_firefox(stage: str, field: str) -> None:
    assert field_messages(REQUESTS.format(stage, field), "firefox") == []


@pytest.mark.parametrize(
    "source",
    [
        *(REQUESTS.format(stage, "fromCache") for stage in MAYBE_CACHED),
        EVENTS.format("menus.onShown", "bookmarkId"),
        EVENTS.format("menus.onShown", "frameId"),
        EVENTS.format("webNavigation.onCommitted", "windowId"),
        EVENTS.format("webNavigation.onCompleted", "parentFrameId"),
        EVENTS.format("history.onTitleChanged", "id"),
        "browser.proxy.onRequest.addListener(details => details.frameAncestors, {urls: []})",
        SENDERS.format("contextId"),
        SENDERS.format("envType"),
        SENDERS.format("origin"),
        REQUESTS.format("onCompleted", "frameAncestors[0].frameId"),
        REQUESTS.format("onCompleted", "proxyInfo.connectionIsolationKey"),
        REQUESTS.format("onCompleted", "proxyInfo.anything"),
    ],
)
def test_fields_passed_by_firefox_are_known(source: str) -> None:
    assert field_messages(source, "firefox") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            REQUESTS.format("onCompleted", "frameAncestor"),
            "`frameAncestor`; did you mean `frameAncestors`?",
            id="a letter is missing",
        ),
        pytest.param(
            REQUESTS.format("onCompleted", "statusCod"),
            "`statusCod`; did you mean `statusCode`?",
            id="listed",
        ),
        pytest.param(
            EVENTS.format("menus.onShown", "bookmarkID"),
            "`bookmarkID`; did you mean `bookmarkId`?",
            id="letter case",
        ),
        pytest.param(
            EVENTS.format("webNavigation.onCommitted", "windowID"),
            "`windowID`; did you mean `windowId`?",
            id="of a navigation",
        ),
        pytest.param(SENDERS.format("contextID"), "`contextID`; did you mean `contextId`?", id="of a sender"),
        pytest.param(
            REQUESTS.format("onAuthRequired", "fromCache"), "`fromCache`", id="only later in a request"
        ),
        pytest.param(REQUESTS.format("onCompleted", "frobnicated"), "`frobnicated`", id="unlike any"),
        pytest.param(
            SENDERS.format("frobnicated"),
            "`frobnicated`; it has `contextId`, `documentId`, `envType`, `frameId`, `id`, `origin`, `tab`, "
            "`tlsChannelId`, `url` and `userScriptWorldId`",
            id="of a sender, unlike any",
        ),
        pytest.param(RESULTS.format("tabs.get(1)", "frobnicated"), "`frobnicated`", id="of a result"),
    ],
)
def test_fields_never_passed_by_firefox_are_reported(source: str, expected: str) -> None:
    assert field_messages(source, "firefox") == [expected]


@pytest.mark.parametrize(
    "field", ["proxyInfo", "requestSize", "responseSize", "frameAncestors", "documentUrl", "frobnicated"]
)
def test_fields_of_firefox_are_not_reported_for_chrome(field: str) -> None:
    only_firefox = field != "frobnicated"
    messages = field_messages(REQUESTS.format("onCompleted", field), "chrome")
    assert messages == ([] if only_firefox else ["`frobnicated`"])


PREVIOUS = "chrome.tabs.onActivated.addListener((info) => show(info.{}));"
WORKER: dict[str, object] = {"background": {"service_worker": "a.js"}}
CHROMIUM_ONLY: dict[str, tuple[dict[str, str], bool]] = {
    "a service worker": ({"manifest.json": manifest(**WORKER)}, True),
    "a script of Firefox, too": (
        {"manifest.json": manifest(background={"service_worker": "a.js", "scripts": ["a.js"]})},
        False,
    ),
    "a page, too": (
        {
            "manifest.json": manifest(**WORKER, options_ui={"page": "o.html"}),
            "o.html": "<script src=a.js></script>",
        },
        False,
    ),
    "another manifest": (
        {
            "manifest.json": manifest(**WORKER),
            "manifest.firefox.json": manifest(background={"scripts": ["a.js"]}),
        },
        False,
    ),
    "code that mentions Firefox": (
        {
            "manifest.json": manifest(**WORKER, options_ui={"page": "o.html"}),
            "o.html": "<script src=o.js></script>",
            "o.js": "show(navigator.userAgent.includes('Firefox'));",
        },
        False,
    ),
    "a program that writes the background": (
        {
            "manifest.json": manifest(**WORKER),
            "build.js": "const manifest = require('./manifest.json'); manifest.background = scripts;",
        },
        False,
    ),
}


@pytest.mark.parametrize(("files", "is_reported"), CHROMIUM_ONLY.values(), ids=CHROMIUM_ONLY.keys())
def test_fields_of_firefox_in_a_worker_of_chrome(files: dict[str, str], is_reported: bool) -> None:
    def count(script: str) -> int:
        return len(lint({**files, "a.js": script}, ["unknown-result-field"], "chrome"))

    assert count(PREVIOUS.format("previousTabId")) == is_reported
    assert count(PREVIOUS.format("tabId")) == 0
    assert (
        count("chrome.tabs.onActivated.addListener((info) => { if (info.previousTabId) show(info); });") == 0
    )


UNSEEN = "browser.webNavigation.onTabReplaced.addListener(details => details.{})"
"""An event that Firefox has only for compatibility: it never fires, so its details are unobserved."""


@pytest.mark.parametrize(
    ("target", "field", "expected"),
    [
        pytest.param("firefox", "tabId", [], id="it is listed"),
        pytest.param("firefox", "frobnicated", [], id="it may be there"),
        pytest.param(
            "firefox",
            "replacedTabID",
            ["`replacedTabID`; did you mean `replacedTabId`?"],
            id="a misspelled one",
        ),
        pytest.param(
            "chrome",
            "frobnicated",
            ["`frobnicated`; it has `replacedTabId`, `tabId` and `timeStamp`"],
            id="Chrome lists everything",
        ),
        pytest.param("reference", "frobnicated", [], id="one browser may have it"),
    ],
)
def test_unobserved_object_may_have_other_fields(target: str, field: str, expected: list[str]) -> None:
    assert field_messages(UNSEEN.format(field), target) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("'1', (result, thrown) => thrown.isException", [], id="the second value"),
        pytest.param(
            "'1', (result, thrown) => thrown.isExeption",
            ["`isExeption`; did you mean `isException`?"],
            id="of the second value",
        ),
        pytest.param("'1', result => result.anything", [], id="the result is what the page gives"),
    ],
)
def test_chrome_passes_two_values_to_the_eval_callback(source: str, expected: list[str]) -> None:
    files = {
        "manifest.json": manifest(devtools_page="d.html", minimum_chrome_version="120"),
        "d.html": '<script src="d.js"></script>',
        "d.js": f"chrome.devtools.inspectedWindow.eval({source})",
    }
    found = lint(files, ["unknown-result-field", "callback-parameters"], "chrome")
    assert [finding.message.partition("has no field ")[2] for finding in found] == expected


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("({}, (token, grantedScopes) => done(token.length, grantedScopes.length))", []),
        ("({}, (token) => chrome.identity.removeCachedAuthToken({ token }, done))", []),
        ("({}, (result) => chrome.identity.removeCachedAuthToken(result, done))", ["invalid-argument"]),
        ("({}, (token, scopes, other) => done(token, scopes, other))", ["callback-parameters"]),
        ("().then((result) => done(result.token, result.grantedScopes))", []),
    ],
)
def test_chrome_passes_a_token_and_its_scopes_to_a_callback(use: str, expected: list[str]) -> None:
    files = {
        "manifest.json": manifest(permissions=["identity"], background={"service_worker": "a.js"}),
        "a.js": f"chrome.identity.getAuthToken{use};",
    }
    rules = ["unknown-result-field", "callback-parameters", "invalid-argument"]
    assert [each.rule for each in lint(files, rules, "chrome")] == expected


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("tab.mine = 1; return tab.mine;", id="the package sets it"),
        pytest.param("Object.assign(tab, {mine: 1}); return tab.mine;", id="the package assigns it"),
        pytest.param("add(tab); return tab.mine;", id="a function may set it"),
        pytest.param("const mine = {...tab, mine: 1}; return mine.mine;", id="a copy has it"),
        pytest.param("Object.defineProperty(tab, 'mine', {value: 1}); return tab.mine;", id="defined"),
        pytest.param("tab['mi' + rest] = 1; return tab.mine;", id="a name that is put together"),
        pytest.param("tab.mine ||= 1; return tab.mine;", id="where it is missing"),
    ],
)
def test_fields_set_by_the_package_are_known(body: str) -> None:
    source = f"""
        const rest = String(Math.random());
        const add = (object) => {{ object.mine = 1; }};
        async function f() {{ const tab = await browser.tabs.get(1); {body} }} f();
    """
    assert field_messages(source, "chrome") == []


@pytest.mark.parametrize(
    ("body", "setting", "expected"),
    [
        pytest.param(
            "tabs.forEach(add); use(tabs[0].mine);", "t.mine = 1;", [], id="each item is passed to a function"
        ),
        pytest.param(
            "tabs.forEach(t => add(t)); use(tabs[0].mine);", "t.mine ??= 1;", [], id="in a callback"
        ),
        pytest.param("const o = {t: tabs[0]}; add(o.t); use(o.t.mine);", "t['mine'] = 1;", [], id="a part"),
        pytest.param("tabs.forEach(add); use(tabs[0].mine);", "Object.assign(t, {mine});", [], id="assigned"),
        pytest.param("tabs.forEach(add); use(tabs[0].mine);", "t.mine++;", [], id="counted"),
        pytest.param("tabs.forEach(add); use(tabs[0].mine);", "t.yours = 1;", ["`mine`"], id="another field"),
        pytest.param(
            "tabs.forEach(add); use(tabs[0].mine);", "use(t.mine == 1);", ["`mine`"], id="it is read"
        ),
        pytest.param("tabs.forEach(add); use(tabs[0].mine);", "mine = 1;", ["`mine`"], id="a variable"),
    ],
)
def test_fields_set_by_another_script(body: str, setting: str, expected: list[str]) -> None:
    files = {
        "manifest.json": manifest(
            permissions=["tabs"],
            background={"service_worker": "a.js", "type": "module"},
            minimum_chrome_version="120",
        ),
        "a.js": f"import {{ add, use }} from './b.js'; const tabs = await chrome.tabs.query({{}}); {body}",
        "b.js": f"let mine = 1; export const use = console.log; export function add(t) {{ {setting} }}",
    }
    found = lint(files, ["unknown-result-field"], "chrome")
    assert [finding.message.partition("has no field ")[2] for finding in found] == expected


def test_field_set_on_another_object_is_unknown() -> None:
    source = """
        const other = {};
        other.yours = 1;
        async function f() { const tab = await browser.tabs.get(1); return tab.mine; } f();
    """
    assert field_messages(source, "chrome") == ["`mine`"]


NUMBERS = {
    "a number that a listener destructures": ("tabs.onUpdated.addListener(({id}) => f(id))", ["`id`"]),
    "a number that a listener gets": ("tabs.onRemoved.addListener(tab => f(tab.windowId))", ["`windowId`"]),
    "a number in an object": ("tabs.onActivated.addListener(({tabId}) => f(tabId.id))", ["`id`"]),
    "a number that a promise has": (
        "storage.local.getBytesInUse().then(used => f(used.length))",
        ["`length`"],
    ),
    "a member of numbers": ("tabs.onUpdated.addListener(id => f(id.toFixed(), id.toString()))", []),
    "the next parameter": ("tabs.onUpdated.addListener((_, {url}, {id}) => f(id, url))", []),
    "a default": ("tabs.onUpdated.addListener(({id = 1}) => f(id))", []),
    "a test": ("tabs.onUpdated.addListener(tab => f(tab.id ? tab.id : tab))", []),
    "a value that may be another": ("tabs.onRemoved.addListener(tab => f(({id: 1} ?? tab).id))", []),
    "a number that may be undefined": ("tabs.get(1).then(tab => f(tab.openerTabId?.id))", ["`id`"]),
    "a member that the package adds": (
        "tabs.onRemoved.addListener(tab => f(tab.double)); Number.prototype.double = 2;",
        [],
    ),
    "members that the package adds": (
        "tabs.onRemoved.addListener(tab => f(tab.double)); Object.assign(Number.prototype, self.double);",
        [],
    ),
}


@pytest.mark.parametrize(("use", "expected"), NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_numbers_have_no_fields(use: str, expected: list[str], target: str) -> None:
    assert field_messages(f"const f = console.log; browser.{use};", target) == expected
