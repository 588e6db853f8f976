"""The values that survive being sent, stored, and passed to and from injected functions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from extlint_judge.browsers.session import Session
from extlint_judge.extensions import Files, Manifest, extension, manifest
from extlint_judge.query import FAILS, Query, contradictions, findings

COPIES = Path(__file__).with_name("serialization.js").read_text(encoding="utf-8")

VALUES: Mapping[str, str] = {
    **{
        name: f"new {name}({arguments})"
        for name, arguments in {
            "Blob": "['x']",
            "File": "['x'], 'a.txt'",
            "Map": "[['a', 1]]",
            "Set": "['a']",
            "WeakMap": "",
            "WeakRef": "{}",
            "WeakSet": "",
            "Date": "0",
            "RegExp": "'a'",
            "Error": "'a'",
            "TypeError": "'a'",
            "URL": "'https://a.example/'",
            "URLSearchParams": "'a=b'",
            "FormData": "",
            "Headers": "",
            "Request": "'https://a.example/'",
            "Response": "'a'",
            "ArrayBuffer": "2",
            "DataView": "new ArrayBuffer(2)",
            "Uint8Array": "[1, 2]",
            "Float64Array": "[1, 2]",
        }.items()
    },
    "a promise": "Promise.resolve(1)",
    "a proxy": "new Proxy({ a: 1 }, {})",
    "a function": "() => 1",
    "an async function": "async () => 1",
    "a symbol": "Symbol('a')",
    "an element": "document.createElement('p')",
    "the body": "document.body",
    "a list of elements": "document.querySelectorAll('*')",
    "an array": "[1, null]",
    "an object": "{ a: { b: 'c' } }",
    "a string": "'a'",
    "null": "null",
}
"""Values, as JavaScript in a page."""

WAYS: Mapping[str, str] = {
    "sendMessage": "runtime.sendMessage({ it: %s });",
    "postMessage": "runtime.connect().postMessage({ it: %s });",
    "local": "storage.local.set({ it: %s });",
    "session": "storage.session.set({ it: %s });",
    "sync": "storage.sync.set({ it: %s });",
    "args": "scripting.executeScript({ target: { tabId: 1 }, func: it, args: [%s] });",
    "result": "scripting.executeScript({ target: { tabId: 1 }, func: () => (%s) }, (given) => it(given));",
}
"""The calls that copy a value in each way, below a root of the API."""

_UNKNOWN = ("a proxy, args", "a proxy, result")
"""Copies that extlint does not check: the target of a proxy is unknown."""

_PERMISSIONS = ("scripting", "storage", "tabs")
_HOST = "http://127.0.0.1/*"
CLONING = "structured clone"


def _cases(browser: str) -> Mapping[str, Manifest]:
    if browser == "firefox":  # in Manifest V3 a user may withdraw hosts from an add-on
        return {"": manifest(2, permissions=[*_PERMISSIONS, _HOST])}
    keys = manifest(permissions=_PERMISSIONS, host_permissions=[_HOST])
    return {"": keys, CLONING: {**keys, "message_serialization": "structured_clone"}}


def _files(keys: Manifest, script: str) -> Files:
    page = "<!doctype html><iframe src='frame.html'></iframe><script src='page.js'></script>"
    frame = "<!doctype html><script src='frame.js'></script>"
    own = {
        "page.html": page,
        "page.js": script,
        "frame.html": frame,
        "frame.js": f"{COPIES}tellWhatArrives();",
    }
    return extension(keys, own)


def _ask(session: Session, keys: Manifest) -> Any:
    values = ", ".join(f"{json.dumps(name)}: () => ({value})" for name, value in VALUES.items())
    return session.evaluate(
        _files(keys, COPIES), f"copies({{ {values} }}, {json.dumps(session.server.page)})"
    )


def _is_lost(name: str, answer: str) -> bool:
    """Whether an answer shows that a value was refused, left out, or arrived without its content."""
    return answer.startswith(FAILS) or answer in ("{}", "left out") or (answer == "null" and name != "null")


def _compare(browser: str, keys: Manifest, answers: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    root = "browser" if browser == "firefox" else "chrome"
    asked = [(name, way) for name in answers for way in answers[name]]
    lines = [f"{root}.{WAYS[way] % VALUES[name]}" for name, way in asked]
    found = findings(
        browser, _files({**keys, "options_ui": {"page": "page.html"}}, "\n".join(lines)), "invalid-argument"
    )
    reported = {each.span.start.line for each in found if each.path == "page.js"}
    lost = {
        place: _is_lost(name, answers[name][way])
        for name, way in asked
        if (place := f"{name}, {way}") not in _UNKNOWN
    }
    yield from contradictions((", ".join(asked[line - 1]) for line in reported), lost, "arrives")


serialization = Query(
    "serialization",
    """Query which values survive messages, storage and injection.

    The exit code is 1 if extlint disagrees.
    """,
    _cases,
    _ask,
    _compare,
)
