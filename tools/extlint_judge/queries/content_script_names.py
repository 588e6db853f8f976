"""The names of content scripts that browsers run."""

from __future__ import annotations

from collections.abc import Iterator

from extlint_judge.browsers.processes import BrowserError
from extlint_judge.browsers.session import Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import Query, findings

RUN, NOT_RUN = "run", "no script of the list runs"

NAMES = ("a.js", "a.JS", "a.mjs", "a.cjs", "a.css", "a.html", "a.json", "a.txt", "a.js.map")
_WAIT = 5.0


def _files(name: str, report: str) -> Files:
    entry = {"matches": ["<all_urls>"], "js": ["first.js", name, "last.js"]}
    scripts = {"first.js": "globalThis.first = 1;", name: "globalThis.second = 1;", "last.js": report}
    return extension(manifest(host_permissions=["<all_urls>"], content_scripts=[entry]), scripts)


def _ask(session: Session, name: str) -> str:
    session.load(_files(name, session.report(name, "true")))
    session.open(session.server.address("/page.html"))
    try:
        session.server.receive_from([name], timeout=_WAIT)
    except BrowserError:
        return NOT_RUN
    return RUN


def _compare(browser: str, name: str, answer: str) -> Iterator[str]:
    if bool(findings(browser, _files(name, "1;"), "invalid-value")) is (answer == RUN):
        yield f"extlint says that {'no script runs' if answer == RUN else 'the scripts run'}"


content_script_names = Query(
    "content-script-names",
    """Query the names of files that run as content scripts.

    The exit code is 1 if extlint reports different ones.
    """,
    lambda _: {name: name for name in NAMES},
    _ask,
    _compare,
)
