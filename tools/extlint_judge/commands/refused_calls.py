"""Queries calls that match the schemas of a real browser but are rejected anyway."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets.request import Target
from extlint_judge.browsers.chromium import attach, chromium, load_extension
from extlint_judge.browsers.firefox import UNINSTALL, firefox, install
from extlint_judge.browsers.http_server import serving
from extlint_judge.browsers.processes import facts_target
from extlint_judge.evaluation import posting_script
from extlint_judge.extensions import ID, write_files
from extlint_judge.options import browser_option, query_browser, report_and_exit

WAIT = 20.0
"""The timeout in seconds for the results from the background."""

BACKGROUNDS: Mapping[str, Mapping[str, tuple[int, Mapping[str, Any]]]] = {
    "chromium": {"a service worker": (3, {"service_worker": "background.js"})},
    "firefox": {
        "an event page": (3, {"scripts": ["background.js"]}),
        "an event page of version 2": (2, {"scripts": ["background.js"], "persistent": False}),
        "a background page": (2, {"scripts": ["background.js"]}),
    },
}
"""The backgrounds of each browser, with the manifest version."""

PERMISSIONS = (
    *("alarms", "contextMenus", "declarativeNetRequest", "desktopCapture", "downloads", "notifications"),
    *("offscreen", "scripting", "sidePanel", "storage"),
)

_MENU = "contextMenus.create(%s)"
_NOTIFY = "notifications.create(%s)"
_NOTIFICATION = {"type": "basic", "iconUrl": "icon.png", "title": "a", "message": "b"}


def _notification_call(**more: object) -> str:
    options = {name: value for name, value in (_NOTIFICATION | more).items() if value is not None}
    return _NOTIFY % json.dumps(options)


def _rule(condition: str) -> str:
    rule = f"{{id: 1, action: {{type: 'block'}}, condition: {condition}}}"
    return f"declarativeNetRequest.updateSessionRules({{removeRuleIds: [1], addRules: [{rule}]}})"


CALLS: Mapping[str, str] = {
    "a menu with an id": _MENU % "{id: 'a', title: 'a'}",
    "a menu without an id": _MENU % "{title: 'a'}",
    "a menu with an empty id": _MENU % "{id: '', title: 'a'}",
    "a menu with onclick": _MENU % "{id: 'b', title: 'a', onclick() {}}",
    "a menu with onclick: null": _MENU % "{id: 'f', title: 'a', onclick: null}",
    "a menu without a title": _MENU % "{id: 'c'}",
    "a menu with an empty title": _MENU % "{id: 'g', title: ''}",
    "a separator without a title": _MENU % "{id: 'd', type: 'separator'}",
    "a notification": _notification_call(),
    **{f"a notification without {name}": _notification_call(**{name: None}) for name in _NOTIFICATION},
    "a notification without anything": _NOTIFY % "{}",
    "a notification with an empty iconUrl": _notification_call(iconUrl=""),
    "a notification with an empty title": _notification_call(title=""),
    "a notification with an empty message": _notification_call(message=""),
    "a notification with an icon that is not there": _notification_call(iconUrl="none.png"),
    "a notification of type image without imageUrl": _notification_call(type="image"),
    "a notification of type list without items": _notification_call(type="list"),
    "a notification of type progress without progress": _notification_call(type="progress"),
    "a notification with items of type basic": _notification_call(items=[{"title": "a", "message": "b"}]),
    "a notification with progress of type basic": _notification_call(progress=5),
    "a notification with progress of 101": _notification_call(type="progress", progress=101),
    "a notification with a priority of 3": _notification_call(priority=3),
    "a notification with three buttons": _notification_call(buttons=[{"title": "a"}] * 3),
    "an update without anything": "notifications.update('none', {})",
    "a notification with imageUrl of type basic": _notification_call(imageUrl="icon.png"),
    "an injection of nothing": "scripting.executeScript({target: {tabId: 1}})",
    "an injection of a function and files": (
        "scripting.executeScript({target: {tabId: 1}, func() {}, files: ['a.js']})"
    ),
    "an injection of no files": "scripting.executeScript({target: {tabId: 1}, files: []})",
    "an injection of files with args": (
        "scripting.executeScript({target: {tabId: 1}, files: ['a.js'], args: [1]})"
    ),
    "an injection into frames and all frames": (
        "scripting.executeScript({target: {tabId: 1, frameIds: [0], allFrames: true}, func() {}})"
    ),
    "a style of nothing": "scripting.insertCSS({target: {tabId: 1}})",
    "a style of css and files": "scripting.insertCSS({target: {tabId: 1}, css: 'a', files: ['a.css']})",
    "a removal of a style of nothing": "scripting.removeCSS({target: {tabId: 1}})",
    "a panel for nothing": "sidePanel.open({})",
    "an offscreen document without a reason": (
        "offscreen.createDocument({url: 'a.html', reasons: [], justification: 'a'})"
    ),
    "an icon of nothing": "action.setIcon({})",
    "a download to an absolute path": "downloads.download({url: 'http://127.0.0.1:9/', filename: '/tmp/a'})",
    "a download to a path up": "downloads.download({url: 'http://127.0.0.1:9/', filename: '../a'})",
    "a download to no name": "downloads.download({url: 'http://127.0.0.1:9/', filename: ''})",
    "a download to a name with a colon": "downloads.download({url: 'http://127.0.0.1:9/', filename: 'a:b'})",
    "a download of no address": "downloads.download({url: ''})",
    "a download of a path": "downloads.download({url: 'a.txt'})",
    "a choice of a screen without a tab": "desktopCapture.chooseDesktopMedia(['screen'])",
    "a tab in a container without permission for cookies": (
        "tabs.create({url: 'about:blank', cookieStoreId: 'firefox-default'})"
    ),
    "no highlighted tab": "tabs.highlight({tabs: []})",
    "a move of no tab": "tabs.move([], {index: 0})",
    "a window with a tab and its size when maximized": ("windows.create({state: 'maximized', width: 100})"),
    "an update of a window to maximized with a size": (
        "windows.update((await api.windows.getAll())[0].id, {state: 'maximized', width: 100})"
    ),
    "a focused window that is minimized": "windows.create({state: 'minimized', focused: true})",
    "a rule with a regexFilter": _rule("{regexFilter: '^https://a[.]example/[0-9]+'}"),
    "an alarm without a time": "alarms.create('a', {})",
    "an alarm with when and delayInMinutes": "alarms.create('a', {when: 1, delayInMinutes: 1})",
}
"""The calls."""

_ERRORS_TO_CALLBACK = ("contextMenus.", "desktopCapture.", "notifications.")
"""Namespaces that report errors only to a callback."""

READS: Mapping[str, str] = {
    "two keys of a storage, one of which is there": "storage.local.get(['a', 'c'])",
    "two defaults of a storage, one of which is there": "storage.local.get({b: 1, c: 2})",
}
"""Calls whose results are observed."""

_PROBE = """(async () => {
  const api = globalThis.browser ?? chrome;
  await api.storage.local.set({ a: 1, b: 2 });
  const answered = (call) => new Promise((resolve) => {
    const give = (problem) => resolve(problem ? `fails: ${problem}` : "works");
    const failed = (error) => give(error.message);
    setTimeout(resolve, 5000, "is not answered");
    try {
      call(give)?.then?.((value) => resolve(value ?? "works"), failed);
    } catch (error) {
      failed(error);
    }
  });
  const asked = Object.entries({ %s }).map(async ([name, call]) => [name, await answered(call)]);
  return Object.fromEntries(await Promise.all(asked));
})()"""


def _icon() -> bytes:
    """Returns a black PNG image, 16 by 16 pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(16 * (1 + 3 * 16)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def observe(browser: str, command: str, folder: Path) -> dict[str, dict[str, str]]:
    """Returns the result of each call in each background. Raises BrowserError."""
    calls = ", ".join(f"{json.dumps(name)}: {_call_probe(call)}" for name, call in CALLS.items())
    reads = ", ".join(f"{json.dumps(name)}: {_read_probe(call)}" for name, call in READS.items())
    cases = {name: manifest_of(*each) for name, each in BACKGROUNDS[browser].items()}
    return (_observe_chromium if browser == "chromium" else _observe_firefox)(
        command, folder, cases, _PROBE.replace("%s", f"{calls}, {reads}")
    )


def _call_probe(call: str) -> str:
    if call.startswith(_ERRORS_TO_CALLBACK):
        return f"(give) => void api.{call[:-1]}, () => give(api.runtime.lastError?.message))"
    return f"async () => void (await api.{call})"


def _read_probe(call: str) -> str:
    return f"async () => `gives ${{JSON.stringify(await api.{call})}}`"


def manifest_of(version: int, background: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the manifest of an extension with a background, which may post its results."""
    policy = "script-src 'self'"
    return {
        "manifest_version": version,
        "name": "judge",
        "version": "1",
        "permissions": PERMISSIONS,
        "background": background,
        "action" if version == 3 else "browser_action": {},
        "content_security_policy": policy if version == 2 else {"extension_pages": policy},
        "browser_specific_settings": {"gecko": {"id": ID}},
    }


def _write_extension(folder: Path, manifest: Mapping[str, Any], script: str) -> None:
    write_files({"manifest.json": json.dumps(manifest), "background.js": script}, folder)
    (folder / "icon.png").write_bytes(_icon())


def _observe_chromium(
    command: str, folder: Path, cases: Mapping[str, Any], question: str
) -> dict[str, dict[str, str]]:
    found = {}
    with chromium(command, folder) as connection:
        for number, (name, manifest) in enumerate(cases.items()):
            where = folder / f"extension{number}"
            _write_extension(where, manifest, "")
            worker = f"chrome-extension://{load_extension(connection, where)}/background.js"
            found[name] = connection.evaluate(attach(connection, worker), question)
    return found


def _observe_firefox(
    command: str, folder: Path, cases: Mapping[str, Any], question: str
) -> dict[str, dict[str, str]]:
    found = {}
    with serving() as server, firefox(command, folder) as marionette:
        for number, (name, manifest) in enumerate(cases.items()):
            where = folder / f"extension{number}"
            _write_extension(where, manifest, posting_script(question, server))
            install(marionette, where)
            found[name] = server.receive(f"{name} says nothing", timeout=WAIT)
            marionette.script(UNINSTALL, ID)
    return found


_OTHER_REASONS = re.compile(
    "is not a function|is undefined|No tab with id|user gesture|Unable to download|No tabs given|No highlight"
)
"""Errors for reasons that are not in the arguments, or unknown to extlint."""

_UNCHECKED = frozenset(
    {
        "a focused window that is minimized",
        "an injection into frames and all frames",
    }
)
"""The calls that extlint does not check."""


def disagreements(browser: str, observed: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yields a line for each call where extlint disagrees with the browser."""
    api = "browser" if browser == "firefox" else "chrome"
    lines = [f"{api}.{call.replace('api.', f'{api}.')};" for call in CALLS.values()]
    for background, results in observed.items():
        files = {
            "manifest.json": json.dumps(manifest_of(*BACKGROUNDS[browser][background])),
            "background.js": "\n".join(["async () => {", *lines, "}"]),
        }
        package = Package("judge", {path: partial(bytes, text.encode()) for path, text in files.items()})
        rules = (
            *("invalid-argument", "missing-permission"),
            *("unknown-api", "unsupported-api", "wrong-argument-count", "wrong-manifest-version"),
        )
        findings = check_package(package, [Target(facts_target(browser))], rules).findings
        reported = {each.span.start.line for each in findings}
        for line, name in enumerate(CALLS, 2):
            fails = results[name].startswith("fails: ")
            if name in _UNCHECKED or (fails and _OTHER_REASONS.search(results[name])):
                continue
            if fails is not (line in reported):
                yield f"{background}: {name}: extlint says that it {'works' if fails else 'fails'}"


@click.command()
@browser_option
def refused_calls(browser: str) -> None:
    """Query calls that match the schemas and fail.

    They are made in each kind of background.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for name, answers in observed.items():
        for call, answer in answers.items():
            click.echo(f"  {name}: {call} {answer}")
    report_and_exit(disagreements(browser, observed))
