"""The value of an expression in an extension of a real browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from extlint_judge.browsers.chromium import chromium, installed, opened
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.http_server import serving
from extlint_judge.extensions import write_files

WAIT = 20.0
"""So many seconds a script has to tell what the value is."""


def evaluated(browser: str, command: str, folder: Path, files: Mapping[str, str], expression: str) -> Any:
    """The value of an expression, or of the promise that it is, as JSON has it.

    `files` are those of the extension, with `page.html` and `background.js`: Chromium evaluates in the page,
    Firefox in the background. Raises BrowserError.
    """
    where = folder / "extension"
    if browser == "chromium":
        with chromium(command, folder) as connection:
            write_files(files, where)
            session = opened(connection, f"chrome-extension://{installed(connection, where)}/page.html")
            return connection.evaluate(session, expression)
    with serving() as server, firefox(command, folder) as marionette:
        post = "fetch(%s, {method: 'POST', body: JSON.stringify(await (%s))})"
        script = post % (json.dumps(server.address("/")), expression)
        write_files({**files, "background.js": f"(async () => {script})()"}, where)
        marionette.command("Addon:Install", {"path": str(where), "temporary": True})
        return server.heard("the background says nothing", timeout=WAIT)
