"""Corrections of the HTML of the site, and links to other sites."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from extlint_site.accessible import accessible, correct_pages

ROOT = Path(__file__).parent.parent
EMPTY = '<th class="head"><p></p></th>'


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            f'<table>\n<thead>\n<tr class="row-odd">{EMPTY}\n{EMPTY}\n</tr>\n</thead>\n<tbody>',
            "<table>\n<tbody>",
        ),
        (f'<thead><tr><th class="head"><p>a</p></th>{EMPTY}</tr></thead>', None),
        ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
        ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Navigation">'),
        ("<pre>code</pre>", '<pre tabindex="0">code</pre>'),
        ("<p>text</p>", "<p>text</p>"),
    ],
)
def test_corrections(page: str, expected: str | None) -> None:
    corrected = page.replace(EMPTY, "<td></td>") if expected is None else expected
    assert accessible(page) == corrected
    assert accessible(corrected) == corrected


def test_all_pages_of_a_folder_are_corrected(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/index.html").write_text(EMPTY)
    correct_pages(tmp_path)
    assert (tmp_path / "a/index.html").read_text() == "<td></td>"


@pytest.mark.parametrize("path", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_links_to_other_sites_are_addresses(path: Path) -> None:
    for address in re.findall(r"\]\((https?:[^)]*)\)", path.read_text("utf-8")):
        parts = urlsplit(address)
        assert parts.scheme == "https"
        assert "." in parts.netloc
        assert not re.search(r"\s", address)
