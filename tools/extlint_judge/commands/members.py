"""Queries the API members of a real browser, and compares them with the facts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import click

from extlint_judge import explained
from extlint_judge.browsers.firefox import firefox as running_firefox
from extlint_judge.browsers.processes import version_of
from extlint_judge.differences import Comparison, group
from extlint_judge.extensions import cases, full_manifest
from extlint_judge.facts import limits_of, permissions_of, schemas_of
from extlint_judge.members import chromium, compare_calls, compare_enums, compare_members, firefox
from extlint_judge.members.calls import Call, calls
from extlint_judge.members.record import Record, read, write
from extlint_judge.options import (
    browser_option,
    command_of,
    exit_with,
    record_option,
    recorded_option,
    workspace,
)

REASONS = Path(compare_members.__file__).with_name("explained.json")


@click.command()
@browser_option
@record_option
@recorded_option
@click.option("--compare", "is_compared", is_flag=True, help="Compare what it said with the facts.")
def members(browser: str, record: Path | None, recorded: Path | None, is_compared: bool) -> None:
    """Query the existing members, and calls of them.

    Each kind of context is examined, with each permission and manifest key; the calls are generated from the
    facts. With --compare the exit code is 1 if a difference has no reason in members/explained.json.
    """
    command = "" if recorded is not None else command_of(browser)
    all_calls = list(calls(schemas_of(browser), refused_only=browser == "chromium"))
    if recorded is not None:
        found = read(recorded)
    else:
        began = time.monotonic()
        with workspace() as folder:
            found = observe(browser, command, all_calls, folder)
        click.echo(f"{browser} {found.version}, {time.monotonic() - began:.0f} seconds")
    click.echo(f"{len(found.places)} contexts seen, {len(found.answers)} calls answered")
    for line in found.unseen:
        click.echo(f"  not seen: {line}")
    if record is not None:
        write(found, record)
    if is_compared:
        exit_with(compare(found, all_calls))


def observe(browser: str, command: str, all_calls: Sequence[Call], folder: Path) -> Record:
    """Returns everything observed in a browser. Raises BrowserError."""
    unseen: list[str] = []
    all_cases = cases(browser, permissions_of(browser))
    if browser == "chromium":
        places = list(chromium.context_members(command, all_cases, folder, unseen))
        manifest = full_manifest(browser, 3, permissions_of(browser))
        answers = list(chromium.observe_calls(command, all_calls, manifest, folder))
    else:
        with running_firefox(command, folder) as session:
            places = list(firefox.context_members(session, all_cases, folder / "extension", unseen))
            answers = list(firefox.observe_calls(session, all_calls))
    return Record(browser, version_of(command), places, answers, unseen)


def compare(record: Record, all_calls: Sequence[Call]) -> int:
    """Prints the differences. Returns exit code 1 if some of them have no reason."""
    schemas = schemas_of(record.browser)
    members = compare_members.compare(record, schemas, limits_of(record.browser))
    constants = compare_enums.compare(record, schemas)
    answers = compare_calls.compare(record, all_calls, schemas)
    click.echo(f"members in contexts: {_numbers(members)}")
    click.echo(f"constants of enumerations: {_numbers(constants)}")
    click.echo(f"calls: {_numbers(answers)}")
    different = [*members.different, *constants.different, *answers.different]
    return 1 if explained.report(different, record.browser, REASONS) else 0


def _numbers(compared: Comparison) -> str:
    alike = len(group(compared.different))
    return f"{compared.number} compared, {len(compared.different)} differ, {alike} of them unlike"
