"""The headers and bodies of requests that listeners get only if they ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.checks.calls.result_values import FIELDS
from extlint_judge.browsers.http_server import PAGE, respond
from extlint_judge.browsers.session import Session
from extlint_judge.queries.hidden_headers import files_of_listeners
from extlint_judge.query import ONE, Query, contradictions, findings

ASKING = {"with the option": True, "without it": False}
EVENTS = [each for each in FIELDS if each not in {"onAuthRequired", "onBeforeRedirect"}]
"""The events that a request for a page of the server causes."""

_ADDRESS = "/details"
_LISTENER = """
chrome.webRequest.%s.addListener((details) => {
  if (details.method === "PUT" && details.url.endsWith("%s")) %s;
}, { urls: ["http://127.0.0.1/*"] }%s);
"""
_READING = "chrome.webRequest.%s.addListener((it) => f(it.%s), { urls: ['http://127.0.0.1/*'] }%s);"


def _option(event: str, *, is_asked_for: bool) -> str:
    return f", ['{FIELDS[event]}']" if is_asked_for else ""


def _ask(session: Session, _: None) -> dict[str, str]:
    """Returns whether the details of each event have the field."""
    session.server.routes[_ADDRESS] = lambda request: respond(request, PAGE)
    script = f"chrome.tabs.create({{ url: '{session.server.page}' }});"
    for name, is_asked_for in ASKING.items():
        for event in EVENTS:
            seen = session.report(f"{event} {name}", f"typeof details.{FIELDS[event]}")
            option = _option(event, is_asked_for=is_asked_for)
            script += _LISTENER % (event, _ADDRESS, seen, option)
    content = f"if (location.pathname === '/page.html') fetch('{_ADDRESS}', {{ method: 'PUT', body: 'x' }});"
    session.load(files_of_listeners(script, content))
    names = [f"{event} {name}" for name in ASKING for event in EVENTS]
    return {name: str(found) for name, found in session.receive(*names).items()}


def _compare(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    reported = set()
    for name, is_asked_for in ASKING.items():
        for event in EVENTS:
            source = _READING % (event, FIELDS[event], _option(event, is_asked_for=is_asked_for))
            if findings(browser, files_of_listeners(source), "unknown-result-field"):
                reported.add(f"{event} {name}")
    missing = {name: each == "undefined" for name, each in answers.items()}
    yield from contradictions(reported, missing, "is there")


unrequested_details = Query(
    "unrequested-details",
    """Query which details of requests come without an option.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
