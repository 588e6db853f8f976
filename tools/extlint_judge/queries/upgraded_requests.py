"""The requests of Firefox that its policy changes from HTTP to HTTPS."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from extlint_judge.browsers.session import BACKGROUND, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import Query, contradictions, findings

KEPT, UPGRADED = "kept", "upgraded"

_OWN = "script-src 'self'"
_CASES: Mapping[str, tuple[int, str | None]] = {
    "version 3": (3, None),
    "version 3 with a policy": (3, _OWN),
    "version 3 with an upgrade": (3, f"{_OWN}; upgrade-insecure-requests"),
    "version 2": (2, None),
}
_ADDRESSES: Mapping[str, tuple[str, str]] = {
    "a name": ("fetch", "http://judge.invalid/name"),
    "an address in the local network": ("fetch", "http://192.168.7.230:8096/network"),
    "127.0.0.1": ("fetch", "http://127.0.0.1:9001/own"),
    "a name below localhost": ("fetch", "http://judge.localhost:9001/localhost"),
    "EventSource": ("new EventSource", "http://judge.invalid/events"),
    "WebSocket": ("new WebSocket", "ws://judge.invalid/socket"),
}
_CALLS = {name: f"{call}({json.dumps(address)})" for name, (call, address) in _ADDRESSES.items()}
_SCRIPT = """
const seen = [];
browser.webRequest.onBeforeRequest.addListener(({ url }) => { seen.push(url); }, { urls: ["<all_urls>"] });
const settle = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
(async () => {
  await settle(500);
  for (const call of [%s]) try { call()?.catch?.(() => {}); } catch {}
  await settle(2500);
  %s;
})();
"""


def _files(case: tuple[int, str | None], script: str) -> Files:
    version, policy = case
    keys: dict[str, Any] = {} if policy is None else {"content_security_policy": {"extension_pages": policy}}
    hosts: dict[str, Any] = {"host_permissions": ["<all_urls>"]} if version == 3 else {}
    permissions = ["webRequest"] if version == 3 else ["webRequest", "<all_urls>"]
    background = {"scripts": [BACKGROUND]}
    listed = manifest(version, permissions=permissions, background=background, **hosts, **keys)
    return extension(listed, {BACKGROUND: script})


def _ask(session: Session, case: tuple[int, str | None]) -> dict[str, str]:
    """Returns whether each request is changed."""
    calls = ", ".join(f"() => {call}" for call in _CALLS.values())
    session.load(_files(case, _SCRIPT % (calls, session.report("judge", "seen"))))
    found: list[str] = session.receive("judge")["judge"]
    seen = [each.partition(":")[2] for each in found if each.startswith(("https:", "wss:"))]
    return {
        name: UPGRADED if address.partition(":")[2] in seen else KEPT
        for name, (_, address) in _ADDRESSES.items()
    }


def _compare(browser: str, case: tuple[int, str | None], answers: Mapping[str, str]) -> Iterator[str]:
    reported = [
        name for name, call in _CALLS.items() if findings(browser, _files(case, call), "upgraded-request")
    ]
    changed = {name: answer == UPGRADED for name, answer in answers.items()}
    yield from contradictions(reported, changed, "is kept")


upgraded_requests = Query(
    "upgraded-requests",
    """Query which requests the policy of Firefox changes to HTTPS.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: _CASES,
    _ask,
    _compare,
    ("firefox",),
)
