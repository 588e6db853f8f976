"""A person who uses the page in a real browser: with files, keys, a width and a color scheme."""

from __future__ import annotations

import json
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from extlint_judge.browsers.chromium import chromium, load_page
from extlint_judge.browsers.devtools_protocol import Connection
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.marionette import PRIVILEGED, Marionette

MAX_SECONDS = 20
"""Seconds that anything on the page may take."""

WEB_DRIVER_KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "Escape": "\ue00c", "Control": "\ue009"}

KEY_CODES = {"Tab": 9, "Enter": 13, "Space": 32, "Escape": 27}

NARROW = """
const { gBrowser } = Services.wm.getMostRecentBrowserWindow("navigator:browser");
gBrowser.selectedBrowser.style.maxWidth = args[0] === null ? "" : `${args[0]}px`;
"""
"""Makes the page narrower than windows can be."""

COMPLAINTS = """
return Services.console.getMessageArray()
  .filter(each => each instanceof Ci.nsIScriptError)
  .filter(each => `${each.sourceName} ${each.errorMessage}`.includes(args[0]))
  .map(each => each.errorMessage);
"""


REPLACE_PICKER = """
const file = Cc["@mozilla.org/file/local;1"].createInstance(Ci.nsIFile);
file.initWithPath(args[0]);
const picker = {
  QueryInterface: ChromeUtils.generateQI(["nsIFilePicker"]),
  init() {},
  appendFilter() {},
  appendFilters() {},
  appendRawFilter() {},
  isModeSupported: () => Promise.resolve(true),
  open(callback) { Services.tm.dispatchToMainThread(() => callback.done(Ci.nsIFilePicker.returnOK)); },
  file,
  files: [file],
};
const registrar = Components.manager.QueryInterface(Ci.nsIComponentRegistrar);
const factory = { createInstance: () => picker, QueryInterface: ChromeUtils.generateQI(["nsIFactory"]) };
registrar.registerFactory(Services.uuid.generateUUID(), "", "@mozilla.org/filepicker;1", factory);
"""
"""Replaces the dialog in which a user chooses a folder."""

CONFIRM = """
const { PromptCollection } = ChromeUtils.importESModule("resource:///modules/PromptCollection.sys.mjs");
PromptCollection.prototype.confirmFolderUpload = () => true;
"""
"""Lets pages read a folder. It runs in the process of the page, with the privileges of Firefox's own code."""


class User(Protocol):
    """Actions on the page, and what the browser reports about it."""

    def evaluate(self, source: str) -> Any:
        """Returns the value of an expression."""

    def choose(self, identifier: str, path: Path) -> None:
        """Chooses a file for the input with this id."""

    def choose_folder(self, identifier: str, path: Path) -> None:
        """Chooses a folder for the input with this id."""

    def press(self, *keys: str) -> None:
        """Presses keys in sequence. `Control+Enter` holds the first one."""

    def resize(self, width: int, height: int) -> None:
        """Changes the size of the page."""

    def use_scheme(self, scheme: str) -> None:
        """Uses the color scheme `light` or `dark`."""

    def picture(self, path: Path) -> None:
        """Writes a picture of the visible part of the page."""

    def complaints(self) -> list[str]:
        """Returns the errors that the browser reports about the page."""


def wait(user: User, condition: str) -> Any:
    """Returns the value of an expression once it is true."""
    end = time.monotonic() + MAX_SECONDS
    while not (found := user.evaluate(condition)):
        text = "document.body.innerText.slice(0, 500)"
        assert time.monotonic() < end, f"{condition}; {user.evaluate(text)}"
        time.sleep(0.03)
    return found


