"""Queries `runtime.getManifest` in a real browser, and its differences from the written manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from extlint_judge.evaluation import evaluate
from extlint_judge.extensions import ID
from extlint_judge.options import browser_option, query_browser

WRITTEN: dict[str, Any] = {
    "manifest_version": 3,
    "name": "judge",
    "version": "1",
    "permissions": ["tabs", "menus", "sidePanel", "judge_nowhere"],
    "optional_permissions": ["bookmarks", "readingList"],
    "background": {"scripts": ["background.js"], "service_worker": "background.js"},
    "side_panel": {"default_path": "page.html"},
    "sidebar_action": {"default_panel": "page.html"},
    "minimum_chrome_version": "100",
    "browser_specific_settings": {"gecko": {"id": ID}},
    "action": {"default_title": "judge", "judge_nowhere": 1},
    "judge_nowhere": {"key": 1},
    "homepage_url": "https://example.org/",
    "offline_enabled": True,
}
"""A manifest with keys and permissions known to both browsers, to one of them, or to neither."""


MANIFEST = "chrome.runtime.getManifest()"


def evaluate_in_extension(browser: str, command: str, folder: Path, expression: str = MANIFEST) -> Any:
    """Returns the value of an expression in a script of the extension. Raises BrowserError."""
    files = {"manifest.json": json.dumps(WRITTEN), "page.html": "<!doctype html>", "background.js": ""}
    return evaluate(browser, command, folder, files, expression)


def differences(written: object, found: object, at: str = "") -> Iterator[str]:
    """Yields a line for each difference between the written manifest and the one that scripts get."""
    if isinstance(written, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*written, *found)):
            where = f"{at}/{key}"
            if key not in found or (found[key] is None and key in written):
                yield f"{where}: {json.dumps(written[key])} is not seen"
            elif key not in written:
                if found[key] is not None:
                    yield f"{where}: {json.dumps(found[key])} is seen, and not written"
            else:
                yield from differences(written[key], found[key], where)
    elif written != found:
        yield f"{at}: {json.dumps(written)} is seen as {json.dumps(found)}"


@click.command()
@browser_option
def seen_manifest(browser: str) -> None:
    """Query the result of runtime.getManifest.

    Prints its differences from the file.
    """
    for line in differences(WRITTEN, query_browser(browser, evaluate_in_extension)):
        click.echo(f"  {line}")
