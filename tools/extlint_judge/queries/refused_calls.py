"""Calls that match the schemas of a browser but are rejected anyway."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from extlint_judge.browsers.session import BACKGROUND, Session
from extlint_judge.extensions import Manifest, extension, manifest
from extlint_judge.query import FAILS, Query, contradictions, findings

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


RULES = (
    *("invalid-argument", "missing-permission"),
    *("unknown-api", "unsupported-api", "wrong-argument-count", "wrong-manifest-version"),
)
_OTHER_REASONS = re.compile(
    "is not a function|is undefined|No tab with id|user gesture|Unable to download|No tabs given|No highlight"
)
"""Errors for reasons that are not in the arguments, or unknown to extlint."""

_UNCHECKED = frozenset({"a focused window that is minimized", "an injection into frames and all frames"})
"""The calls that extlint does not check."""


def _cases(browser: str) -> Mapping[str, Manifest]:
    """Returns the manifests with each kind of background."""

    def keys(version: int, **background: Any) -> Manifest:
        action = "action" if version == 3 else "browser_action"
        return manifest(version, permissions=PERMISSIONS, background=background, **{action: {}})

    if browser == "chromium":
        return {"a service worker": keys(3, service_worker=BACKGROUND)}
    scripts = [BACKGROUND]
    return {
        "an event page": keys(3, scripts=scripts),
        "an event page of version 2": keys(2, scripts=scripts, persistent=False),
        "a background page": keys(2, scripts=scripts),
    }


def _ask(session: Session, keys: Manifest) -> Any:
    calls = ", ".join(f"{json.dumps(name)}: {_call_probe(call)}" for name, call in CALLS.items())
    reads = ", ".join(f"{json.dumps(name)}: {_read_probe(call)}" for name, call in READS.items())
    files = extension(keys, {"icon.png": _icon()})
    return session.evaluate(files, _PROBE.replace("%s", f"{calls}, {reads}"), BACKGROUND)


def _call_probe(call: str) -> str:
    if call.startswith(_ERRORS_TO_CALLBACK):
        return f"(give) => void api.{call[:-1]}, () => give(api.runtime.lastError?.message))"
    return f"async () => void (await api.{call})"


def _read_probe(call: str) -> str:
    return f"async () => `gives ${{JSON.stringify(await api.{call})}}`"


@cache
def _icon() -> bytes:
    """Returns a black PNG image, 16 by 16 pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(16 * (1 + 3 * 16)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _compare(browser: str, keys: Manifest, answers: Mapping[str, str]) -> Iterator[str]:
    api = "browser" if browser == "firefox" else "chrome"
    lines = [f"{api}.{call.replace('api.', f'{api}.')};" for call in CALLS.values()]
    files = extension(keys, {BACKGROUND: "\n".join(["async () => {", *lines, "}"])})
    reported = {each.span.start.line for each in findings(browser, files, *RULES)}
    fails = {
        name: answers[name].startswith(FAILS)
        for name in CALLS
        if name not in _UNCHECKED
        and not (answers[name].startswith(FAILS) and _OTHER_REASONS.search(answers[name]))
    }
    yield from contradictions((name for line, name in enumerate(CALLS, 2) if line in reported), fails)


refused_calls = Query(
    "refused-calls",
    """Query calls that match the schemas and fail.

    They are made in each kind of background.

    The exit code is 1 if extlint disagrees.
    """,
    _cases,
    _ask,
    _compare,
)
