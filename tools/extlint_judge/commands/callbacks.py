"""Queries the results of calls with a callback in a real browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from extlint_judge.evaluation import evaluate
from extlint_judge.extensions import ID
from extlint_judge.options import browser_option, exit_with, query_browser

CALLS: Mapping[str, str] = {
    "runtime.getPlatformInfo": "",
    "runtime.sendMessage": "'x', ",
    "storage.local.get": "'a', ",
    "storage.local.set": "{a: 1}, ",
    "tabs.query": "{}, ",
    "windows.getAll": "{}, ",
}
"""Functions, each with the arguments before the callback."""

ROOTS = ("browser", "chrome")


def observe(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the type of the result of each call with a callback. Raises BrowserError."""
    manifest = {
        "manifest_version": 3,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
        "content_security_policy": {"extension_pages": "script-src 'self'"},
        "permissions": ["storage", "tabs"],
        "background": {"service_worker": "background.js", "scripts": ["background.js"]},
    }
    files = {"manifest.json": json.dumps(manifest), "page.html": "<!doctype html>", "background.js": ""}
    calls = (
        f"'{root}.{name}': typeof {root}.{name}({before}() => chrome.runtime.lastError)"
        for root in ROOTS
        for name, before in CALLS.items()
    )
    found: dict[str, str] = evaluate(browser, command, folder, files, f"({{{', '.join(calls)}}})")
    return found


@click.command()
@browser_option
def callbacks(browser: str) -> None:
    """Query the results of calls with a callback.

    The exit code is 1 if one returns anything, because extlint treats them as returning nothing.
    """
    observed = query_browser(browser, observe)
    for name, result in observed.items():
        click.echo(f"  {name}: {result}")
    exit_with(0 if {*observed.values()} == {"undefined"} else 1)
