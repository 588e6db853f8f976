"""Queries a real browser's verdicts on manifests, and compares them with extlint's."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
from msgspec import Struct

from extlint_judge import explained
from extlint_judge.browsers.processes import facts_target, version_of
from extlint_judge.manifests import comparison
from extlint_judge.manifests.browser_verdicts import chromium_verdicts, firefox_verdicts
from extlint_judge.manifests.name_probes import name_probes
from extlint_judge.manifests.probes import Probe, Probes
from extlint_judge.manifests.syntax_probes import syntax_probes
from extlint_judge.manifests.verdicts import Verdict
from extlint_judge.options import (
    browser_option,
    command_of,
    exit_with,
    record_option,
    recorded_option,
    workspace,
)
from extlint_schemas import json_schema

REASONS = Path(comparison.__file__).with_name("explained.json")

VERSIONS = {"firefox": (2, 3), "chromium": (3,)}
"""The manifest versions that each browser loads."""

QUERIES = {"firefox": firefox_verdicts, "chromium": chromium_verdicts}

MINIMAL_MANIFEST = {"name": "judge", "version": "1.0"}


class RecordedVerdicts(Struct, frozen=True):
    """The browser's verdict on every probe."""

    browser: str
    version: str
    asked: list[tuple[Probe, Verdict]]


@click.command()
@browser_option
@record_option
@recorded_option
def manifests(browser: str, record: Path | None, recorded: Path | None) -> None:
    """Query valid and invalid values in manifests.

    Every position in the schemas is tried. Firefox takes a minute, Chromium five. The exit code is 1 if a
    difference has no reason in manifests/explained.json.
    """
    if recorded is not None:
        exit_with(compare(msgspec.json.decode(recorded.read_bytes(), type=RecordedVerdicts)))
    command = command_of(browser)
    began = time.monotonic()
    with workspace() as folder:
        answers = observe(browser, command, folder)
    click.echo(f"{answers.browser} {answers.version}, {time.monotonic() - began:.0f} seconds")
    if record is not None:
        record.write_bytes(msgspec.json.encode(answers))
    exit_with(compare(answers))


def observe(browser: str, command: str, folder: Path) -> RecordedVerdicts:
    """Returns the browser's verdicts on every probe. Raises BrowserError."""
    all_probes = list(probes(browser))
    verdicts = list(QUERIES[browser](command, (each.manifest for each in all_probes), folder))
    return RecordedVerdicts(browser, version_of(command), list(zip(all_probes, verdicts, strict=True)))


def probes(browser: str) -> Iterator[Probe]:
    """Yields the probes of every manifest version that a browser loads."""
    target = facts_target(browser)
    for version in VERSIONS[browser]:
        yield from Probes(json_schema(f"manifests/{target}_{version}"), version).all()
        yield from name_probes(target, version)
    yield from syntax_probes(3)
    for each in (1, 2, 3, 4):
        yield Probe("manifest_version", str(each), {**MINIMAL_MANIFEST, "manifest_version": each})


def compare(answers: RecordedVerdicts) -> int:
    """Prints the differences. Returns exit code 1 if some of them have no reason."""
    with tempfile.TemporaryDirectory() as name:
        found = comparison.compare_verdicts(
            answers.asked, facts_target(answers.browser), Path(name) / "extension"
        )
    click.echo(f"manifests: {found.number} compared, {len(found.different)} differ")
    return 1 if explained.report(found.different, answers.browser, REASONS) else 0
