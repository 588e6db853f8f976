"""Queries the fields of the objects that a real browser's API returns, and compares them with the facts."""

from __future__ import annotations

import time
from pathlib import Path

import click

from extlint_facts.recorded import objects as recorded_objects
from extlint_facts.results import ResultTypes
from extlint_judge import explained
from extlint_judge.browsers.processes import facts_target, version_of
from extlint_judge.extensions import PRIVILEGED
from extlint_judge.facts import permissions_of, schemas_of
from extlint_judge.objects import chromium, comparison, firefox, observations
from extlint_judge.objects.scenario_extension import callbacks_of, manifest_of
from extlint_judge.options import (
    browser_option,
    command_of,
    exit_with,
    record_option,
    recorded_option,
    workspace,
    write_option,
)
from extlint_schemas import load

REASONS = Path(comparison.__file__).with_name("explained.json")

RUNS = {"firefox": ((3, False), (2, True)), "chromium": ((3, False), (3, True))}
"""The manifest versions with which scenarios run, and whether functions are called with callbacks."""


@click.command()
@browser_option
@record_option
@recorded_option
@write_option
def objects(browser: str, record: Path | None, recorded: Path | None, write: bool) -> None:
    """Query the fields of the API's objects.

    An extension runs the scenarios in objects/scenarios/, and reports the objects that it receives.
    It takes about three minutes. The exit code is 1 if a difference has no reason in objects/explained.json,
    unless it is written.
    """
    if recorded is not None:
        found = observations.read(recorded)
    else:
        command = command_of(browser)
        began = time.monotonic()
        with workspace() as folder:
            found = observe(browser, command, folder)
        click.echo(f"{found.browser} {found.version}, {time.monotonic() - began:.0f} seconds")
    for line in found.unseen:
        click.echo(f"  not seen: {line}")
    if record is not None:
        observations.write(found, record)
    exit_with(compare(found, write))


def observe(browser: str, command: str, folder: Path) -> observations.Observations:
    """Returns the observations of all runs. Raises BrowserError."""
    permissions = sorted(set(permissions_of(browser)) - (PRIVILEGED if browser == "firefox" else set()))
    schemas = schemas_of(browser)
    runs = [
        (manifest_of(browser, version, permissions), callbacks_of(schemas, version) if called_back else [])
        for version, called_back in RUNS[browser]
    ]
    unseen: list[str] = []
    play = firefox.reports if browser == "firefox" else chromium.reports
    reports = list(play(command, runs, folder, unseen))
    unseen += (f"{scenario}: {why}" for each in reports for scenario, why in each.stuck.items())
    return observations.Observations(browser, version_of(command), observations.merge(reports), unseen)


def compare(found: observations.Observations, write: bool) -> int:
    """Prints the differences. Returns exit code 1 if some of them have no reason and are not written."""
    namespaces = ResultTypes(load(facts_target(found.browser)))
    result = comparison.compare(found, namespaces)
    objects = namespaces.objects()
    click.echo(f"{len(found.seen)} members gave something, {result.comparison.number} fields compared")
    click.echo(f"objects of {len(result.seen)} types seen, of {len(objects)} that the facts describe")
    unexplained = explained.report(result.comparison.different, found.browser, REASONS)
    if not write:
        return 1 if unexplained else 0
    wrong = {each.path for each in unexplained}
    fields = {
        at: {name: node for name, node in more.items() if f"{at}.{name}" in wrong}
        for at, more in result.fields.items()
    }
    every = {each.browser: each for each in recorded_objects.load()}
    target = facts_target(found.browser)
    command = f"python -m extlint_judge objects --browser {found.browser} --write"
    before = every.get(target, recorded_objects.RecordedObjects(target, "", ""))
    recorded = recorded_objects.RecordedObjects(target, found.version, command, before.seen, before.fields)
    new = {at: more for at, more in fields.items() if more}
    every[target] = recorded_objects.merge(recorded, result.seen, new)
    recorded_objects.write(every.values())
    click.echo(f"{sum(map(len, fields.values()))} fields written; now run extlint_facts renew")
    return 0
