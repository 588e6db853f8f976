"""Queries the results of requesting the background page in a real browser, and compares them with extlint."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from extlint.manifest.reader import read_manifest
from extlint_judge.browsers.chromium import chromium, load_extension, load_page
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.http_server import serving
from extlint_judge.browsers.processes import ENGINES
from extlint_judge.evaluation import posting_script, result_from_page
from extlint_judge.extensions import ID, VERSIONS, write_files
from extlint_judge.options import browser_option, query_browser, report_and_exit
from extlint_rules.missing_background_page import has_background_page

BACKGROUNDS: Mapping[str, Any] = {
    "nothing": None,
    "scripts": {"scripts": ["background.js"]},
    "scripts of an event page": {"scripts": ["background.js"], "persistent": False},
    "a page": {"page": "background.html"},
    "a service worker": {"service_worker": "background.js"},
}
LOADED = {"chromium": ("nothing", "a service worker"), "firefox": (*BACKGROUNDS,)[:4]}
"""The backgrounds that each browser accepts. Chromium no longer loads Manifest V2."""

_PROBE = """(async () => {
  const api = globalThis.browser ?? chrome;
  const asked = {
    "runtime.getBackgroundPage": () => api.runtime.getBackgroundPage(),
    "extension.getBackgroundPage": () => api.extension.getBackgroundPage(),
  };
  const found = {};
  for (const [name, ask] of Object.entries(asked)) {
    try {
      found[name] = (await ask()) ? "gives a page" : "gives nothing";
    } catch (error) {
      found[name] = `fails: ${error.message}`;
    }
  }
  return found;
})()"""


def manifest_of(version: int, background: object) -> dict[str, Any]:
    """Returns the manifest of an extension with a background."""
    policy = "script-src 'self'"
    found = {
        "manifest_version": version,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
        "content_security_policy": policy if version == 2 else {"extension_pages": policy},
    }
    return found if background is None else {**found, "background": background}


def observe(browser: str, command: str, folder: Path) -> dict[str, dict[str, str]]:
    """Returns the result of each call in a page, for each manifest version and background.

    Raises BrowserError.
    """
    cases = {
        f"{version}, {name}": manifest_of(version, BACKGROUNDS[name])
        for version in VERSIONS[browser]
        for name in LOADED[browser]
        if version == 2 or "persistent" not in (BACKGROUNDS[name] or ())
    }
    return (_observe_chromium if browser == "chromium" else _observe_firefox)(command, folder, cases)


def _files(manifest: Mapping[str, Any], script: str) -> dict[str, str]:
    page = "<!doctype html><script src='page.js'></script>"
    background = {"background.js": "", "background.html": "<!doctype html>"}
    return {"manifest.json": json.dumps(manifest), "page.html": page, "page.js": script, **background}


def _observe_chromium(command: str, folder: Path, cases: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    found = {}
    with chromium(command, folder) as connection:
        for number, (name, manifest) in enumerate(cases.items()):
            where = folder / f"extension{number}"
            write_files(_files(manifest, ""), where)
            session = load_page(
                connection, f"chrome-extension://{load_extension(connection, where)}/page.html"
            )
            found[name] = connection.evaluate(session, _PROBE)
    return found


def _observe_firefox(command: str, folder: Path, cases: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    found = {}
    with serving() as server, firefox(command, folder) as marionette:
        for number, (name, manifest) in enumerate(cases.items()):
            where = folder / f"extension{number}"
            write_files(_files(manifest, posting_script(_PROBE, server)), where)
            found[name] = result_from_page(marionette, server, where)
    return found


def disagreements(browser: str, observed: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yields a line for each case where extlint disagrees with the browser."""
    for name, answers in observed.items():
        version, _, background = name.partition(", ")
        text = json.dumps(manifest_of(int(version), BACKGROUNDS[background])).encode()
        own = has_background_page(read_manifest("manifest.json", text), ENGINES[browser])
        if {own} != {each == "gives a page" for each in answers.values()}:
            yield f"{name}: extlint says that there is {'a' if own else 'no'} background page"
        if browser == "chromium" and not own and not answers["runtime.getBackgroundPage"].startswith("fails"):
            yield f"{name}: extlint says that runtime.getBackgroundPage fails"


@click.command()
@browser_option
def background_pages(browser: str) -> None:
    """Query the results of requesting the background page.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for name, answers in observed.items():
        for call, answer in answers.items():
            click.echo(f"  {name}: {call} {answer}")
    report_and_exit(disagreements(browser, observed))
