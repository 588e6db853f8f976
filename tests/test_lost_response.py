"""Responses of message listeners that arrive after the port is closed: `lost-response`."""

from __future__ import annotations

import pytest
from harness import SENDER, lint, manifest, reported, text_under

RULE = "lost-response"
EVENT = "chrome.runtime.onMessage"


def found(script: str, target: str = "firefox,chrome", **keys: object) -> list[str]:
    """Returns the source text of each finding in a background script."""
    background = {"scripts": ["a.js"], "service_worker": "a.js"}
    text = manifest(**{"permissions": ["storage"], "background": background, **keys})
    return [text for _, text in reported({**SENDER, "manifest.json": text, "a.js": script}, [RULE], target)]


def listening(body: str, before: str = "") -> str:
    return f"{EVENT}.addListener({before}(m, s, r) => {body});\n"


LATE = {
    "in a callback of the API": "{ chrome.storage.local.get('k', (i) => r(i.k)); }",
    "as a callback of the API": "{ chrome.tabs.query({}, r); }",
    "with what a call with a callback returns": "chrome.tabs.query({}, r)",
    "after a promise": "{ fetch(m).then((x) => x.json()).then((x) => r(x)).catch((e) => r(e)); }",
    "as what takes the value of a promise": "{ load(m).then(r); }",
    "in a timer": "{ setTimeout(() => r(1), 10); }",
    "in a timer of the window": "{ window.setTimeout(r, 10, 1); }",
    "after an await": "{ (async () => { r(await load(m)); const x = await load(m); r(x); })(); }",
    "after an await in a try block": (
        "{ (async () => { try { const x = await load(m); r(x); } catch (e) { r(e); } })(); }"
    ),
    "in a promise that is made": (
        "{ new Promise((done) => chrome.tabs.query({}, (t) => { r(t); done(); })).catch(f); }"
    ),
    "in a handler of a request": (
        "{ const x = new XMLHttpRequest(); x.open('GET', m); x.onload = () => r(1); x.send(); }"
    ),
    "in a function with a name": "{ const done = (x) => r(x); load(m).then(done, done); }",
    "in a function that is bound": "{ chrome.tabs.query({}, function (t) { r(t); }.bind(this)); }",
    "for each item": "{ m.forEach((each) => chrome.tabs.get(each, (tab) => r(tab))); }",
    "in what an unknown function may call": "{ queued(async () => { const x = await load(m); r(x); }); }",
    "in a function that calls itself later": (
        "{ const poll = () => { if (ok()) r(1); else setTimeout(poll, 5); }; setTimeout(poll, 5); }"
    ),
    "and returns false": "{ load(m).then(r); return false; }",
    "and returns another value": "{ load(m).then(r); return 'true'; }",
    "in a branch": "{ if (m.a) { load(m).then(r); return true; } else if (m.b) load(m).then((x) => r(x)); }",
    "after an exit": "{ if (m) { r(0); return; } load(m).then(r); }",
    "in a case that breaks": (
        "{ switch (m) { case 1: load(m).then(r); return true; case 2: load(m).then((x) => r(x)); break; "
        "case 3: r(1); return true; } }"
    ),
    "in a case that falls through": (
        "{ switch (m) { case 1: load(m).then(r); case 2: break; default: return true; } }"
    ),
    "in one of several ifs": (
        "{ if (m.a === 'x') { r(1); } if (m.a === 'y') { load(m).then(r); } "
        "if (m.a === 'z') { load(m); return true; } }"
    ),
    "in one of several ifs with more conditions": (
        "{ const { a } = m; if (a == 1 && s) r(1); if (s && 2 === a) load(m).then(r); }"
    ),
    "in an else of one of several": (
        "{ if (m.a === 'x') { r(1); return; } if (m.a === 'y') { if (s) { r(0); } else load(m).then(r); } }"
    ),
    "if it is there": "{ if (r) load(m).then((x) => r && r(x)); }",
}


