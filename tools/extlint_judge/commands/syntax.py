"""Queries which scripts a real browser parses, where the exact parser of extlint is known to be stricter."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from extlint.analysis.facts.script_facts import SyntaxProblem
from extlint.analysis.syntax.problems.exact_parser import exact_problem
from extlint_judge.browsers.chromium import chromium, load_extension
from extlint_judge.browsers.firefox import firefox, install, open_page
from extlint_judge.browsers.http_server import Server, serving
from extlint_judge.extensions import ID, write_files
from extlint_judge.options import browser_option, query_browser, report_and_exit

WAIT = 20.0
"""The timeout in seconds for the page to report on its scripts."""

PARSES = "parses"

PROBES = (
    "{ using a = null; }",
    "async function f() { await using a = null; }",
    "for (using a of []) {}",
    "f() = 1",
    "f()++",
    "for (f() of []) ;",
    "if (false) throw `\n`;",
    "(class { @d m() {} })",
    "(class { accessor; accessor x = 1; })",
    "import.source('a')",
    "import.defer('a')",
    "import('a', { with: { type: 'json' } })",
    "(/(?i:a)|[\\p{L}--[a-z]]/v)",
    "<!-- x\n--> y",
    "with (self) {} 010; '\\8';",
    "if (0) function f() {}",
    "let yield, await, async, of; async = 1;",
    "await 1",
    "@d class A {}",
    "enum E {}",
    "let a: string",
    "a ?? b || c",
    "0777n",
    "const a",
)
"""Scripts; each is parsed as a classic script and as a module."""

_PAGE_SCRIPT = """
const found = [];
let last;
addEventListener("error", (event) => {
  if (/SyntaxError/.test(event.message)) last = event.message;
  event.preventDefault();
});
const parsed = (name, type) => new Promise((resolve) => {
  const element = document.createElement("script");
  last = "parses";
  element.onload = element.onerror = () => resolve(last);
  setTimeout(() => resolve(last), 500);
  element.type = type;
  element.src = name;
  document.head.append(element);
});
(async () => {
  for (let at = 0; at < COUNT; at++) {
    found.push([await parsed(`${at}.js`, ""), await parsed(`${at}.js?module`, "module")]);
  }
  const body = JSON.stringify(["page", { found: JSON.stringify(found) }]);
  fetch(ADDRESS, { method: "POST", mode: "no-cors", body });
})();
"""


def observe(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns `parses` or the message of the browser for each script of each kind. Raises BrowserError."""
    with serving() as server:
        where = folder / "extension"
        write_files(_files(browser, server), where)
        if browser == "chromium":
            with chromium(command, folder) as connection:
                address = f"chrome-extension://{load_extension(connection, where)}/page.html"
                connection.send("Target.createTarget", url=address)
                return _received(server)
        with firefox(command, folder) as marionette:
            install(marionette, where)
            open_page(marionette, "page.html")
            return _received(server)


def _received(server: Server) -> dict[str, str]:
    (report,) = server.receive_from(("page",), timeout=WAIT).values()
    answers = json.loads(report["found"])
    return {
        f"{kind} {script}": answer
        for script, pair in zip(PROBES, answers, strict=True)
        for kind, answer in zip(("classic", "module"), pair, strict=True)
    }


def _files(browser: str, server: Server) -> dict[str, str]:
    code = _PAGE_SCRIPT.replace("COUNT", str(len(PROBES)))
    gecko = {} if browser == "chromium" else {"browser_specific_settings": {"gecko": {"id": ID}}}
    return {
        "manifest.json": json.dumps({"manifest_version": 3, "name": "judge", "version": "1", **gecko}),
        "page.html": "<!doctype html><head><script src=page.js defer></script></head>",
        "page.js": code.replace("ADDRESS", json.dumps(server.address("/"))),
        **{f"{at}.js": script for at, script in enumerate(PROBES)},
    }


def disagreements(observed: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each script that the browser parses and extlint rejects."""
    for name, answer in observed.items():
        kind, _, script = name.partition(" ")
        verdict = exact_problem(script.encode(), is_module=kind == "module")
        if answer == PARSES and isinstance(verdict, SyntaxProblem):
            yield f"{name}: extlint says that it does not parse: {verdict.message}"


@click.command()
@browser_option
def syntax(browser: str) -> None:
    """Query which scripts a browser parses.

    The exit code is 1 if extlint rejects a script that the browser parses.
    """
    observed = query_browser(browser, observe)
    for name, answer in observed.items():
        click.echo(f"  {name!r}: {answer}")
    report_and_exit(disagreements(observed))
