"""Messages that reach a listener, and with which every listener does nothing: `lost-message`."""

from __future__ import annotations

import pytest
from harness import lint
from test_lost_message import files, found

LISTENS = "chrome.runtime.onMessage.addListener"
SAVES = 'chrome.runtime.sendMessage({ type: "save", text });'
CHOOSES = LISTENS + '((m) => {{ if (m.type === "open") open(m.url); {} }});'

HANDLES_OTHERS = {
    "with an if": CHOOSES.format(""),
    "with a report of other messages": CHOOSES.format('else console.warn("unknown", JSON.stringify(m));'),
    "with return true": CHOOSES.format("return true;"),
    "with an early return": LISTENS + '((m) => { if (m.type !== "open") return; open(m.url); });',
    "with &&": LISTENS + '((m) => m.type === "open" && open(m.url));',
    "with a ternary": LISTENS + '((m) => (m.type === "open" ? open(m.url) : undefined));',
    "with a pattern": LISTENS + '(({ type, url }) => { if (type === "open") open(url); });',
    "with a variable": LISTENS + '((m) => { const { type } = m; if (type === "open") open(m.url); });',
    "with constants": 'const OPEN = "open";' + LISTENS + "((m) => { if (m.type === OPEN) open(m.url); });",
    "with a switch": LISTENS + '((m) => { switch (m.type) { case "open": open(m.url); break; } });',
    "with a default that only reports": LISTENS
    + '((m) => { switch (m.type) { case "open": open(); break; default: console.log(m); return false; } });',
    "with another test": CHOOSES.format('if (m.url && m.type === "load") load();'),
    "after a test of the sender": LISTENS
    + '((m, from) => { if (!from.tab) return; if (m.type === "open") open(); });',
    "in an inner function": LISTENS
    + '((m, from, respond) => { (async () => { if (m.type === "open") respond(1); })(); return true; });',
    "by name": 'function listen(m) { if (m.type === "open") open(); }' + f"{LISTENS}(listen);",
    "in two listeners": CHOOSES.format("") + CHOOSES.format("").replace('"open"', '"load"'),
    "in a try": LISTENS + '((m) => { try { if (m.type === "open") open(); } catch (e) { show(e); } });',
}

MAY_HANDLE = {
    "compares with it": CHOOSES.format('else if (m.type === "save") save();'),
    "has an else": CHOOSES.format("else save(m);"),
    "has a default": LISTENS
    + '((m) => { switch (m.type) { case "open": open(); break; default: save(m); } });',
    "falls through": LISTENS + '((m) => { switch (m.type) { default: case "open": open(); } });',
    "calls a function": CHOOSES.format("count();"),
    "calls a function in a condition": CHOOSES.format("if (handles(m)) return true;"),
    "assigns": CHOOSES.format("last = m;"),
    "has a table": LISTENS + "((m) => { const run = table[m.type]; if (run) run(m); });",
    "computes the text": CHOOSES.format("if (m.type === names[0]) save();"),
    "compares in a list": CHOOSES.format("if (names.includes(m.type)) save();"),
    "looks at another field": CHOOSES.format("if (m.text) save(m.text);"),
    "is not known": f"{LISTENS}(listeners.main);",
    "is one of two": CHOOSES.format("") + f"{LISTENS}((m) => save(m));",
    "waits": LISTENS + '(async (m) => { await ready; if (m.type === "open") open(); });',
    "loops": LISTENS + '((m) => { for (const each of all) each(m); if (m.type === "open") open(); });',
    "throws": CHOOSES.format("else throw new Error(m.type);"),
    "answers": LISTENS + '((m, s, respond) => { if (m.type === "open") open(); else respond("unknown"); });',
}

MAY_BE_HANDLED = {
    "of unknown type": "chrome.runtime.sendMessage({ type, text });",
    "of several types": 'chrome.runtime.sendMessage({ type: text ? "save" : "open" });',
    "with unknown fields": 'chrome.runtime.sendMessage({ type: "save", ...text });',
    "of another extension": f'chrome.runtime.sendMessage("{"abcdefgh" * 4}", {{ type: "save" }});',
    "without the field": "chrome.runtime.sendMessage({ text });",
    "without any field": "chrome.runtime.sendMessage({});",
    "that is not an object": "chrome.runtime.sendMessage(text);",
    "in dead code": f"if (false) {SAVES}",
}


@pytest.mark.parametrize("listener", HANDLES_OTHERS.values(), ids=HANDLES_OTHERS)
def test_that_no_listener_handles(listener: str) -> None:
    """A listener that chooses its messages does nothing with another one."""
    assert found("chrome", popup=SAVES, background=listener) == ["chrome.runtime.sendMessage"]


@pytest.mark.parametrize("listener", MAY_HANDLE.values(), ids=MAY_HANDLE)
def test_that_a_listener_may_handle(listener: str) -> None:
    """Nothing is certain about code that may run for the message."""
    assert found("chrome", popup=SAVES, background=listener) == []


@pytest.mark.parametrize("message", MAY_BE_HANDLED.values(), ids=MAY_BE_HANDLED)
def test_a_message_that_may_be_handled(message: str) -> None:
    """A message that is not known may be one that a listener handles."""
    assert found("chrome", popup=message, background=CHOOSES.format("")) == []


def test_a_text_as_the_message() -> None:
    """A message may be the text itself."""
    listener = LISTENS + '((m) => { if (m === "open") open(); });'
    lost = ["chrome.runtime.sendMessage"]
    assert found("chrome", popup='chrome.runtime.sendMessage("save");', background=listener) == lost
    assert found("chrome", popup='chrome.runtime.sendMessage("open");', background=listener) == []


def test_the_listeners_that_count() -> None:
    """Content scripts get only messages to tabs, and pages only messages of others."""
    handles = CHOOSES.format("").replace('"open"', '"save"')
    lost = ["chrome.runtime.sendMessage"]
    assert found("chrome", popup=SAVES, background=CHOOSES.format(""), content=handles) == lost
    assert found("chrome", popup=SAVES, background=CHOOSES.format(""), options=handles) == []
    to_tab = 'chrome.tabs.query({}, ([tab]) => chrome.tabs.sendMessage(tab.id, { type: "save" }));'
    assert found("chrome", popup=to_tab, content=CHOOSES.format("")) == ["chrome.tabs.sendMessage"]
    assert found("chrome", popup=to_tab, content=handles) == []


def test_the_message_of_the_finding() -> None:
    """The finding names the text and its field, a listener, and a similar text that one expects."""
    package = files(
        popup=SAVES + SAVES.replace("save", "opne"),
        background=CHOOSES.format(""),
        options='chrome.runtime.sendMessage({ type: "open" });',
    )
    first, second = lint(package, ["lost-message"], "chrome")
    assert first.message == (
        "`runtime.sendMessage` is ignored: no listener handles a message whose `type` is `save`"
    )
    assert [each.path for each in first.related] == ["background.js"]
    assert first.help is None
    assert second.help == "did you mean `open`?"


def test_a_text_in_another_field() -> None:
    """The advice names the field that a listener compares with the text."""
    listener = CHOOSES.format('if (m.action === "save") save(m.text);')
    (finding,) = lint(files(popup=SAVES, background=listener), ["lost-message"], "chrome")
    assert finding.help == "a listener compares it with `action`: use this field in both"