@pytest.mark.parametrize("body", LATE.values(), ids=LATE)
def test_late_response_is_reported(body: str) -> None:
    assert found(listening(body) + "async function load() {}") in (["r"], ["r", "r"])


IN_TIME = {
    "returns true": "{ load(m).then(r); return true; }",
    "returns true in the end": "{ if (m) { load(m).then(r); } return true; }",
    "returns true after a break": "{ switch (m) { case 1: load(m).then(r); break; } return true; }",
    "returns true in a case that it falls into": (
        "{ switch (m) { case 1: load(m).then(r); case 2: return true; } }"
    ),
    "returns true where it tries": "{ try { load(m).then(r); return true; } catch (e) { r(e); } }",
    "returns true in every case": "{ if (m) { load(m).then(r); return true; } else { r(1); } }",
    "returns true after a loop": "{ for (const x of m) { load(x).then(r); continue; } return true; }",
    "may return true": "{ load(m).then(r); return m.x; }",
    "returns a promise": "{ return load(m).then(r); }",
    "returns what is not known": "{ load(m).then(r); return other(m); }",
    "answers at once": "{ r(1); }",
    "has answered before": "{ r(0); load(m).then(r); }",
    "may have answered before": "{ if (m) r(0); load(m).then(r); }",
    "may have answered before, by another question": (
        "{ if (m.a === 'x') r(0); if (m.b === 'y') load(m).then(r); }"
    ),
    "may have answered before, by the same question": (
        "{ if (m.a === 'x') r(0); if (m.a === 'x' && m.b) load(m).then(r); }"
    ),
    "may have answered before, in an else": (
        "{ if (m.a === 'x') g(); else r(0); if (m.a === 'y') load(m).then(r); }"
    ),
    "may have answered before, by what changes": (
        "{ if (m.a === 'x') r(0); m.a = next(); if (m.a === 'y') load(m).then(r); }"
    ),
    "may have answered before, by a variable that changes": (
        "{ let a = m.a; if (a === 'x') r(0); a = next(); if (a === 'y') load(m).then(r); }"
    ),
    "may have answered before, by what is not known": (
        "{ if (m.a === x) r(0); if (m.a === y) load(m).then(r); }"
    ),
    "returns true in the end of several ifs": (
        "{ if (m.a === 'x') { r(1); } if (m.a === 'y') { load(m).then(r); } return true; }"
    ),
    "returns true in a later if": (
        "{ if (m.a === 'x') { load(m).then(r); } if (m.b === 'y') { return true; } }"
    ),
    "may have answered before, for another item": (
        "{ for (const x of m) { if (x.a === 1) r(1); if (x.a === 2) load(x).then(r); } }"
    ),
    "may have answered before, in a function for each item": (
        "{ m.forEach((x) => { if (x.a === 1) r(1); if (x.a === 2) load(x).then(r); }); }"
    ),
    "answers afterwards": "{ load(m).then(r); r(0); }",
    "answers in a loop at once": "{ m.forEach((x) => r(x)); }",
    "answers before it waits": "{ (async () => { r(1); await load(m); })(); }",
    "may not have waited": "{ (async () => { if (m) await load(m); r(1); })(); }",
    "passes it to unknown code": "{ other(r); }",
    "passes it to unknown code as well": "{ load(m).then(r); other(r); }",
    "keeps it": "{ waiting = r; load(m).then(() => waiting(1)); }",
    "keeps it in an object": "{ waiting.push({ m, r }); load(m).then(r); }",
    "answers in unknown code": "{ other(() => r(1)); }",
    "answers when an event is dispatched": (
        "{ document.addEventListener('x', () => r(1)); document.dispatchEvent(new Event('x')); }"
    ),
    "sends a request that lasts": (
        "{ const x = new XMLHttpRequest(); x.open('GET', m, false); x.onload = () => r(1); x.send(); }"
    ),
    "answers with another name": "{ r = other; load(m).then(r); }",
    "uses arguments": "function on(m, s, r) { load(m).then(r); arguments[2](1); }",
}


