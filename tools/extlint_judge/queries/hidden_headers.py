"""The headers that Chrome hides from listeners to requests without the option `extraHeaders`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint_judge.browsers.http_server import PAGE, respond
from extlint_judge.browsers.session import BACKGROUND, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import ONE, Query, contradictions, findings

_SENT = ("accept", "accept-encoding", "accept-language", "cookie", "origin", "referer", "user-agent")
_RECEIVED = ("content-type", "set-cookie")
EVENTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "onBeforeSendHeaders": ("requestHeaders", _SENT),
    "onSendHeaders": ("requestHeaders", _SENT),
    "onHeadersReceived": ("responseHeaders", _RECEIVED),
    "onResponseStarted": ("responseHeaders", _RECEIVED),
    "onCompleted": ("responseHeaders", _RECEIVED),
}
"""The events about headers, each with the field that has them, and the names that are looked for."""

_METHODS = {"requestHeaders": "PUT", "responseHeaders": "GET"}
"""The methods of the requests that are examined: only the server's answer to the second has a cookie."""

SEEN, HIDDEN = "seen", "hidden"
_ADDRESS = "/headers"
_LISTENER = """
chrome.webRequest.%s.addListener((details) => {
  if (details.method !== "%s" || !details.url.endsWith("%s")) return;
  const names = details.%s.map((header) => header.name.toLowerCase());
  %s;
}, { urls: ["http://127.0.0.1/*"] }, ["%s"]);
"""
_COMPARING = """
chrome.webRequest.%s.addListener((details) => {
  for (const header of details.%s) if (header.name.toLowerCase() === "%s") console.log(header);
}, { urls: ["http://127.0.0.1/*"] }, ["%s"]);
"""


def files_of_listeners(script: str, content: str = "") -> Files:
    """Returns an extension with a background that listens to requests, and a content script."""
    hosts = ["http://127.0.0.1/*"]
    keys = manifest(
        permissions=["webRequest"],
        host_permissions=hosts,
        background={"service_worker": BACKGROUND, "scripts": [BACKGROUND]},
        content_scripts=[{"matches": hosts, "js": ["content.js"]}],
    )
    return extension(keys, {BACKGROUND: script, "content.js": content})


def _ask(session: Session, _: None) -> dict[str, str]:
    """Returns whether a listener without the option gets each header of a request that has it."""
    cookie = {"Set_Cookie": "judge=1"}
    session.server.routes[_ADDRESS] = lambda request: respond(request, PAGE, **cookie)
    script = "".join(
        _LISTENER % (event, _METHODS[field], _ADDRESS, field, session.report(event, "names"), field)
        for event, (field, _) in EVENTS.items()
    )
    script += f"chrome.tabs.create({{ url: '{session.server.page}' }});"
    posting = "document.cookie = 'judge=1';"
    posting += "".join(f"fetch('{_ADDRESS}', {{ method: '{each}' }});" for each in _METHODS.values())
    session.load(files_of_listeners(script, f"if (location.pathname === '/page.html') {{ {posting} }}"))
    found = session.receive(*EVENTS)
    return {
        f"{name} in {event}": SEEN if name in found[event] else HIDDEN
        for event, (_, names) in EVENTS.items()
        for name in names
    }


def _compare(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    reported = set()
    for event, (field, names) in EVENTS.items():
        for name in names:
            if findings(
                browser, files_of_listeners(_COMPARING % (event, field, name, field)), "impossible-comparison"
            ):
                reported.add(f"{name} in {event}")
    yield from contradictions(reported, {name: each == HIDDEN for name, each in answers.items()}, "is seen")


hidden_headers = Query(
    "hidden-headers",
    """Query which headers listeners get without extraHeaders.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
