"""The events of a page that come to content scripts, which run at different times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from extlint_judge.browsers.session import Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import ONE, Query, findings

RUN_AT = ("document_start", "document_end", "document_idle")
COMES, MISSED = "comes", "is missed"

_LISTENER = "document.addEventListener('DOMContentLoaded', () => { came = true; });"
_PROBE = """
{
  let came = false;
  %s
  setTimeout(() => { %s }, 1000);
}
"""


def _files(scripts: Mapping[str, str]) -> Files:
    """Returns an extension with a content script for each time."""
    listed = [{"matches": ["http://127.0.0.1/*"], "js": [f"{each}.js"], "run_at": each} for each in scripts]
    return extension(manifest(content_scripts=listed), {f"{each}.js": text for each, text in scripts.items()})


def _ask(session: Session, _: None) -> Any:
    answer = f"came ? '{COMES}' : '{MISSED}'"
    session.load(_files({each: _PROBE % (_LISTENER, session.report(each, answer)) for each in RUN_AT}))
    session.open(session.server.page)
    return session.receive(*RUN_AT)


def _compare(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    for each, answer in answers.items():
        script = f"let came; {_LISTENER}"
        if findings(browser, _files({each: script}), "dead-listener") and answer == COMES:
            yield f"extlint says that DOMContentLoaded never comes to scripts at {each}"


page_events = Query(
    "page-events",
    """Query whether content scripts still hear the page load.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
