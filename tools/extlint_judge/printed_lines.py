"""The lines that a browser prints about an extension: load errors, its list of errors, and consoles."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from extlint_judge.browsers.chromium import attach
from extlint_judge.browsers.devtools_protocol import Connection
from extlint_judge.browsers.processes import BrowserError
from extlint_judge.browsers.session import PAGE, InChromium, InFirefox, LoadError, Session
from extlint_judge.extensions import Files

SITE = "https://example.com"
"""The web site in the examples. This machine serves it."""

WAIT = 6.0
"""The timeout in seconds for a message, before and after the background starts again."""

MAX_LENGTH = 400
"""The length of a recorded line."""

ERRORS_PAGE = """chrome.developerPrivate.getExtensionInfo("%s").then(info =>
  [...info.manifestErrors, ...info.runtimeErrors].map(each => each.message))"""

CONSOLE = """
return Services.console.getMessageArray()
  .map(each => each instanceof Ci.nsIScriptError ? each.errorMessage : each.message);
"""

_CLICK = "document.querySelector('button')?.click()"

_EXTENSION_ID = re.compile(r"(?<=-extension://)[\w-]+")
_FOLDER = re.compile(r"(?<=file://)/\S*/extension\d+")
_LOG_PREFIX = re.compile(r"^\d+\t.*\t(?:Loading extension 'null': )?")
_LOAD_PREFIX = re.compile(r"^(?:Extensions\.loadUnpacked|Addon:Install): ")


@dataclass(frozen=True)
class Printed:
    """The line with a message, or None and the lines that the browser prints instead."""

    line: str | None
    others: tuple[str, ...] = ()


def printed(running: Session, message: re.Pattern[str], files: Mapping[str, str], page: str = "") -> Printed:
    """Loads an extension, and returns the line with a message.

    `page` is the session of `chrome://extensions` in Chromium. If the message is not printed in time, the
    background is started again.
    """
    assert isinstance(running, InChromium | InFirefox)
    own = served(files, running)
    found = _in_chromium(running, own, page) if isinstance(running, InChromium) else _in_firefox(running, own)
    is_first, end, others = True, time.monotonic() + WAIT, []
    for texts in found:
        others = [line for text in texts for line in _lines(text, running) if line]
        matching = next((line for line in others if message.search(line)), None)
        if matching is not None:
            return Printed(matching if len(matching) <= MAX_LENGTH else f"{matching[:MAX_LENGTH]} …")
        if time.monotonic() > end:
            if not is_first:
                break
            is_first, end = False, time.monotonic() + WAIT
            running.end_background()
            running.open(running.server.page)
        time.sleep(0.2)
    return Printed(None, tuple(others))


def served(files: Mapping[str, str], running: Session) -> Files:
    """Returns the files with addresses on this machine. Match patterns have no port."""
    return {
        path: text.replace(f"{SITE}/*", "http://127.0.0.1/*").replace(SITE, running.server.address(""))
        for path, text in files.items()
    }


def _lines(text: str, running: Session) -> Iterator[str]:
    """Yields the lines of a text, without ids and prefixes that differ from run to run."""
    for line in text.replace(running.server.address(""), SITE).splitlines():
        for prefix in (_LOG_PREFIX, _LOAD_PREFIX):
            line = prefix.sub("", line)
        yield _FOLDER.sub("FOLDER", _EXTENSION_ID.sub("ID", line)).strip()


def _in_chromium(running: InChromium, files: Files, page: str) -> Iterator[list[str]]:
    """Yields the lines of the load error or, again and again, of the errors page and the consoles."""
    connection = running.connection
    connection.events.clear()
    try:
        running.load(files)
    except LoadError as error:
        yield [str(error)]
        return
    extension = running.address("").split("/")[2]
    _open_with_console(connection, running.server.page, 0)
    if PAGE in files:
        session = _open_with_console(connection, running.address(PAGE), 1)
        connection.send("Page.bringToFront", session)
        time.sleep(0.3)
        connection.evaluate(session, _CLICK, gesture=True)
    while True:
        _watch_worker(connection, running.address("background.js"))
        yield [*connection.evaluate(page, ERRORS_PAGE % extension), *map(_text_of, connection.events)]


def _open_with_console(connection: Connection, address: str, number: int) -> str:
    blank = f"about:blank#{number}"
    connection.send("Target.createTarget", url=blank)
    tab = attach(connection, blank)
    for domain in ("Log", "Runtime"):
        connection.send(f"{domain}.enable", tab)
    connection.send("Page.navigate", tab, url=address)
    return tab


def _watch_worker(connection: Connection, address: str) -> None:
    """Adds the console of a service worker to the events, if it runs and is not watched."""
    for each in connection.send("Target.getTargets", filter=[{}])["targetInfos"]:
        if each["url"] == address and not each["attached"]:
            with suppress(BrowserError):  # it may just have ended
                worker = connection.send("Target.attachToTarget", targetId=each["targetId"], flatten=True)
                connection.send("Runtime.enable", worker["sessionId"])
                connection.send("Log.enable", worker["sessionId"])


def _text_of(event: Mapping[str, Any]) -> str:
    """Returns the text that an event prints, or an empty text."""
    parameters = event["params"]
    match event["method"]:
        case "Log.entryAdded":
            return str(parameters["entry"]["text"])
        case "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            return f"{details['text']} {details.get('exception', {}).get('description', '')}"
        case "Runtime.consoleAPICalled":
            return " ".join(str(each.get("value")) for each in parameters["args"])
    return ""


def _in_firefox(running: InFirefox, files: Files) -> Iterator[list[str]]:
    """Yields the lines of the console, again and again, and of the load error."""
    script = running.marionette.script
    script("Services.console.reset();")
    try:
        running.load(files)
    except LoadError as error:
        yield [*script(CONSOLE), str(error)]
        return
    running.open(running.server.page)
    if PAGE in files:
        running.open(PAGE)
    if "<button" in str(files.get(PAGE)):
        running.click(PAGE, "button")
    while True:
        yield script(CONSOLE)