@pytest.mark.parametrize("body", IN_TIME.values(), ids=IN_TIME)
def test_timely_response_is_not_reported(body: str) -> None:
    script = f"{EVENT}.addListener({body})" if body.startswith("function") else listening(body)
    assert found(script + "async function load() {}") == []


FORMS = {
    "a function with a name": f"function on(m, s, r) {{ load(m).then(r) }} {EVENT}.addListener(on);",
    "a constant": f"const on = (m, s, r) => {{ load(m).then(r) }}; {EVENT}.addListener(on);",
    "a method": (
        f"class A {{ on(m, s, r) {{ load(m).then(r) }} a() {{ {EVENT}.addListener(this.on) }} }} new A().a()"
    ),
    "a function that is bound": f"{EVENT}.addListener(function (m, s, r) {{ load(m).then(r) }}.bind(this));",
    "external messages": "browser.runtime.onMessageExternal.addListener((m, s, r) => { load(m).then(r) });",
    "a function that gets it": (
        f"{EVENT}.addListener((m, s, r) => {{ answer(m, r); }});"
        "async function answer(m, done) { const x = await fetch(m); done(x); }"
    ),
    "a function that passes it on": (
        f"{EVENT}.addListener((m, s, r) => {{ one(m, r); }});"
        "function one(m, then) { two(then, m); } function two(done, m) { load(m).then(done); }"
    ),
}


@pytest.mark.parametrize("script", FORMS.values(), ids=FORMS)
def test_listener_forms(script: str) -> None:
    assert len(found(script)) == 1


def test_async_listener() -> None:
    """Firefox uses the value of its promise. Chrome, since it supports promises, uses the first response."""
    waits = listening("{ const x = await fetch(m); r(x); return true; }", "async ")
    assert found(waits, "firefox") == ["r"]
    assert found(waits, "chrome") == []
    assert found(waits, "chrome", minimum_chrome_version="120") == ["r"]
    assert found(waits, "chrome", minimum_chrome_version="148") == []
    assert found(waits.replace("chrome.", "browser."), "chrome", minimum_chrome_version="120") == []
    assert found(listening("{ r(1); }", "async "), "firefox") == ["r"]
    assert found(listening("{ r(1); }", "async "), "chrome>=120") == []
    does_not_wait = listening("{ fetch(m).then(r); return true; }", "async ")
    assert found(does_not_wait) == ["r"]
    assert found(listening("{ await load(m); setTimeout(() => r(1)); }", "async "), "chrome") == ["r"]
    assert found(
        listening("{ if (m) { fetch(m).then(r); return; } await load(m); }", "async "), "chrome"
    ) == ["r"]
    assert found(listening("{ fetch(m).then(r); await load(m); }", "async "), "chrome") == []
    assert found(listening("{ await fetch(m).then(r); }", "async "), "chrome") == []
    assert found(listening("{ await load(m); r(); }", "async "), "firefox") == []
    assert found(listening("{ Promise.resolve().then(r); }", "async "), "chrome") == []
    assert found(listening("{ if (!m) { r(1); return; } return load(m); }", "async "), "firefox") == ["r"]
    assert found(listening("{ r(1); return load(m); }", "async "), "firefox") == []


def test_message_for_listeners_that_return_a_promise() -> None:
    returning = listening("load(r)") + "async function load(r) { r(await get()); return true; }"
    for script in (listening("{ r(await get()); return true; }", "async "), returning):
        files = {**SENDER, "manifest.json": manifest(background={"scripts": ["a.js"]}), "a.js": script}
        (mistake,) = lint(files, [RULE], "firefox")
        assert mistake.message == (
            "`r` is ignored, as the listener returns a promise: "
            "the sender gets the value of the promise, `true`"
        )


