"""Sections of the README, for pages of the site."""

from __future__ import annotations

import re

_HEADING = re.compile(r"^(#{1,3}) (.+)$", re.MULTILINE)

PAGES = {
    "configuration": "configuration.md",
    "suppressing-findings": "suppressing.md",
    "which-extensions-are-checked": "extensions.md",
    "fixes": "fixes.md",
    "the-cache": "cache.md",
    "targets": "targets.md",
}
"""The page that has a section of the README, by the anchor that links in the README name."""


def section(readme: str, title: str) -> str:
    """The text below a heading, up to the next one. Raises KeyError where there is none."""
    headings = list(_HEADING.finditer(_without_code(readme)))
    for index, heading in enumerate(headings):
        if heading[2] == title:
            end = headings[index + 1].start() if index + 1 < len(headings) else len(readme)
            return re.sub(r"\]\(#([\w-]+)\)", _page, readme[heading.end() : end].strip())
    raise KeyError(title)


def _without_code(text: str) -> str:
    """A text of the same length, with nothing in its blocks of code."""
    block = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
    return block.sub(lambda found: re.sub(r"\S", " ", found[0]), text)


def _page(found: re.Match[str]) -> str:
    return f"]({PAGES[found[1]]})"
