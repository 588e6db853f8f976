"""Queries where scripts in a real browser may import, and the errors elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

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
"""The timeout in seconds for a context to report on its scripts."""

RUNS = "runs"

PROBES: Mapping[str, str] = {
    "classic-import.js": 'import "./empty.js"; ran("classic-import.js");',
    "classic-export.js": 'ran("classic-export.js"); export {};',
    "classic-meta.js": 'ran("classic-meta.js"); import.meta.url;',
    "module-import.js": 'import "./empty.js"; ran("module-import.js");',
    "module-name.js": 'import "empty"; ran("module-name.js");',
    "module-suffix.js": 'import "./empty"; ran("module-suffix.js");',
    "module-folder.js": 'import "./inner"; ran("module-folder.js");',
    "module-exported.js": 'import { a, b as c } from "./all.js"; ran("module-exported.js");',
    "module-missing.js": 'import { missing } from "./has.js"; ran("module-missing.js");',
    "module-default.js": 'import missing from "./all.js"; ran("module-default.js");',
    "module-again.js": 'export { missing } from "./has.js"; ran("module-again.js");',
    "module-nothing.js": 'import { missing } from "./empty.js"; ran("module-nothing.js");',
    "module-namespace.js": 'import * as all from "./has.js"; all.missing; ran("module-namespace.js");',
    "module-dynamic.js": 'await import("./empty.js"); ran("module-dynamic.js");',
}
"""The scripts of the page. Those with `module` in their names are modules."""

_COLLECT = """
const found = {};
function ran(name) { found[name] = "runs"; }
function failed(name, error) { found[name] = String(error?.message ?? error); }
"""
_IN_PAGE = """
addEventListener("error", (event) => {
  const name = (event.filename || event.target?.src || "").split("/").pop();
  if (name && event.message) failed(name === "page.html" ? "module-name.js" : name, event.message);
  else if (name && !found[name]) failed(name, "does not run");
}, true);
addEventListener("load", () => setTimeout(() => tell("page", found), 500));
"""
_IN_WORKER = """
import "./empty.js";
ran("worker.js");
try { importScripts("empty.js"); ran("worker importScripts"); }
catch (error) { failed("worker importScripts", error); }
import("./empty.js").then(() => ran("worker import()"), (error) => failed("worker import()", error))
  .then(() => tell("worker", found));
"""
_WORKER = 'import "./empty.js"; importScripts("empty.js"); import("./empty.js");'
"""The worker as extlint sees it, without any handling of failures."""

_IN_CONTENT_SCRIPT = 'found["content-import.js"] = globalThis.imported ? "runs" : "does not run";\n'


def observe(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the result of each script or call: `runs`, or the browser's message. Raises BrowserError."""
    with serving() as server:
        where = folder / "extension"
        write_files(_files(browser, server), where)
        if browser == "chromium":
            with chromium(command, folder) as connection:
                address = f"chrome-extension://{load_extension(connection, where)}/page.html"
                for each in (address, server.page):
                    connection.send("Target.createTarget", url=each)
                return _received(server, "page", "worker", "content")
        with firefox(command, folder) as marionette:
            install(marionette, where)
            open_page(marionette, "page.html")
            marionette.script(OPEN, server.page)
            return _received(server, "page", "content")


def _received(server: Server, *contexts: str) -> dict[str, str]:
    reports = server.receive_from(contexts, timeout=WAIT).values()
    return {name: answer for each in reports for name, answer in each.items()}


def _files(browser: str, server: Server) -> dict[str, str]:
    address = json.dumps(server.address("/"))
    body = "{ method: 'POST', mode: 'no-cors', body: JSON.stringify([context, found]) }"
    helpers = f"{_COLLECT}function tell(context, found) {{ fetch({address}, {body}); }}\n"
    tags = "".join(
        f"<script {'type=module ' if name.startswith('module') else ''}src={name}></script>\n"
        for name in PROBES
    )
    return {
        "manifest.json": json.dumps(manifest_of(browser)),
        "empty.js": "",
        "has.js": "export const a = 1, b = 2;",
        "all.js": 'export * from "./has.js";',
        "inner/index.js": "",
        "page.html": f"<!doctype html><script src=collect.js></script>\n{tags}",
        "collect.js": helpers + _IN_PAGE,
        **PROBES,
        "worker.js": helpers + _IN_WORKER,
        "content-import.js": 'import "./empty.js"; globalThis.imported = true;',
        "content.js": helpers + _IN_CONTENT_SCRIPT + 'tell("content", found);',
    }


def manifest_of(browser: str) -> dict[str, object]:
    """Returns the manifest of the extension with all probes."""
    found: dict[str, object] = {
        "manifest_version": 3,
        "name": "judge",
        "version": "1",
        "host_permissions": ["http://127.0.0.1/*"],
        "options_ui": {"page": "page.html"},
        "content_scripts": [
            {"matches": ["http://127.0.0.1/*"], "js": [name]} for name in ("content-import.js", "content.js")
        ],
    }
    if browser == "chromium":
        return {**found, "background": {"service_worker": "worker.js", "type": "module"}}
    return {**found, "browser_specific_settings": {"gecko": {"id": ID}}}


def disagreements(browser: str, observed: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each script or call where extlint disagrees with the browser."""
    with serving() as server:
        files = {**_files(browser, server), "worker.js": _WORKER}
    package = Package("judge", {path: partial(bytes, text.encode()) for path, text in files.items()})
    found = check_package(
        package, [Target(facts_target(browser))], ["misplaced-import", "missing-export", "missing-file"]
    ).findings
    reported = {
        f"worker {each.message.split('`')[1]}" if each.path == "worker.js" else each.path for each in found
    }
    for name, answer in observed.items():
        if (name in reported) == (answer == RUNS):
            yield f"{name}: extlint says that it {'fails' if answer == RUNS else 'runs'}"


@click.command()
@browser_option
def imports(browser: str) -> None:
    """Query which scripts may import, and how.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for name, answer in observed.items():
        click.echo(f"  {name}: {answer}")
    report_and_exit(disagreements(browser, observed))
