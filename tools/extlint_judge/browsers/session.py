"""One interface to both browsers: it loads extensions, opens pages, and returns what their scripts report."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from extlint_judge.browsers.chromium import attach, chromium, load_extension, load_page, wait_for
from extlint_judge.browsers.devtools_protocol import Connection
from extlint_judge.browsers.firefox import (
    ADDRESS_OF,
    CLICK_WITH_MIDDLE_BUTTON,
    CLOSE,
    OPEN,
    RESTART,
    UNINSTALL,
    firefox,
    install,
)
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.browsers.marionette import PRIVILEGED, Marionette
from extlint_judge.browsers.processes import BrowserError
from extlint_judge.extensions import ID, Files, write_files

WAIT = 30.0
"""The timeout in seconds for what a script reports."""

PAGE = "page.html"
BACKGROUND = "background.js"


class LoadError(BrowserError):
    """The browser did not load an extension. The message is the browser's."""


class Session(ABC):
    """A running browser with at most one extension, and a server for web pages and reports."""

    browser: str

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self._folder = folder
        self._number = 0

    @abstractmethod
    def load(self, files: Files) -> None:
        """Loads an extension in place of the previous one. Raises LoadError."""

    @abstractmethod
    def load_packed(self, files: Files) -> None:
        """Loads an extension as users get it, if the browser can, or else like `load`. Raises LoadError."""

    @abstractmethod
    def open(self, page: str) -> None:
        """Opens a page of the extension, or the page with an address."""

    @abstractmethod
    def trigger_action(self) -> None:
        """Clicks on the button of the extension: in Firefox with the middle button of the mouse."""

    @abstractmethod
    def evaluate(self, files: Files, expression: str, at: str = PAGE, *, gesture: bool = False) -> Any:
        """Loads an extension, and returns the value of an expression in one of its pages or scripts.

        Promises are awaited. With `gesture`, the expression is evaluated during a user action in a page that
        has a button. Raises BrowserError.
        """

    @abstractmethod
    def end_background(self) -> None:
        """Ends the background of the extension, as the browser does after some time."""

    def receive(self, *names: str) -> dict[str, Any]:
        """Returns what each script reports under its name. Raises BrowserError."""
        return self.server.receive_from(names, timeout=WAIT)

    def report(self, name: str, value: str) -> str:
        """Returns JavaScript that reports a value under a name."""
        return post(f"[{json.dumps(name)}, {value}]", self.server.address("/"))

    def write(self, files: Files) -> Path:
        """Writes an extension into a new folder, which is returned."""
        self._number += 1
        where = self._folder / f"extension{self._number}"
        write_files(files, where)
        return where


class InChromium(Session):
    """A session with Chromium."""

    browser = "chromium"

    def __init__(self, connection: Connection, server: Server, folder: Path) -> None:
        super().__init__(server, folder)
        self.connection = connection
        self._extension: str | None = None

    def load(self, files: Files) -> None:
        """Loads an extension in place of the previous one. Raises LoadError."""
        if self._extension is not None:
            self.connection.send("Extensions.uninstall", id=self._extension)
            self._extension = None
        try:
            self._extension = load_extension(self.connection, self.write(files))
        except BrowserError as error:
            raise LoadError(str(error)) from None

    load_packed = load

    def open(self, page: str) -> None:
        """Opens a page of the extension, or the page with an address."""
        self.connection.send("Target.createTarget", url=self.address(page))

    def evaluate(self, files: Files, expression: str, at: str = PAGE, *, gesture: bool = False) -> Any:
        """Loads an extension, and returns the value of an expression in one of its pages or scripts."""
        self.load(_with_page(files, at, ""))
        return self.value(expression, at, gesture=gesture)

    def value(self, expression: str, at: str, *, gesture: bool = False) -> Any:
        """Returns the value of an expression in a page or script of the loaded extension."""
        address = self.address(at)
        target = (load_page if at.endswith(".html") else attach)(self.connection, address)
        return self.connection.evaluate(target, expression, gesture=gesture)

    def address(self, page: str) -> str:
        """Returns the address of a page of the extension. Addresses stay the same."""
        return page if ":" in page else f"chrome-extension://{self._extension}/{page}"

    def trigger_action(self) -> None:
        """Clicks on the button of the extension."""
        listed = self.connection.send("Target.getTargets", filter=[{}])["targetInfos"]
        tab = next(each["targetId"] for each in listed if each["type"] == "tab")
        self.connection.send("Extensions.triggerAction", id=self._extension, targetId=tab)

    def end_background(self) -> None:
        """Ends the service worker, and waits until it has stopped. Chromium has workers of its own."""
        own = self.address("")

        def is_gone() -> bool | None:
            listed = self.connection.send("Target.getTargets", filter=[{}])["targetInfos"]
            workers = [each for each in listed if each["type"] == "service_worker"]
            running = [each["targetId"] for each in workers if each["url"].startswith(own)]
            for each in running:
                with suppress(BrowserError):  # it may just have ended
                    self.connection.send("Target.closeTarget", targetId=each)
            return None if running else True

        wait_for(is_gone, "the service worker does not end")


