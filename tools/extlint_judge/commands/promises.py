"""Queries which root's functions return promises in Firefox, in each manifest version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from extlint_judge.evaluation import evaluate
from extlint_judge.extensions import ID
from extlint_judge.options import query_browser, report_and_exit

CALLS: Mapping[str, str] = {
    "alarms.getAll": "",
    "bookmarks.getTree": "",
    "contextualIdentities.query": "{}",
    "cookies.getAllCookieStores": "",
    "extension.isAllowedIncognitoAccess": "",
    "history.search": "{text: ''}",
    "i18n.getAcceptLanguages": "",
    "management.getSelf": "",
    "menus.removeAll": "",
    "permissions.getAll": "",
    "runtime.getPlatformInfo": "",
    "runtime.sendMessage": "'x'",
    "storage.local.get": "'a'",
    "storage.local.set": "{a: 1}",
    "storage.sync.get": "'a'",
    "tabs.query": "{}",
    "theme.getCurrent": "",
    "windows.getAll": "{}",
}
"""Functions, each with arguments and without a callback."""

ROOTS = ("browser", "chrome")
PERMISSIONS = (
    "alarms",
    "bookmarks",
    "contextualIdentities",
    "cookies",
    "history",
    "menus",
    "storage",
    "tabs",
)

ERROR = "chrome.tabs.query({}).then"
"""A call of `then` on a function's result, whose error is recorded."""


def observe(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the result type of each function, by version, root and name.

    It is `promise` or another type. Raises BrowserError.
    """
    return {
        f"{version} {name}": what
        for version in (2, 3)
        for name, what in _observe_version(browser, command, folder / str(version), version).items()
    }


def _observe_version(browser: str, command: str, folder: Path, version: int) -> dict[str, str]:
    manifest = {
        "manifest_version": version,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
        "permissions": PERMISSIONS,
        "background": {"scripts": ["background.js"]},
    }
    calls = {
        f"{root}.{name}": f"{root}.{name}({arguments})" for root in ROOTS for name, arguments in CALLS.items()
    }
    kinds = (f"{json.dumps(name)}: kind({call})" for name, call in calls.items())
    expression = f"""(() => {{
        const kind = (it) => {{
            if (!(it instanceof Promise)) return typeof it;
            it.catch(() => {{}});
            return "promise";
        }};
        const said = {{{", ".join(kinds)}}};
        try {{ {ERROR}(() => {{}}); said[{json.dumps(ERROR)}] = "nothing"; }}
        catch (error) {{ said[{json.dumps(ERROR)}] = String(error); }}
        return said;
    }})()"""
    folder.mkdir()
    files = {"manifest.json": json.dumps(manifest), "background.js": ""}
    found: dict[str, str] = evaluate(browser, command, folder, files, expression)
    return found


def disagreements(observed: Mapping[str, str]) -> list[str]:
    """Returns the differences from extlint's assumption: only `chrome` in Manifest V2 returns no promises."""
    found = []
    for case, what in observed.items():
        version, name = case.split(" ", 1)
        if name == ERROR:
            continue
        expected = "undefined" if version == "2" and name.startswith("chrome.") else "promise"
        if what != expected:
            found.append(f"{case} returns {what}, and not {expected}")
    return found


@click.command()
def promises() -> None:
    """Query which functions return promises in Firefox.

    The exit code is 1 if one of `chrome` does in Manifest V2, or any other one does not.
    """
    observed = query_browser("firefox", observe)
    for name, result in observed.items():
        click.echo(f"  {name}: {result}")
    report_and_exit(disagreements(observed))
