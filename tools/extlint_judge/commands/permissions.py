"""Queries `permissions.contains` and `request` in a real browser with permissions not in the manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from extlint_judge.browsers.chromium import chromium, load_extension, load_page
from extlint_judge.browsers.firefox import ADDRESS_OF, firefox, install
from extlint_judge.browsers.http_server import serving
from extlint_judge.evaluation import posting_script
from extlint_judge.extensions import ID, write_files
from extlint_judge.options import browser_option, query_browser

WAIT = 20.0
"""The timeout in seconds for the results from a page."""

MANIFEST: dict[str, Any] = {
    "manifest_version": 3,
    "name": "judge",
    "version": "1",
    "permissions": ["tabs"],
    "optional_permissions": ["bookmarks"],
    "host_permissions": ["https://d.example/*"],
    "optional_host_permissions": ["https://a.example/*"],
    "content_scripts": [{"matches": ["https://c.example/*"], "js": ["background.js"]}],
    "background": {"scripts": ["background.js"], "service_worker": "background.js"},
    "browser_specific_settings": {"gecko": {"id": ID}},
}

CALLS = {
    "contains, required": "contains({permissions: ['tabs']})",
    "contains, optional": "contains({permissions: ['bookmarks']})",
    "contains, lacking": "contains({permissions: ['history']})",
    "contains, lacking beside one that is there": "contains({permissions: ['tabs', 'history']})",
    "contains, a lacking site": "contains({origins: ['https://b.example/*']})",
    "contains, a site among permissions": "contains({permissions: ['https://d.example/*']})",
    "remove, a site among permissions": "remove({permissions: ['https://d.example/*']})",
    "request, required": "request({permissions: ['tabs']})",
    "request, a site among permissions": "request({permissions: ['https://d.example/*']})",
    "request, a lacking site": "request({origins: ['https://b.example/*']})",
    "request, the site of a content script": "request({origins: ['https://c.example/*']})",
    "request, lacking": "request({permissions: ['history']})",
    "request, lacking beside one that is there": "request({permissions: ['tabs', 'history']})",
}

_PROBE = """
const settle = async (call) => {
  try {
    return JSON.stringify(await call());
  } catch (error) {
    return `fails: ${error.message}`;
  }
};
const ask = async () => {
  const api = (globalThis.browser ?? chrome).permissions;
  const asked = { %s };
  const found = {};
  for (const name in asked) found[name] = await asked[name];
  return found;
};
"""
_SCRIPT = _PROBE % ", ".join(f"{json.dumps(name)}: settle(() => api.{call})" for name, call in CALLS.items())
_PAGE = "<!doctype html><meta charset='utf-8'><button>ask</button><script src='page.js'></script>"


def observe(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the result of each call as JSON, or `fails: …`. Raises BrowserError."""
    files = {
        "manifest.json": json.dumps(MANIFEST),
        "page.html": _PAGE,
        "background.js": "",
        "page.js": _SCRIPT,
    }
    return (_observe_chromium if browser == "chromium" else _observe_firefox)(command, files, folder)


def _observe_chromium(command: str, files: dict[str, str], folder: Path) -> dict[str, str]:
    where = folder / "extension"
    with chromium(command, folder) as connection:
        write_files(files, where)
        session = load_page(connection, f"chrome-extension://{load_extension(connection, where)}/page.html")
        found = connection.send(
            "Runtime.evaluate",
            session,
            expression="ask()",
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        answers: dict[str, str] = found["result"]["value"]
        return answers


def _observe_firefox(command: str, files: dict[str, str], folder: Path) -> dict[str, str]:
    where = folder / "extension"
    with serving() as server, firefox(command, folder) as marionette:
        files["page.js"] += (
            f"document.querySelector('button').onclick = () => {posting_script('ask()', server)};"
        )
        write_files(files, where)
        page = marionette.script(ADDRESS_OF, install(marionette, where), "page.html")
        marionette.command("Marionette:SetContext", {"value": "content"})
        marionette.command("WebDriver:Navigate", {"url": page})
        button = marionette.command("WebDriver:FindElement", {"using": "css selector", "value": "button"})
        (element,) = button["value"].values()
        marionette.command("WebDriver:ElementClick", {"id": element})
        found: dict[str, str] = server.receive("the page says nothing", timeout=WAIT)
        return found


@click.command()
@browser_option
def permissions(browser: str) -> None:
    """Query calls with permissions missing from a manifest.

    These are passed to permissions.contains and permissions.request.

    The requests are made during a user action, as browsers require.
    """
    for name, answer in query_browser(browser, observe).items():
        click.echo(f"  {name}: {answer}")
