"""Queries the globals of each kind of context in a real browser, and compares them with recorded facts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import click

from extlint.schema.targets.request import FACTS_OF
from extlint_judge.browsers.processes import ENGINES
from extlint_judge.globals.observation import missing_globals, observe
from extlint_judge.options import browser_option, exit_with, query_browser
from extlint_schemas import WEB_GLOBALS, AbsentGlobals, web_globals

MissingByContext: TypeAlias = Mapping[str, AbsentGlobals]


def differences(observed: MissingByContext, known: MissingByContext) -> Iterator[str]:
    """Yields a line for each difference between the browser's globals and the recorded facts."""
    nothing = AbsentGlobals(frozenset(), frozenset())
    for kind in sorted({*observed, *known}):
        new, old = observed.get(kind, nothing), known.get(kind, nothing)
        pairs = (("missing", new.missing, old.missing), ("null", new.empty, old.empty))
        for how, there, recorded in pairs:
            if there - recorded:
                yield f"{kind}: {how} as well: {', '.join(sorted(there - recorded))}"
            if recorded - there:
                yield f"{kind}: not {how} after all: {', '.join(sorted(recorded - there))}"


def write_facts(path: Path, target: str, observed: MissingByContext) -> None:
    """Writes the browser's missing globals into the file of the facts."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known[target] = {
        kind: {"empty": " ".join(sorted(each.empty)), "missing": " ".join(sorted(each.missing))}
        for kind, each in observed.items()
    }
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


@click.command(name="globals")
@browser_option
@click.option("--write", is_flag=True, help="Write the answers into the facts.")
def globals_(browser: str, write: bool) -> None:
    """Query which globals are missing in each kind of context.

    The exit code is 1 if the facts differ.
    """
    target = FACTS_OF[ENGINES[browser]]
    observed = missing_globals(query_browser(browser, observe))
    if write:
        write_facts(Path(WEB_GLOBALS), target, observed)
        return
    for kind, each in observed.items():
        click.echo(f"  {kind}: lacks {len(each.missing) + len(each.empty)}")
    wrong = [*differences(observed, web_globals(target))]
    for line in wrong:
        click.echo(f"  {line}")
    exit_with(1 if wrong else 0)
