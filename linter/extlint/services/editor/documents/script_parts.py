"""The script of a document that contains a position: all of it, or an inline script of a page."""

from __future__ import annotations

import re

from msgspec import Struct

from extlint.package.suffixes import COMPONENTS, PAGES, SCRIPTS, has_suffix, is_component, is_xhtml
from extlint.project.contexts.pages import scan_page, script_of_component, text_of_component
from extlint.text.patterns import lazy

MAX_BYTES = 2 * 1024 * 1024
"""The size of the largest script that is examined: larger ones are not written by hand."""

_WORD = lazy(rb"[\w$\x80-\xff]*+")
_WORD_BEFORE = lazy(rb"[\w$\x80-\xff]*\Z")
_OPEN_SCRIPT = lazy(rb"<script(?=[\s>])(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+>", re.IGNORECASE)
_MAX_WORD = 200


class ScriptPart(Struct, frozen=True):
    """A script in UTF-8, the byte offset in its document where it begins, and an offset in the script."""

    path: str
    text: bytes
    base: int
    offset: int

    @property
    def word(self) -> tuple[int, int]:
        """The byte range of the word at the offset, which may be empty."""
        before = _WORD_BEFORE.search(self.text, max(0, self.offset - _MAX_WORD), self.offset)
        after = _WORD.match(self.text, self.offset)
        start = self.offset if before is None else before.start()
        return start, self.offset if after is None else after.end()


def script_part_at(path: str, data: bytes, offset: int) -> ScriptPart | None:
    """Returns the script at a byte offset of a document in UTF-8, or None elsewhere."""
    if has_suffix(path, SCRIPTS):
        return _part(path, data, 0, offset)
    if not has_suffix(path, (*PAGES, *COMPONENTS)):
        return None
    page = scan_page(data, xml=is_xhtml(path))
    bodies = [each.body for each in page.scripts if each.body is not None and each.kind != "other"]
    found = next((each for each in bodies if each[0] <= offset <= each[1]), None)
    if found is None:
        start = data.rfind(b"<script", 0, offset)
        opening = None if start < 0 else _OPEN_SCRIPT.match(data, start, offset)
        if opening is None or b"src=" in opening[0] or b"</script" in data[start:offset].lower():
            return None
        return _part(path, data[opening.end() :], opening.end(), offset)
    if is_component(path) and (whole := script_of_component(page)) is not None:
        return _part(path, text_of_component(data), whole[0], offset)
    return _part(path, data[found[0] : found[1]], found[0], offset)


def _part(path: str, text: bytes, base: int, offset: int) -> ScriptPart | None:
    return ScriptPart(path, text, base, offset - base) if len(text) <= MAX_BYTES else None
