"""Corrects the HTML of the theme for screen readers."""

from __future__ import annotations

import re
from pathlib import Path

_EMPTY = r'<th class="head"><p></p></th>'

_CORRECTIONS = (
    (re.compile(rf"<thead>\s*<tr[^>]*>(?:{_EMPTY}\s*)+</tr>\s*</thead>\s*"), ""),
    (re.compile(_EMPTY), "<td></td>"),
    (re.compile(r"<pre>"), '<pre tabindex="0">'),
    (re.compile(r'<p class="caption" role="heading">'), '<p class="caption" role="heading" aria-level="2">'),
    (re.compile(r'<aside class="sidebar-drawer">'), '<aside class="sidebar-drawer" aria-label="Navigation">'),
    (re.compile(r'<aside class="toc-drawer'), '<aside aria-label="This page" class="toc-drawer'),
    (re.compile(r'<form class="sidebar-search-container"'), r'\g<0> aria-label="All pages"'),
    (re.compile(r'(?=<div id="search-results">)'), "<h1>Search</h1>\n"),
)
"""Empty headings, code that keys cannot scroll, captions without a level, landmarks without a name, and the
search page without a heading.
"""


def accessible(page: str) -> str:
    """Returns a page with the corrections."""
    for pattern, replacement in _CORRECTIONS:
        page = pattern.sub(replacement, page)
    return page


def correct_pages(folder: Path) -> None:
    """Corrects all pages in a folder."""
    for path in folder.rglob("*.html"):
        path.write_text(accessible(path.read_text("utf-8")), "utf-8", newline="\n")
