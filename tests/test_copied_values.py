"""Values that do not survive being sent, stored, or passed to and from injected functions."""

from __future__ import annotations

import pytest
from harness import SENDER, lint, manifest, reported

EMPTY, STORED, CLONED = (
    "arrives as an empty object",
    "is stored as an empty object",
    "must be a value that can be serialized",
)


def package(script: str, **keys: object) -> dict[str, str]:
    return {
        "manifest.json": manifest(
            permissions=["scripting", "storage", "tabs"],
            host_permissions=["<all_urls>"],
            action={"default_popup": "p.html"},
            background={"scripts": ["b.js"], "service_worker": "b.js"},
            **keys,
        ),
        "p.html": "<!doctype html><script src='p.js' type='module'></script>",
        "p.js": script,
        "b.js": "chrome.runtime.onMessage.addListener(console.log);",
        **SENDER,
    }


def found(script: str, target: str, **keys: object) -> list[str]:
    """Returns the source text of each finding in the script of a popup."""
    return [text for _, text in reported(package(script, **keys), ["invalid-argument"], target)]


LOST: dict[str, tuple[str, list[str], list[str]]] = {
    "a Blob of a variable": (
        "const blob = new Blob(['x']); chrome.runtime.sendMessage({ type: 'save', file: blob });",
        ["file"],
        [],
    ),
    "a shorthand property": ("const s = new Set(); chrome.runtime.sendMessage({ s });", ["s"], []),
    "the whole message": ("browser.runtime.sendMessage(new Map([[1, 2]]));", ["new Map([[1, 2]])"], []),
    "an object in an array": (
        "chrome.runtime.sendMessage({ list: [1, new Error('a')] });",
        ["new Error('a')"],
        [],
    ),
    "a message in a variable": (
        "const message = { files: [new File([], 'a')] }; chrome.runtime.sendMessage(message);",
        ["message"],
        [],
    ),
    "the body": (
        "chrome.runtime.sendMessage({ node: document.body });",
        ["document.body"],
        ["document.body"],
    ),
    "an element that may be missing": (
        "const node = document.querySelector('h1'); chrome.runtime.sendMessage({ node });",
        ["node"],
        ["node"],
    ),
    "a response": (
        "const send = async () => { const reply = await fetch('https://a.example/');"
        " chrome.runtime.sendMessage({ reply }); }; send();",
        ["reply"],
        ["reply"],
    ),
    "the blob of a response": (
        "const send = async () => { const reply = await fetch('https://a.example/');"
        " chrome.tabs.sendMessage(1, { blob: await reply.blob() }); }; send();",
        ["await reply.blob()"],
        [],
    ),
    "a promise of an async function": (
        "const load = async () => 1; chrome.storage.local.set({ value: load() });",
        ["load()"],
        ["load()"],
    ),
    "a function": (
        "chrome.runtime.sendMessage({ done: () => close() });",
        ["() => close()"],
        ["() => close()"],
    ),
    "a URL": ("chrome.runtime.sendMessage({ at: new URL('https://a') });", [], ["new URL('https://a')"]),
    "to a port": (
        "const port = chrome.runtime.connect(); port.postMessage({ map: new Map() });",
        ["new Map()"],
        [],
    ),
    "to a port that connects": (
        "chrome.runtime.connect(); "
        "chrome.runtime.onConnect.addListener((port) => port.postMessage(document.head));",
        ["document.head"],
        ["document.head"],
    ),
    "a promise as a response": (
        "chrome.runtime.onMessage.addListener((message, sender, answer) => { answer(fetch('a')); });",
        ["fetch('a')"],
        [],
    ),
    "a promise in a response": (
        "chrome.runtime.onMessage.addListener((message, sender, answer) => { answer({ it: fetch('a') }); });",
        ["fetch('a')"],
        ["fetch('a')"],
    ),
    "a promise in a port": (
        "chrome.runtime.connect().postMessage(fetch('a'));",
        ["fetch('a')"],
        ["fetch('a')"],
    ),
    "a response to a message": (
        "chrome.runtime.onMessage.addListener((message, sender, answer) => {"
        " if (message) answer({ set: new Set() }); else answer(); });",
        ["new Set()"],
        [],
    ),
    "a date in storage": (
        "chrome.storage.local.set({ at: new Date() }); chrome.storage.sync.set({ at: new Date() });",
        ["new Date()", "new Date()"],
        [],
    ),
    "a map in synchronized storage": (
        "class Cache { map = new Map(); save() { browser.storage.sync.set({ a: new Map() }); } }"
        " new Cache().save();",
        ["new Map()"],
        ["new Map()"],
    ),
    "a buffer in storage": (
        "chrome.storage.local.set({ data: new Uint8Array(3) });",
        ["new Uint8Array(3)"],
        [],
    ),
    "an argument of an injected function": (
        "chrome.scripting.executeScript({ target: { tabId: 1 }, func: (a) => a, args: [new Set()] });",
        ["new Set()"],
        ["new Set()"],
    ),
    "the result of an injected function": (
        "const run = async () => { const [{ result }] = await chrome.scripting.executeScript({"
        " target: { tabId: 1 }, func: () => document.querySelectorAll('a') }); return result; }; run();",
        ["document.querySelectorAll('a')"],
        ["document.querySelectorAll('a')"],
    ),
    "the result of an injected async function": (
        "async function read() { return new Map(); } chrome.scripting.executeScript("
        "{ target: { tabId: 1 }, func: read }, (results) => console.log(results[0].result));",
        ["new Map()"],
        [],
    ),
}


