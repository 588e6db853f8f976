"""The access of content scripts to `storage.session`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from extlint_judge.browsers.session import BACKGROUND, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import Query, answers_of, contradictions, findings

CALLS = ("clear()", "get('a')", "getBytesInUse('a')", "remove('a')", "set({a: 1})")
OPENING = "chrome.storage.session.setAccessLevel({accessLevel: 'TRUSTED_AND_UNTRUSTED_CONTEXTS'})"


def _files(browser: str, content: str, background: str) -> Files:
    """Returns an extension with a content script and a background."""
    keys = manifest(
        permissions=["storage"],
        background={"service_worker": BACKGROUND} if browser == "chromium" else {"scripts": [BACKGROUND]},
        content_scripts=[{"matches": ["http://127.0.0.1/*"], "js": ["content.js"]}],
    )
    return extension(keys, {"content.js": content, BACKGROUND: background})


def _cases(browser: str) -> Mapping[str, str]:
    """Returns how a background opens the storage area, or not. Firefox has no call that does."""
    return {"closed": "", "open": OPENING} if browser == "chromium" else {"closed": ""}


def _ask(session: Session, opening: str) -> Any:
    calls = answers_of({each: f"api.storage.session.{each}" for each in CALLS}, "'works'")
    content = f"{calls}.then((found) => {session.report('content', 'found')})"
    opened = f"Promise.resolve({opening}).then(() => {session.report('background', '1')})"
    session.load(_files(session.browser, content, opened))
    session.receive("background")
    session.open(session.server.page)
    return session.receive("content")["content"]


def _compare(browser: str, opening: str, answers: Mapping[str, str]) -> Iterator[str]:
    files = _files(browser, "\n".join(f"chrome.storage.session.{each};" for each in CALLS), opening)
    found = findings(browser, files, "wrong-context")
    reported = {each.span.start.line for each in found if each.path == "content.js"}
    fails = {name: answer != "works" for name, answer in answers.items()}
    yield from contradictions((name for line, name in enumerate(CALLS, 1) if line in reported), fails)


session_access = Query(
    "session-access",
    """Query what content scripts may do with `storage.session`.

    The exit code is 1 if extlint disagrees.
    """,
    _cases,
    _ask,
    _compare,
)
