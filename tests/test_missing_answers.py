"""Answers of listeners that never come, or that Chrome ignores: `lost-response`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import lint, manifest

RULES = ("lost-response",)
Keys = Mapping[str, object]
BACKGROUND = {"background": {"service_worker": "b.js", "scripts": ["b.js"]}}
PAGE = {"options_ui": {"page": "p.html"}}
CONTENT = {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["c.js"]}]}
SEND = "chrome.runtime.sendMessage('a', (found) => show(found));"


def messages(
    script: str, target: str = "chrome", page: str = SEND, keys: Keys = BACKGROUND, **files: str
) -> list[str]:
    """Returns the messages about a background script, whose messages a page sends."""
    requests = ["storage", "webRequest", "webRequestAuthProvider"]
    described = manifest(permissions=requests, host_permissions=["<all_urls>"], **{**PAGE, **keys})
    package = {
        "manifest.json": described,
        "b.js": script,
        "p.html": "<script src=p.js></script>",
        "p.js": page,
        **files,
    }
    return [each.message for each in lint(package, RULES, target)]


def listener(function: str) -> str:
    """Returns a call that adds a listener to messages."""
    return f"chrome.runtime.onMessage.addListener({function});"


UNANSWERED = {
    "no parameter for it": listener("(message) => { f(message); return true; }"),
    "one that is not used": listener("(message, sender, sendResponse) => { f(message); return true; }"),
    "on one path": listener("(message) => { if (message === 'a') { f(); return true; } }"),
    "an expression": listener("() => true"),
    "a function with a name": "function heard(message) { f(message); return true; }" + listener("heard"),
    "a method": "class Worker { heard() { return true; } start() {"
    " chrome.runtime.onMessage.addListener(this.heard); } } new Worker().start();",
    "another one responds never": listener("() => true") + listener("(message) => { f(message); }"),
}


@pytest.mark.parametrize("script", UNANSWERED.values(), ids=UNANSWERED.keys())
def test_true_without_a_response_is_reported(script: str) -> None:
    for target in ("chrome", "firefox"):
        assert "the listener returns `true`, but never calls `sendResponse`" in messages(script, target)[0]


ANSWERED = {
    "a response": listener("(message, sender, sendResponse) => { sendResponse(1); return true; }"),
    "a response on one path": listener("(m, sender, respond) => { if (m === 'a') respond(1); return true; }"),
    "a response by other code": listener("(message, sender, respond) => { f(respond); return true; }"),
    "all arguments": listener("(...all) => { f(...all); return true; }"),
    "all arguments of a function": listener("function () { f(arguments); return true; }"),
    "a promise": listener("(message) => { if (message) return f(); return true; }"),
    "an async function": listener("async () => true"),
    "nothing returned": listener("(message) => { f(message); }"),
    "false returned": listener("() => false"),
    "another value": listener("(message) => f(message)"),
    "another one responds": listener("() => true") + listener("(m, s, respond) => { respond(1); }"),
    "another one may respond": listener("() => true") + listener("heard"),
    "an unknown one may respond": listener("() => true") + "listen(chrome.runtime.onMessage);",
}


@pytest.mark.parametrize("script", ANSWERED.values(), ids=ANSWERED.keys())
def test_listener_that_may_respond_is_not_reported(script: str) -> None:
    assert messages(script) == []


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (SEND, 1),
        ("chrome.runtime.sendMessage('a').then(show);", 1),
        ("(async () => { const found = await chrome.runtime.sendMessage('a'); show(found); })();", 1),
        ("chrome.runtime.sendMessage('a').catch(f).then(show);", 1),
        ("const found = chrome.runtime.sendMessage('a').catch(f); show(found);", 1),
        ("chrome.runtime.sendMessage('a').catch(f);", 0),
        ("chrome.runtime.sendMessage('a');", 0),
        ("(async () => { await chrome.runtime.sendMessage('a'); })();", 0),
        ("(async () => { await chrome.runtime.sendMessage('a'); show(); })();", 1),
        ("(async () => { try { await chrome.runtime.sendMessage('a'); } catch {} show(); })();", 0),
        ("chrome.runtime.sendMessage('abcdefghijklmnopabcdefghijklmnop', 'a', show);", 0),
        ("chrome.tabs.sendMessage(1, 'a', (found) => show(found));", 0),
    ],
)
def test_only_a_response_that_a_sender_waits_for_is_missing(page: str, expected: int) -> None:
    assert len(messages(listener("() => true"), page=page)) == expected


ABOUT = listener("(message) => { if (message.type === 'log') { f(message); return true; } }")
SENT = {
    "the message that it returns `true` for": ("{ type: 'log' }", 1),
    "another message": ("{ type: 'get' }", 0),
    "a message without the field": ("{ to: 'log' }", 0),
    "a text": ("'log'", 0),
    "an unknown message": ("message", 1),
    "a message of an unknown type": ("{ type }", 1),
}


@pytest.mark.parametrize(("message", "expected"), SENT.values(), ids=SENT.keys())
def test_sender_waits_for_the_response_to_this_message(message: str, expected: int) -> None:
    page = f"chrome.runtime.sendMessage({message}, (found) => show(found));"
    assert len(messages(ABOUT, page=page)) == expected


def answering(body: str) -> str:
    """Returns a listener that returns `true` after some code."""
    return listener(f"(message, sender, respond) => {{ {body} return true; }}")


GET = "case 'get': respond(1); break;"
PARTLY = {
    "another case": (f"switch (message.type) {{ case 'log': f(); break; {GET} }}", True),
    "another case of a function": (
        f"(async () => {{ switch (message.type) {{ case 'log': f(); break; {GET} }} }})();",
        True,
    ),
    "another case, in a block": (
        f"switch (message.type) {{ case 'log': {{ f(); break; }} {GET} }}",
        True,
    ),
    "another condition": ("if (message.type === 'get') respond(1); else f();", True),
    "another condition, later": ("if (message.type === 'get') g().then(() => respond(1));", True),
    "no case": (f"switch (message.type) {{ {GET} }}", True),
    "the same case": ("switch (message.type) { case 'log': respond(1); }", False),
    "a case that runs into another": (f"switch (message.type) {{ case 'log': f(); {GET} }}", False),
    "a case that may run into another": (
        f"switch (message.type) {{ case 'log': if (g()) break; {GET} }}",
        False,
    ),
    "two cases": (f"switch (message.type) {{ case 'log': {GET} }}", False),
    "the default": (f"switch (message.type) {{ {GET} default: respond(2); }}", False),
    "the default that runs into a case": (f"switch (message.type) {{ default: f(); {GET} }}", False),
    "a case that is not known": ("switch (message.type) { case f(): respond(1); }", False),
    "a changed message": (f"message = f(message); switch (message.type) {{ {GET} }}", False),
    "another value": (f"switch (sender.type) {{ {GET} }}", False),
    "one of two conditions": ("if (message.type === 'get' || f()) respond(1);", False),
    "after the condition": ("if (message.type === 'get') f(); respond(1);", False),
    "unknown code": (f"switch (message.type) {{ {GET} }} f(respond);", False),
    "nothing returned before": (
        f"if (message.type === 'log') return; switch (message.type) {{ {GET} }}",
        False,
    ),
}


@pytest.mark.parametrize(("body", "is_reported"), PARTLY.values(), ids=PARTLY.keys())
def test_listener_that_responds_to_other_messages(body: str, is_reported: bool) -> None:
    page = "chrome.runtime.sendMessage({ type: 'log' }, (found) => show(found));"
    text = "the listener returns `true`, but never calls `sendResponse` for some messages"
    for target in ("chrome", "firefox"):
        found = [each.partition(":")[0] for each in messages(answering(body), target, page)]
        assert found == ([text] if is_reported else [])


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("chrome.runtime.sendMessage({ type: 'log' }).then(show);", 1),
        ("chrome.runtime.sendMessage({ type: 'log' }, () => show());", 0),
        ("chrome.runtime.sendMessage({ type: 'log' });", 0),
        ("chrome.runtime.sendMessage({ type: 'get' }, show);", 0),
        ("chrome.runtime.sendMessage({ type }, (found) => show(found));", 0),
        ("chrome.runtime.sendMessage(message, (found) => show(found));", 0),
        ("chrome.runtime.sendMessage('log', (found) => show(found));", 1),
    ],
)
def test_only_the_sender_of_a_message_without_a_response_is_reported(page: str, expected: int) -> None:
    assert len(messages(answering(f"switch (message.type) {{ {GET} }}"), page=page)) == expected


def test_another_listener_may_respond_to_the_other_messages() -> None:
    page = "chrome.runtime.sendMessage({ type: 'log' }, (found) => show(found));"
    one, other = (answering(f"if (message.type === '{name}') respond(1);") for name in ("get", "log"))
    assert len(messages(one, page=page)) == 1
    assert messages(one + other, page=page) == []
    assert messages(one + listener("(m, s, respond) => respond(2)"), page=page) == []


def test_background_does_not_receive_its_own_messages() -> None:
    page = "chrome.runtime.sendMessage({ type: 'log' });"
    assert messages(listener("() => true") + SEND, page=page) == []
    assert len(messages(listener("() => true") + SEND, page=SEND)) == 1


def test_another_page_may_respond() -> None:
    page = SEND + listener("(message, sender, respond) => respond(1)")
    assert messages(listener("() => true"), page=page) == []


def test_content_script_that_never_responds() -> None:
    send = "chrome.tabs.sendMessage(1, 'a', (found) => show(found));"
    answering = listener("(message, sender, respond) => respond(1)")
    files = {"c.js": listener("() => true")}
    assert len(messages(answering, page=send, keys={**BACKGROUND, **CONTENT}, **files)) == 1
    assert messages(answering, keys={**BACKGROUND, **CONTENT}, **files) == []


def login(function: str, options: str = "['blocking']") -> str:
    """Returns a call that adds a listener to logins."""
    return f"chrome.webRequest.onAuthRequired.addListener({function}, {{ urls: ['<all_urls>'] }}, {options});"


ANSWER = "{ authCredentials: { username: 'a', password: 'b' } }"
IGNORED = {
    "async": login(f"async () => {{ await f(); return {ANSWER}; }}"),
    "async, as an expression": login(f"async (details) => ({ANSWER})"),
    "a function with a name": f"async function answer(details) {{ return {ANSWER}; }} {login('answer')}",
    "a promise of the API": login(f"() => chrome.storage.local.get('a').then(({{ a }}) => ({ANSWER}))"),
    "a constant": login(f"async () => ({ANSWER})", "[chrome.webRequest.OnAuthRequiredOptions.BLOCKING]"),
}


@pytest.mark.parametrize("script", IGNORED.values(), ids=IGNORED.keys())
def test_promise_for_a_login_is_reported_in_chrome(script: str) -> None:
    assert messages(script) == [
        "Chrome ignores the promise that the listener returns, as the option is `blocking`"
    ]
    assert messages(script, "firefox") == []


TAKEN = {
    "an object": login(f"() => ({ANSWER})"),
    "the callback": login("(details, callback) => { f().then(callback); }", "['asyncBlocking']"),
    "a promise of nothing": login("async (details) => { f(details); }"),
    "without the option": login(f"async () => ({ANSWER})", "[]"),
    "another event": login(f"async () => ({ANSWER})").replace("onAuthRequired", "onCompleted"),
}


@pytest.mark.parametrize("script", TAKEN.values(), ids=TAKEN.keys())
def test_answer_to_a_login_is_not_reported(script: str) -> None:
    assert messages(script) == []


LOAD = "async function load() { return fetch('a.json'); }\n"
OBJECTS = {
    "an async function": (LOAD + listener("async () => load()"), "Response"),
    "in a block": (LOAD + listener("async (m) => { if (m === 'a') { return load(); } }"), "Response"),
    "awaited": (listener("async () => { const found = await fetch('a.json'); return found; }"), "Response"),
    "a promise": (listener("() => fetch('a.json')"), "Response"),
    "a chain": (listener("() => fetch('a.json').then((found) => found)"), "Response"),
    "a field": (listener("async () => ({ ok: true, found: await fetch('a.json') })"), "Response"),
    "headers": (listener("async () => new Headers()"), "Headers"),
    "its content": (listener("async () => (await load()).json()") + LOAD, ""),
    "its text in a chain": (listener("() => fetch('a.json').then((found) => found.text())"), ""),
    "a status": (listener("async () => { const { status } = await load(); return status; }") + LOAD, ""),
    "a date": (listener("async () => Date.now()"), ""),
    "an unknown value": (listener("async (m) => find(m)"), ""),
    "nothing": (LOAD + listener("async () => { await load(); }"), ""),
    "a value or an object": (LOAD + listener("async (m) => m ? m.a : load()"), ""),
}


@pytest.mark.parametrize(("script", "name"), OBJECTS.values(), ids=OBJECTS.keys())
def test_object_as_a_response(script: str, name: str) -> None:
    waits = "(async () => { show(await chrome.runtime.sendMessage('a')); })();"
    for target, what in (("firefox", "must be a value that can be serialized, not"), ("chrome", "is")):
        found = messages(script, target, waits)
        assert len(found) == bool(name), target
        assert all(what in each and name in each for each in found)
        assert messages(script, target, "chrome.runtime.sendMessage('a');") == []
