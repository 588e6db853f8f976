"""The calls that require an add-on id in Firefox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint_judge.browsers.session import BACKGROUND, Session
from extlint_judge.extensions import VERSIONS, extension, manifest
from extlint_judge.query import FAILS, Query, answers_of
from extlint_rules.missing_add_on_id import CHANGES_WITH_ID, REQUIRES_ID

CALLS: Mapping[str, str] = {
    **{f"storage.{area}.get": "('a')" for area in ("local", "managed", "session", "sync")},
    **{f"storage.{area}.getBytesInUse": "('a')" for area in ("managed", "session", "sync")},
    **{f"storage.{area}.getKeys": "()" for area in ("local", "managed", "session", "sync")},
    **{f"storage.{area}.set": "({a: 1})" for area in ("local", "session", "sync")},
    **{f"storage.{area}.remove": "('a')" for area in ("local", "session", "sync")},
    **{f"storage.{area}.clear": "()" for area in ("local", "session", "sync")},
    **{f"sessions.{each}TabValue": "(tab, 'a')" for each in ("get", "remove")},
    **{f"sessions.{each}WindowValue": "(view, 'a')" for each in ("get", "remove")},
    "sessions.setTabValue": "(tab, 'a', 1)",
    "sessions.setWindowValue": "(view, 'a', 1)",
    "sessions.getRecentlyClosed": "()",
    "alarms.create": "('a', {periodInMinutes: 1})",
    "downloads.search": "({})",
    "identity.getRedirectURL": "()",
    "runtime.setUninstallURL": "('https://example.org/')",
    "theme.getCurrent": "()",
}
"""The calls, with valid arguments."""

CHANGING = ("sessions.getRecentlyClosed", "theme.getCurrent")
"""Calls whose results may differ for reasons other than the id."""

CHANGED = "gives something else whenever the add-on is loaded"

_VIEW = """const [{ id: tab }] = await browser.tabs.query({});
  const { id: view } = await browser.windows.getCurrent();"""


def _ask_add_on_id(session: Session, version: int) -> dict[str, str]:
    permissions = ["alarms", "downloads", "identity", "sessions", "storage", "tabs", "theme"]
    keys = manifest(version, permissions=permissions, background={"scripts": [BACKGROUND]})
    del keys["browser_specific_settings"]
    expression = answers_of({name: f"api.{name}{call}" for name, call in CALLS.items()}, before=_VIEW)
    first, second = (session.evaluate(extension(keys), expression, BACKGROUND) for _ in range(2))
    return {
        name: CHANGED if each.startswith("gives") and second[name] != each and name not in CHANGING else each
        for name, each in first.items()
    }


def _compare_add_on_id(_browser: str, _version: int, answers: Mapping[str, str]) -> Iterator[str]:
    for name, result in answers.items():
        path = tuple(name.split("."))
        fails = result.startswith(FAILS) and "temporary addon ID" in result
        if fails is not (path in REQUIRES_ID) or (result == CHANGED) is not (path in CHANGES_WITH_ID):
            yield f"extlint says something else: {name} {result}"


add_on_id = Query(
    "add-on-id",
    """Find calls that fail in Firefox without an add-on id.

    The exit code is 1 if extlint disagrees.
    """,
    lambda browser: {str(version): version for version in VERSIONS[browser]},
    _ask_add_on_id,
    _compare_add_on_id,
    ("firefox",),
)
