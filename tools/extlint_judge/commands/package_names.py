"""Queries which names of files and folders prevent a real browser from loading a package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from extlint_judge.loading import LOADED, MANIFEST, load_packages
from extlint_judge.options import browser_option, query_browser, report_and_exit
from extlint_rules.reserved_name import reserved_names

PATHS = (
    *("_", "_a.js", "_next/a.js", "__tests__/a.js", "_Locales/a.js", "_platform_specific/a.js", "_metadata"),
    *("_Platform_Specific/a.js", "__MACOSX/a.js", "__macosx/a.js", "a/_a.js", "a/_next/a.js", ".a.js"),
    *("_metadata/a.json", "_metadata/verified_contents.json", "_metadata/computed_hashes.json"),
    *("_metadata/generated_indexed_rulesets/a", "con", "aux.js", "nul/a.js", "a/com1.js", "desktop.ini"),
    *("a b.js", "a:b.js", "a?.js", "a*.js", "a|b.js", "<a>.js", 'a".js', "a.", "a\\b.js", "é.js", "key.pem"),
)


def observe(browser: str, command: str, folder: Path) -> dict[str, str]:
    """Returns the browser's result for a package with each file next to its manifest. Raises BrowserError."""
    packages = {path: {"manifest.json": MANIFEST, path: "{}"} for path in PATHS}
    return load_packages(browser, command, folder, packages)


@click.command()
@browser_option
def package_names(browser: str) -> None:
    """Query which names of files prevent a package from loading.

    The exit code is 1 if extlint reports different ones.
    """
    observed = query_browser(browser, observe)
    for path, result in observed.items():
        click.echo(f"  {path}: {result}")
    report_and_exit(disagreements(browser, observed))


def disagreements(browser: str, observed: Mapping[str, str]) -> Iterator[str]:
    """Yields the paths where extlint disagrees with the browser."""
    for path, result in observed.items():
        is_refused = browser == "chromium" and bool(reserved_names([path]))
        if is_refused is (result == LOADED):
            yield path