def test_response_in_a_promise() -> None:
    """The Chrome versions that a manifest allows may ignore it."""
    old = {"minimum_chrome_version": "116"}
    load = "async function load(m) { return { count: await count(m) }; }"
    answers = f"{EVENT}.addListener((m) => {{ if (m) return; return load(m); }}); {load}"
    assert found(answers, "firefox,chrome", **old) == ["load(m)"]
    assert found(answers, "chrome") == []
    assert found(answers.replace("chrome.", "browser."), "chrome", **old) == []
    assert found(f"{EVENT}.addListener(async (m) => {{ return [await m]; }});", "chrome", **old) == [
        "[await m]"
    ]
    assert found(f"{EVENT}.addListener(async (m) => {{ return other(m); }});", "chrome", **old) == []
    assert found(f"{EVENT}.addListener(async (m) => {{ await other(m); }});", "chrome", **old) == []
    assert found(f"{EVENT}.addListener((m) => other(m));", "chrome", **old) == []
    assert found(f"{EVENT}.addListener(async (m) => {{ return true; }});", "chrome", **old) == []


def test_waiting_listener_keeps_the_port_open() -> None:
    """In Chrome, all listeners of a worker or document share one port."""
    late = listening("{ load(m).then(r); }")
    assert found(late + listening("{ return true; }"), "chrome") == []
    assert found(late + listening("{ return true; }"), "firefox") == ["r"]
    assert found(late + f"{EVENT}.addListener(other);", "chrome") == []
    assert found(late + f"other({EVENT});", "chrome") == []
    assert found(late + listening("{ other(m); }")) == ["r"]
    assert found(late + f"{EVENT}.removeListener(other);") == ["r"]
    assert found(late + "chrome.runtime.onMessageExternal.addListener(other);") == ["r"]
    text = manifest(
        background={"service_worker": "a.js"}, content_scripts=[{"matches": ["<all_urls>"], "js": ["b.js"]}]
    )
    files = {**SENDER, "manifest.json": text, "a.js": late, "b.js": listening("{ return true; }")}
    assert reported(files, [RULE], "chrome") == [(RULE, "r")]


def test_lost_responses_of_a_listener_are_one_finding() -> None:
    text = manifest(background={"service_worker": "a.js"})
    script = listening("{ if (m.a) load(m).then((x) => r(x)); else setTimeout(() => r(1)); }")
    files = {**SENDER, "manifest.json": text, "a.js": script}
    [finding] = lint(files, [RULE], "chrome")
    assert text_under(files, finding) == "r"
    assert [each.message for each in finding.related] == ["this response is lost as well"]
    assert finding.api == "runtime.onMessage"


def test_repeated_position_is_reported_once() -> None:
    script = listening("{ answer(m, r); return true; }", "async ")
    script += "function answer(m, done) { if (m) done(1); else done(2); done(3); }"
    files = {**SENDER, "manifest.json": manifest(background={"scripts": ["a.js"]}), "a.js": script}
    [finding] = lint(files, [RULE], "firefox")
    assert text_under(files, finding) == "r"
    assert finding.related == ()


@pytest.mark.parametrize(("target", "count"), [("safari", 0), ("reference", 1)])
def test_response_depends_on_the_target(target: str, count: int) -> None:
    assert len(found(listening("{ load(m).then(r); }"), target)) == count


SENT = {
    "the field": ("{ a: 1, save: true }", "m.a === 1 && m.save", 1),
    "no such field": ("{ a: 1 }", "m.a === 1 && m.save", 0),
    "no such field, in a nested condition": ("{ a: 1 }", "m.a) if (m.save.c", 0),
    "no field that equals the text": ("{ a: 'go-save' }", "m.save === 'c'", 0),
    "no such field, where any of two counts": ("{ a: 1 }", "m.a || m.save", 1),
    "no such field, where it must be missing": ("{ a: 1 }", "!m.save", 1),
    "a field by its text": ("{ [key ?? 'save']: 1 }", "m.save", 1),
    "a field that is added": ("add({ a: 1 })); function add(x) { x.save = 1; return x; } f((", "m.save", 1),
    "the name of something else": ("{ a: x.save }", "m.save", 0),
    "a text": ("{ a: 'save' }", "m.a === 'save'", 1),
    "another text": ("{ a: 'save' }", "m.a === 'load'", 0),
    "one of two texts": ("{ a: x ? 'save' : 'load' }", "m.a === 'load'", 1),
    "an unknown text": ("{ a: x.a }", "m.a === 'load'", 0),
    "an unknown text of a list": ("{ a: ['load'][x] }", "m.a === 'load'", 1),
    "an unknown text that others are compared with": ("{ a: x === 'load' ? x : y }", "m.a === 'load'", 0),
    "unknown fields": ("{ a: 'save', ...x }", "m.a === 'save' && m.b", 1),
    "an unknown message": ("x", "m.a === 'load'", 0),
    "an unknown message with a text": ("x('load')", "m.a === 'load'", 1),
    "an unknown message with the name of a method": ("x.load()", "m.a === 'load'", 1),
    "a message that is a text": ("'save'", "m === 'save'", 1),
    "a message that is another text": ("'save'", "m === 'load'", 0),
    "another text to another extension": ("x.id, { a: 'load' }", "m.a === 'load'", 1),
}