@pytest.mark.parametrize(("script", "chrome", "firefox"), LOST.values(), ids=LOST.keys())
def test_value_that_does_not_survive(script: str, chrome: list[str], firefox: list[str]) -> None:
    assert found(script, "chrome") == chrome
    assert found(script, "firefox") == firefox


SURVIVING = {
    "the content of a collection": (
        "const s = new Set(); const m = new Map(); chrome.runtime.sendMessage({ s: [...s],"
        " m: Object.fromEntries(m), n: Array.from(m.entries()), size: m.size });"
    ),
    "parts of objects": (
        "const reply = await fetch('https://a.example/'); chrome.runtime.sendMessage({"
        " text: await reply.text(), data: await reply.json(), ok: reply.ok, html: document.body.innerHTML });"
    ),
    "a date as a number": "chrome.storage.local.set({ at: Date.now(), then: new Date().getTime() });",
    "a date in a message": "chrome.runtime.sendMessage({ at: new Date() });",
    "a URL as text": "chrome.storage.local.set({ at: new URL('https://a.example/').href });",
    "a value that may be something else": (
        "const value = Math.random() > 0.5 ? new Map() : {}; chrome.runtime.sendMessage({ value });"
    ),
    "null": "chrome.runtime.sendMessage({ node: null }); chrome.storage.local.set({ node: undefined });",
    "an own class": "class Map { a = 1 } chrome.runtime.sendMessage({ a: new Map() });",
    "an own document": "const document = load(); chrome.runtime.sendMessage({ node: document.body });",
    "a result that is not used": (
        "await chrome.scripting.executeScript({ target: { tabId: 1 }, func: () => document.body });"
    ),
    "text of an injected function": (
        "const [found] = await chrome.scripting.executeScript({ target: { tabId: 1 },"
        " func: () => document.querySelector('h1')?.textContent, args: [] }); console.log(found.result);"
    ),
    "a promise that an injected function returns": (
        "const [found] = await chrome.scripting.executeScript({ target: { tabId: 1 },"
        " func: () => Promise.resolve(1) }); console.log(found.result);"
    ),
    "an own postMessage": "postMessage({ a: new Map() }); new Worker('w.js').postMessage(new Map());",
}


@pytest.mark.parametrize("target", ["chrome", "firefox"])
@pytest.mark.parametrize("script", SURVIVING.values(), ids=SURVIVING.keys())
def test_value_that_survives(script: str, target: str) -> None:
    assert found(script, target) == []