class _Chromium:
    def __init__(self, connection: Connection, session: str) -> None:
        self._connection = connection
        self._session = session
        for each in ("Log.enable", "Runtime.enable", "DOM.enable"):
            connection.send(each, session)

    def evaluate(self, source: str) -> Any:
        return self._connection.evaluate(self._session, source)

    def choose(self, identifier: str, path: Path) -> None:
        found = self._send(
            "Runtime.evaluate", expression=f"document.getElementById({json.dumps(identifier)})"
        )
        self._send("DOM.setFileInputFiles", files=[str(path)], objectId=found["result"]["objectId"])

    def choose_folder(self, identifier: str, path: Path) -> None:
        self.choose(identifier, path)

    def drop(self, path: Path) -> None:
        """Drops a file or a folder on the page."""
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self._send("Input.dispatchDragEvent", type=kind, x=200, y=150, data=data)

    def press(self, *keys: str) -> None:
        for each in keys:
            held, _, key = each.rpartition("+")
            modifiers = {"": 0, "Control": 2, "Shift": 8}[held]
            code = KEY_CODES.get(key, ord(key[0].upper()))
            text = {"Enter": "\r", "Space": " "}.get(key, key if len(key) == 1 else "")
            name = " " if key == "Space" else key
            shared = {"modifiers": modifiers, "key": name, "code": key, "windowsVirtualKeyCode": code}
            typed = {"text": text} if text and held != "Control" else {}
            self._send("Input.dispatchKeyEvent", type="keyDown" if typed else "rawKeyDown", **shared, **typed)
            self._send("Input.dispatchKeyEvent", type="keyUp", **shared)

    def accessibility(self) -> list[dict[str, Any]]:
        """Returns the nodes of the accessibility tree."""
        found: list[dict[str, Any]] = self._send("Accessibility.getFullAXTree")["nodes"]
        return found

    def resize(self, width: int, height: int) -> None:
        self._send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def use_scheme(self, scheme: str) -> None:
        self._send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path: Path) -> None:
        path.write_bytes(b64decode(self._send("Page.captureScreenshot", format="png")["data"]))

    def complaints(self) -> list[str]:
        self.evaluate("1")
        events = self._connection.events
        kinds = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        found = [json.dumps(each["params"]) for each in events if each["method"] in kinds]
        return [each for each in found if "Failed to load resource: the server responded with" not in each]

    def _send(self, method: str, **parameters: Any) -> Any:
        return self._connection.send(method, self._session, **parameters)


class _Firefox:
    def __init__(self, session: Marionette, address: str) -> None:
        self._session = session
        self._address = address

    def evaluate(self, source: str) -> Any:
        script = f"const done = arguments[0]; (async () => ({source}))().then(done, e => done(`${{e}}`))"
        parameters = {"script": script, "args": [], "scriptTimeout": MAX_SECONDS * 1000}
        return self._session.command("WebDriver:ExecuteAsyncScript", parameters)["value"]

    def choose(self, identifier: str, path: Path) -> None:
        found = self._session.command(
            "WebDriver:FindElement", {"using": "css selector", "value": f"#{identifier}"}
        )
        element = next(iter(found["value"].values()))
        self._session.command("WebDriver:ElementSendKeys", {"id": element, "text": str(path)})

    def choose_folder(self, identifier: str, path: Path) -> None:
        self._privileged(REPLACE_PICKER, str(path))
        self._session.command("WebDriver:ExecuteScript", {"script": CONFIRM, "args": [], "sandbox": "system"})
        self.evaluate(f"document.getElementById('choose-{identifier}').focus()")
        self.press("Enter")

    def press(self, *keys: str) -> None:
        for each in keys:
            actions = [{"type": "keyDown", "value": WEB_DRIVER_KEYS.get(key, key)} for key in each.split("+")]
            actions += [{**one, "type": "keyUp"} for one in reversed(actions)]
            keyboard = {"type": "key", "id": "keyboard", "actions": actions}
            self._session.command("WebDriver:PerformActions", {"actions": [keyboard]})

    def resize(self, width: int, height: int) -> None:
        self._session.command("WebDriver:SetWindowRect", {"width": max(width, 600), "height": height})
        self._privileged(NARROW, width if width < 600 else None)

    def use_scheme(self, scheme: str) -> None:
        source = 'Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", args[0]);'
        self._privileged(source, int(scheme == "light"))

    def picture(self, path: Path) -> None:
        data = self._session.command("WebDriver:TakeScreenshot", {"full": False})["value"]
        path.write_bytes(b64decode(data))

    def complaints(self) -> list[str]:
        found: list[str] = self._privileged(COMPLAINTS, self._address)
        return found

    def _privileged(self, source: str, *arguments: object) -> Any:
        self._session.command("Marionette:SetContext", {"value": PRIVILEGED})
        try:
            return self._session.script(source, *arguments)
        finally:
            self._session.command("Marionette:SetContext", {"value": "content"})


@contextmanager
def using(browser: str, command: str, folder: Path, address: str) -> Iterator[User]:
    """Opens an address in a browser."""
    if browser == "chromium":
        with chromium(command, folder) as connection:
            yield _Chromium(connection, load_page(connection, address))
    else:
        with firefox(command, folder) as session:
            session.command("Marionette:SetContext", {"value": "content"})
            session.command("WebDriver:Navigate", {"url": address})
            yield _Firefox(session, address)
