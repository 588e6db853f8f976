"""Queries which folders of `_locales` Chromium reads, and compares them with extlint."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from extlint.checks.locales.folders import INVALID_CODES, may_be_read
from extlint.text.formats.locale import chrome as problem_of
from extlint_judge.browsers.chromium import chromium, load_extension, load_page
from extlint_judge.browsers.processes import BrowserError
from extlint_judge.extensions import extension, manifest, write_files
from extlint_judge.options import command_of, exit_with, workspace

NAMES = """
az_AZ bs_BA cn cs_CZ cz de_AT de_DE dk en_EU en_UK en_US es_419 es_LA es_SP fr_CA gr he hi_IN in iw ji jp kaa
ko_KR kr nb nb_NO no no_NO pa_IN pt pt_BR ru_RU se sr sr_Latn sr_RS tl tw ua uk us uz_UZ zh zh_CN zh_HK
zh_Hans zh_Hant zh_Hant_HK zh_MO zh_SG zh_TW
""".split()


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
def locales(names: Sequence[str]) -> None:
    """Query which folders of _locales Chromium reads.

    Each one is tried with the user interface in that locale.

    Without names, commonly confused ones are tried. Each starts a separate Chromium. The
    exit code is 1 if extlint reports that a folder is not read, and it is.
    """
    command = command_of("chromium")
    names = names or NAMES
    wrong = 0
    with workspace() as folder:
        for name, reads, refused in observe(command, names, folder):
            is_reported = not may_be_read(name, "chrome") and name not in INVALID_CODES
            is_wrong = (reads and is_reported) or (refused is None and problem_of(name) is not None)
            wrong += is_wrong
            click.echo(
                f"{name}: {'read' if reads else 'not read'}, as default_locale"
                f" {'taken' if refused is None else 'refused'}{'; extlint says no' if is_wrong else ''}"
            )
    click.echo(f"{len(names)} names; {wrong} false alarms")
    exit_with(1 if wrong else 0)


def observe(command: str, names: Sequence[str], folder: Path) -> Iterator[tuple[str, bool, str | None]]:
    """Yields each name, whether its folder is read, and why it cannot be the default, or None.

    Raises BrowserError.
    """
    for name in names:
        with (
            tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as home,
            chromium(command, Path(home), f"--lang={name.replace('_', '-')}") as connection,
        ):
            found = load_extension(
                connection, write_extension(Path(home) / "read", "x" if name == "en" else "en", name)
            )
            session = load_page(connection, f"chrome-extension://{found}/page.html")
            message = connection.evaluate(session, "chrome.i18n.getMessage('name')")
            refused = None
            try:
                load_extension(connection, write_extension(Path(home) / "default", name, name))
            except BrowserError as error:
                refused = str(error)
            yield name, message == name, refused


def write_extension(where: Path, default: str, other: str) -> Path:
    """Writes an extension with two locales, whose message `name` is the name of its folder.

    Returns its folder.
    """
    messages = {
        f"_locales/{locale}/messages.json": json.dumps({"name": {"message": locale}})
        for locale in (default, other)
    }
    write_files(extension(manifest(default_locale=default), {"page.html": "<p>", **messages}), where)
    return where
