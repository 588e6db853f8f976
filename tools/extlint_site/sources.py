"""Writes the sources of the site: the pages of `docs/`, and those that are made from the code."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from extlint_site.command_pages import command_pages
from extlint_site.markdown import captioned, with_links
from extlint_site.readme import section
from extlint_site.reference_pages import configuration_keys, format_pages, output_at
from extlint_site.rule_pages import rule_pages

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

_README_SECTION = re.compile(r"^<!-- README: (.+) -->$", re.MULTILINE)
_KEYS = "<!-- keys of configurations -->"


def write_sources(folder: Path, run: Callable[[list[str]], str] | None = None) -> None:
    """Writes all sources into a folder that is not there yet.

    `run` gives the output of a command line, by default that of extlint in the checkout. Raises KeyError
    for a section that the README does not have.
    """
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("outputs"))
    extra = folder / "extra"
    extra.mkdir(exist_ok=True)
    readme = (ROOT / "README.md").read_text("utf-8")
    for page in folder.rglob("*.md"):
        text = _README_SECTION.sub(lambda found: section(readme, found[1]), page.read_text("utf-8"))
        page.write_text(with_links(captioned(text.replace(_KEYS, configuration_keys()))), "utf-8")
    outputs = {path.stem: path.read_text("utf-8") for path in (DOCS / "outputs").iterdir()}
    for name, text in [
        *rule_pages(outputs),
        *command_pages(),
        *format_pages(run or partial(output_at, ROOT), extra),
    ]:
        path = folder / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
