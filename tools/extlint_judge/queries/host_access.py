"""The operations on a tab and a site that an extension may perform, depending on the manifest's requests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from extlint_judge.browsers.http_server import PAGE, respond
from extlint_judge.browsers.session import BACKGROUND, InChromium, Session
from extlint_judge.browsers.session import PAGE as OWN_PAGE
from extlint_judge.extensions import VERSIONS, Manifest, extension, manifest
from extlint_judge.query import FAILS, Query, findings

PROBE = Path(__file__).with_name("host_access.js").read_text(encoding="utf-8")

_SITE = "http://127.0.0.1/*"

REQUESTS: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "activeTab, without a gesture": {"permissions": ["activeTab"]},
    "tabs": {"permissions": ["tabs"]},
    "the site": {"hosts": [_SITE]},
    "another site": {"hosts": ["https://example.com/*"]},
    "every site": {"hosts": ["*://*/*"]},
    "all addresses": {"hosts": ["<all_urls>"]},
    "a content script on the site": {
        "content_scripts": [{"matches": [_SITE], "js": ["content.js"], "run_at": "document_start"}]
    },
}
"""The requests of a manifest, by name; `hosts` represents the key for hosts of its version."""


def _cases(browser: str) -> Mapping[str, Manifest]:
    return {
        f"{version}, {name}": _manifest(version, REQUESTS[name])
        for version in VERSIONS[browser]
        for name in REQUESTS
    }


def _manifest(version: int, requests: Mapping[str, Any]) -> Manifest:
    """Returns the manifest of an extension with these requests."""
    general = ["cookies", "downloads", "history", "identity", "webNavigation"]
    general += ["scripting"] if version == 3 else []
    permissions = [*requests.get("permissions", ()), *general]
    hosts = requests.get("hosts", [])
    return manifest(
        version,
        **{key: value for key, value in requests.items() if key == "content_scripts"},
        **({"host_permissions": hosts} if version == 3 and hosts else {}),
        permissions=[*permissions, *(hosts if version == 2 else ())],
    )


def _with_cookie(request: BaseHTTPRequestHandler) -> None:
    respond(request, PAGE, Set_Cookie="judge=1")


def _closed(request: BaseHTTPRequestHandler) -> None:
    respond(request, PAGE, Access_Control_Allow_Origin="https://example.com")


def _redirect(request: BaseHTTPRequestHandler) -> None:
    to = parse_qs(urlsplit(request.path).query)["to"][0]
    respond(request, f"<script>location = {json.dumps(to)}</script>".encode())


def _with_titles(request: BaseHTTPRequestHandler) -> None:
    respond(request, _TITLES)


def _ask(session: Session, keys: Manifest) -> Any:
    server = session.server
    server.routes |= {"/page.html": _with_cookie, "/closed.html": _closed}
    server.routes |= {"/redirect.html": _redirect, "/titles.html": _with_titles}
    content = "(globalThis.browser ?? chrome).runtime.sendMessage('page').catch(() => {});"
    page = "<!doctype html><title>own</title><script src='own.js'></script>"
    files = extension(keys, {"own.html": page, "content.js": content})
    others = ("/closed.html", "/redirect.html", "/titles.html")
    arguments = ", ".join(map(json.dumps, (server.page, *map(server.address, others))))
    found = session.evaluate(files, f"({PROBE})({arguments})", "own.html")
    return {**found, _CLICKED: _ask_for_click(session, keys)}


def _ask_for_click(session: Session, keys: Manifest) -> str:
    """Returns the type of the address of the tab with an empty page in which the button is clicked."""
    button = "action" if keys["manifest_version"] == 3 else "browser_action"
    is_worker = isinstance(session, InChromium)
    background = {"service_worker": BACKGROUND} if is_worker else {"scripts": [BACKGROUND]}
    listener = f"(tab) => {{ {session.report('click', 'typeof tab.url')}; }}"
    event = f"chrome.{button.replace('_a', 'A')}.onClicked"
    script = f"{event}.addListener({listener}); {session.report('ready', '1')};"
    files = {BACKGROUND: script, "content.js": "", OWN_PAGE: "<!doctype html>"}
    session.load(extension({**keys, button: {}, "background": background}, files))
    if isinstance(session, InChromium):
        session.value("chrome.tabs.create({}).then(() => 1)", OWN_PAGE)
    session.receive("ready")
    session.trigger_action()
    found: str = session.receive("click")["click"]
    return found


_TITLES = b"""<!doctype html><title>0</title><script>
  for (const each of [1, 2, 3]) setTimeout(() => document.title = each, 900 + each * 300);
</script>"""
_CLICKED = "address of the tab of a click"
_USES = {
    "fields of its tab": "api.tabs.get(1).then((tab) => f(tab.url));",
    "fields of a new tab": "api.tabs.onUpdated.addListener((id, change, tab) => f(tab.url.length));",
    "query by its url": "api.tabs.query({url: 'http://127.0.0.1/*'}).then(f);",
    "executeScript": "{ const tabId = 1; INJECT }",
    "executeScript in a new tab": "api.webNavigation.onCompleted.addListener(({ tabId }) => { INJECT });",
    "captureVisibleTab": "api.tabs.captureVisibleTab().then(f);",
    "cookies.get": "api.cookies.get({url: 'http://127.0.0.1/', name: 'judge'}).then(f);",
}
"""The operations that extlint checks, each as one line of code."""

_INJECT = {
    2: "api.tabs.executeScript(tabId, {file: 'content.js'});",
    3: "api.scripting.executeScript({target: {tabId}, files: ['content.js']});",
}
_RULES = ("missing-host-permission", "missing-permission", "missing-value", "unhandled-error")
_REFUSALS = ("0 tabs", "none")


def _compare(browser: str, keys: Manifest, answers: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each operation that the browser allows and extlint reports.

    extlint does not report anything if the manifest requests something that may suffice.
    """
    api = "browser" if browser == "firefox" else "chrome"
    uses = (line.replace("INJECT", _INJECT[keys["manifest_version"]]) for line in _USES.values())
    background = {"scripts": ["uses.js"]} if browser == "firefox" else {"service_worker": "uses.js"}
    script = "\n".join(line.replace("api.", f"{api}.") for line in uses)
    files = extension({**keys, "background": background}, {"uses.js": script, "content.js": ""})
    found = findings(browser, files, *_RULES)
    at = {each.span.start.line for each in found}
    for number, what in enumerate(_USES, 1):
        answer = answers.get(what, FAILS)
        if number in at and answer not in _REFUSALS and not answer.startswith(FAILS):
            own = f"there are no {what}" if what.startswith("fields") else f"{what} fails"
            yield f"extlint says that {own}"


host_access = Query(
    "host-access",
    """Query what an extension may do with a tab and a site.

    They depend on the permissions and hosts that the manifest requests.

    The exit code is 1 if extlint reports something that the browser allows.
    """,
    _cases,
    _ask,
    _compare,
)
