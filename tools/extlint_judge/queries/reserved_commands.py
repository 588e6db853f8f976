"""The commands of the manifest that Firefox passes to listeners of `commands.onCommand`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from extlint.manifest.manifest import COMMANDS
from extlint_judge.browsers.session import BACKGROUND, InFirefox, Session
from extlint_judge.extensions import VERSIONS, Files, extension, manifest
from extlint_judge.query import Query, findings

LAST = "last"
"""An ordinary command, which comes after all others."""

NAMES = (*COMMANDS, "_execute_menus", "_execute_tools", LAST)

_PRESS = """
const { document } = Services.wm.getMostRecentBrowserWindow("navigator:browser");
for (const key of document.querySelectorAll("keyset[id^='ext-keyset-id-judge'] key")) key.doCommand();
"""


def _files(version: int, script: str) -> Files:
    """Returns an extension with all keys that the commands are for."""
    commands = {
        name: {"description": name, "suggested_key": {"default": f"Alt+Shift+{number}"}}
        for number, name in enumerate(NAMES)
    }
    keys: dict[str, Any] = {
        "action" if version == 3 else "browser_action": {},
        "page_action": {},
        "sidebar_action": {"default_panel": "panel.html"},
        "background": {"scripts": [BACKGROUND]},
    }
    files = {BACKGROUND: script, "panel.html": "<!doctype html>"}
    return extension(manifest(version, commands=commands, **keys), files)


def _ask(session: Session, version: int) -> Sequence[str]:
    script = f"""
    const found = [];
    browser.commands.onCommand.addListener((name) => {{
      found.push(name);
      if (name === "{LAST}") {{ {session.report("judge", "found")} }}
    }});
    {session.report("ready", "1")}
    """
    session.load(_files(version, script))
    session.receive("ready")
    if isinstance(session, InFirefox):
        session.marionette.script(_PRESS)
    found: list[str] = session.receive("judge")["judge"]
    return sorted(set(found))


def _compare(browser: str, version: int, answer: Sequence[str]) -> Iterator[str]:
    for name in NAMES:
        listener = (
            f"browser.commands.onCommand.addListener((name) => {{ if (name === {json.dumps(name)}) f(); }})"
        )
        is_reported = bool(findings(browser, _files(version, listener), "impossible-comparison"))
        if is_reported is (name in answer):
            yield f"extlint says that listeners {'never get' if is_reported else 'get'} {name}"


def _cases(browser: str) -> Mapping[str, int]:
    return {str(version): version for version in VERSIONS[browser]}


reserved_commands = Query(
    "reserved-commands",
    """Query which commands Firefox passes to listeners.

    The exit code is 1 if extlint disagrees.
    """,
    _cases,
    _ask,
    _compare,
    ("firefox",),
)
