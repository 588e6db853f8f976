"""Queries whether an injected function in a real browser has access to the variables around it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from extlint_judge.browsers.http_server import serving
from extlint_judge.evaluation import evaluate
from extlint_judge.extensions import ID
from extlint_judge.options import browser_option, query_browser, report_and_exit

FAILURE = "ReferenceError: color is not defined"
CALLS = {
    "a variable around it": "func: () => { try { return color; } catch (error) { return String(error); } }",
    "an argument": "args: [color], func: (color) => color",
}
COLOR = "red"
PERMISSIONS = ("scripting", "tabs")


def observe(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the result of each injected function. Raises BrowserError."""
    hosts = ["http://127.0.0.1/*"]
    manifest: dict[str, Any] = {
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
    }
    if browser == "chromium":
        manifest |= {"manifest_version": 3, "permissions": PERMISSIONS, "host_permissions": hosts}
    else:  # in Manifest V3 a user may withdraw hosts from an add-on
        background = {"scripts": ["background.js"]}
        manifest |= {
            "manifest_version": 2,
            "permissions": [*PERMISSIONS, *hosts],
            "background": background,
        }
    files = {"manifest.json": json.dumps(manifest), "page.html": "<!doctype html>", "background.js": ""}
    with serving() as server:
        calls = (
            f"{json.dumps(name)}: (await api.scripting.executeScript({{target, {call}}}))[0].result"
            for name, call in CALLS.items()
        )
        expression = f"""(async () => {{
            const api = globalThis.browser ?? chrome;
            const color = {json.dumps(COLOR)};
            const address = {json.dumps(server.page)};
            const tab = await api.tabs.create({{url: address}});
            const isLoaded = ({{status, url}}) => status === "complete" && url === address;
            const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
            while (!isLoaded(await api.tabs.get(tab.id))) await pause();
            const target = {{tabId: tab.id}};
            return {{{", ".join(calls)}}};
        }})()"""
        found: dict[str, str] = evaluate(browser, command, folder, files, expression)
    return found


@click.command()
@browser_option
def injected_functions(browser: str) -> None:
    """Query which variables injected functions can access.

    The exit code is 1 if one can access a variable around it, because extlint assumes that it cannot.
    """
    observed = query_browser(browser, observe)
    for name, result in observed.items():
        click.echo(f"  {name}: {result}")
    expected = dict(zip(CALLS, (FAILURE, COLOR), strict=True))
    report_and_exit(f"{name}: {told}" for name, told in observed.items() if told != expected[name])
