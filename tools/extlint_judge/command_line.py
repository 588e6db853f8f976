"""The command line: the subcommands in `commands/`, and one for each question in `queries/`."""

from __future__ import annotations

import click

from extlint_judge.commands.ask import ask
from extlint_judge.commands.embedded_schemas import embedded_schemas
from extlint_judge.commands.error_texts import error_texts
from extlint_judge.commands.file_names import file_names
from extlint_judge.commands.html_report import html_report
from extlint_judge.commands.locales import locales
from extlint_judge.commands.manifests import manifests
from extlint_judge.commands.members import members
from extlint_judge.commands.objects import objects
from extlint_judge.commands.printed_errors import printed_errors
from extlint_judge.commands.rules import rules
from extlint_judge.queries.table import QUERIES


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Query real browsers about extensions, and compare their behavior with extlint's.

    Browsers run without a window and with a new profile, and connect only to this machine. If a browser is
    not installed, a command reports that and does nothing. The exit code is 2 if a browser fails.
    """


COMMANDS = (
    *(
        ask,
        embedded_schemas,
        error_texts,
        file_names,
        html_report,
        locales,
        manifests,
        members,
        objects,
        printed_errors,
        rules,
    ),
    *(query.command() for query in QUERIES),
)

for command in COMMANDS:
    main.add_command(command)
