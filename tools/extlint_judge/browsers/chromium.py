"""Runs Chromium, and opens pages in it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeVar

from extlint_judge.browsers.devtools_protocol import Connection
from extlint_judge.browsers.http_server import INSECURE_HOST
from extlint_judge.browsers.processes import BrowserError, running
from extlint_judge.browsers.shared_browser import SharedBrowser

Found = TypeVar("Found")

WAIT = 20.0
"""The timeout in seconds for a context to appear."""

OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess",
    "--disable-gpu",
    "--enable-unsafe-extension-debugging",
    "--remote-debugging-pipe",
    f"--host-resolver-rules=MAP {INSECURE_HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
"""Options that restrict connections to this machine: no other name or address resolves.

The disabled features are pages of the browser itself, which each window loads, and spare processes for pages.
"""

BLANK = "about:blank"


def chromium(command: str, folder: Path, *more: str) -> AbstractContextManager[Connection]:
    """Returns a Chromium with a new profile in `folder`, or the reused one, if any, without extensions.

    With additional options it is never reused.
    """
    return _start(command, folder, *more) if more else _shared.session(command, folder)


@contextmanager
def _start(command: str, folder: Path, *more: str) -> Iterator[Connection]:
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    profile = folder / "profile"
    # Chromium uses file descriptors 3 and 4 for its two pipes.
    wrapper = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
    started = [command, *OPTIONS, *more, f"--user-data-dir={profile}", BLANK]
    try:
        with running(["bash", "-c", wrapper, "bash", *started], folder, (theirs_in, theirs_out)):
            yield Connection(ours_in, ours_out)
    finally:
        for each in (theirs_in, ours_out, ours_in, theirs_out):
            os.close(each)


def _clean(connection: Connection) -> None:
    for each in connection.send("Extensions.getExtensions")["extensions"]:
        connection.send("Extensions.uninstall", id=each["id"])
    pages = [each for each in connection.send("Target.getTargets")["targetInfos"] if each["type"] == "page"]
    left = next(each for each in pages if each["url"] == BLANK)
    for each in pages:
        if each is not left:
            connection.send("Target.closeTarget", targetId=each["targetId"])
    connection.send("Storage.clearCookies")
    connection.events.clear()


_shared = SharedBrowser(_start, _clean)

reuse_chromium = _shared.reuse


def load_extension(connection: Connection, folder: Path) -> str:
    """Loads the extension in a folder and returns its id. Raises BrowserError."""
    extension: str = connection.send("Extensions.loadUnpacked", path=str(folder))["id"]
    return extension


def load_page(connection: Connection, address: str) -> str:
    """Opens and loads a page, and returns its session. Raises BrowserError."""
    connection.send("Target.createTarget", url=address)
    session = attach(connection, address)
    wait_for_load(connection, session, address)
    return session


def open_dev_tools(connection: Connection, address: str) -> str:
    """Opens a page with developer tools, and returns its target. Raises BrowserError."""
    target: str = connection.send("Target.createTarget", url=address)["targetId"]
    connection.send("Target.openDevTools", targetId=target)
    return target


def wait_for_load(connection: Connection, session: str, address: str) -> None:
    """Waits until a page and its scripts are loaded."""
    look = f"location.href === {json.dumps(address)} && document.readyState === 'complete' || null"

    def is_there() -> bool | None:
        try:
            found: bool | None = connection.evaluate(session, look)
        except BrowserError:
            return None
        return found

    wait_for(is_there, f"{address} does not load")


def attach(connection: Connection, address: str) -> str:
    """Returns a session for the target with an address, waiting until it appears."""

    def target() -> str | None:
        listed = connection.send("Target.getTargets", filter=[{}])["targetInfos"]
        there = (each["targetId"] for each in listed if each["url"] == address and each["type"] != "tab")
        return next(there, None)

    found = wait_for(target, f"there is no {address}")
    session: str = connection.send("Target.attachToTarget", targetId=found, flatten=True)["sessionId"]
    return session


def wait_for(look: Callable[[], Found | None], message: str) -> Found:
    """Polls `look` and returns its first result. Raises BrowserError with the given message on a timeout."""
    end = time.monotonic() + WAIT
    while (found := look()) is None:
        if time.monotonic() > end:
            raise BrowserError(message)
        time.sleep(0.05)
    return found
