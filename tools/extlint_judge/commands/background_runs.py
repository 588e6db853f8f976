"""Queries what survives the restart of a background in a real browser, and compares it with extlint.

The first run of a background creates a menu item and adds listeners, some of them late. Then it is ended, and
an event starts it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets.request import Target
from extlint_judge.browsers.chromium import chromium, load_extension, load_page, wait_for
from extlint_judge.browsers.devtools_protocol import Connection
from extlint_judge.browsers.firefox import firefox, install, open_page
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.browsers.processes import facts_target
from extlint_judge.extensions import ID, write_files
from extlint_judge.options import browser_option, query_browser, report_and_exit

WAIT = 20.0
"""The timeout in seconds for a background to report that it runs."""

MENU = "the item of its menu"
_FORMS = {
    "at once": "add();",
    "after a promise that is fulfilled": "Promise.resolve().then(add);",
    "after `await null`": "(async () => { await null; add(); })();",
    "in a timer of no delay": "setTimeout(add, 0);",
    "in a timer": "setTimeout(add, 100);",
    "after an awaited call": "(async () => { await chrome.storage.local.get(); add(); })();",
    "after a promise of a call": "chrome.storage.local.get().then(add);",
    "in the callback of a call": "chrome.storage.local.get(() => add());",
    "after `fetch`": "(async () => { await fetch('http://127.0.0.1/'); add(); })();",
    "in a listener of `runtime.onInstalled`": "chrome.runtime.onInstalled.addListener(add);",
    "in a listener of `runtime.onStartup`": "chrome.runtime.onStartup.addListener(add);",
}
LISTENERS = {f"a listener that is added {form}": code for form, code in _FORMS.items()}

_MANIFEST = {
    "manifest_version": 3,
    "name": "judge",
    "version": "1",
    "permissions": ["bookmarks", "contextMenus", "storage"],
    "host_permissions": ["http://127.0.0.1/*"],
    "browser_specific_settings": {"gecko": {"id": ID}},
    "content_security_policy": {"extension_pages": "script-src 'self'"},
}
_BACKGROUND = {
    "chromium": {"service_worker": "background.js"},
    "firefox": {"scripts": ["background.js"]},
}
_ADDRESS = "http://127.0.0.1/"
_POST_FUNCTION = (
    f"const tell = (text) => fetch('{_ADDRESS}', {{method: 'POST', body: JSON.stringify(text)}});\n"
)
_OBSERVED_EVENT, _LINTED_EVENT = "bookmarks.onCreated", "runtime.onMessage"
_ADD_LISTENER = "{ const add = () => chrome.%s.addListener(() => tell(%s)); %s }\n"
_CREATE_MENU = "chrome.contextMenus.create({id: 'judge', title: 'judge'}, () => tell(%s));\n"
_MENU_ERROR = "`error: ${chrome.runtime.lastError?.message ?? ''}`"
_SETTLED = "settled"
_EVENT = "chrome.bookmarks.create({title: 'judge', url: 'http://127.0.0.1/'})"
_END = "await WebExtensionPolicy.getByID(args[0]).extension.terminateBackground();"


def observe(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the state of each item after the second start: `there`, `missing` or an error.

    Raises BrowserError.
    """
    where = folder / "extension"
    with serving() as server:
        write_files(_files(browser, server), where)
        if browser == "chromium":
            with chromium(command, folder) as connection:
                page = load_page(
                    connection, f"chrome-extension://{load_extension(connection, where)}/page.html"
                )
                _reports_until_settled(server)
                _end_worker(connection, page)
                connection.evaluate(page, _EVENT)
                reports = _reports_until_settled(server)
        else:
            with firefox(command, folder) as marionette:
                install(marionette, where)
                _reports_until_settled(server)
                marionette.script(_END, ID)
                open_page(marionette, "page.html")
                reports = _reports_until_settled(server)
    error = next((each for each in reports if each.startswith("error: ")), "missing")
    return {MENU: error} | {name: "there" if name in reports else "missing" for name in LISTENERS}


def _files(browser: str, server: Server) -> dict[str, str]:
    script = _POST_FUNCTION + _CREATE_MENU % _MENU_ERROR
    script += "".join(
        _ADD_LISTENER % (_OBSERVED_EVENT, json.dumps(name), code) for name, code in LISTENERS.items()
    )
    script = script.replace(_ADDRESS, server.address("/page.html"))
    return {
        "manifest.json": json.dumps({**_MANIFEST, "background": _BACKGROUND[browser]}),
        "background.js": f"{script}setTimeout(() => tell({json.dumps(_SETTLED)}), 1000);\n",
        "page.html": "<!doctype html><script src='page.js'></script>",
        "page.js": _EVENT if browser == "firefox" else "",
    }


def _reports_until_settled(server: Server) -> list[str]:
    """Returns the reports of a background in the second after its start.

    Raises BrowserError if it does not start.
    """
    reports: list[str] = []
    while _SETTLED not in reports:
        reports.append(server.receive("the background does not start", timeout=WAIT))
    return reports


def _end_worker(connection: Connection, page: str) -> None:
    """Ends the service worker, and waits until it has stopped."""
    connection.send("ServiceWorker.enable", page)
    connection.send("ServiceWorker.stopAllWorkers", page)

    def is_gone() -> bool | None:
        listed = connection.send("Target.getTargets", filter=[{}])["targetInfos"]
        return None if any(each["type"] == "service_worker" for each in listed) else True

    wait_for(is_gone, "the service worker does not end")


def disagreements(browser: str, observed: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each item where extlint disagrees with the browser.

    A late listener that survives anyway is ignored: it depends on timing.
    """
    fails = observed[MENU] not in {"missing", "error: "}
    if fails is not _is_reported(browser, "duplicate-menu", _CREATE_MENU % "'created'"):
        yield f"{MENU}: extlint says that creating it again {'works' if fails else 'fails'}"
    for name, code in LISTENERS.items():
        is_late = _is_reported(browser, "late-listener", _ADD_LISTENER % (_LINTED_EVENT, "''", code))
        if not is_late and observed[name] == "missing":
            yield f"{name}: extlint says that it is there in time"


def _is_reported(browser: str, rule: str, script: str) -> bool:
    """Whether a rule reports anything in a background."""
    manifest = json.dumps({**_MANIFEST, "background": _BACKGROUND[browser]})
    files = {"manifest.json": manifest.encode, "background.js": script.encode}
    report = check_package(Package("judge", files), [Target(facts_target(browser))], (rule,))
    return bool(report.findings)


@click.command()
@browser_option
def background_runs(browser: str) -> None:
    """Query what survives the restart of a background.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for name, answer in observed.items():
        click.echo(f"  {name}: {answer}")
    report_and_exit(disagreements(browser, observed))