class InFirefox(Session):
    """A session with Firefox."""

    browser = "firefox"

    def __init__(self, marionette: Marionette, server: Server, folder: Path) -> None:
        super().__init__(server, folder)
        self.marionette = marionette
        self._extension: str | None = None

    def load(self, files: Files) -> None:
        """Loads an extension in place of the previous one. Raises LoadError."""
        self._install(self.write(files))

    def load_packed(self, files: Files) -> None:
        """Loads an extension as an archive. Raises LoadError."""
        self._number += 1
        archive = self._folder / f"{self._number}.xpi"
        with ZipFile(archive, "w") as packed:
            for path, content in files.items():
                packed.writestr(path, content)
        self._install(archive)

    def _install(self, package: Path) -> None:
        if self._extension is not None:
            self.marionette.script(UNINSTALL + CLOSE, self._extension)
            self._extension = None
        try:
            self._extension = install(self.marionette, package)
        except BrowserError as error:
            raise LoadError(str(error)) from None

    def address(self, page: str) -> str:
        """Returns the address of a page, once the extension has started. Addresses stay the same."""
        return page if ":" in page else str(self.marionette.script(ADDRESS_OF, self._extension or ID, page))

    def open(self, page: str) -> None:
        """Opens a page of the extension, or the page with an address."""
        self.marionette.script(OPEN, self.address(page))

    def trigger_action(self) -> None:
        """See `Session`."""
        self.marionette.script(CLICK_WITH_MIDDLE_BUTTON, self._extension)

    def evaluate(self, files: Files, expression: str, at: str = PAGE, *, gesture: bool = False) -> Any:
        """Loads an extension whose page or script posts the value of an expression, and returns the value."""
        posting = f"(async () => {post(f'await ({expression})', self.server.address('/'))})();"
        if at.endswith(".html"):
            occasion = "document.querySelector('button')" if gesture else "globalThis"
            posting = (
                f"{occasion}.addEventListener('{'click' if gesture else 'load'}', () => {{ {posting} }});"
            )
        self.load(_with_page(files, at, posting))
        if gesture:
            self.click(at, "button")
        elif at.endswith(".html"):
            self.open(at)
        return self.server.receive(f"{at} says nothing", timeout=WAIT)

    def click(self, page: str, selector: str) -> None:
        """Clicks on an element of a page, once it is there."""
        address = self.address(page)
        command = self.marionette.command
        command("Marionette:SetContext", {"value": "content"})
        newest = command("WebDriver:GetWindowHandles", {})[-1]
        command("WebDriver:SwitchToWindow", {"handle": newest, "focus": True})
        command("WebDriver:SetTimeouts", {"implicit": WAIT * 1000})
        command("WebDriver:Navigate", {"url": address})
        found = command("WebDriver:FindElement", {"using": "css selector", "value": selector})
        (element,) = found["value"].values()

        def click_once() -> bool | None:
            with suppress(BrowserError):  # the page may not be shown yet
                command("WebDriver:ElementClick", {"id": element})
                return True
            return None

        wait_for(click_once, f"{selector} cannot be clicked")
        command("Marionette:SetContext", {"value": PRIVILEGED})

    def end_background(self) -> None:
        """Ends the background page, once Firefox has prepared it: an extension sends reports before."""
        is_ready = "return WebExtensionPolicy.getByID(args[0]).extension.terminateBackground ? true : null;"
        wait_for(lambda: self.marionette.script(is_ready, self._extension), "the background is not ready")
        end = "await WebExtensionPolicy.getByID(args[0]).extension.terminateBackground();"
        self.marionette.script(end, self._extension)

    def restart_extension(self) -> None:
        """Turns the extension off and on, after which it starts as it does with the browser."""
        self.marionette.script(RESTART, self._extension)


@contextmanager
def session(browser: str, command: str, folder: Path) -> Iterator[Session]:
    """Yields a session with a browser, by its command and an empty folder. Raises BrowserError."""
    with serving() as server:
        if browser == InChromium.browser:
            with chromium(command, folder) as connection:
                yield InChromium(connection, server, folder)
        else:
            with firefox(command, folder) as marionette:
                yield InFirefox(marionette, server, folder)


def post(value: str, address: str) -> str:
    """Returns JavaScript that posts a value."""
    return f"fetch({json.dumps(address)}, {{method: 'POST', mode: 'no-cors', body: JSON.stringify({value})}})"


def _with_page(files: Files, at: str, script: str) -> Files:
    """Adds a script to a page or script. Files that are not there are created."""
    stem, _, kind = at.rpartition(".")
    name = f"{stem}.js"
    document = f"<!doctype html><button>judge</button><script src='{name.rpartition('/')[2]}'></script>"
    before = files.get(name, "")
    assert isinstance(before, str)
    page = {} if kind == "js" or at in files else {at: document}
    return {**files, **page, name: f"{before}\n{script}" if before and script else before or script}
