"""Headers that Chrome passes to listeners only with `extraHeaders`: `impossible-comparison`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULES = ("impossible-comparison",)
FILTER = "{ urls: ['<all_urls>'] }"


def package(script: str) -> dict[str, str]:
    """Returns an extension with a background script that may listen to requests."""
    keys = {"background": {"service_worker": "b.js", "scripts": ["b.js"]}, "host_permissions": ["<all_urls>"]}
    return {"manifest.json": manifest(permissions=["webRequest"], **keys), "b.js": script}


def listener(event: str, function: str, options: str) -> str:
    """Returns a call that adds a listener."""
    return f"chrome.webRequest.{event}.addListener({function}, {FILTER}, {options});"


def received(test: str, options: str = "['responseHeaders']") -> str:
    """Returns a call that adds a listener with a test of each header `h` of a response."""
    return listener("onHeadersReceived", f"(d) => d.responseHeaders.filter((h) => {test})", options)


def sent(test: str, options: str = "['requestHeaders']") -> str:
    """Returns a call that adds a listener with a test of each header `h` of a request."""
    loop = f"(d) => {{ for (const h of d.requestHeaders) {{ {test} }} }}"
    return listener("onBeforeSendHeaders", loop, options)


FUNCTION = "function f(d) { return d.responseHeaders.find((h) => h.name === 'set-cookie'); }"
NAMED = "h.name.toLowerCase() === 'set-cookie'"
HIDDEN = {
    "in lower case": received(NAMED),
    "as written": received("h.name === 'Set-Cookie'"),
    "loosely": received("h.name.toUpperCase() == 'SET-COOKIE'"),
    "the other way round": received("'set-cookie' === h.name.toLowerCase()"),
    "not equal": received("h.name.toLowerCase() !== 'set-cookie'"),
    "in a variable": received("{ const name = h.name.toLowerCase(); return name === 'set-cookie'; }"),
    "by destructuring": listener(
        "onHeadersReceived",
        "({ responseHeaders }) => responseHeaders.some(({ name }) => name === 'set-cookie')",
        "['responseHeaders']",
    ),
    "in a list": received("['set-cookie', 'age'].includes(h.name.toLowerCase())"),
    "of a request": sent("if (h.name === 'Referer') f();"),
    "by an index": listener(
        "onSendHeaders",
        "(d) => { for (let i = 0; i < d.requestHeaders.length; i++) "
        "if (d.requestHeaders[i].name.toLowerCase() === 'cookie') f(); }",
        "['requestHeaders']",
    ),
    "by an index, in a variable": listener(
        "onSendHeaders",
        "(d) => { const all = d.requestHeaders; for (var i = 0, n = all.length; i < n; ++i) "
        "{ var h = all[i]; if (h.name === 'Cookie') f(); } }",
        "['requestHeaders']",
    ),
    "of a request, in a switch": sent("switch (h.name.toLowerCase()) { case 'cookie': f(); }"),
    "in a function with a name": FUNCTION + listener("onCompleted", "f", "['responseHeaders']"),
    "with options in a constant": "const OPTIONS = ['responseHeaders']; " + received(NAMED, "OPTIONS"),
    "with a constant of the API": received(
        NAMED, "[chrome.webRequest.OnHeadersReceivedOptions.RESPONSE_HEADERS]"
    ),
}


@pytest.mark.parametrize("script", HIDDEN.values(), ids=HIDDEN.keys())
def test_name_of_a_hidden_header_is_reported(script: str) -> None:
    assert len(reported(package(script), RULES, "chrome")) == 1
    assert reported(package(script), RULES, "firefox") == []


SEEN = {
    "with the option": received(NAMED, "['responseHeaders', 'extraHeaders']"),
    "with the option, by a constant": received(
        NAMED, "['responseHeaders', chrome.webRequest.OnHeadersReceivedOptions.EXTRA_HEADERS]"
    ),
    "with options that are not known": received(NAMED, "['responseHeaders', ...more()]"),
    "with options for each browser": received(NAMED, "['responseHeaders', EXTRA].filter(Boolean)"),
    "another header": received("h.name.toLowerCase() === 'content-type'"),
    "a header of the other direction": received("h.name.toLowerCase() === 'cookie'"),
    "the value of a header": received("h.value === 'set-cookie'"),
    "a key that is not known": listener(
        "onSendHeaders",
        "(d) => { for (const i in d.requestHeaders) if (d.requestHeaders[i].name === 'cookie') f(); }",
        "['requestHeaders']",
    ),
    "a new header": listener(
        "onHeadersReceived",
        "(d) => ({ responseHeaders: [...d.responseHeaders, { name: 'set-cookie', value: 'a' }] })",
        "['responseHeaders']",
    ),
    "in a listener with the option": FUNCTION
    + listener("onCompleted", "f", "['responseHeaders']")
    + listener("onCompleted", "f", "['responseHeaders', 'extraHeaders']"),
    "for another browser": f"if (navigator.userAgent.includes('Firefox')) {{ {received(NAMED)} }}",
    "in another listener": "chrome.runtime.onMessage.addListener((h) => h.name === 'set-cookie');",
}


@pytest.mark.parametrize("script", SEEN.values(), ids=SEEN.keys())
def test_name_of_a_seen_header_is_not_reported(script: str) -> None:
    assert reported(package(script), RULES, "chrome") == []


def test_message_names_the_option() -> None:
    (finding,) = lint(package(received(NAMED)), RULES, "chrome")
    assert finding.message == (
        "`responseHeaders.name.toLowerCase` in what `webRequest.onHeadersReceived` passes is never "
        "`set-cookie` without the option `extraHeaders`"
    )
