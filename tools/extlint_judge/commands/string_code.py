"""Queries where a real browser runs strings as code, and compares that with extlint."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets.request import Target
from extlint_judge.browsers.chromium import chromium, load_extension
from extlint_judge.browsers.firefox import OPEN, firefox, install, open_page
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.browsers.processes import facts_target
from extlint_judge.extensions import ID, write_files
from extlint_judge.options import browser_option, query_browser, report_and_exit

WAIT = 20.0
"""The timeout in seconds for the results from a script."""

RUNS = "runs"
CALLS: Mapping[str, str] = {"eval": "eval(\"'runs'\")", "Function": "Function(\"return 'runs'\")()"}
SCRIPTS = ("background.js", "content.js", "main.js", "page.js", "worker.js")

CASES: Mapping[str, tuple[int, str | None]] = {
    "version 3": (3, None),
    "version 2": (2, None),
    "version 2, unsafe-eval": (2, "script-src 'self' 'unsafe-eval'"),
}
"""The manifest versions and policies to query. Chromium no longer loads Manifest V2."""

_SCRIPT = """
const found = {};
const attempt = (name, call) => {
  try { found[name] = call(); } catch (error) { found[name] = String(error); }
};
%s
fetch(%s, { method: "POST", mode: "no-cors", body: JSON.stringify([%s, found]) });
"""


def observe(browser: str, command: str, folder: Path) -> dict[str, dict[str, str]]:
    """Returns each call's result, or the browser's error, by case and script. Raises BrowserError."""
    found: dict[str, dict[str, str]] = {}
    for number, (name, (version, policy)) in enumerate(CASES.items()):
        if browser == "chromium" and version == 2:
            continue
        own = folder / str(number)
        own.mkdir()
        with serving() as server:
            where = own / "extension"
            write_files(_files(browser, version, policy, server), where)
            by_script = _observe_case(browser, command, own, where, server)
        found |= {f"{name}, {script}": results for script, results in by_script.items()}
    return found


def _observe_case(
    browser: str, command: str, own: Path, where: Path, server: Server
) -> dict[str, dict[str, str]]:
    if browser == "chromium":
        with chromium(command, own) as connection:
            address = f"chrome-extension://{load_extension(connection, where)}/page.html"
            for each in (address, server.page):
                connection.send("Target.createTarget", url=each)
            return server.receive_from(SCRIPTS, timeout=WAIT)
    with firefox(command, own) as marionette:
        install(marionette, where)
        open_page(marionette, "page.html")
        marionette.script(OPEN, server.page)
        return server.receive_from(SCRIPTS, timeout=WAIT)


def manifest_of(browser: str, version: int, policy: str | None) -> dict[str, Any]:
    """Returns the manifest of an extension with a script of each kind."""
    hosts = ["http://127.0.0.1/*"]
    found: dict[str, Any] = {
        "manifest_version": version,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
        "options_ui": {"page": "page.html"},
        "host_permissions" if version == 3 else "permissions": hosts,
        "content_scripts": [
            {"matches": hosts, "js": ["content.js"]},
            {"matches": hosts, "js": ["main.js"], "world": "MAIN"},
        ],
        "background": {"service_worker": "background.js"}
        if browser == "chromium"
        else {"scripts": ["background.js"]},
    }
    return found if policy is None else {**found, "content_security_policy": policy}


def _files(browser: str, version: int, policy: str | None, server: Server) -> dict[str, str]:
    calls = "\n".join(f"attempt('{name}', () => {call});" for name, call in CALLS.items())
    address = json.dumps(server.address("/"))
    scripts = {name: _SCRIPT % (calls, address, json.dumps(name)) for name in SCRIPTS}
    return {
        "manifest.json": json.dumps(manifest_of(browser, version, policy)),
        "page.html": "<!doctype html><script src='page.js'></script>",
        **scripts,
        "page.js": scripts["page.js"] + 'new Worker("worker.js");',
    }


def disagreements(browser: str, observed: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yields a line for each call where extlint disagrees with the browser."""
    calls = "\n".join(CALLS.values())
    for name, results in observed.items():
        case, _, script = name.rpartition(", ")
        files = {
            "manifest.json": json.dumps(manifest_of(browser, *CASES[case])),
            "page.html": "<!doctype html><script src='page.js'></script>",
            "page.js": 'new Worker("worker.js");',
        }
        files[script] = f"{files.get(script, '')}\n{calls}"
        package = Package("judge", {path: partial(bytes, text.encode()) for path, text in files.items()})
        found = check_package(package, [Target(facts_target(browser))], ["string-code"]).findings
        reported = {each.message.split("`")[1] for each in found}
        for call, answer in results.items():
            if (call in reported) == (answer == RUNS):
                yield f"{name}: extlint says that {call} {'fails' if answer == RUNS else 'runs'}"


@click.command(name="string-code")
@browser_option
def string_code(browser: str) -> None:
    """Query in which scripts strings run as code.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for name, answers in observed.items():
        for call, answer in answers.items():
            click.echo(f"  {name}: {call}: {answer}")
    report_and_exit(disagreements(browser, observed))
