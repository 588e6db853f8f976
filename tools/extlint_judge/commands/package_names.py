"""Asks a real browser which names of files and folders keep it from loading a package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from zipfile import ZipFile

import click

from extlint_judge.browsers.chromium import chromium, installed
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.processes import BrowserError
from extlint_judge.extensions import ID
from extlint_judge.options import answer_of, browser_option, end_with
from extlint_rules.reserved_name import reserved_names

LOADED = "loaded"
PATHS = (
    *("_", "_a.js", "_next/a.js", "__tests__/a.js", "_Locales/a.js", "_platform_specific/a.js", "_metadata"),
    *(
        "_Platform_Specific/a.js",
        "__MACOSX/a.js",
        "__macosx/a.js",
        "a/_a.js",
        "a/_next/a.js",
        ".a.js",
        "~a.js",
    ),
    *("_metadata/a.json", "_metadata/verified_contents.json", "_metadata/computed_hashes.json"),
    *("_metadata/generated_indexed_rulesets/a", "con", "aux.js", "nul/a.js", "a/com1.js", "desktop.ini"),
    *("a b.js", "a:b.js", "a?.js", "a*.js", "a|b.js", "<a>.js", 'a".js', "a.", "a\\b.js", "é.js", "key.pem"),
)
_MANIFEST = {
    "manifest_version": 3,
    "name": "judge",
    "version": "1",
    "browser_specific_settings": {"gecko": {"id": ID}},
}


def answers(browser: str, command: str, folder: Path) -> dict[str, str]:
    """What the browser says of a package with each file beside its manifest. Raises BrowserError.

    Firefox installs an archive; Chromium loads the folder that an archive is unpacked to.
    """
    found: dict[str, str] = {}
    if browser == "chromium":
        with chromium(command, folder) as connection:
            for path in PATHS:
                where = folder / f"extension{len(found)}"
                (where / path).parent.mkdir(parents=True)
                (where / path).write_text("{}", encoding="utf-8")
                (where / "manifest.json").write_text(json.dumps(_MANIFEST), encoding="utf-8")
                try:
                    installed(connection, where)
                    found[path] = LOADED
                except BrowserError as error:
                    found[path] = str(error)
        return found
    with firefox(command, folder) as marionette:
        for path in PATHS:
            archive = folder / f"{len(found)}.xpi"
            with ZipFile(archive, "w") as packed:
                packed.writestr("manifest.json", json.dumps(_MANIFEST))
                packed.writestr(path, "{}")
            try:
                marionette.command("Addon:Install", {"path": str(archive), "temporary": True})
                found[path] = LOADED
            except BrowserError as error:
                found[path] = str(error)
    return found


@click.command()
@browser_option
def package_names(browser: str) -> None:
    """Ask which names of files keep a package from loading.

    The exit code is 1 if extlint says it of others.
    """
    said = answer_of(browser, answers)
    for path, told in said.items():
        click.echo(f"  {path}: {told}")
    end_with(mistakes(browser, said))


def mistakes(browser: str, said: Mapping[str, str]) -> Iterator[str]:
    """The paths of which extlint says something else than the browser did."""
    for path, told in said.items():
        is_refused = browser == "chromium" and bool(reserved_names([path]))
        if is_refused is (told == LOADED):
            yield path
