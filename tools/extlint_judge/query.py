"""A question to real browsers: what they are asked, and the comparison of the answers with extlint."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import click

from extlint.checker import check_package
from extlint.finding import Finding
from extlint.package.files import Package
from extlint.schema.targets import Target
from extlint_judge.browsers.processes import facts_target
from extlint_judge.browsers.session import Session, session
from extlint_judge.extensions import Files
from extlint_judge.options import browser_option, query_browser, report_and_exit

Case = TypeVar("Case")

Answers: TypeAlias = Any
"""An answer, or several: those of a mapping by name, and those of a list one by one."""

BROWSERS = ("chromium", "firefox")

ONE: Mapping[str, None] = {"": None}
"""The cases of a question that one extension answers."""


def _no_comparison(_browser: str, _case: object, _answers: Answers) -> Iterable[str]:
    return ()


def _unchanged(answers: Answers) -> Answers:
    return answers


@dataclass(frozen=True)
class Query(Generic[Case]):
    """A question, which is a subcommand of the same name.

    `cases` returns what the question is asked about in a browser, by name. `ask` returns the answers to one
    case; `compare` yields a line for each of them where extlint disagrees. `shown` shortens them for users.
    `facts` is the file with recorded answers.
    """

    name: str
    help: str
    cases: Callable[[str], Mapping[str, Case]]
    ask: Callable[[Session, Case], Answers]
    compare: Callable[[str, Case, Answers], Iterable[str]] = _no_comparison
    browsers: tuple[str, ...] = BROWSERS
    shown: Callable[[Answers], Answers] = _unchanged
    facts: Path | None = None

    def observe(
        self, browser: str, command: str, folder: Path, names: Collection[str] | None = None
    ) -> dict[str, Answers]:
        """Returns the answers to the cases with the given names, or to all. Raises BrowserError."""
        cases = self.cases(browser)
        with session(browser, command, folder) as running:
            return {name: self.ask(running, cases[name]) for name in cases if names is None or name in names}

    def disagreements(self, browser: str, observed: Mapping[str, Answers]) -> Iterator[str]:
        """Yields a line for each answer where extlint disagrees with the browser."""
        cases = self.cases(browser)
        for name, answers in observed.items():
            for line in self.compare(browser, cases[name], answers):
                yield f"{name}: {line}" if name else line

    def command(self) -> click.Command:
        """Returns the subcommand."""

        def run(browser: str = self.browsers[0], write: bool = False) -> None:
            observed = query_browser(browser, self.observe)
            if write and self.facts is not None:
                write_facts(self.facts, facts_target(browser), observed[""])
                return
            for line in _lines({name: self.shown(answers) for name, answers in observed.items()}):
                click.echo(f"  {line}")
            report_and_exit(self.disagreements(browser, observed))

        if self.facts is not None:
            run = click.option("--write", is_flag=True, help="Write the answers into the facts.")(run)
        if len(self.browsers) > 1:
            run = browser_option(run)
        return click.command(name=self.name, help=self.help)(run)


def write_facts(path: Path, target: str, answers: Answers) -> None:
    """Writes the answers of a browser into the file of the facts, and preserves those of the other."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known[target] = answers
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _lines(answers: Answers) -> Iterator[str]:
    """Yields a line for each answer, after the names that lead to it."""
    if isinstance(answers, Mapping):
        for name, each in answers.items():
            shown = name.replace("\n", "\\n")
            yield from (f"{shown}: {line}" if shown else line for line in _lines(each))
    elif isinstance(answers, list):
        for each in answers:
            yield from _lines(each)
    else:
        yield answers if isinstance(answers, str) else json.dumps(answers)


FAILS = "fails: "
"""The start of the answer of a call that fails."""


def answers_of(
    calls: Mapping[str, str], shown: str = "`gives ${JSON.stringify(value)}`", before: str = ""
) -> str:
    """Returns an expression that makes calls one after another, and gives the answer of each by its name.

    A call is an expression that may use `api`, and the variables of the statements in `before`. `shown` is an
    expression for the answer of one that works, with its `value`.
    """
    listed = ", ".join(f"{json.dumps(name)}: async () => ({call})" for name, call in calls.items())
    return f"""(async () => {{
      const api = globalThis.browser ?? chrome;
      {before}
      const found = {{}};
      for (const [name, call] of Object.entries({{ {listed} }})) {{
        try {{ const value = await call(); found[name] = {shown}; }}
        catch (error) {{ found[name] = `{FAILS}${{error.message}}`; }}
      }}
      return found;
    }})()"""


def findings(browser: str, files: Files, *rules: str) -> list[Finding]:
    """Returns what some rules report about an extension for a browser."""
    contents = {
        path: partial(bytes, text if isinstance(text, bytes) else text.encode())
        for path, text in files.items()
    }
    return list(check_package(Package("judge", contents), [Target(facts_target(browser))], rules).findings)


def contradictions(reported: Iterable[str], fails: Mapping[str, bool], works: str = "works") -> Iterator[str]:
    """Yields a line for each name that extlint reports and that does not fail, or the other way round."""
    known = {*reported}
    for name, is_failing in fails.items():
        if is_failing is not (name in known):
            yield f"{name}: extlint says that it {works if is_failing else 'fails'}"