@pytest.mark.parametrize(("message", "condition", "count"), SENT.values(), ids=SENT)
def test_response_to_messages_that_no_script_sends(message: str, condition: str, count: int) -> None:
    """A message without the tested field never gets to the response."""
    text = manifest(
        background={"scripts": ["a.js"]}, content_scripts=[{"matches": ["<all_urls>"], "js": ["b.js"]}]
    )
    listener = listening(f"{{ if ({condition}) fetch(URL).then(() => r(2)); }}")
    files = {"manifest.json": text, "a.js": listener, "b.js": f"chrome.runtime.sendMessage({message});"}
    assert len(reported(files, [RULE], "firefox")) == count
    external = files | {"a.js": listener.replace("onMessage", "onMessageExternal")}
    assert len(reported(external, [RULE], "firefox")) == 1


SENDERS: dict[str, tuple[dict[str, str], int]] = {
    "nothing": ({}, 0),
    "the background itself": ({"a.js": "chrome.runtime.sendMessage(1);"}, 0),
    "a message to a tab": ({"b.js": "chrome.tabs.sendMessage(1, 1);"}, 0),
    "a port": ({"b.js": "chrome.runtime.connect();"}, 0),
    "a content script": ({"b.js": "chrome.runtime.sendMessage(1);"}, 1),
    "by the old name": ({"b.js": "chrome.extension.sendMessage(1);"}, 1),
    "a function that is passed on": ({"b.js": "send(chrome.runtime.sendMessage);"}, 1),
    "a function that is injected": (
        {"a.js": "chrome.scripting.executeScript({ target, func: () => chrome.runtime.sendMessage(1) });"},
        1,
    ),
    "a member that is computed": ({"b.js": "chrome.runtime[name](1);"}, 1),
    "a file that is missing": ({"b.js": "import('./lost.js');"}, 1),
}


@pytest.mark.parametrize(("scripts", "count"), SENDERS.values(), ids=SENDERS)
def test_response_without_any_sender(scripts: dict[str, str], count: int) -> None:
    text = manifest(
        permissions=["scripting"],
        background={"scripts": ["a.js"], "service_worker": "a.js"},
        content_scripts=[{"matches": ["<all_urls>"], "js": ["b.js"]}],
    )
    listener = listening("{ fetch(URL).then(() => r(1)); }")
    files = {"manifest.json": text, "b.js": "", **scripts, "a.js": listener + scripts.get("a.js", "")}
    assert len(reported(files, [RULE], "chrome")) == count


def test_response_to_a_text_that_is_injected() -> None:
    listener = listening("{ fetch(URL).then(() => r(1)); }")
    injects = "chrome.tabs.executeScript({ code: 'chrome.runtime.sendMessage(1)' });"
    text = manifest(manifest_version=2, background={"scripts": ["a.js"]})
    assert len(reported({"manifest.json": text, "a.js": listener + injects}, [RULE], "firefox")) == 1
    assert reported({"manifest.json": text, "a.js": listener}, [RULE], "firefox") == []
