"""Finds the calls that fail in Firefox without an add-on id, or return something different at each load."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from extlint_judge.browsers.firefox import firefox, install
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.browsers.marionette import Marionette
from extlint_judge.extensions import VERSIONS, write_files
from extlint_judge.options import query_browser, report_and_exit
from extlint_rules.missing_add_on_id import CHANGES_WITH_ID, REQUIRES_ID

WAIT = 20.0
"""The timeout in seconds for the results from the background."""

PERMISSIONS = ("alarms", "downloads", "identity", "sessions", "storage", "tabs", "theme")

CALLS: Mapping[str, str] = {
    **{f"storage.{area}.get": "('a')" for area in ("local", "managed", "session", "sync")},
    **{f"storage.{area}.getBytesInUse": "('a')" for area in ("managed", "session", "sync")},
    **{f"storage.{area}.getKeys": "()" for area in ("local", "managed", "session", "sync")},
    **{f"storage.{area}.set": "({a: 1})" for area in ("local", "session", "sync")},
    **{f"storage.{area}.remove": "('a')" for area in ("local", "session", "sync")},
    **{f"storage.{area}.clear": "()" for area in ("local", "session", "sync")},
    **{f"sessions.{each}TabValue": "(tab, 'a')" for each in ("get", "remove")},
    **{f"sessions.{each}WindowValue": "(view, 'a')" for each in ("get", "remove")},
    "sessions.setTabValue": "(tab, 'a', 1)",
    "sessions.setWindowValue": "(view, 'a', 1)",
    "sessions.getRecentlyClosed": "()",
    "alarms.create": "('a', {periodInMinutes: 1})",
    "downloads.search": "({})",
    "identity.getRedirectURL": "()",
    "runtime.setUninstallURL": "('https://example.org/')",
    "theme.getCurrent": "()",
}
"""The calls, with valid arguments."""

CHANGING = ("sessions.getRecentlyClosed", "theme.getCurrent")
"""Calls whose results may differ for reasons other than the id."""

CHANGED = "gives something else whenever the add-on is loaded"

_SCRIPT = """
const told = (error) => `fails: ${error.message}`;
(async () => {
  const [{ id: tab }] = await browser.tabs.query({});
  const { id: view } = await browser.windows.getCurrent();
  const found = {};
  for (const [name, call] of Object.entries({ %s })) {
    try {
      const value = await call();
      found[name] = `gives ${JSON.stringify(value)}`;
    } catch (error) {
      found[name] = told(error);
    }
  }
  await fetch(%s, { method: "POST", body: JSON.stringify(found) });
})();
"""


def observe(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the result of each call, or `fails: ...`, in each manifest version. Raises BrowserError."""
    found: dict[str, str] = {}
    with serving() as server, firefox(command, folder) as marionette:
        for version in VERSIONS[browser]:
            calls = ", ".join(f"'{name}': () => browser.{name}{call}" for name, call in CALLS.items())
            manifest = {
                "manifest_version": version,
                "name": "judge",
                "version": "1",
                "permissions": PERMISSIONS,
                "background": {"scripts": ["background.js"]},
            }
            script = _SCRIPT % (calls, json.dumps(server.address("/")))
            files = {"manifest.json": json.dumps(manifest), "background.js": script}
            first, second = (
                _load_once(marionette, server, files, folder / f"extension{version}{time}") for time in "ab"
            )
            for name, each in first.items():
                changes = each.startswith("gives") and second[name] != each
                found[f"{version}: {name}"] = CHANGED if changes and name not in CHANGING else each
    return found


def _load_once(
    marionette: Marionette, server: Server, files: Mapping[str, str], where: Path
) -> Mapping[str, str]:
    """Loads an add-on, returns the results of its calls, and removes it again."""
    write_files(files, where)
    added = install(marionette, where)
    try:
        results: Mapping[str, str] = server.receive("the background says nothing", timeout=WAIT)
    finally:
        marionette.command("Addon:Uninstall", {"id": added})
    return results


def disagreements(observed: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each call where extlint disagrees with Firefox."""
    for name, result in observed.items():
        path = tuple(name.partition(": ")[2].split("."))
        fails = result.startswith("fails: ") and "temporary addon ID" in result
        if fails is not (path in REQUIRES_ID) or (result == CHANGED) is not (path in CHANGES_WITH_ID):
            yield f"{name} {result}"


@click.command()
def add_on_id() -> None:
    """Find calls that fail in Firefox without an add-on id.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser("firefox", observe)
    for name, result in observed.items():
        click.echo(f"  {name} {result}")
    report_and_exit(f"extlint says something else: {line}" for line in disagreements(observed))
