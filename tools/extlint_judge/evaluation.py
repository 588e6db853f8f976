"""Evaluates an expression in an extension of a real browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from extlint_judge.browsers.chromium import chromium, load_extension, load_page
from extlint_judge.browsers.firefox import firefox, install, open_page
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.browsers.marionette import Marionette
from extlint_judge.extensions import write_files

WAIT = 30.0
"""The timeout in seconds for the value from a script."""


def evaluate(browser: str, command: str, folder: Path, files: Mapping[str, str], expression: str) -> Any:
    """Returns the value of an expression, awaiting a promise, as decoded from JSON.

    `files` are those of the extension, with `page.html` and `background.js`: Chromium evaluates in the page,
    Firefox in the background. Raises BrowserError.
    """
    where = folder / "extension"
    if browser == "chromium":
        with chromium(command, folder) as connection:
            write_files(files, where)
            session = load_page(
                connection, f"chrome-extension://{load_extension(connection, where)}/page.html"
            )
            return connection.evaluate(session, expression)
    with serving() as server, firefox(command, folder) as marionette:
        script = posting_script(f"(async () => await ({expression}))()", server)
        write_files({**files, "background.js": script}, where)
        install(marionette, where)
        return server.receive("the background says nothing", timeout=WAIT)


def posting_script(promise: str, server: Server) -> str:
    """Returns JavaScript that posts the value of a fulfilled promise."""
    return (
        f"{promise}.then((it) => fetch({json.dumps(server.address('/'))},"
        " {method: 'POST', body: JSON.stringify(it)}))"
    )


def result_from_page(session: Marionette, server: Server, where: Path, page: str = "page.html") -> Any:
    """Installs the extension in a folder in Firefox, and returns the value that a page posts.

    Raises BrowserError.
    """
    install(session, where)
    open_page(session, page)
    return server.receive(f"{page} in {where} says nothing", timeout=WAIT)
