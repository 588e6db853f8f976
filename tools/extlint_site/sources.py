"""Writes the sources of the site: the pages of `docs/`, and the pages that are generated from the code."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from extlint_site.command_pages import command_pages
from extlint_site.error_pages import error_pages
from extlint_site.markdown import with_captions, with_links
from extlint_site.reference_pages import format_pages, output_at
from extlint_site.rule_pages import rule_pages
from extlint_site.search import DATA, search_data

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def write_sources(folder: Path, run: Callable[[list[str]], str] | None = None) -> None:
    """Writes all sources into a folder that does not exist yet.

    `run` returns the output of a command line, by default that of extlint in the checkout.
    """
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("errors", "outputs"))
    extra = folder / "extra"
    extra.mkdir(exist_ok=True)
    for page in folder.rglob("*.md"):
        page.write_text(with_links(with_captions(page.read_text("utf-8"))), "utf-8")
    outputs = {path.stem: path.read_text("utf-8") for path in (DOCS / "outputs").iterdir()}
    (folder / DATA).write_text(search_data(outputs), "utf-8")
    for name, text in [
        *rule_pages(outputs),
        *error_pages(),
        *command_pages(),
        *format_pages(run or partial(output_at, ROOT), extra),
    ]:
        path = folder / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
