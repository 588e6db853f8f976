"""The contexts that receive the messages and connections of others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from extlint_judge.browsers.session import BACKGROUND, PAGE, InFirefox, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import FAILS, Query, findings

SENDERS = ("background", "page", "content")
"""The contexts that send, each by the name of its script."""

NOBODY = "nobody"
"""The name of the case without a listener."""

SCRIPT = Path(__file__).with_name("receivers.js").read_text(encoding="utf-8")


def _files(scripts: Mapping[str, str]) -> Files:
    hosts = ["http://127.0.0.1/*"]
    keys = manifest(
        permissions=["storage"],
        host_permissions=hosts,
        options_ui={"page": PAGE, "open_in_tab": True},
        background={"service_worker": BACKGROUND, "scripts": [BACKGROUND]},
        content_scripts=[{"matches": hosts, "js": ["content.js"]}],
    )
    html = "<!doctype html><script src='page.js'></script>"
    return extension(keys, {PAGE: html, **{f"{name}.js": text for name, text in scripts.items()}})


def _ask(session: Session, listening: str) -> dict[str, Any]:
    scripts = {}
    for me in SENDERS:
        names = {"me": me, "listening": listening, "page": session.server.page}
        known = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in names.items())
        scripts[me] = f"{known}const post = (found) => {session.report(me, 'found')};\n{SCRIPT}"
    session.load(_files(scripts))
    if isinstance(session, InFirefox):
        session.address(PAGE)
    found = session.receive(*SENDERS)
    return {f"{call} in {sender}": each for sender in SENDERS for call, each in found[sender].items()}


def _is_reported(browser: str, listening: str, sender: str, call: str) -> bool:
    """Whether extlint reports that a message has no receiver."""
    function = f"chrome.{call}"
    message = [] if call.endswith("connect") else ["'asks'"]
    sent = f"{function}({', '.join(message)});"
    if call.startswith("tabs"):
        sent = f"chrome.tabs.query({{}}, ([tab]) => {function}({', '.join(['tab.id', *message])}));"
    scripts = dict.fromkeys(SENDERS, "") | {sender: sent}
    if listening in scripts:
        scripts[listening] += "".join(
            f"chrome.runtime.{event}.addListener(() => {{}});" for event in ("onConnect", "onMessage")
        )
    return bool(findings(browser, _files(scripts), "lost-message"))


def _compare(browser: str, listening: str, answers: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each message where extlint disagrees.

    extlint does not know the target tab, nor whether a page is open twice.
    """
    results: dict[tuple[str, str], list[str]] = {}
    for name, answer in answers.items():
        results.setdefault((name.partition(" ")[0], name.rpartition(" ")[2]), []).append(answer)
    for (call, sender), found in results.items():
        fails = all(each.startswith(FAILS) for each in found)
        own = _is_reported(browser, listening, sender, call)
        if own and not fails:
            yield f"{call} in {sender} gets to {listening}: extlint says that it is lost"
        if fails and not own and sender != "page":
            yield f"{call} in {sender} does not get to {listening}: extlint does not say so"


receivers = Query(
    "receivers",
    """Query which contexts receive the messages of others.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: {f"{name} listens": name for name in (*SENDERS, NOBODY)},
    _ask,
    _compare,
)
