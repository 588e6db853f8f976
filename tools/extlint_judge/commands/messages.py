"""Queries the listener responses that reach the sender in a real browser, and compares them with extlint."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import click

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets.request import Target
from extlint_judge.browsers.chromium import chromium, load_extension, load_page
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.http_server import serving
from extlint_judge.browsers.processes import facts_target
from extlint_judge.evaluation import posting_script, result_from_page
from extlint_judge.extensions import ID, write_files
from extlint_judge.options import browser_option, query_browser, report_and_exit

LISTENERS: Mapping[str, Sequence[str]] = {
    "answers at once": ("(m, s, answer) => { answer(1); }",),
    "answers later": ("(m, s, answer) => { later(answer); }",),
    "answers later, returns true": ("(m, s, answer) => { later(answer); return true; }",),
    "answers later, returns 1": ("(m, s, answer) => { later(answer); return 1; }",),
    "answers later, returns 'true'": ("(m, s, answer) => { later(answer); return 'true'; }",),
    "answers later, returns an object": ("(m, s, answer) => { later(answer); return {}; }",),
    "answers later, returns false": ("(m, s, answer) => { later(answer); return false; }",),
    "answers later, returns a thenable": (
        "(m, s, answer) => { later(answer); return {then(f) { f(2); }}; }",
    ),
    "answers in a microtask": ("(m, s, answer) => { Promise.resolve().then(() => answer(1)); }",),
    "answers in a callback of the API": (
        "(m, s, answer) => { api.runtime.getPlatformInfo(() => answer(1)); }",
    ),
    "answers in a promise of the API": (
        "(m, s, answer) => { api.storage.local.get().then(() => answer(1)); }",
    ),
    "answers in a called async function": ("(m, s, answer) => { (async () => { await 0; answer(1); })(); }",),
    "returns a value": ("() => 2",),
    "returns true": ("() => true",),
    "returns a promise": ("() => Promise.resolve(2)",),
    "is async, returns a value": ("async () => 2",),
    "is async, returns nothing": ("async () => {}",),
    "is async, answers at once": ("async (m, s, answer) => { answer(1); }",),
    "is async, answers after await": ("async (m, s, answer) => { await 0; answer(1); }",),
    "is async, answers after await of time": ("async (m, s, answer) => { await time(); answer(1); }",),
    "is async, answers after await, returns true": (
        "async (m, s, answer) => { await 0; answer(1); return true; }",
    ),
    "is async, answers later": ("async (m, s, answer) => { later(answer); }",),
    "is async, answers later, returns true": ("async (m, s, answer) => { later(answer); return true; }",),
    "answers later; another one returns true": ("(m, s, answer) => { later(answer); }", "() => true"),
    "answers later; another one returns nothing": ("(m, s, answer) => { later(answer); }", "() => {}"),
    "answers later; another one is async": ("(m, s, answer) => { later(answer); }", "async () => {}"),
    "answers later; another one returns a promise that lasts": (
        "(m, s, answer) => { later(answer); }",
        "() => time().then(time)",
    ),
}
"""The listeners of one document, as JavaScript."""

_HELPERS = """
  const api = globalThis.browser ?? chrome;
  const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const time = () => wait(50);
  const later = (answer) => { setTimeout(() => answer(1), 50); };
"""

_PROBE = """(async () => {
  %s
  const frame = document.querySelector("iframe").contentWindow;
  const found = {};
  for (const [name, listeners] of Object.entries({ %s })) {
    for (const each of listeners) api.runtime.onMessage.addListener(each);
    const sent = (frame.browser ?? frame.chrome).runtime.sendMessage("asks");
    const told = sent.then((it) => `gets ${JSON.stringify(it)}`, (error) => `fails: ${error.message}`);
    found[name] = await Promise.race([told, wait(500).then(() => "waits")]);
    for (const each of listeners) api.runtime.onMessage.removeListener(each);
  }
  return found;
})()"""


def observe(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the sender's result for each listener. Raises BrowserError."""
    listed = ", ".join(f"{json.dumps(name)}: [{', '.join(each)}]" for name, each in LISTENERS.items())
    script = _PROBE % (_HELPERS, listed)
    return (_observe_chromium if browser == "chromium" else _observe_firefox)(command, folder, script)


def _files(script: str, **keys: object) -> dict[str, str]:
    manifest = {
        **keys,
        "manifest_version": 3,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
        "content_security_policy": {"extension_pages": "script-src 'self'"},
        "permissions": ["storage"],
    }
    page = "<!doctype html><iframe src='frame.html'></iframe><script src='page.js'></script>"
    return {
        "manifest.json": json.dumps(manifest),
        "page.html": page,
        "page.js": script,
        "frame.html": "<!doctype html>",
    }


def _observe_chromium(command: str, folder: Path, script: str) -> dict[str, str]:
    with chromium(command, folder) as connection:
        where = folder / "extension"
        write_files(_files(""), where)
        session = load_page(connection, f"chrome-extension://{load_extension(connection, where)}/page.html")
        found: dict[str, str] = connection.evaluate(session, script)
        return found


def _observe_firefox(command: str, folder: Path, script: str) -> dict[str, str]:
    with serving() as server, firefox(command, folder) as marionette:
        where = folder / "extension"
        write_files(_files(f"onload = () => {posting_script(script, server)}"), where)
        found: dict[str, str] = result_from_page(marionette, server, where)
        return found


def is_reported(browser: str, listeners: Sequence[str]) -> bool:
    """Whether extlint reports that the response of some listeners of one script is lost."""
    calls = "".join(f"api.runtime.onMessage.addListener({each});\n" for each in listeners)
    texts = _files(f"{_HELPERS}{calls}", background={"service_worker": "page.js", "scripts": ["page.js"]})
    files = {path: partial(bytes, text.encode()) for path, text in texts.items()}
    target = Target(facts_target(browser))
    return bool(check_package(Package("judge", files), [target], ["lost-response"]).findings)


def disagreements(browser: str, observed: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each listener where extlint disagrees with the browser.

    extlint does not report responses for which another listener may wait.
    """
    for name, result in observed.items():
        if "answers" in name:
            is_lost, own = result != "gets 1", is_reported(browser, LISTENERS[name])
            if own and not is_lost:
                yield f"{name}: extlint says that the answer is lost"
            if is_lost and not own and ";" not in name:
                yield f"{name}: extlint does not say that the answer is lost"


@click.command()
@browser_option
def messages(browser: str) -> None:
    """Query which responses of message listeners reach the sender.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for name, result in observed.items():
        click.echo(f"  {name}: {result}")
    report_and_exit(disagreements(browser, observed))
