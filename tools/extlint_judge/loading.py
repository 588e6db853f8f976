"""Loads packages in a browser, and returns its errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

from extlint_judge.browsers.chromium import chromium, load_extension
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.processes import BrowserError
from extlint_judge.extensions import ID

LOADED = "loaded"
MANIFEST = json.dumps(
    {
        "manifest_version": 3,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
    }
)
"""The text of a manifest that both browsers load."""


def load_packages(
    browser: str, command: str, folder: Path, packages: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    """Returns, for each package by name, `LOADED` or the browser's error. Raises BrowserError.

    A package has texts by path. Firefox installs an archive; Chromium loads the folder of an unpacked
    archive.
    """
    found: dict[str, str] = {}
    if browser == "chromium":
        with chromium(command, folder) as connection:
            for name, files in packages.items():
                where = folder / f"extension{len(found)}"
                for path, text in files.items():
                    (where / path).parent.mkdir(parents=True, exist_ok=True)
                    (where / path).write_text(text, encoding="utf-8")
                try:
                    load_extension(connection, where)
                    found[name] = LOADED
                except BrowserError as error:
                    found[name] = str(error)
        return found
    with firefox(command, folder) as marionette:
        for name, files in packages.items():
            archive = folder / f"{len(found)}.xpi"
            with ZipFile(archive, "w") as packed:
                for path, text in files.items():
                    packed.writestr(path, text)
            try:
                marionette.command("Addon:Install", {"path": str(archive), "temporary": True})
                found[name] = LOADED
            except BrowserError as error:
                found[name] = str(error)
    return found
