"""Queries the background listeners in which Firefox allows calls that require a user action."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets.request import FIREFOX, Target
from extlint_judge.browsers.firefox import ADDRESS_OF, firefox
from extlint_judge.browsers.http_server import serving
from extlint_judge.browsers.marionette import PRIVILEGED, Marionette
from extlint_judge.extensions import ID, write_files
from extlint_judge.options import query_browser, report_and_exit

WAIT = 20.0
"""The timeout in seconds for an event."""

CALLS: Mapping[str, str] = {
    "downloads.open": "browser.downloads.open(99)",
    "permissions.request": "browser.permissions.request({permissions: ['topSites']})",
    "sidebarAction.close": "browser.sidebarAction.close()",
    "sidebarAction.open": "browser.sidebarAction.open()",
    "sidebarAction.toggle": "browser.sidebarAction.toggle()",
}
START = "the start"
EVENTS = (
    *("alarms.onAlarm", "cookies.onChanged", "history.onVisited", "runtime.onInstalled", "runtime.onMessage"),
    *("storage.onChanged", "tabs.onUpdated", "webNavigation.onCompleted"),
)
"""Events of the background. The message is sent on a click in a web page."""

FROM_PAGE = "runtime.onMessage from a page"
"""The message event, sent by a page of the extension."""

REFUSAL = "may only be called from a user input handler"
_ALLOWED = "allowed"
_PERMISSIONS = (
    *("alarms", "cookies", "downloads", "downloads.open", "history", "storage", "tabs", "webNavigation"),
    "http://127.0.0.1/*",
)
_MANIFEST: dict[str, Any] = {
    "manifest_version": 2,
    "name": "judge",
    "version": "1",
    "browser_specific_settings": {"gecko": {"id": ID}},
    "permissions": _PERMISSIONS,
    "optional_permissions": ["topSites"],
    "background": {"scripts": ["background.js"]},
    "browser_action": {},
    "sidebar_action": {"default_panel": "page.html", "open_at_install": False},
    "content_scripts": [{"matches": ["http://127.0.0.1/*"], "js": ["content.js"]}],
}
_HELPERS = """
const told = (name, call) => {
  const wait = new Promise((resolve) => setTimeout(resolve, 500, '%s'));
  const said = (async () => call())().then(() => '%s', (error) => error.message);
  Promise.race([said, wait]).then((text) =>
    fetch('%s', { method: 'POST', body: JSON.stringify([name, text]) }));
};
const once = (event, listener) => event.addListener(function heard() {
  event.removeListener(heard);
  listener();
});
"""
_TRIGGERS = """
browser.tabs.create({ url: '%s' });
let times = 0;
const cause = () => {
  times += 1;
  browser.alarms.create('judge', { when: Date.now() });
  browser.storage.local.set({ judge: times });
  browser.cookies.set({ url: 'http://127.0.0.1/', name: 'judge', value: `${times}` });
};
cause();
setInterval(cause, 1000);
"""
"""The script that triggers the events, repeatedly because a listener may be added later."""
_LISTENERS = {
    START: "/* %s */ %s;",
    FROM_PAGE: "browser./* %s */runtime.onMessage.addListener((sent) => { if (sent === 'page') %s; });",
    "": "once(browser.%s, () => %s);",
}
_CONTENT = """
document.addEventListener('click', () => browser.runtime.sendMessage('judge'));
document.querySelector('p').dataset.heard = '';
"""


def script_of(occasion: str, call: str) -> str:
    """Returns a background that makes a call on an occasion."""
    event = occasion.partition(" ")[0]
    return f"{call};" if occasion == START else f"browser.{event}.addListener(() => {{ {call}; }});"


def observe(_browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the result of each call on each occasion: `allowed`, or an error. Raises BrowserError."""
    with serving() as server, firefox(command, folder) as marionette:
        helpers = _HELPERS % (_ALLOWED, _ALLOWED, server.address("/"))
        names = {
            (occasion, call): f"{call}, {occasion}"
            for occasion in (START, *EVENTS, FROM_PAGE)
            for call in CALLS
        }
        lines = [
            _LISTENERS.get(occasion, _LISTENERS[""])
            % (occasion, f"told({json.dumps(name)}, () => {CALLS[call]})")
            for (occasion, call), name in names.items()
        ]
        files = {
            "manifest.json": json.dumps(_MANIFEST),
            "background.js": "\n".join([helpers, *lines, _TRIGGERS % server.page]),
            "content.js": _CONTENT,
            "page.html": "<!doctype html><p>page</p><script src='page.js'></script>",
            "page.js": _CONTENT.replace("judge", "page"),
        }
        where = folder / "extension"
        write_files(files, where)
        marionette.command("Addon:Install", {"path": str(where), "temporary": True})
        results = server.receive_from((names[START, call] for call in CALLS), timeout=WAIT)
        _click(marionette, server.page)
        _click(marionette, marionette.script(ADDRESS_OF, ID, "page.html"))
        results |= server.receive_from(names.values() - results.keys(), timeout=WAIT)
        return dict(sorted(results.items()))


def _click(marionette: Marionette, address: str) -> None:
    """Simulates a click in a page, once its script listens for clicks."""
    marionette.command("Marionette:SetContext", {"value": "content"})
    marionette.command("WebDriver:SetTimeouts", {"implicit": WAIT * 1000})
    marionette.command("WebDriver:Navigate", {"url": address})
    found = marionette.command("WebDriver:FindElement", {"using": "css selector", "value": "p[data-heard]"})
    element = found["value"]
    marionette.command("WebDriver:ElementClick", {"id": next(iter(element.values()))})
    marionette.command("Marionette:SetContext", {"value": PRIVILEGED})


def disagreements(observed: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each call where extlint disagrees about whether it works."""
    for name, answer in observed.items():
        call, _, occasion = name.partition(", ")
        script = script_of(occasion, CALLS[call])
        files = {"manifest.json": json.dumps(_MANIFEST).encode, "background.js": script.encode}
        report = check_package(Package("judge", files), [Target(FIREFOX)], ("lost-user-gesture",))
        if bool(report.findings) is not (REFUSAL in answer):
            yield f"{name}: extlint says that it {'fails' if report.findings else 'works'}"


@click.command()
def user_input() -> None:
    """Query when Firefox allows calls that require a click.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser("firefox", observe)
    for name, answer in observed.items():
        click.echo(f"  {name}: {answer}")
    report_and_exit(disagreements(observed))
