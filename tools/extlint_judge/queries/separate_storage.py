"""The view that content scripts and pages of an extension have of each other's `localStorage`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from extlint_judge.browsers.session import PAGE, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import ONE, Query, findings

_SCRIPTS = {
    "page.js": "localStorage.setItem('page', '1'); const seen = localStorage.getItem('content');",
    "content.js": "localStorage.setItem('content', '1'); const seen = localStorage.getItem('page');",
}


def _files(scripts: Mapping[str, str]) -> Files:
    keys = manifest(
        options_ui={"page": PAGE, "open_in_tab": True},
        content_scripts=[{"matches": ["http://127.0.0.1/*"], "js": ["content.js"]}],
    )
    return extension(keys, {PAGE: "<!doctype html><script src='page.js'></script>", **scripts})


def _ask(session: Session, _: None) -> dict[str, Any]:
    """Returns the value that each side reads after the other has stored it."""
    reports = {path: f"{code}\n{session.report(path, 'seen')};" for path, code in _SCRIPTS.items()}
    session.load(_files(reports))
    found: dict[str, Any] = {}
    for path, page in (("page.js", PAGE), ("content.js", session.server.page), ("page.js", PAGE)):
        session.open(page)
        found |= session.receive(path)
    return found


def _compare(browser: str, _: None, answers: Mapping[str, Any]) -> Iterator[str]:
    reported = {each.path for each in findings(browser, _files(_SCRIPTS), "unshared-storage")}
    for path, value in answers.items():
        if (value is None) is not (path in reported):
            yield f"{path}: extlint says that the value is {'missing' if path in reported else 'there'}"


separate_storage = Query(
    "separate-storage",
    """Query what two origins see of each other's localStorage.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