def test_function_of_an_object_that_is_sent_as_data_may_be_left_out() -> None:
    script = "const state = { a: 1, update() {} }; chrome.storage.local.set({ state });"
    assert found(script, "chrome") == []
    assert found(script, "firefox") == ["state"]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("new Vue({ watch: { count() { SET } } })", []),
        ("new Vue({ watch: { count: function () { SET } } })", []),
        ("define('a', { computed: { count() { return 1 }, text() { SET } } })", []),
        ("export default { watch: { count() { SET } } }", []),
        ("const parts = { count() { SET } }; parts.count()", ["count"]),
        ("const all = { parts: { count() { SET } } }; all.parts.count()", ["count"]),
    ],
)
def test_this_in_a_part_of_what_is_passed_may_be_another_object(script: str, expected: list[str]) -> None:
    stored = script.replace("SET", "chrome.storage.local.set({ count: this.count })")
    assert found(stored, "firefox") == expected


def test_messages_that_chrome_clones() -> None:
    script = "chrome.runtime.sendMessage({ map: new Map(), url: new URL('https://a') });"
    assert found(script, "chrome", message_serialization="structured_clone") == ["new URL('https://a')"]


MESSAGES = {
    ("chrome.runtime.sendMessage({ a: { b: new Map() } });", "chrome"): (
        f"`message.a.b` is a Map, which {EMPTY}",
        "use `Object.fromEntries`",
        "warning",
    ),
    ("chrome.storage.local.set({ a: new Set() });", "chrome"): (
        f"`items.a` is a Set, which {STORED}",
        "convert it to an array: `[...set]`",
        "warning",
    ),
    ("chrome.runtime.sendMessage({ a: () => 1 });", "chrome"): (
        "`message.a` is a function, which is left out",
        None,
        "warning",
    ),
    ("chrome.runtime.sendMessage({ a: document.body });", "firefox"): (
        f"`message.a` {CLONED}, not an Element",
        "read its text or markup in the page, for example with `textContent`",
        "error",
    ),
    ("chrome.storage.local.set({ a: new DataView(new ArrayBuffer(2)) });", "chrome"): (
        f"`items.a` {CLONED}, not a DataView",
        "convert it to an array of numbers; Firefox accepts it",
        "error",
    ),
}


@pytest.mark.parametrize(("call", "expected"), MESSAGES.items(), ids=[call for call, _ in MESSAGES])
def test_message(call: tuple[str, str], expected: tuple[str, str | None, str]) -> None:
    (finding,) = lint(package(call[0]), ("invalid-argument",), call[1])
    help = finding.help.partition("; Firefox")[0] if finding.help and "Data" not in call[0] else finding.help
    assert (finding.message, help, finding.severity.name.lower()) == expected


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ("chrome.runtime.sendMessage({ e });", 1),
        ("chrome.tabs.sendMessage(1, { e });", 0),
        ("try { chrome.tabs.query({}, () => chrome.runtime.sendMessage({ e })); } catch {}", 0),
    ],
)
def test_message_of_a_call_that_fails(call: str, count: int) -> None:
    files = package("")
    files["c.js"] = f"const e = document.createElement('a'); {call}"
    described = manifest(
        background={"scripts": ["b.js"]},
        content_scripts=[{"matches": ["https://a.example/*"], "js": ["c.js"]}],
    )
    found = reported({**files, "manifest.json": described}, ["invalid-argument", "wrong-context"], "chrome")
    assert [rule for rule, _ in found].count("invalid-argument") == count


@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_found_element_may_be_of_any_class(target: str) -> None:
    script = "const found = document.querySelector('a'); if (found) %s.dom.openOrClosedShadowRoot(found);"
    root = "chrome" if target == "chrome" else "browser"
    keys = {"content_scripts": [{"matches": ["<all_urls>"], "js": ["a.js"]}]}
    files = {"manifest.json": manifest(**keys), "a.js": script % root}
    assert lint(files, ("invalid-argument",), target) == []
