"""Errors that a listener catches and sends as a response, which Chrome does not copy."""

from __future__ import annotations

import pytest
from harness import SENDER, manifest, reported

LISTENER = "chrome.runtime.onMessage.addListener((m, s, respond) => {{ {}\n return true; }});"


def found(code: str, target: str = "chrome", **files: str) -> list[str]:
    """Returns the source text of each finding in a background script."""
    keys = {"background": {"scripts": ["b.js"], "service_worker": "b.js"}}
    package = {"manifest.json": manifest(**keys), "b.js": LISTENER.format(code), **SENDER, **files}
    return [text for _, text in reported(package, ["invalid-argument"], target)]


SENT = {
    "a field": "load().catch((error) => respond({ error }));",
    "another field": "load().catch((e) => { console.error(e); respond({ ok: false, error: e }); });",
    "the response": "load().catch((e) => respond(e));",
    "in a `catch` clause": "(async () => { try { await load(); } catch (e) { respond({ e }); } })();",
    "of both": "load().then(respond, (e) => respond({ e }));",
    "with its message": "load().catch((e) => respond({ e, text: e.message }));",
    "among other errors": "load().then(() => { throw new TypeError('a'); }).catch((e) => respond({ e }));",
    "kept and thrown": (
        "load().catch((e) => { const err = e; throw err; }).catch((e) => respond({ e })); // throw 'a'"
    ),
    "thrown again": "load().catch((e) => { throw e; }).catch((e) => respond({ e }));",
    "of a new promise": "new Promise((done, reject) => reject(new Error('a'))).catch((e) => respond({ e }));",
}


@pytest.mark.parametrize("code", SENT.values(), ids=SENT)
def test_caught_error_is_reported_in_chrome(code: str) -> None:
    assert found(code) in (["error"], ["e"])
    assert found(code, "firefox") == []


OTHER = {
    "its message": "load().catch((e) => respond({ e: e.message }));",
    "what may be a text": "load().catch((e) => { if (typeof e === 'string') respond({ e }); });",
    "what may be something else": "load().catch((e) => respond({ e, status: e.status }));",
    "another value": "load().catch((e) => { e = String(e); respond({ e }); });",
    "a value": "load().then((e) => respond({ e }));",
    "where a text is thrown": "load().then(() => { throw 'a'; }).catch((e) => respond({ e }));",
    "where an object is thrown": "load().then(() => { throw { a: 1 }; }).catch((e) => respond({ e }));",
    "where an own class is thrown": "load().then(() => { throw new Own(1); }).catch((e) => respond({ e }));",
    "where an error has fields": "load().catch((e) => { e.a = 1; throw e; }).catch((e) => respond({ e }));",
    "where a promise is rejected with a text": (
        "new Promise((done, reject) => reject('a')).catch((e) => respond({ e }));"
    ),
    "where a promise is rejected with an event": (
        "new Promise((done, reject) => { image.onerror = reject; }).catch((e) => respond({ e }));"
    ),
    "where errors are converted": (
        "Object.defineProperty(Error.prototype, 'toJSON', { value: text });"
        " load().catch((e) => respond({ e }));"
    ),
    "where a request of a library fails": "$.ajax('a').catch((e) => respond({ e }));",
}


@pytest.mark.parametrize("code", OTHER.values(), ids=OTHER)
def test_what_may_not_be_an_error_is_not_reported(code: str) -> None:
    assert found(code) == []


def test_another_script_may_throw_anything() -> None:
    code = "load().catch((e) => respond({ e })); importScripts('c.js');"
    page = {"p.html": "<!doctype html><script src=c.js></script>"}
    assert found(code, **{"c.js": "function load() { return Promise.reject(new Error('a')); }"}) == ["e"]
    assert found(code, **{"c.js": "function load() { throw 'a'; }"}) == []
    assert found(code.replace("importScripts('c.js');", ""), **{"c.js": "throw 'a';"}, **page) == ["e"]
    assert found(f"import('lost').then((it) => it.load()); {code}") == []


def test_response_to_a_message_that_no_script_sends() -> None:
    answer = "fetch(URL).then((r) => r.blob()).then((blob) => respond({ blob }));"
    listener = LISTENER.format(f"if (m.type === 'b') {answer}")
    package = {"manifest.json": manifest(background={"service_worker": "b.js"}), "b.js": listener}
    sent = {each: {"send.js": f"chrome.runtime.sendMessage({{ type: '{each}' }});"} for each in "ab"}
    assert reported(package, ["invalid-argument"], "chrome") == []
    assert reported(package | sent["a"], ["invalid-argument"], "chrome") == []
    assert len(reported(package | sent["b"], ["invalid-argument"], "chrome")) == 1
    assert len(reported({**package, **SENDER}, ["invalid-argument"], "chrome")) == 1
    other = package | {"b.js": listener.replace("onMessage", "onMessageExternal")}
    assert len(reported(other, ["invalid-argument"], "chrome")) == 1
