"""The listeners whose answer never comes, or is not taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler

from extlint_judge.browsers.http_server import PAGE as DOCUMENT
from extlint_judge.browsers.http_server import respond
from extlint_judge.browsers.session import BACKGROUND, PAGE, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import FAILS, ONE, Query, contradictions, findings

MESSAGES: Mapping[str, str] = {
    "a message, nothing returned": "(message) => { heard(message); }",
    "a message, `true` returned": "(message) => { heard(message); return true; }",
    "a message, `true` returned and a response": (
        "(message, sender, respond) => { heard(message); respond(1); return true; }"
    ),
}
LOGINS: Mapping[str, str] = {
    "a login, an object returned": "() => ({ authCredentials: { username: 'a', password: 'b' } })",
    "a login, a promise returned": "async () => ({ authCredentials: { username: 'a', password: 'b' } })",
}
WORKS = "works"

_HOSTS = ["http://127.0.0.1/*"]
_ADD_LISTENER = {
    **{name: f"chrome.runtime.onMessage.addListener({code});" for name, code in MESSAGES.items()},
    **{
        name: f"chrome.webRequest.onAuthRequired.addListener({code}, {{ urls: {_HOSTS} }}, ['blocking']);"
        for name, code in LOGINS.items()
    },
}
_HEARD = "const heard = (message) => { console.log(message); };\n"
_SEND = """
(globalThis.browser ?? chrome).runtime.sendMessage("judge").then(
  () => "%s", (error) => `%s${error.message}`
).then((found) => { %s; });
"""


def _files(script: str, page: str = "") -> Files:
    keys = manifest(
        permissions=["webRequest", "webRequestAuthProvider", "webRequestBlocking"],
        host_permissions=_HOSTS,
        background={"service_worker": BACKGROUND, "scripts": [BACKGROUND]},
        options_ui={"page": PAGE, "open_in_tab": True},
    )
    html = "<!doctype html><script src='page.js'></script>"
    return extension(keys, {BACKGROUND: script, PAGE: html, "page.js": page})


def _require_login(request: BaseHTTPRequestHandler) -> None:
    if "Authorization" in request.headers:
        respond(request, DOCUMENT)
        return
    request.send_response(401)
    request.send_header("WWW-Authenticate", f'Basic realm="{request.path}"')
    request.send_header("Content-Length", "0")
    request.end_headers()


def _ask(session: Session, _: None) -> dict[str, str]:
    """Returns what the sender of each message gets, and whether each request is logged in.

    The background ends after the message, as it does when nothing happens. The listener has returned by then:
    the sender of a listener that ends earlier gets undefined.
    """
    found = {}
    for name in MESSAGES:
        page = _SEND % (WORKS, FAILS, session.report("judge", "found"))
        heard = (
            f"const heard = (message) => setTimeout(() => {{ {session.report('heard', 'message')}; }}, 100);"
        )
        session.load(_files(f"{heard}\n{_ADD_LISTENER[name]}", page))
        session.open(PAGE)
        received = session.receive("heard")
        session.end_background()
        received |= {} if "judge" in received else session.receive("judge")
        found[name] = received["judge"]
    for number, name in enumerate(LOGINS):
        path = f"/judge{number}/login"  # browsers remember the login for a folder
        session.server.routes[path] = _require_login
        fetching = f"fetch('{session.server.address(path)}').then(({{ status }}) => status, () => 0)"
        told = f"{fetching}.then((status) => {{ {session.report('judge', 'status')}; }});"
        session.load(_files(f"{_ADD_LISTENER[name]}\nsetTimeout(() => {told.rstrip(';')}, 500);"))
        status = session.receive("judge")["judge"]
        found[name] = WORKS if status == 200 else f"{FAILS}{status}"
    return found


def _compare(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    page = "chrome.runtime.sendMessage('judge', (found) => console.log(found));"
    reported = [
        name
        for name in answers
        if findings(browser, _files(_HEARD + _ADD_LISTENER[name], page), "lost-response")
    ]
    yield from contradictions(reported, {name: answer != WORKS for name, answer in answers.items()})


missing_answers = Query(
    "missing-answers",
    """Query which answers of listeners never come.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
