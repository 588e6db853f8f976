"""The strings that calls accept for the formats of their arguments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from extlint.schema.engine import Engine
from extlint.schema.matching.scalars import argument_verdict
from extlint.text.formats.registry import Problem
from extlint_judge.browsers.processes import ENGINES
from extlint_judge.browsers.session import Session
from extlint_judge.extensions import extension, manifest
from extlint_judge.query import Query

CALLS: Mapping[str, str] = {
    "canonicalDomain": "declarativeNetRequest.updateSessionRules("
    "{addRules: [{id: 1, condition: {requestDomains: [@]}, action: {type: 'block'}}]})",
    "date": "browsingData.remove({since: @}, {cookies: false})",
    "hostname": "browsingData.remove({hostnames: [@]}, {cookies: false})",
    "imageDataOrStrictRelativeUrl": "theme.update({images: {theme_frame: @}})",
    "strictRelativeUrl": "scripting.registerContentScripts([{id: 'a', matches: ['*://a/*'], js: [@]}])",
    "url": "bookmarks.search({url: @})",
}
"""For each format, a call with an argument `@` of that format, without lasting effects."""

IN_CHROMIUM = ("strictRelativeUrl", "url")
"""The formats whose calls also exist in Chromium."""

_HOSTS = (
    *("a.example", "localhost", "127.0.0.1", "[::1]", "xn--bcher-kva.example", ""),
    *("A.example", "a.example:80", "a.example:8080", "*.a.example", "a b", "bücher.example", "1.2.3", "a/"),
)
_ADDRESSES = (
    *("https://a.example/", "about:blank", "mailto:a@b.example", "https://bücher.example/", "page.html", ""),
    *(
        "http://",
        "https://a b.example/",
        "http://a:99999/",
        "javascript:1",
        "data:text/plain,a",
        "chrome://a/",
    ),
    *("file:///a", "resource://gre/", "moz-extension://a/"),
)
_PATHS = (
    *("a.png", "/a.png", "a/b:c.png", "//a.example/a.png", "https://a.example/a.png", "javascript:1"),
    *(
        "data:text/plain,a",
        "file:///a",
        "https://bücher.example/a.png",
        "http://",
        "https://a b.example",
        "C:/a",
    ),
)
TEXTS: Mapping[str, Sequence[str]] = {
    "canonicalDomain": _HOSTS,
    "date": ("2016-03-04", "2016-03-04T08:00:00Z", "2016-03-04T08:00:00", "today", "2016-3-4", "2016-99-99"),
    "hostname": _HOSTS,
    "imageDataOrStrictRelativeUrl": (*_PATHS, "data:image/png;base64,AA", "data:image/svg+xml;base64,AA"),
    "strictRelativeUrl": _PATHS,
    "url": _ADDRESSES,
}


MANIFEST = manifest(
    permissions=["bookmarks", "browsingData", "declarativeNetRequest", "scripting", "theme"],
    host_permissions=["*://*/*"],
)
TAKES, REFUSES = "takes", "refuses"


def _cases(browser: str) -> Mapping[str, str]:
    names = IN_CHROMIUM if ENGINES[browser] is Engine.CHROMIUM else tuple(CALLS)
    return {name: name for name in names}


def _ask(session: Session, name: str) -> dict[str, str]:
    calls = ", ".join(f"() => chrome.{CALLS[name].replace('@', json.dumps(text))}" for text in TEXTS[name])
    quiet = "try { const given = each(); given?.catch?.(() => 0); return true } catch { return false }"
    found: Any = session.evaluate(extension(MANIFEST), f"[{calls}].map((each) => {{ {quiet} }})")
    return {text: TAKES if takes else REFUSES for text, takes in zip(TEXTS[name], found, strict=True)}


def _compare(browser: str, name: str, answers: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each text where extlint certainly disagrees."""
    for text, answer in answers.items():
        verdict = argument_verdict(name, text) if ENGINES[browser] is Engine.GECKO else True
        if isinstance(verdict, Problem) if answer == TAKES else verdict is True:
            yield f"{text!r}: extlint says otherwise than a browser that {answer} it"


formats = Query(
    "formats",
    """Query which strings calls accept for each format.

    The exit code is 1 if extlint disagrees.
    """,
    _cases,
    _ask,
    _compare,
)
