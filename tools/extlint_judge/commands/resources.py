"""Queries the resources that content scripts in a real browser can load, and compares them with extlint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click

from extlint_judge.options import browser_option, query_browser, report_and_exit
from extlint_judge.resources.observation import ELSEWHERE, RELATIVE, STEMS, UNLISTED, Answer, observe

_PLACES = {ELSEWHERE: "for other pages", UNLISTED: "nowhere"}


def disagreements(observed: Mapping[str, Answer]) -> Iterator[str]:
    """Yields a line for each way of loading where extlint's assumption is wrong.

    In Manifest V3 only resources listed for the page load, and relative names in styles are the page's own.
    """
    for name, loaded in observed.get("version 3", {}).items():
        for stem in (ELSEWHERE, UNLISTED):
            if loaded[stem]:
                claim = f"nothing loads what is listed {_PLACES[stem]}"
                yield f"version 3: extlint says that {claim}, but {name} does"
        if name == RELATIVE and any(loaded.values()):
            yield "version 3: extlint says that relative names in style sheets are the page's own"


@click.command()
@browser_option
def resources(browser: str) -> None:
    """Query which files content scripts can load.

    The files are listed in `web_accessible_resources` for this page, for others, or not at all.

    The exit code is 1 if extlint disagrees.
    """
    observed = query_browser(browser, observe)
    for version, results in observed.items():
        for name, loaded in results.items():
            loaded_stems = ", ".join(stem for stem in STEMS if loaded[stem])
            click.echo(f"  {version}, {name} loads: {loaded_stems or 'nothing'}")
    report_and_exit(disagreements(observed))
