"""Asks a real browser what `permissions.contains` and `request` say of permissions that a manifest lacks.

Usage: `python -m extlint_judge permissions --browser firefox|chromium`. Where there is no such browser it
does nothing, and says so. The requests are made while the user acts, as browsers demand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import Empty
from typing import Any

from extlint_judge import ask_chromium, ask_firefox
from extlint_judge.browsers import BrowserError
from extlint_judge.extensions import ID, write_files
from extlint_judge.one_question import put
from extlint_judge.server import serving

WAIT = 20.0
"""So many seconds a page has to tell what it was answered."""

MANIFEST: dict[str, Any] = {
    "manifest_version": 3,
    "name": "judge",
    "version": "1",
    "permissions": ["tabs"],
    "optional_permissions": ["bookmarks"],
    "background": {"scripts": ["background.js"], "service_worker": "background.js"},
    "browser_specific_settings": {"gecko": {"id": ID}},
}

CALLS = {
    "contains, required": "contains({permissions: ['tabs']})",
    "contains, optional": "contains({permissions: ['bookmarks']})",
    "contains, lacking": "contains({permissions: ['history']})",
    "contains, lacking beside one that is there": "contains({permissions: ['tabs', 'history']})",
    "request, lacking": "request({permissions: ['history']})",
    "request, lacking beside one that is there": "request({permissions: ['tabs', 'history']})",
}

_ASKING = """
const told = (error) => `fails: ${error.message}`;
const settle = (promise) => promise.then((value) => JSON.stringify(value), told);
const ask = async () => {
  const api = (globalThis.browser ?? chrome).permissions;
  const asked = { %s };
  const found = {};
  for (const name in asked) found[name] = await asked[name];
  return found;
};
"""
_SCRIPT = _ASKING % ", ".join(f"{json.dumps(name)}: settle(api.{call})" for name, call in CALLS.items())
_PAGE = "<!doctype html><meta charset='utf-8'><button>ask</button><script src='page.js'></script>"


def answers(browser: str, command: str, folder: Path) -> dict[str, str]:
    """What each call gives as JSON, or `fails: …`. Raises BrowserError."""
    files = {
        "manifest.json": json.dumps(MANIFEST),
        "page.html": _PAGE,
        "background.js": "",
        "page.js": _SCRIPT,
    }
    return (_of_chromium if browser == "chromium" else _of_firefox)(command, files, folder)


def _of_chromium(command: str, files: dict[str, str], folder: Path) -> dict[str, str]:
    where = folder / "extension"
    with ask_chromium.chromium(command, folder) as connection:
        write_files(files, where)
        extension = connection.send("Extensions.loadUnpacked", path=str(where))["id"]
        page = f"chrome-extension://{extension}/page.html"
        connection.send("Target.createTarget", url=page)
        session = ask_chromium.attached(connection, page)
        ask_chromium.loaded(connection, session, page)
        found = connection.send(
            "Runtime.evaluate",
            session,
            expression="ask()",
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        told: dict[str, str] = found["result"]["value"]
        return told


def _of_firefox(command: str, files: dict[str, str], folder: Path) -> dict[str, str]:
    where = folder / "extension"
    with serving() as server, ask_firefox.firefox(command, folder) as marionette:
        told = json.dumps(server.address("/"))
        files["background.js"] = (
            f"fetch({told}, {{method: 'POST', body: browser.runtime.getURL('page.html')}})"
        )
        files["page.js"] += (
            "document.querySelector('button').onclick = () => ask().then((found) =>"
            f" fetch({told}, {{method: 'POST', body: JSON.stringify(found)}}));"
        )
        write_files(files, where)
        marionette.command("Addon:Install", {"path": str(where), "temporary": True})
        try:
            page = server.posts.get(timeout=WAIT)[1].decode()
            marionette.command("Marionette:SetContext", {"value": "content"})
            marionette.command("WebDriver:Navigate", {"url": page})
            button = marionette.command("WebDriver:FindElement", {"using": "css selector", "value": "button"})
            (element,) = button["value"].values()
            marionette.command("WebDriver:ElementClick", {"id": element})
            found: dict[str, str] = json.loads(server.posts.get(timeout=WAIT)[1])
        except Empty:
            raise BrowserError("the extension says nothing") from None
        return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 2 if the browser fails."""
    return put("Asks a real browser about permissions that a manifest lacks.", arguments, answers, _tell)


def _tell(browser: str, found: Mapping[str, str]) -> int:  # noqa: ARG001
    for name, answer in found.items():
        print(f"  {name}: {answer}")
    return 0
