"""The menu items that Firefox preserves when an extension is turned off and on, as for the next start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from extlint_judge.browsers.session import BACKGROUND, InFirefox, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import Query, findings

KEPT, LOST = "kept", "lost"

_CASES: Mapping[str, tuple[int, dict[str, Any]]] = {
    "version 2": (2, {}),
    "version 2, not persistent": (2, {"persistent": False}),
    "version 3": (3, {}),
}
_CREATE = """
browser.runtime.onInstalled.addListener(() => {
  browser.menus.create({ id: "judge", title: "judge", contexts: ["page"] });
});
"""
_ASKED = """
setTimeout(async () => {
  const found = await browser.menus.update("judge", { title: "again" }).then(() => "%s", () => "%s");
  %s;
}, 1000);
"""


def _files(case: tuple[int, dict[str, Any]], script: str) -> Files:
    version, keys = case
    background = {"scripts": [BACKGROUND], **keys}
    return extension(
        manifest(version, permissions=["menus"], background=background), {BACKGROUND: _CREATE + script}
    )


def _ask(session: Session, case: tuple[int, dict[str, Any]]) -> str:
    """Returns whether the item is there at the second start, without another installation."""
    assert isinstance(session, InFirefox)
    session.load(_files(case, _ASKED % (KEPT, LOST, session.report("judge", "found"))))
    first = session.receive("judge")["judge"]
    assert first == KEPT
    session.restart_extension()
    return str(session.receive("judge")["judge"])


def _compare(browser: str, case: tuple[int, dict[str, Any]], answer: str) -> Iterator[str]:
    is_reported = bool(findings(browser, _files(case, ""), "lost-menu"))
    if is_reported is (answer == KEPT):
        yield f"extlint says that the item is {LOST if is_reported else KEPT}"


kept_menus = Query(
    "kept-menus",
    """Query which menu items Firefox preserves for the next start.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: _CASES,
    _ask,
    _compare,
    ("firefox",),
)
