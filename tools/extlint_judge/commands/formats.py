"""Queries the strings that a real browser accepts for argument formats, and compares them with extlint."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from extlint.schema.engine import Engine
from extlint.text.formats.arguments import argument_verdict
from extlint.text.formats.problem import Problem
from extlint_judge.browsers.processes import ENGINES
from extlint_judge.commands.seen_manifest import WRITTEN
from extlint_judge.evaluation import evaluate
from extlint_judge.options import browser_option, exit_with, query_browser

MANIFEST: Mapping[str, Any] = {
    **WRITTEN,
    "permissions": ["bookmarks", "browsingData", "declarativeNetRequest", "scripting", "theme"],
    "host_permissions": ["*://*/*"],
    "background": {"scripts": ["background.js"], "service_worker": "background.js"},
}

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


class FormatVerdict(Struct, frozen=True):
    """Whether a browser accepts a text for a format."""

    format: str
    text: str
    accepts: bool


def observe(browser: str, command: str, folder: Path) -> tuple[FormatVerdict, ...]:
    """Returns the browser's verdict on every text. Raises BrowserError."""
    names = IN_CHROMIUM if ENGINES[browser] is Engine.CHROMIUM else tuple(CALLS)
    rows = [(name, text) for name in names for text in TEXTS[name]]
    calls = ", ".join(f"() => chrome.{CALLS[name].replace('@', json.dumps(text))}" for name, text in rows)
    quiet = "try { const given = each(); given?.catch?.(() => 0); return true } catch { return false }"
    files = {"manifest.json": json.dumps(MANIFEST), "page.html": "<!doctype html>", "background.js": ""}
    answers = evaluate(browser, command, folder, files, f"[{calls}].map((each) => {{ {quiet} }})")
    return tuple(FormatVerdict(name, text, takes) for (name, text), takes in zip(rows, answers, strict=True))


def disagreements(browser: str, observed: Sequence[FormatVerdict]) -> Iterator[str]:
    """Yields a line for each text where extlint certainly disagrees with the browser."""
    for each in observed:
        verdict = argument_verdict(each.format, each.text) if ENGINES[browser] is Engine.GECKO else True
        if isinstance(verdict, Problem) if each.accepts else verdict is True:
            yield f"{each.format}: {each.text!r} is {'taken' if each.accepts else 'refused'}"


@click.command()
@browser_option
def formats(browser: str) -> None:
    """Query which strings calls accept for each format.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for each in observed:
        click.echo(f"  {each.format} {'takes' if each.accepts else 'refuses'} {each.text!r}")
    found = [*disagreements(browser, observed)]
    for line in found:
        click.echo(f"extlint says otherwise: {line}")
    exit_with(1 if found else 0)
