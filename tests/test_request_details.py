"""Reads of headers and bodies of requests that no listener asks for."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULE = "unknown-result-field"
SENDING = "chrome.webRequest.onSendHeaders.addListener"
BEFORE = "chrome.webRequest.onBeforeRequest.addListener"
FILTER = "{ urls: ['<all_urls>'] }"


def files(source: str) -> dict[str, str]:
    keys = {"background": {"service_worker": "b.js"}, "permissions": ["webRequest"]}
    return {"manifest.json": manifest(**keys, host_permissions=["<all_urls>"]), "b.js": source}


REPORTED = {
    "no options": (f"{SENDING}((it) => f(it.requestHeaders[0]), {FILTER})", "requestHeaders"),
    "a pattern": (f"{SENDING}(({{ requestHeaders }}) => f(requestHeaders), {FILTER})", "requestHeaders"),
    "other options": (
        f"{SENDING}((it) => f(it.requestHeaders), {FILTER}, ['extraHeaders'])",
        "requestHeaders",
    ),
    "a body": (f"{BEFORE}((it) => f(it.requestBody.formData), {FILTER})", "requestBody"),
    "a constant": (
        f"const options = []; {BEFORE}((it) => f(it.requestBody), {FILTER}, options)",
        "requestBody",
    ),
    "a named listener": (f"function g(it) {{ f(it.requestBody.raw) }} {BEFORE}(g, {FILTER})", "requestBody"),
    "another listener asks": (
        f"{BEFORE}((it) => f(it.requestBody), {FILTER}); {BEFORE}((it) => f(it), {FILTER}, ['requestBody'])",
        "requestBody",
    ),
    "an answer": (
        f"chrome.webRequest.onCompleted.addListener((it) => f(it.responseHeaders.length), {FILTER})",
        "responseHeaders",
    ),
}


@pytest.mark.parametrize(("source", "name"), REPORTED.values(), ids=REPORTED.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_reported(source: str, name: str, target: str) -> None:
    assert reported(files(source), [RULE], target) == [(RULE, name)]


SILENT = {
    "the listener asks": f"{SENDING}((it) => f(it.requestHeaders[0]), {FILTER}, ['requestHeaders'])",
    "unknown options": f"{SENDING}((it) => f(it.requestHeaders[0]), {FILTER}, options)",
    "an unknown option": f"{SENDING}((it) => f(it.requestHeaders[0]), {FILTER}, [option])",
    "unknown arguments": f"{SENDING}((it) => f(it.requestHeaders[0]), ...rest)",
    "the constant of Chrome": f"{SENDING}((it) => f(it.requestHeaders), {FILTER}, "
    "[chrome.webRequest.OnSendHeadersOptions.REQUEST_HEADERS])",
    "a test": f"{BEFORE}((it) => {{ if (it.requestBody) f(it.requestBody.raw) }}, {FILTER})",
    "a chain": f"{BEFORE}((it) => f(it.requestBody?.raw), {FILTER})",
    "a fallback": f"{SENDING}((it) => f(it.requestHeaders ?? []), {FILTER})",
    "the code adds it": f"{SENDING}((it) => {{ it.requestHeaders = []; f(it.requestHeaders) }}, {FILTER})",
    "one of two calls asks": f"function g(it) {{ f(it.requestBody) }} {BEFORE}(g, {FILTER}); "
    f"{BEFORE}(g, {FILTER}, ['requestBody'])",
    "one of two events": f"function g(it) {{ f(it.requestHeaders) }} {SENDING}(g, {FILTER}); "
    f"chrome.webRequest.onBeforeSendHeaders.addListener(g, {FILTER}, ['requestHeaders'])",
    "another field": f"{BEFORE}((it) => f(it.url), {FILTER})",
}


@pytest.mark.parametrize("source", SILENT.values(), ids=SILENT.keys())
def test_silent(source: str) -> None:
    assert reported(files(source), [RULE], "chrome") == []


def test_message() -> None:
    [found] = lint(files(f"{BEFORE}((it) => f(it.requestBody.raw), {FILTER})"), [RULE], "chrome")
    assert (
        found.message
        == "`requestBody` is undefined, as no listener of `webRequest.onBeforeRequest` asks for it"
    )
    assert found.help == "pass `['requestBody']` as the third argument of `addListener`"
