"""Queries which file names in a manifest a real browser accepts with a query or a fragment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import click

from extlint.finding import Severity
from extlint_judge.browsers.chromium import chromium
from extlint_judge.browsers.firefox import firefox
from extlint_judge.extensions import PNG, Manifest, extension, manifest, write_files
from extlint_judge.manifests.browser_verdicts import READ, extensions_page, load_verdict
from extlint_judge.manifests.verdicts import ACCEPTED, REFUSED, WARNED, Verdict, verdict
from extlint_judge.options import browser_option, exit_with, query_browser
from extlint_judge.query import findings

PAGE, SCRIPT, STYLE, ICON = "page.html", "script.js", "style.css", "icon.png"

FILES = {PAGE: b"<!doctype html>", SCRIPT: b"", STYLE: b"", ICON: PNG, "sub/index.html": b"<!doctype html>"}

KEYS: Mapping[str, Mapping[str, str]] = {
    "chromium": {
        "action/default_popup": PAGE,
        "options_page": PAGE,
        "options_ui/page": PAGE,
        "side_panel/default_path": PAGE,
        "devtools_page": PAGE,
        "chrome_url_overrides/newtab": PAGE,
        "sandbox/pages/0": PAGE,
        "background/service_worker": SCRIPT,
        "content_scripts/0/js/0": SCRIPT,
        "content_scripts/0/css/0": STYLE,
        "icons/16": ICON,
        "action/default_icon": ICON,
        "action/default_icon/16": ICON,
    },
    "firefox": {
        "action/default_popup": PAGE,
        "options_ui/page": PAGE,
        "sidebar_action/default_panel": PAGE,
        "devtools_page": PAGE,
        "chrome_url_overrides/newtab": PAGE,
        "background/page": PAGE,
        "background/scripts/0": SCRIPT,
        "content_scripts/0/js/0": SCRIPT,
        "content_scripts/0/css/0": STYLE,
        "icons/16": ICON,
        "action/default_icon": ICON,
        "action/default_icon/16": ICON,
    },
}
"""For each browser, the keys that name files, with a valid file for each."""

SUFFIXES = ("", "#", "?", "#x", "?x", "#/", "?x=/", "#/x", "?a/#b/..")
MISSING = "no"
"""A prefix that turns a file name into that of a missing file, an error even where a browser does not
look.
"""

OTHERS = ("#/", "?x", "/", "sub/", "sub/#/x")


Probe: TypeAlias = tuple[str, str, dict[str, Any]]
"""A key, a name, and the manifest with that name at the key."""


def probes(browser: str) -> Iterator[Probe]:
    """Yields each key with each name."""
    for key, file in KEYS[browser].items():
        for name in (
            *(f"{file}{suffix}" for suffix in SUFFIXES),
            f"/{file}#/",
            f"{MISSING}{file}#/",
            *OTHERS,
        ):
            yield key, name, _manifest(key, name)


def _manifest(key: str, name: str) -> dict[str, Any]:
    value: Any = name
    for step in reversed(key.split("/")):
        value = [value] if step == "0" else {step: value}
    found = manifest(**value)
    for each in found.get("content_scripts", ()):
        each["matches"] = ["https://example.org/*"]
    return found


def verdicts(
    browser: str, command: str, folder: Path, selected: Sequence[Probe] | None = None
) -> list[Verdict]:
    """Returns the browser's verdict on the manifest of each given probe, or of all. Raises BrowserError."""
    where = folder / "extension"
    write_files(FILES, where)
    manifests = (json.dumps(manifest) for _, _, manifest in selected or probes(browser))
    if browser == "firefox":
        with firefox(command, folder) as session:
            found = []
            for text in manifests:
                (where / "manifest.json").write_text(text, encoding="utf-8")
                ((errors, warnings),) = session.script(READ, [str(where)])
                found.append(verdict(errors, warnings))
            return found
    with chromium(command, folder) as connection, extensions_page(connection) as page:
        found = []
        for text in manifests:
            (where / "manifest.json").write_text(text, encoding="utf-8")
            found.append(load_verdict(connection, page, where))
        return found


def extlint_outcome(browser: str, keys: Manifest) -> str:
    """Returns extlint's verdict on a manifest, in terms of the browser's reaction."""
    found = findings(browser, extension(keys, FILES), "invalid-value", "missing-file")
    severities = {each.severity for each in found}
    if Severity.ERROR in severities:
        return REFUSED
    return WARNED if Severity.WARNING in severities else ACCEPTED


def is_false_alarm(name: str, observed: Verdict, own: str) -> bool:
    """Whether extlint reports a name that the browser accepts silently, and whose file exists."""
    return observed.outcome == ACCEPTED and own != ACCEPTED and not name.startswith(MISSING)


@click.command()
@browser_option
def file_names(browser: str) -> None:
    """Query the names of files in a manifest.

    Each name is tried with a query or a fragment.

    The exit code is 1 if extlint reports a name that the browser accepts silently.
    """
    wrong = 0
    found = query_browser(browser, verdicts)
    for (key, name, keys), observed in zip(probes(browser), found, strict=True):
        own = extlint_outcome(browser, keys)
        wrong += is_false_alarm(name, observed, own)
        differs = "" if own == observed.outcome else f" (extlint: {own})"
        click.echo(f"  {key} {json.dumps(name)}: {observed.outcome}{differs}")
    click.echo(f"{len(found)} names; {wrong} false alarms")
    exit_with(1 if wrong else 0)
