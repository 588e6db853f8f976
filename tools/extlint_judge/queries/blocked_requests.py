"""The requests that a content security policy of the manifest blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from extlint_judge.browsers.session import BACKGROUND, InChromium, LoadError, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import Query, contradictions, findings

BLOCKED, SENT, REFUSED = "blocked", "sent", "the policy is refused"

_CASES: Mapping[str, str] = {
    "default-src alone": "default-src 'self'",
    "connect-src": "script-src 'self'; connect-src 'self'",
    "connect-src without script-src": "connect-src 'self'",
    "another host": "default-src 'none'; script-src 'self'; connect-src https://other.invalid",
    "the host": "default-src 'self'; connect-src https://judge.invalid wss://judge.invalid",
    "hosts below": "script-src 'self'; connect-src https://*.invalid wss://*.invalid",
    "everything": "default-src 'self'; connect-src *",
    "other directives": "script-src 'self'; img-src 'self'",
}
_CALLS = {
    "fetch": 'fetch("https://judge.invalid/fetched")',
    "EventSource": 'new EventSource("https://judge.invalid/events")',
    "WebSocket": 'new WebSocket("wss://judge.invalid/socket")',
}
_SCRIPT = """
const blocked = [];
(globalThis.document ?? globalThis).addEventListener("securitypolicyviolation", (event) => {
  blocked.push(event.blockedURI);
});
chrome.runtime.onMessage.addListener((message, sender, respond) => {
  for (const call of [%s]) try { call()?.catch?.(() => {}); } catch {}
  setTimeout(() => respond(blocked), 500);
  return true;
});
"""
_HOSTS = ["http://127.0.0.1/*"]


def _files(browser: str, policy: str, script: str, content: str = "") -> Files:
    is_worker = browser == InChromium.browser
    keys = manifest(
        background={"service_worker": BACKGROUND} if is_worker else {"scripts": [BACKGROUND]},
        content_security_policy={"extension_pages": policy},
        content_scripts=[{"matches": _HOSTS, "js": ["content.js"]}],
        host_permissions=_HOSTS,
    )
    return extension(keys, {BACKGROUND: script, "content.js": content})


def _ask(session: Session, policy: str) -> dict[str, str]:
    """Returns whether each request is blocked, through a content script, which the policy does not bind."""
    calls = ", ".join(f"() => {call}" for call in _CALLS.values())
    reporting = session.report("judge", "answer ?? []")
    content = f"chrome.runtime.sendMessage('judge', (answer) => {{ {reporting}; }});"
    try:
        session.load(_files(session.browser, policy, _SCRIPT % calls, content))
    except LoadError:
        return dict.fromkeys(_CALLS, REFUSED)
    session.open(session.server.page)
    found = json.dumps(session.receive("judge")["judge"])
    return {
        name: BLOCKED if call.partition(".invalid")[2].split('"')[0] in found else SENT
        for name, call in _CALLS.items()
    }


def _compare(browser: str, policy: str, answers: Mapping[str, str]) -> Iterator[str]:
    reported = [
        name
        for name, call in _CALLS.items()
        if findings(browser, _files(browser, policy, call), "blocked-request")
    ]
    yield from contradictions(reported, {name: each == BLOCKED for name, each in answers.items()}, "is sent")


blocked_requests = Query(
    "blocked-requests",
    """Query which requests of the background its policy blocks.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: _CASES,
    _ask,
    _compare,
)
