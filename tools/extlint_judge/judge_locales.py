"""Asks Chromium which folders of `_locales` it reads, and compares that with extlint.

Usage: `python -m extlint_judge locales [NAME ...]`; without names those that people confuse with others. For
each name a Chromium is started whose user interface is in that locale, even if it is none. Where there is no
Chromium it does nothing, and says so.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from extlint.formats.locale import chrome as problem_of
from extlint.locales.known import NO_LOCALES, may_be_read
from extlint_judge.ask_chromium import attached, chromium, loaded
from extlint_judge.browsers import COMMANDS, BrowserError, find

NAMES = """
az_AZ bs_BA cn cs_CZ cz de_AT de_DE dk en_EU en_UK en_US es_419 es_LA es_SP fr_CA gr he hi_IN in iw ji jp kaa
ko_KR kr nb nb_NO no no_NO pa_IN pt pt_BR ru_RU se sr sr_Latn sr_RS tl tw ua uk us uz_UZ zh zh_CN zh_HK
zh_Hans zh_Hant zh_Hant_HK zh_MO zh_SG zh_TW
""".split()


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if extlint says of a folder that it is not read, and it is; 2 if Chromium fails."""
    parser = argparse.ArgumentParser(description="Asks Chromium which folders of _locales it reads.")
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    names = parser.parse_args(arguments).names
    command = find("chromium")
    if command is None:
        print(f"judge: there is no {' or '.join(COMMANDS['chromium'])}, so nothing is judged")
        return 0
    wrong = 0
    try:
        for name, reads, refused in asked(command, names):
            told = not may_be_read(name, "chrome") and name not in NO_LOCALES
            is_wrong = (reads and told) or (refused is None and problem_of(name) is not None)
            wrong += is_wrong
            print(
                f"{name}: {'read' if reads else 'not read'}, as default_locale"
                f" {'taken' if refused is None else 'refused'}{'; extlint says no' if is_wrong else ''}"
            )
    except BrowserError as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    print(f"{len(names)} names; {wrong} told in vain")
    return 1 if wrong else 0


def asked(command: str, names: Sequence[str]) -> Iterator[tuple[str, bool, str | None]]:
    """For each name whether its folder is read, and why it cannot be the default one. Raises BrowserError."""
    for name in names:
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home,
            chromium(command, Path(home), f"--lang={name.replace('_', '-')}") as connection,
        ):
            where = extension(Path(home) / "read", "x" if name == "en" else "en", name)
            found = connection.send("Extensions.loadUnpacked", path=str(where))["id"]
            page = f"chrome-extension://{found}/page.html"
            connection.send("Target.createTarget", url=page)
            session = attached(connection, page)
            loaded(connection, session, page)
            message = connection.evaluate(session, "chrome.i18n.getMessage('name')")
            refused = None
            try:
                connection.send(
                    "Extensions.loadUnpacked", path=str(extension(Path(home) / "default", name, name))
                )
            except BrowserError as error:
                refused = str(error)
            yield name, message == name, refused


def extension(where: Path, default: str, other: str) -> Path:
    """The folder of an extension with two locales, whose message `name` is the name of its folder."""
    manifest = {"manifest_version": 3, "name": "judge", "version": "1", "default_locale": default}
    files = {"manifest.json": json.dumps(manifest), "page.html": "<p>"}
    for locale in (default, other):
        files[f"_locales/{locale}/messages.json"] = json.dumps({"name": {"message": locale}})
    for path, text in files.items():
        (where / path).parent.mkdir(parents=True, exist_ok=True)
        (where / path).write_text(text, encoding="utf-8")
    return where
