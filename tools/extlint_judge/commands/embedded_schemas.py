"""Compares the schemas by which Chromium checks arguments with those recorded for the facts."""

from __future__ import annotations

from pathlib import Path

import click

from extlint_facts import recorded
from extlint_judge.browsers.processes import version_of
from extlint_judge.embedded_schemas import EmbeddedSchemas, differences, embedded_schemas_of, read, to_text
from extlint_judge.options import command_of, exit_with, workspace, write_option
from extlint_schemas import namespace_loaders

FILE = Path(recorded.__file__).with_name("chromium_schemas.json")

MAX_SHOWN = 60
"""The maximum number of differences shown."""


@click.command()
@write_option
def embedded_schemas(write: bool) -> None:
    """Read the schemas in Chromium's executable.

    Chromium checks arguments by them. They are compared with those recorded for the facts; the exit code
    is 1 if they differ, unless they are written.
    """
    command = command_of("chromium")
    requested = frozenset(namespace_loaders("chrome")) - {"manifest"}
    with workspace() as folder:
        found = embedded_schemas_of(command, version_of(command), requested, folder)
    lines = list(differences(read(FILE) if FILE.is_file() else EmbeddedSchemas("", "", ()), found))
    click.echo(f"chromium {found.version}: {len(found.namespaces)} namespaces, {len(lines)} differences")
    for line in lines[:MAX_SHOWN]:
        click.echo(f"  {line[:300]}")
    if write:
        FILE.write_bytes(to_text(found).encode())
    else:
        exit_with(1 if lines else 0)
