"""Finds assignments to a property of a name, on any object, in the scripts of a package."""

from __future__ import annotations

from extlint.extension import Extension
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name
from extlint.text.word_offsets import word_occurrences

_ASSIGNED = lazy(rb"\s*(?:(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=(?![=>])|\+\+|--)")
_IN_BRACKETS = lazy(rb"\[\s*[\"'`]\Z")
_CLOSED = lazy(rb"[\"'`]\s*\]")
_MEMBER = lazy(rb"\.\s*#?\Z")
_OF_PAGE = lazy(
    rb"(?<![\w$.])(?:window\s*\.\s*)?(?:document(?:\s*\.\s*(?:body|documentElement|head))?|location|window)\s*\.\s*\Z"
)
"""An object of the page, which the API never returns."""

_CHANGED = lazy(rb"(?:\+\+|--)[\w$.]*\.\Z")
_COPIED = lazy(
    rb"\b(?:assign|assignIn|defaults|defineProperty|defineProperties|extend|merge)\s*\([^;]{0,400}\Z"
)
_BYTES_BEFORE = 450


def is_property_assigned(extension: Extension, name: str) -> bool:
    """Whether some script assigns to a property of this name, or passes it to a copying function.

    The object may reach that code in ways that no analysis follows. Properties of the page do not count.
    """
    known = _cached_results(extension)
    if name not in known:
        texts = {script.path: script.index.text for script in extension.scripts}.values()
        word = encode_name(name)
        known[name] = any(
            _is_assigned(text, at, at + len(word))
            for text in texts
            for at in word_occurrences(text, word, 0, len(text))
        )
    return known[name]


def _is_assigned(text: bytes, start: int, end: int) -> bool:
    before = text[max(0, start - _BYTES_BEFORE) : start]
    if _ASSIGNED.match(text, end) is not None and _MEMBER.search(before) is not None:
        return _OF_PAGE.search(before) is None
    closed = _CLOSED.match(text, end)
    if closed is not None and _ASSIGNED.match(text, closed.end()) is not None:
        return _IN_BRACKETS.search(before) is not None
    return _CHANGED.search(before) is not None or _COPIED.search(before) is not None


@query
def _cached_results(_extension: Extension) -> dict[str, bool]:
    """The results cached so far, by name."""
    return {}
