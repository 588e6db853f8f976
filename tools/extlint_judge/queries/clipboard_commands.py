"""The commands of documents for the clipboard that work with and without a permission."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from extlint_judge.browsers.session import BACKGROUND, InChromium, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import Query, contradictions, findings

_PERMISSIONS: Mapping[str, tuple[str, ...]] = {
    "no permission": (),
    "clipboardWrite": ("clipboardWrite",),
    "clipboardRead": ("clipboardRead",),
}
_COMMANDS = ("copy", "paste")
_DOCUMENT = "hidden.html"
_SCRIPT = "hidden.js"
_OPEN = (
    "chrome.offscreen.createDocument({url: 'hidden.html', reasons: ['CLIPBOARD'], justification: 'judge'})"
)
_TRY = """
const area = document.createElement("textarea");
document.body.append(area);
area.value = "judge";
area.select();
const found = { copy: document.execCommand("copy"), paste: document.execCommand("paste") };
"""


def _files(browser: str, permissions: tuple[str, ...], script: str) -> Files:
    """Returns an extension whose script runs in a document that is never shown."""
    is_worker = browser == InChromium.browser
    keys = manifest(
        permissions=["offscreen", *permissions] if is_worker else [*permissions],
        background={"service_worker": BACKGROUND} if is_worker else {"page": _DOCUMENT},
    )
    page = f"<!doctype html><body><script src='{_SCRIPT}'></script>"
    return extension(keys, {BACKGROUND: _OPEN, _DOCUMENT: page, _SCRIPT: script})


def _ask(session: Session, permissions: tuple[str, ...]) -> dict[str, bool]:
    """Returns whether each command does something."""
    session.load(_files(session.browser, permissions, _TRY + session.report("judge", "found")))
    found: dict[str, bool] = session.receive("judge")["judge"]
    return found


def _compare(browser: str, permissions: tuple[str, ...], answers: Mapping[str, bool]) -> Iterator[str]:
    reported = [
        command
        for command in _COMMANDS
        if findings(
            browser,
            _files(browser, permissions, f"document.execCommand({json.dumps(command)});"),
            "missing-permission",
        )
    ]
    yield from contradictions(reported, {name: not works for name, works in answers.items()})


clipboard_commands = Query(
    "clipboard-commands",
    """Query commands for the clipboard in hidden documents.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: _PERMISSIONS,
    _ask,
    _compare,
)
