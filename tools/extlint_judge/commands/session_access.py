"""Queries content scripts' access to `storage.session` in a real browser, and compares it with extlint."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import click

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets.request import Target
from extlint_judge.browsers.chromium import attach, chromium, load_extension, wait_for
from extlint_judge.browsers.firefox import OPEN, UNINSTALL, firefox, install
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.browsers.processes import facts_target
from extlint_judge.extensions import ID, write_files
from extlint_judge.options import browser_option, query_browser, report_and_exit

WAIT = 30.0
"""The timeout in seconds for the results from a content script."""

CALLS = ("clear()", "get('a')", "getBytesInUse('a')", "remove('a')", "set({a: 1})")

OPENING = "storage.session.setAccessLevel({accessLevel: 'TRUSTED_AND_UNTRUSTED_CONTEXTS'})"

Answer: TypeAlias = dict[str, str]
"""The result of each call: `works` or its error."""

_PROBE = """(async () => {
  const api = globalThis.browser ?? chrome;
  const told = {};
  for (const [name, call] of Object.entries({ %s })) {
    try {
      await call();
      told[name] = "works";
    } catch (error) {
      told[name] = error.message;
    }
  }
  fetch(%s, { method: "POST", body: JSON.stringify(told) });
})();"""


def files_of(browser: str, script: str, *, is_open: bool) -> dict[str, str]:
    """Returns an extension with a content script, which may open the storage area to it."""
    background = {"service_worker": "b.js"} if browser == "chromium" else {"scripts": ["b.js"]}
    manifest = {
        "manifest_version": 3,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
        "permissions": ["storage"],
        "background": background,
        "content_scripts": [{"matches": ["http://127.0.0.1/*"], "js": ["content.js"]}],
    }
    opening = f"globalThis.judged = chrome.{OPENING}.then(() => true);"
    return {"manifest.json": json.dumps(manifest), "content.js": script, "b.js": opening if is_open else ""}


def observe(browser: str, command: str, folder: Path) -> dict[str, Answer]:
    """Returns the result of each call, with and without a background that opens the storage area.

    Firefox has no call that opens it. Raises BrowserError.
    """
    found = {}
    with serving() as server:
        for is_open in (False, True) if browser == "chromium" else (False,):
            where = folder / f"extension{is_open}"
            calls = ", ".join(f'"{each}": () => api.storage.session.{each}' for each in CALLS)
            script = _PROBE % (calls, json.dumps(server.address("/told")))
            write_files(files_of(browser, script, is_open=is_open), where)
            observe_browser = _observe_chromium if browser == "chromium" else _observe_firefox
            found["open" if is_open else "closed"] = observe_browser(command, folder, where, server)
    return found


def _observe_chromium(command: str, folder: Path, where: Path, server: Server) -> Answer:
    blank = "about:blank#judge"
    with chromium(command, folder) as connection:
        worker = f"chrome-extension://{load_extension(connection, where)}/b.js"
        if "judged" in (where / "b.js").read_text(encoding="utf-8"):
            session = attach(connection, worker)
            look = "globalThis.judged ?? null"
            wait_for(lambda: connection.evaluate(session, look) or None, "the background says nothing")
        connection.send("Target.createTarget", url=blank)
        connection.send("Page.navigate", attach(connection, blank), url=server.page)
        return _received(server)


def _observe_firefox(command: str, folder: Path, where: Path, server: Server) -> Answer:
    with firefox(command, folder) as marionette:
        install(marionette, where)
        marionette.script(OPEN, server.page)
        found = _received(server)
        marionette.script(UNINSTALL, ID)
        return found


def _received(server: Server) -> Answer:
    found: Any = server.receive("the content script says nothing", timeout=WAIT)
    return dict(found)


def disagreements(browser: str, observed: Mapping[str, Answer]) -> Iterator[str]:
    """Yields a line for each call where extlint disagrees with the browser."""
    for name, results in observed.items():
        lines = "\n".join(f"chrome.storage.session.{each};" for each in CALLS)
        files = files_of(browser, lines, is_open=name == "open")
        package = Package("judge", {path: text.encode for path, text in files.items()})
        found = check_package(package, [Target(facts_target(browser))], ("wrong-context",)).findings
        reported = {each.span.start.line for each in found if each.path == "content.js"}
        for line, call in enumerate(CALLS, 1):
            if (results[call] != "works") is not (line in reported):
                yield f"{name}: extlint says that {call} {'works' if results[call] != 'works' else 'fails'}"


@click.command()
@browser_option
def session_access(browser: str) -> None:
    """Query what content scripts may do with `storage.session`.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for name, answers in observed.items():
        for call, answer in answers.items():
            click.echo(f"  {name}: {call}: {answer}")
    report_and_exit(disagreements(browser, observed))
