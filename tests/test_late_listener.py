"""Listeners that are added too late for the event that starts the background: `late-listener`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import SENDER, lint, manifest

RULES = ("late-listener",)
Keys = Mapping[str, object]
WORKER = {"background": {"service_worker": "b.js"}}
SCRIPTS = {"background": {"scripts": ["b.js"]}}
REQUEST = "chrome.webRequest.onBeforeRequest.addListener(f, { urls: ['<all_urls>'] });"
ADD = "chrome.action.onClicked.addListener(f);"

OWN = "function load(k) {{ return new Promise((resolve) => {{ {} }}); }}"


def late_reasons(script: str, target: str = "chrome", keys: Keys = WORKER, **files: str) -> list[str]:
    """Returns the reason in each finding, after the colon."""
    requests = ["alarms", "contextMenus", "menus", "nativeMessaging", "notifications", "proxy", "storage"]
    requests += ["tabs", "webNavigation", "webRequest"]
    described = manifest(**{"action": {}, "browser_action": {}, "permissions": requests, **keys})
    package = {**SENDER, "manifest.json": described, "b.js": script, **files}
    return [each.message.partition(": it is added ")[2] for each in lint(package, RULES, target)]


TOGGLE = (
    "function setup() { chrome.storage.local.get(({ on }) => { "
    f"if (on) {{ {ADD} }} else {{ {ADD.replace('add', 'remove')} }} }}); }}"
)
LATE = {
    f"async function g() {{ await chrome.storage.local.get(); {ADD} }} g();": (
        "only after an `await` of `storage.local.get`"
    ),
    f"async function g() {{ await h(); {ADD} }} async function h() {{ await chrome.tabs.query(); }} g();": (
        "only after an `await` of `tabs.query`"
    ),
    f"async function g() {{ try {{ await chrome.tabs.query(); h(); }} catch {{ }} {ADD} }} g();": (
        "only after an `await` of `tabs.query`"
    ),
    f"async function h() {{ try {{ try {{ await chrome.tabs.query(); }} catch {{ }} }} finally {{ }} }}"
    f"async function g() {{ await h(); {ADD} }} g();": "only after an `await` of `tabs.query`",
    f"(async () => {{ const [x] = await Promise.all([chrome.storage.local.get()]); {ADD} }})();": (
        "only after an `await` of `storage.local.get`"
    ),
    f"chrome.storage.local.get().then((items) => {{ {ADD} }});": "only in `then` of `storage.local.get`",
    f"chrome.storage.local.get((items) => {{ if (items.on) {ADD} }});": (
        "only in the callback of `storage.local.get`"
    ),
    f"(async () => {{ await fetch('https://example.com/'); {ADD} }})();": (
        "only after an answer from the network"
    ),
    f"(chrome.storage.sync || chrome.storage.local).get((items) => {{ {ADD} }});": (
        "only in the callback of `storage.local.get` or in the callback of `storage.sync.get`"
    ),
    f"setTimeout(() => {{ {ADD} }}, 1000);": "only in a timer",
    f"{OWN.format('chrome.storage.local.get((a) => resolve(a[k]));')} load().then(() => {{ {ADD} }});": (
        "only in the callback of `storage.local.get`"
    ),
    f"{OWN.format('chrome.storage.local.get(k, resolve);')} (async () => {{ await load('a'); {ADD} }})();": (
        "only in the callback of `storage.local.get`"
    ),
    f"const load = () => new Promise((resolve, reject) => chrome.tabs.query({{}}, (tabs) => {{"
    f" if (chrome.runtime.lastError) reject(); else resolve(tabs); }})); load().then(() => {{ {ADD} }});": (
        "only in the callback of `tabs.query`"
    ),
    f"{OWN.format('chrome.tabs.query({}).then((tabs) => resolve(tabs));')} load().then(() => {{ {ADD} }});": (
        "only in `then` of `tabs.query`"
    ),
    f"new Promise(async (done) => {{ await chrome.tabs.query({{}}); done(); }}).then(() => {{ {ADD} }});": (
        "only in `then` of `tabs.query`"
    ),
    f"{OWN.format('fetch(`https://a.example/`).then(resolve);')} load().then(() => {{ {ADD} }});": (
        "only after an answer from the network"
    ),
    f"chrome.runtime.onInstalled.addListener(() => {{ {ADD} }});": (
        "only in a listener of `runtime.onInstalled`"
    ),
    "chrome.runtime.onStartup.addListener(g); chrome.runtime.onInstalled.addListener(g);"
    "function g() { chrome.alarms.onAlarm.addListener(f); }": (
        "only in a listener of `runtime.onInstalled` or in a listener of `runtime.onStartup`"
    ),
    "chrome.runtime.onMessage.addListener(g); g();"
    "function g() { chrome.storage.local.get(() => { chrome.alarms.onAlarm.addListener(f); }); }": (
        "only in a listener of `runtime.onMessage` or in the callback of `storage.local.get`"
    ),
    "chrome.runtime.onMessage.addListener(() => { chrome.alarms.onAlarm.addListener(f); g(); });"
    "function g() { chrome.contextMenus.onClicked.addListener(f); }": (
        "only in a listener of `runtime.onMessage`"
    ),
    "chrome.storage.local.get(() => { chrome.runtime.onMessage.addListener(() => true); });": (
        "only in the callback of `storage.local.get`"
    ),
    f"chrome.storage.local.get(({{ on }}) => {{ if (on) {{ {REQUEST} }} }});": (
        "only in the callback of `storage.local.get`"
    ),
    f"chrome.runtime.onMessage.addListener((message) => {{ if (message.on) {{ {REQUEST} }} }});": (
        "only in a listener of `runtime.onMessage`"
    ),
    f"const port = chrome.runtime.connectNative('a'); port.onMessage.addListener(() => {{ {REQUEST} }});": (
        "only in a listener of `runtime.connectNative.onMessage`"
    ),
    "function g() {} chrome.runtime.onMessage.addListener(() => {"
    " if (!chrome.alarms.onAlarm.hasListener(g)) chrome.alarms.onAlarm.addListener(g); });": (
        "only in a listener of `runtime.onMessage`"
    ),
    f"{TOGGLE} setup(); chrome.storage.onChanged.addListener(setup);": (
        "only in a listener of `storage.onChanged` or in the callback of `storage.local.get`"
    ),
    f"{TOGGLE} setup();": "only in the callback of `storage.local.get`",
    f"async function g() {{ await chrome.storage.local.get(); {ADD} }} g();"
    "chrome.tabs.onCreated.addListener(() => g());": (
        "only after an `await` of `storage.local.get` or in a listener of `tabs.onCreated`"
    ),
    "chrome.action.onClicked.addListener(() => { chrome.notifications.create('a', o);"
    " chrome.notifications.onClosed.addListener(f); });": "only in a listener of `action.onClicked`",
}


@pytest.mark.parametrize(("script", "reason"), LATE.items(), ids=range(len(LATE)))
def test_late_listener_is_reported(script: str, reason: str) -> None:
    assert {*late_reasons(script)} == {reason}


IN_TIME = {
    "at once": ADD,
    "in a function that is called at once": f"function g() {{ {ADD} }} g();",
    "after promises that are fulfilled": f"(async () => {{ await null; await Promise.resolve(); {ADD} }})();",
    "in a timer of no delay": f"setTimeout(() => {{ {ADD} }}, 0);",
    "after a wait of unknown length": f"(async () => {{ await ready(); {ADD} }})();",
    "after what an error may leave out": (
        f"(async () => {{ try {{ h(); await chrome.storage.local.get(); }} catch {{ }} {ADD} }})();"
    ),
    "after what an error may leave out in a function": (
        f"async function g() {{ try {{ h(); await chrome.tabs.query(); }} catch {{ }} }}"
        f"(async () => {{ await g(); {ADD} }})();"
    ),
    "after what a test in a `try` leaves out": (
        f"(async () => {{ try {{ if (h()) await chrome.tabs.query(); }} catch {{ }} {ADD} }})();"
    ),
    "after what runs only in case of an error": (
        f"(async () => {{ try {{ h(); }} catch {{ await chrome.tabs.query(); }} {ADD} }})();"
    ),
    "after a promise that is fulfilled at once": (
        f"{OWN.format('chrome.storage.local.get(k, f); resolve();')} load().then(() => {{ {ADD} }});"
    ),
    "after a promise that may be fulfilled at once": (
        f"{OWN.format('if (known) resolve(known); else chrome.storage.local.get(k, resolve);')}"
        f"load().then(() => {{ {ADD} }});"
    ),
    "after a promise that may not be created": (
        f"function load() {{ if (navigator.onLine) return new Promise((r) => chrome.tabs.query({{}}, r)); }}"
        f"(async () => {{ await load(); {ADD} }})();"
    ),
    "after a promise that a function of the package fulfills": (
        f"{OWN.format('chrome.storage.local.get(k, f); start(resolve);')} load().then(() => {{ {ADD} }});"
    ),
    "after a promise that waits for itself": (
        f"function load() {{ return new Promise(async (r) => {{ await load(); r(); }}); }}"
        f"load().then(() => {{ {ADD} }});"
    ),
    "after a promise of a generator": (
        f"function* load() {{ return new Promise((r) => chrome.tabs.query({{}}, r)); }}"
        f"(async () => {{ await load(); {ADD} }})();"
    ),
    "after an iteration that calls back at once": (
        f"{OWN.format('[1].forEach((each) => resolve(each));')} load().then(() => {{ {ADD} }});"
    ),
    "after a file of the package": f"(async () => {{ await fetch('a.json'); {ADD} }})();",
    "after a function that gives no promise": f"(async () => {{ await chrome.runtime.getURL(); {ADD} }})();",
    "late, and in time": f"{ADD} chrome.storage.local.get(() => {{ {ADD} }});",
    "late or in time": f"function g() {{ {ADD} }} g(); chrome.runtime.onInstalled.addListener(g);",
    "on a message, for one operation": (f"chrome.runtime.onMessage.addListener(() => {{ {ADD} }});"),
    "on a connection": (
        "chrome.runtime.onConnect.addListener(() => { chrome.alarms.onAlarm.addListener(f); });"
    ),
    "on a connection, by its port": (
        "chrome.runtime.onConnect.addListener((port) => { port.onMessage.addListener(() => {"
        " chrome.alarms.onAlarm.addListener(f); }); });"
    ),
    "on a native message, for one operation": (
        f"chrome.runtime.connectNative('a').onMessage.addListener(() => {{ {ADD} }});"
    ),
    "requests, removed again": (
        f"chrome.runtime.onMessage.addListener(() => {{ {REQUEST} }});"
        "function stop() { chrome.webRequest.onBeforeRequest.removeListener(f); }"
    ),
    "removed again": f"chrome.storage.local.get(() => {{ {ADD} }}); {ADD.replace('add', 'remove')}",
    "removed again, on other occasions": (
        f"{TOGGLE} setup(); chrome.runtime.onMessage.addListener(() => {ADD.replace('add', 'remove')});"
    ),
    "removed again, after another wait": (
        f"{TOGGLE} setup(); setTimeout(() => {ADD.replace('add', 'remove')}, 1000);"
    ),
    "added and removed for events": f"{TOGGLE} chrome.storage.onChanged.addListener(setup);",
    "an event that keeps what is known up to date": (
        "chrome.storage.local.get(() => { chrome.storage.onChanged.addListener(f); });"
    ),
    "an event that a function waits for": (
        "chrome.tabs.create({}, (tab) => { chrome.tabs.onUpdated.addListener(function g() {"
        " chrome.tabs.onUpdated.removeListener(g); }); });"
    ),
    "an event of a port": (
        "chrome.storage.local.get(() => { chrome.runtime.connectNative('a').onMessage.addListener(f); });"
    ),
    "in what something unknown calls": f"main(async () => {{ await chrome.storage.local.get(); {ADD} }});",
    "in what nothing calls": f"async function g() {{ await chrome.storage.local.get(); {ADD} }}",
}


@pytest.mark.parametrize("script", IN_TIME.values(), ids=IN_TIME.keys())
def test_timely_listener_is_not_reported(script: str) -> None:
    assert late_reasons(script) == []


INIT = f"async init() {{ await chrome.tabs.query(); {ADD} }}"
METHOD = f"class A {{ constructor() {{ this.init(); }} {INIT} }} new A();"
OTHERS: dict[str, tuple[Keys, int]] = {
    "a content script": ({"content_scripts": [{"matches": ["https://*/*"], "js": ["c.js"]}]}, 1),
    "a page": ({"options_ui": {"page": "p.html"}}, 1),
    "another script of the worker": ({"background": {"service_worker": "w.js"}}, 0),
    "a script that nothing loads": ({}, 1),
}


@pytest.mark.parametrize(("keys", "expected"), OTHERS.values(), ids=OTHERS.keys())
def test_script_elsewhere_calls_no_method_of_the_same_name(keys: Keys, expected: int) -> None:
    others = {
        "c.js": "other.init();",
        "p.html": "<script src=c.js></script>",
        "w.js": "importScripts('b.js', 'c.js');",
    }
    assert len(late_reasons(METHOD, "chrome", {**WORKER, **keys}, **others)) == expected


@pytest.mark.parametrize(
    ("event", "expected"),
    [("contextMenus.onClicked", 1), ("alarms.onAlarm", 1), ("runtime.onMessage", 0), ("tabs.onUpdated", 0)],
)
def test_listener_that_a_page_adds_too_is_late_if_the_event_also_comes_without_it(
    event: str, expected: int
) -> None:
    script = f"chrome.storage.local.get().then(() => chrome.{event}.addListener(f));"
    files = {"p.html": "<script src=b.js></script>"}
    keys = {**WORKER, "options_ui": {"page": "p.html"}}
    assert len(late_reasons(script, "chrome", keys, **files)) == expected


EVENT_PAGE = {"scripts": ["b.js"], "persistent": False}
LATE_MESSAGE = "browser.storage.local.get().then(() => browser.runtime.onMessage.addListener(f));"


@pytest.mark.parametrize(
    ("target", "keys", "expected"),
    [
        ("chrome", WORKER, 1),
        ("chrome", SCRIPTS, 0),
        ("firefox", SCRIPTS, 1),
        ("firefox", WORKER, 0),
        ("firefox", {**SCRIPTS, "manifest_version": 2}, 0),
        ("firefox", {"background": EVENT_PAGE, "manifest_version": 2}, 1),
        ("chrome,firefox", {"background": {"service_worker": "b.js", "scripts": ["b.js"]}}, 1),
        ("chrome", {"content_scripts": [{"matches": ["http://a/*"], "js": ["b.js"]}]}, 0),
        ("safari", SCRIPTS, 0),
        ("safari", {**SCRIPTS, "manifest_version": 2}, 0),
        ("reference", WORKER, 0),
    ],
)
def test_finding_depends_on_the_background_type(target: str, keys: Keys, expected: int) -> None:
    assert len(late_reasons(LATE_MESSAGE, target, keys)) == expected


INSTALLED = "browser.runtime.onInstalled.addListener(() => { %s });"
HEARS = "browser.runtime.onMessage.addListener(f);"
PERSISTENT = {
    "when installed": (INSTALLED % HEARS, 1),
    "in a function": (INSTALLED % "g();" + f"function g() {{ {HEARS} }}", 1),
    "a click": (INSTALLED % "browser.browserAction.onClicked.addListener(f); browser.tabs.create({});", 1),
    "at each start of the browser": (
        INSTALLED % "g();" + f"browser.runtime.onStartup.addListener(g); function g() {{ {HEARS} }}",
        0,
    ),
    "at load as well": (INSTALLED % HEARS + HEARS, 0),
    "after an `await`": (f"(async () => {{ await browser.storage.local.get(); {HEARS} }})();", 0),
    "in another event": (f"browser.tabs.onCreated.addListener(() => {{ {HEARS} }});", 0),
    "for a page of the first run": (INSTALLED % f"browser.tabs.create({{ url: 'a.html' }}); {HEARS}", 0),
    "removed again": (INSTALLED % HEARS + HEARS.replace("add", "remove"), 0),
}


@pytest.mark.parametrize(("script", "count"), PERSISTENT.values(), ids=PERSISTENT)
def test_listener_of_a_persistent_page(script: str, count: int) -> None:
    """The page starts with the browser, and `runtime.onInstalled` comes only once."""
    keys = {**SCRIPTS, "manifest_version": 2}
    assert late_reasons(script, "firefox", keys) == ["only in a listener of `runtime.onInstalled`"] * count
    assert late_reasons(script, "chrome", SCRIPTS) == []


def test_message_about_a_persistent_page() -> None:
    described = manifest(manifest_version=2, **SCRIPTS)
    (found,) = lint({"manifest.json": described, "b.js": INSTALLED % HEARS}, RULES, "firefox")
    start = "the listener of `runtime.onMessage` is missing from the next start of the browser on"
    assert found.message == f"{start}: it is added only in a listener of `runtime.onInstalled`"


def test_chrome_namespace_returns_no_promise_in_firefox_mv2() -> None:
    keys = {"background": EVENT_PAGE, "manifest_version": 2}
    awaited = "(async () => { await ROOT.storage.local.get(); ROOT.runtime.onMessage.addListener(f); })();"
    assert len(late_reasons(awaited.replace("ROOT", "browser"), "firefox", keys)) == 1
    assert late_reasons(awaited.replace("ROOT", "chrome"), "firefox", keys) == []


def test_script_shared_with_a_page_is_not_reported() -> None:
    page = {"a.html": "<script src=b.js></script>"}
    assert late_reasons(LATE_MESSAGE, "firefox", {**SCRIPTS, "options_ui": {"page": "a.html"}}, **page) == []


def test_timely_listener_in_another_script_suffices() -> None:
    both = {"background": {"scripts": ["b.js", "c.js"]}}
    assert (
        late_reasons(LATE_MESSAGE, "firefox", both, **{"c.js": "browser.runtime.onMessage.addListener(g);"})
        == []
    )


def test_advice_for_several_browsers_does_not_repeat_the_message() -> None:
    script = f"chrome.storage.local.get((items) => {{ {ADD} }});"
    keys = {"background": {**WORKER["background"], **SCRIPTS["background"]}}
    described = manifest(action={}, permissions=["storage"], **keys)
    (found,) = lint({"manifest.json": described, "b.js": script}, RULES, "firefox,chrome")
    assert found.help == "add it at the top of the script, and wait in the listener"


def test_proxy_of_firefox_after_a_native_message() -> None:
    script = (
        "const host = browser.runtime.connectNative('a'); host.onMessage.addListener(({ on }) => {"
        " if (on) browser.proxy.onRequest.addListener(f, { urls: ['<all_urls>'] }); });"
    )
    assert late_reasons(script, "firefox", SCRIPTS) == [
        "only in a listener of `runtime.connectNative.onMessage`"
    ]


@pytest.mark.parametrize(
    ("start", "is_reported"),
    [("", True), ("import(name);", False), ("load('left');", False), ("importScripts('left.js');", False)],
)
def test_listener_in_a_script_that_nothing_loads_comes_not_in_time(start: str, is_reported: bool) -> None:
    late = f"{start} chrome.storage.local.get().then(() => {{ {ADD} }});"
    assert bool(late_reasons(late, "chrome", WORKER, **{"left.js": ADD})) is is_reported


MODULE = {"background": {"service_worker": "b.js", "type": "module"}}
LATER = "chrome.storage.local.get('a').then({});"
IMPORTERS = {
    "late": ("import start from './m.js';" + LATER.format("() => start()"), 1),
    "late, by another name": ("import {default as go} from './m.js';" + LATER.format("go"), 1),
    "late, as a member": ("import * as all from './m.js';" + LATER.format("() => all.begin()"), 1),
    "late, through another module": ("import {again} from './n.js';" + LATER.format("() => again()"), 1),
    "late at two places": (
        "import start, {begin} from './m.js';" + LATER.format("start") + LATER.format("begin"),
        1,
    ),
    "in time": ("import start from './m.js'; start();", 0),
    "late and in time": ("import start from './m.js'; start();" + LATER.format("start"), 0),
    "in time, through another module": ("import {again} from './n.js'; again();", 0),
    "passed to other code": ("import start from './m.js'; setUp(start);", 0),
    "exported again": ("export {default} from './m.js';", 0),
    "never called": ("import start from './m.js';", 0),
}


@pytest.mark.parametrize(("script", "count"), IMPORTERS.values(), ids=IMPORTERS)
def test_function_that_another_module_calls(script: str, count: int) -> None:
    start = f"function start() {{ chrome.tabs.query({{}}); {ADD} }} export {{start as begin, start as %s}};"
    exported = start % ("default" if "default" in script or "start" in script else "go")
    others = {"m.js": exported, "n.js": "import {begin} from './m.js'; export const again = () => begin();"}
    assert len(late_reasons(script, "chrome", MODULE, **others)) == count


@pytest.mark.parametrize(("popup", "count"), [("p.html", 0), ("", 1)])
def test_click_opens_a_popup_at_a_later_start(popup: str, count: int) -> None:
    script = f"async function g() {{ await chrome.action.setPopup({{ popup: '' }}); {ADD} }} g();"
    keys = {**WORKER, "action": {"default_popup": popup}}
    assert len(late_reasons(script, keys=keys, **{"p.html": ""})) == count


PUSH = "self.addEventListener('push', f);"
LATE_IN_WORKER = {
    f"chrome.storage.local.get(() => {{ {PUSH} }});": "only in the callback of `storage.local.get`",
    f"(async () => {{ await chrome.storage.local.get(); {PUSH} }})();": (
        "only after an `await` of `storage.local.get`"
    ),
    f"setTimeout(() => {{ {PUSH} }}, 0);": "only in a timer",
    f"function g() {{ {PUSH} }} setTimeout(g, 0); chrome.storage.local.get(g);": (
        "only in a timer or in the callback of `storage.local.get`"
    ),
    f"chrome.runtime.onMessage.addListener(() => {{ {PUSH} }});": "only in a listener of `runtime.onMessage`",
    f"self.addEventListener('install', () => {{ {PUSH} }});": "only in a listener of another event",
    "setTimeout(() => addEventListener(`fetch`, f));": "only in a timer",
}


@pytest.mark.parametrize(("script", "reason"), LATE_IN_WORKER.items())
def test_late_listener_of_a_worker(script: str, reason: str) -> None:
    assert late_reasons(script) == [reason]
    for target in ("firefox", "safari"):
        assert late_reasons(script, target) == []


@pytest.mark.parametrize(
    "script",
    [
        PUSH,
        f"(async () => {{ await null; {PUSH} }})();",
        f"queueMicrotask(() => {{ {PUSH} }});",
        f"{PUSH} setTimeout(() => {{ {PUSH} }});",
        f"self.onpush = f; setTimeout(() => {{ {PUSH} }});",
        "setTimeout(() => self.addEventListener('error', f));",
        "setTimeout(() => self.addEventListener('push', f, { once: true }));",
        f"setTimeout(() => {{ {PUSH} self.removeEventListener('push', f); }});",
        "setTimeout(() => port.addEventListener('message', f));",
        f"const self = new Port(); setTimeout(() => {{ {PUSH} }});",
        f"function g(self) {{ {PUSH} }} setTimeout(() => g(port));",
        f"function g() {{ {PUSH} }}",
        f"// setTimeout(() => {{ {PUSH} }});",
    ],
)
def test_listener_of_a_worker_that_may_be_in_time(script: str) -> None:
    assert late_reasons(script) == []


def test_listener_of_a_worker_in_a_page() -> None:
    script = f"setTimeout(() => {{ {PUSH} }});"
    page = {"options_page": "o.html", **WORKER}
    assert late_reasons(script, keys=page, **{"o.html": "<script src=b.js></script>"}) == []


def test_message_about_a_listener_of_a_worker() -> None:
    files = {"manifest.json": manifest(**WORKER), "b.js": f"setTimeout(() => {{ {PUSH} }});"}
    (finding,) = lint(files, RULES, "chrome")
    assert finding.message == (
        "the listener of `push` may be missing when an event starts the service worker: "
        "it is added only in a timer"
    )
