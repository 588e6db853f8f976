"""Comments that suppress a finding, with a reason that the user completes."""

from __future__ import annotations

import re

from lsprotocol import types

from extlint.lsp.positions import Text
from extlint.package.suffixes import COMPONENTS, PAGES, SCRIPTS, STYLES, has_suffix
from extlint.suppression.syntax import syntax_of

REASON = "TODO: give the reason"
"""The text in place of the reason."""

_FORMS = (("// ", ""), ("{/* ", " */}"), ("/* ", " */"), ("<!-- ", " -->"))
"""The beginning and end of a comment in all languages."""

_EXISTING = re.compile(r"extlint-disable-next-line[ \t]+((?!--)[\w-]+(?:[ \t]*,[ \t]*[\w-]+)*)")
_INDENT = re.compile(r"[ \t]*")


def suppression(text: Text, path: str, line: int, rule: str, *, is_manifest: bool) -> types.TextEdit | None:
    """Returns the edit that suppresses the findings of a rule that begin in a line, counted from 1.

    Extends the comment in the line above if there is one. Returns None where no comment is possible, such as
    in a string of several lines, and in files that have no such comments.
    """
    if not (is_manifest or has_suffix(path, (*SCRIPTS, *PAGES, *COMPONENTS, *STYLES))):
        return None
    above = _EXISTING.search(text.line(line - 1))
    if above is not None:
        start = text.own_offset(line - 1, above.start() + 1)
        if _comment_at(text.text, path, start) is None:
            return None
        column = above.end(1) + 1
        return types.TextEdit(text.range((line - 1, column), (line - 1, column)), f", {rule}")
    indent = _INDENT.match(text.line(line))
    prefix = "" if indent is None else indent[0]
    place = text.own_offset(line, 1)
    for opening, closing in _FORMS:
        comment = f"{opening}extlint-disable-next-line {rule} -- {REASON}{closing}"
        inserted = prefix + comment + _line_end(text)
        start = place + len(prefix) + comment.startswith("{")
        if _comment_at(text.text[:place] + inserted + text.text[place:], path, start) == comment.strip("{}"):
            return types.TextEdit(text.range((line, 1), (line, 1)), inserted)
    return None


def _comment_at(text: str, path: str, offset: int) -> str | None:
    """Returns the comment that contains a code point of a text."""
    data = text.encode("utf-8", "surrogatepass")
    found = syntax_of(data, path).comment_at(len(text[:offset].encode("utf-8", "surrogatepass")))
    return None if found is None else data[found.span[0] : found.span[1]].decode("utf-8", "surrogatepass")


def _line_end(text: Text) -> str:
    found = re.search(r"\r\n|\n|\r", text.text)
    return "\n" if found is None else found[0]
