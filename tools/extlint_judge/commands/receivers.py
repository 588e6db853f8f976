"""Queries which contexts of a real browser receive the messages of others, and compares that with extlint."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import click

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets.request import Target
from extlint_judge.browsers.chromium import chromium, load_extension
from extlint_judge.browsers.firefox import ADDRESS_OF, CLOSE, UNINSTALL, firefox, install
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.browsers.processes import facts_target
from extlint_judge.extensions import ID, write_files
from extlint_judge.options import browser_option, query_browser, report_and_exit

Results: TypeAlias = dict[str, dict[str, str]]
"""The results of each context, by its name and the call."""

Cases: TypeAlias = Mapping[str, Mapping[str, str]]
"""The files of each extension, by the name of the context that listens."""

WAIT = 20.0
"""The timeout in seconds for the results of each context."""

SENDERS = ("background", "page", "content")
"""The contexts that send, each by the name of its script."""

NOBODY = "nobody"
"""The name of the case without a listener."""

_SCRIPT = """
const api = globalThis.browser ?? chrome;
const me = %(me)s;
const told = (promise) => promise.then((it) => `gets ${it}`, (error) => `fails: ${error.message}`);
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
if (me === %(listening)s) {
  api.runtime.onMessage.addListener((message, sender, answer) => { answer("heard"); });
}

async function post() {
  const { tabs } = await api.storage.local.get("tabs");
  const found = { "runtime.sendMessage": await told(api.runtime.sendMessage("asks")) };
  for (const [name, tab] of Object.entries(api.tabs ? tabs : {})) {
    found[`tabs.sendMessage to ${name}`] = await told(api.tabs.sendMessage(tab, "asks"));
  }
  await fetch(%(address)s, { method: "POST", body: JSON.stringify([me, found]) });
}

async function open() {
  const names = { content: %(page)s, page: api.runtime.getURL("page.html") };
  const tabs = {};
  for (const [name, url] of Object.entries(names)) tabs[name] = (await api.tabs.create({ url })).id;
  for (let tries = 0; tries < 100; tries++) {
    const { content, page } = await api.storage.local.get(["content", "page"]);
    if (content && page) break;
    await wait(50);
  }
  await api.storage.local.set({ tabs });
  await post();
}

async function follow() {
  await api.storage.local.set({ [me]: true });
  while (!(await api.storage.local.get("tabs")).tabs) await wait(50);
  await post();
}

if (me === "background") open(); else follow();
"""


def observe(
    browser: str, command: str, folder: Path, cases: Sequence[str] = (*SENDERS, NOBODY)
) -> dict[str, Results]:
    """Returns each context's results for a message when only one context listens, by listener and sender.

    Raises BrowserError.
    """
    with serving() as server:
        texts = {name: files_of(name, server) for name in cases}
        observe_browser = _observe_chromium if browser == "chromium" else _observe_firefox
        return dict(observe_browser(command, folder, texts, server))


def _observe_chromium(
    command: str, folder: Path, cases: Cases, server: Server
) -> Iterator[tuple[str, Results]]:
    with chromium(command, folder) as connection:
        for name, texts in cases.items():
            where = folder / name
            write_files(texts, where)
            extension = load_extension(connection, where)
            yield name, _receive_results(server)
            connection.send("Extensions.uninstall", id=extension)


def _observe_firefox(
    command: str, folder: Path, cases: Cases, server: Server
) -> Iterator[tuple[str, Results]]:
    with firefox(command, folder) as marionette:
        for name, texts in cases.items():
            where = folder / name
            write_files(texts, where)
            install(marionette, where)
            marionette.script(ADDRESS_OF, ID, "page.html")
            yield name, _receive_results(server)
            marionette.script(UNINSTALL + CLOSE, ID)


def files_of(listening: str, server: Server) -> dict[str, str]:
    """Returns the files of an extension in which one context listens, and each of them sends."""
    scripts = {
        me: _SCRIPT
        % {
            "me": json.dumps(me),
            "listening": json.dumps(listening),
            "address": json.dumps(server.address("/")),
            "page": json.dumps(server.page),
        }
        for me in SENDERS
    }
    return _files(scripts)


def _files(scripts: Mapping[str, str]) -> dict[str, str]:
    manifest: Mapping[str, Any] = {
        "manifest_version": 3,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
        "content_security_policy": {"extension_pages": "script-src 'self'"},
        "permissions": ["storage"],
        "host_permissions": ["http://127.0.0.1/*"],
        "options_ui": {"page": "page.html", "open_in_tab": True},
        "background": {"service_worker": "background.js", "scripts": ["background.js"]},
        "content_scripts": [{"matches": ["http://127.0.0.1/*"], "js": ["content.js"]}],
    }
    html = "<!doctype html><script src='page.js'></script>"
    named = {f"{name}.js": text for name, text in scripts.items()}
    return {"manifest.json": json.dumps(manifest), "page.html": html, **named}


def _receive_results(server: Server) -> Results:
    return server.receive_from(SENDERS, timeout=WAIT)


def is_reported(browser: str, listening: str, sender: str, call: str) -> bool:
    """Whether extlint reports that a message has no receiver."""
    api = "chrome"
    sent = f"{api}.runtime.sendMessage('asks');"
    if call.startswith("tabs"):
        sent = f"{api}.tabs.query({{}}, ([tab]) => {api}.tabs.sendMessage(tab.id, 'asks'));"
    scripts = dict.fromkeys(SENDERS, "") | {sender: sent}
    if listening in scripts:
        scripts[listening] += f"{api}.runtime.onMessage.addListener(() => {{}});"
    files = {path: partial(bytes, text.encode()) for path, text in _files(scripts).items()}
    target = Target(facts_target(browser))
    return bool(check_package(Package("judge", files), [target], ["lost-message"]).findings)


def disagreements(browser: str, observed: Mapping[str, Results]) -> Iterator[str]:
    """Yields a line for each message where extlint disagrees with the browser.

    extlint does not know the target tab, nor whether a page is open twice.
    """
    for listening, by_sender in observed.items():
        for sender, found in by_sender.items():
            for call in dict.fromkeys(each.partition(" ")[0] for each in found):
                fails = all(it.startswith("fails") for name, it in found.items() if name.startswith(call))
                own = is_reported(browser, listening, sender, call)
                if own and not fails:
                    yield f"{call} in {sender} gets to {listening}: extlint says that it is lost"
                if fails and not own and sender != "page":
                    yield f"{call} in {sender} does not get to {listening}: extlint does not say so"


@click.command()
@browser_option
def receivers(browser: str) -> None:
    """Query which contexts receive the messages of others.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for listening, by_sender in observed.items():
        for sender, found in by_sender.items():
            for call, answer in found.items():
                click.echo(f"  {listening} listens: {call} in {sender} {answer}")
    report_and_exit(disagreements(browser, observed))
