"""The scripts that a browser parses, where the exact parser of extlint is known to be stricter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.analysis.facts.script_facts import SyntaxProblem
from extlint.analysis.syntax.exact_parser import exact_problem
from extlint_judge.browsers.session import PAGE, Session
from extlint_judge.extensions import extension, manifest
from extlint_judge.query import ONE, Query

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

_PARSE = """(async () => {
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
    Object.assign(element, { type, src: name });
    document.head.append(element);
  });
  const found = [];
  for (let at = 0; at < %d; at++) {
    found.push([await parsed(`${at}.js`, ""), await parsed(`${at}.js?module`, "module")]);
  }
  return found;
})()"""


def _ask(session: Session, _case: None) -> dict[str, str]:
    """Returns `parses` or the message of the browser for each script of each kind."""
    page = "<!doctype html><head><script src=page.js defer></script></head>"
    files = {PAGE: page, **{f"{at}.js": script for at, script in enumerate(PROBES)}}
    answers = session.evaluate(extension(manifest(), files), _PARSE % len(PROBES))
    return {
        f"{kind} {script}": answer
        for script, pair in zip(PROBES, answers, strict=True)
        for kind, answer in zip(("classic", "module"), pair, strict=True)
    }


def _compare(_browser: str, _case: None, answers: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each script that the browser parses and extlint rejects."""
    for name, answer in answers.items():
        kind, _, script = name.partition(" ")
        verdict = exact_problem(script.encode(), is_module=kind == "module")
        if answer == PARSES and isinstance(verdict, SyntaxProblem):
            yield f"{name}: extlint says that it does not parse: {verdict.message}"


syntax = Query(
    "syntax",
    """Query which scripts a browser parses.

    The exit code is 1 if extlint rejects a script that the browser parses.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
