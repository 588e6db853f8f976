"""Escapes text for Markdown as GitHub renders it, so that markup from a package stays text."""

from __future__ import annotations

import re
from string import punctuation

from extlint.reporter.visible import visible
from extlint.text.patterns import lazy

_CODE = lazy(r"`([^`]+)`")

_TEXT = str.maketrans(
    {each: f"&#{ord(each)};" for each in "\\`*_[]<>|~&$"}
    # The comment separates the sign from the name after it, to prevent mentions and issue links.
    | {each: f"{each}<!-- -->" for each in "@#"}
)
_IN_CODE = str.maketrans({each: f"&#{ord(each)};" for each in punctuation})


def text(message: str) -> str:
    """Renders a message on one line, also in a table cell. Text in backticks becomes code."""
    found = []
    end = 0
    shown = visible(message)
    for match in _CODE.finditer(shown):
        found += [shown[end : match.start()].translate(_TEXT), code(match[1])]
        end = match.end()
    return "".join((*found, shown[end:].translate(_TEXT)))


def code(name: str) -> str:
    """Renders a name as code, also in a table cell."""
    shown = visible(name)
    if not re.search(r"[`|\\]", shown) and shown == shown.strip() and shown:
        return f"`{shown}`"
    return f"<code>{shown.translate(_IN_CODE)}</code>"


def utf16_length(markdown: str) -> int:
    """Returns the length of a text as GitHub counts it, where some characters count as two."""
    return len(markdown.encode("utf-16-le", "replace")) // 2
