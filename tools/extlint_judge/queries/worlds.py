"""The functions of a page after a content script has replaced them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from extlint_judge.browsers.session import Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import Query, contradictions, findings
from extlint_rules.isolated_patch import PATCHED

_HOSTS = ["http://127.0.0.1/*"]


def _files(names: Iterable[str], world: str, report: str = "") -> Files:
    """Returns an extension whose content script replaces functions in a world of the page."""
    patches = "\n".join(
        f"{'' if '.' in each else 'window.'}{each} = function replaced() {{}};" for each in names
    )
    start = {"matches": _HOSTS, "js": ["patch.js"], "run_at": "document_start", "world": world}
    end = {"matches": _HOSTS, "js": ["report.js"], "run_at": "document_end", "world": "MAIN"}
    keys = manifest(content_scripts=[start, end] if report else [start])
    return extension(keys, {"patch.js": patches, "report.js": report})


def _ask(session: Session, world: str) -> Any:
    names = sorted(PATCHED)
    listed = ", ".join(
        f"{json.dumps(each)}: {'' if '.' in each else 'window.'}{each}?.name === 'replaced'" for each in names
    )
    own = "const { fetch } = document.body.appendChild(document.createElement('iframe')).contentWindow;"
    place = f"page of {world}"  # so that a late report of another world is not taken for this one
    session.load(_files(names, world, f"{{ {own} {session.report(place, f'{{{listed}}}')} }}"))
    session.open(session.server.page)
    return session.receive(place)[place]


def _compare(browser: str, world: str, answers: Mapping[str, bool]) -> Iterator[str]:
    reported = (
        each.message.split("`")[1] for each in findings(browser, _files([*answers], world), "isolated-patch")
    )
    yield from contradictions(reported, {name: not is_replaced for name, is_replaced in answers.items()})


worlds = Query(
    "worlds",
    """Query whether content scripts replace functions of a page.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: {"isolated": "ISOLATED", "main": "MAIN"},
    _ask,
    _compare,
)
