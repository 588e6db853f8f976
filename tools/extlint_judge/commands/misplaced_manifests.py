"""Asks a real browser about packages whose manifest is in a folder, and not at the top."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import click

from extlint_judge.browsers.chromium import chromium, installed
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.processes import BrowserError
from extlint_judge.extensions import ID
from extlint_judge.options import answer_of, browser_option, end_with

LOADED = "loaded"
PLACES = {"at the top": "", "in a folder": "folder/"}
_MANIFEST = {
    "manifest_version": 3,
    "name": "judge",
    "version": "1",
    "browser_specific_settings": {"gecko": {"id": ID}},
}


def answers(browser: str, command: str, folder: Path) -> dict[str, str]:
    """What the browser says of a package with the manifest in each place. Raises BrowserError.

    Firefox installs an archive; Chromium loads the folder that an archive is unpacked to.
    """
    found: dict[str, str] = {}
    if browser == "chromium":
        with chromium(command, folder) as connection:
            for name, place in PLACES.items():
                where = folder / name
                (where / place).mkdir(parents=True)
                (where / place / "manifest.json").write_text(json.dumps(_MANIFEST), encoding="utf-8")
                try:
                    installed(connection, where)
                    found[name] = LOADED
                except BrowserError as error:
                    found[name] = str(error)
        return found
    with firefox(command, folder) as marionette:
        for name, place in PLACES.items():
            archive = folder / f"{len(found)}.xpi"
            with ZipFile(archive, "w") as packed:
                packed.writestr(f"{place}manifest.json", json.dumps(_MANIFEST))
            try:
                marionette.command("Addon:Install", {"path": str(archive), "temporary": True})
                found[name] = LOADED
            except BrowserError as error:
                found[name] = str(error)
    return found


@click.command()
@browser_option
def misplaced_manifests(browser: str) -> None:
    """Ask about manifests that are not at the top.

    The exit code is 1 if one in a folder is read, as extlint says that it is not.
    """
    said = answer_of(browser, answers)
    for name, told in said.items():
        click.echo(f"  {name}: {told}")
    end_with(name for name, place in PLACES.items() if (said[name] == LOADED) is bool(place))
