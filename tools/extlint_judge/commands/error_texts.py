"""Compares the errors that the pages of rules quote with the texts in Chromium's executable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module

import click

from extlint_judge.browsers.processes import version_of
from extlint_judge.embedded_schemas import executable
from extlint_judge.options import command_of, report_and_exit, workspace

TEXTS: Mapping[str, tuple[str, ...]] = {
    "duplicate_menu": ("Cannot create item with duplicate id",),
    "inaccessible_resource": (
        "Denying load of",
        "must be listed in the web_accessible_resources manifest key",
    ),
    "invalid_argument": ("Some of the required properties are missing",),
    "late_listener": ("Could not establish connection. Receiving end does not exist.",),
    "lost_message": ("Could not establish connection. Receiving end does not exist.",),
    "lost_response": ("The message port closed before a response was received.",),
    "lost_user_gesture": ("may only be called in response to a user gesture",),
    "misplaced_import": ("Module scripts don't support importScripts()", "import() is disallowed on"),
    "missing_background_page": ("You do not have a background page.",),
    "short_alarm": ("is less than the minimum duration of", "In packed extensions, alarm"),
}
"""The constant parts of an error, by the module of the rule whose page quotes it."""


def disagreements(data: bytes, texts: Mapping[str, Iterable[str]] = TEXTS) -> Iterator[str]:
    """Yields a line for each text that is missing in the executable or on the page of its rule."""
    for rule, quotes in texts.items():
        page = " ".join((import_module(f"extlint_rules.{rule}").__doc__ or "").split())
        for text in quotes:
            if text not in page:
                yield f"{rule}: the page does not quote {text!r}"
            if text.encode() not in data:
                yield f"{rule}: Chromium does not say {text!r}"


@click.command()
def error_texts() -> None:
    """Look for quoted errors in Chromium.

    The exit code is 1 if one is missing.
    """
    command = command_of("chromium")
    with workspace() as folder:
        data = executable(command, folder).read_bytes()
    click.echo(f"chromium {version_of(command)}")
    for rule, texts in TEXTS.items():
        for text in texts:
            click.echo(f"  {rule}: {text}")
    report_and_exit(disagreements(data))
