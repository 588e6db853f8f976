"""The menu items and alarms that Firefox preserves when an extension is turned off and on."""

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
  browser.alarms.create("judge", { periodInMinutes: 60 });
});
"""
_ASKED = """
setTimeout(async () => {
  const item = await browser.menus.update("judge", { title: "again" }).then(() => true, () => false);
  const alarm = await browser.alarms.get("judge") !== undefined;
  const found = Object.fromEntries(Object.entries({ item, alarm }).map(([k, v]) => [k, v ? "%s" : "%s"]));
  %s;
}, 1000);
"""


def _files(case: tuple[int, dict[str, Any]], script: str) -> Files:
    version, keys = case
    background = {"scripts": [BACKGROUND], **keys}
    return extension(
        manifest(version, permissions=["alarms", "menus"], background=background),
        {BACKGROUND: _CREATE + script},
    )


def _ask(session: Session, case: tuple[int, dict[str, Any]]) -> dict[str, str]:
    """Returns whether each is there at the second start, without another installation."""
    assert isinstance(session, InFirefox)
    session.load(_files(case, _ASKED % (KEPT, LOST, session.report("judge", "found"))))
    first = session.receive("judge")["judge"]
    assert set(first.values()) == {KEPT}
    session.restart_extension()
    found: dict[str, str] = session.receive("judge")["judge"]
    return found


def _compare(browser: str, case: tuple[int, dict[str, Any]], answers: Mapping[str, str]) -> Iterator[str]:
    for name, rule in (("item", "lost-menu"), ("alarm", "lost-alarm")):
        is_reported = bool(findings(browser, _files(case, ""), rule))
        if is_reported is (answers[name] == KEPT):
            yield f"extlint says that the {name} is {LOST if is_reported else KEPT}"


kept_menus = Query(
    "kept-menus",
    """Query menu items and alarms that Firefox preserves.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: _CASES,
    _ask,
    _compare,
    ("firefox",),
)
