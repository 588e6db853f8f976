"""Asks a real browser what `runtime.getManifest` gives, and how that differs from the manifest as written.

Usage: `python -m extlint_judge seen-manifest --browser firefox|chromium`. Where there is no such browser it
does nothing, and says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import Empty
from typing import Any

from extlint_judge import ask_chromium, ask_firefox
from extlint_judge.browsers import BrowserError
from extlint_judge.extensions import ID, write_files
from extlint_judge.one_question import put
from extlint_judge.server import serving

WAIT = 10.0
"""So many seconds a script has to tell what it sees."""

WRITTEN: dict[str, Any] = {
    "manifest_version": 3,
    "name": "judge",
    "version": "1",
    "permissions": ["tabs", "menus", "sidePanel", "judge_nowhere"],
    "optional_permissions": ["bookmarks", "readingList"],
    "background": {"scripts": ["background.js"], "service_worker": "background.js"},
    "side_panel": {"default_path": "page.html"},
    "sidebar_action": {"default_panel": "page.html"},
    "minimum_chrome_version": "100",
    "browser_specific_settings": {"gecko": {"id": ID}},
    "action": {"default_title": "judge", "judge_nowhere": 1},
    "judge_nowhere": {"key": 1},
    "homepage_url": "https://example.org/",
    "offline_enabled": True,
}
"""What both browsers know, what one knows, and what none does."""


MANIFEST = "chrome.runtime.getManifest()"


def seen(browser: str, command: str, folder: Path, expression: str = MANIFEST) -> Any:
    """What an expression is, for a script of the extension. Raises BrowserError."""
    files = {"manifest.json": json.dumps(WRITTEN), "page.html": "<!doctype html>", "background.js": ""}
    where = folder / "extension"
    if browser == "chromium":
        with ask_chromium.chromium(command, folder) as connection:
            write_files(files, where)
            extension = connection.send("Extensions.loadUnpacked", path=str(where))["id"]
            page = f"chrome-extension://{extension}/page.html"
            connection.send("Target.createTarget", url=page)
            session = ask_chromium.attached(connection, page)
            ask_chromium.loaded(connection, session, page)
            return connection.evaluate(session, expression)
    with serving() as server, ask_firefox.firefox(command, folder) as marionette:
        body = f"JSON.stringify({expression})"
        files["background.js"] = f"fetch({json.dumps(server.address('/'))}, {{method: 'POST', body: {body}}})"
        write_files(files, where)
        marionette.command("Addon:Install", {"path": str(where), "temporary": True})
        try:
            return json.loads(server.posts.get(timeout=WAIT)[1])
        except Empty:
            raise BrowserError("the background says nothing") from None


def differences(written: object, found: object, at: str = "") -> Iterator[str]:
    """A line for each place where a script sees something else than what is written."""
    if isinstance(written, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*written, *found)):
            where = f"{at}/{key}"
            if key not in found or (found[key] is None and key in written):
                yield f"{where}: {json.dumps(written[key])} is not seen"
            elif key not in written:
                if found[key] is not None:
                    yield f"{where}: {json.dumps(found[key])} is seen, and not written"
            else:
                yield from differences(written[key], found[key], where)
    elif written != found:
        yield f"{at}: {json.dumps(written)} is seen as {json.dumps(found)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 2 if the browser fails."""
    return put("Asks a real browser what scripts see of the manifest.", arguments, seen, _tell)


def _tell(browser: str, found: Any) -> int:  # noqa: ARG001
    for line in differences(WRITTEN, found):
        print(f"  {line}")
    return 0
