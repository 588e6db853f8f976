"""Queries the effect of a click on the extension's button in Chromium, including `action.onClicked`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets.request import CHROME, Target
from extlint_judge.browsers.chromium import chromium, load_extension, load_page
from extlint_judge.browsers.devtools_protocol import Connection
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.extensions import write_files
from extlint_judge.options import query_browser, report_and_exit

WAIT = 10.0
"""The timeout in seconds for the effect of a click."""

CLICKED = "onClicked"
POPUP = "the popup"
PANEL = "the side panel"


class Case(Struct, frozen=True):
    """The keys of the manifest for the button, and the first call of the worker."""

    manifest: Mapping[str, Any]
    script: str = ""


_PANEL = {"side_panel": {"default_path": "panel.html"}}
_BEHAVIOR = "chrome.sidePanel.setPanelBehavior({openPanelOnActionClick: %s})"

CASES: Mapping[str, Case] = {
    "no popup": Case({"action": {}}),
    "a popup": Case({"action": {"default_popup": "popup.html"}}),
    "an empty popup": Case({"action": {"default_popup": ""}}),
    "a popup that is unset": Case(
        {"action": {"default_popup": "popup.html"}}, "chrome.action.setPopup({popup: ''})"
    ),
    "a side panel": Case({"action": {}, **_PANEL}),
    "a side panel that a click opens": Case({"action": {}, **_PANEL}, _BEHAVIOR % "true"),
    "a side panel that no click opens": Case({"action": {}, **_PANEL}, _BEHAVIOR % "false"),
}


def files_of(case: Case, address: str = "") -> dict[str, str]:
    """Returns the extension of a case, whose parts post to an address when they run."""
    post = f"fetch({json.dumps(address)}, {{method: 'POST', body: JSON.stringify(name)}})"
    helper = f"const tell = (name) => {post};"
    manifest = {
        "manifest_version": 3,
        "name": "judge",
        "version": "1",
        "permissions": ["sidePanel"],
        "background": {"service_worker": "background.js"},
        **case.manifest,
    }
    ready = f"Promise.resolve({case.script}).then(() => tell('ready'));"
    return {
        "manifest.json": json.dumps(manifest),
        "background.js": f"{helper}\nchrome.action.onClicked.addListener(() => tell('{CLICKED}'));\n{ready}",
        "page.html": "<!doctype html>",
        "popup.html": "<!doctype html><script src='popup.js'></script>",
        "popup.js": f"{helper} tell('{POPUP}');",
        "panel.html": "<!doctype html><script src='panel.js'></script>",
        "panel.js": f"{helper} tell('{PANEL}');",
    }


def observe(_browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the effect of a click in each case. Raises BrowserError."""
    with serving() as server, chromium(command, folder) as connection:
        return {
            name: _observe_click(connection, server, folder / f"extension{number}", case)
            for number, (name, case) in enumerate(CASES.items())
        }


def _observe_click(connection: Connection, server: Server, where: Path, case: Case) -> str:
    write_files(files_of(case, server.address("/")), where)
    extension = load_extension(connection, where)
    load_page(connection, f"chrome-extension://{extension}/page.html")
    found: str = server.receive("the worker does not start", timeout=WAIT)
    listed = connection.send("Target.getTargets", filter=[{}])["targetInfos"]
    tab = next(each["targetId"] for each in listed if each["type"] == "tab")
    connection.send("Extensions.triggerAction", id=extension, targetId=tab)
    found = server.receive("nothing comes of a click", timeout=WAIT)
    connection.send("Extensions.uninstall", id=extension)
    return found


def disagreements(observed: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each case where extlint disagrees about whether the listener runs."""
    for name, what in observed.items():
        files = {path: partial(bytes, text.encode()) for path, text in files_of(CASES[name]).items()}
        report = check_package(Package("judge", files), [Target(CHROME)], ("dead-listener",))
        if bool(report.findings) is (what == CLICKED):
            yield f"{name}: extlint says that the listener {'never runs' if report.findings else 'runs'}"


@click.command()
def clicks() -> None:
    """Query the effect of a click on the button in Chromium.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser("chromium", observe)
    for name, what in observed.items():
        click.echo(f"  {name}: {what}")
    report_and_exit(disagreements(observed))
