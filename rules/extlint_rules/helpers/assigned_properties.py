"""Finds assignments to a property of a name, on any object, in the scripts of a package."""

from __future__ import annotations

import re

from extlint.extension import Extension
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name
from extlint.text.word_search import word_occurrences

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
_PROTOTYPE = rb"(?:(?:globalThis|self|window)\s*\.\s*)?\b(?:Array|Number|String)\s*\.\s*prototype\b(?!\s*\.)"
_ALIAS = lazy(rb"(?<![\w$])([\w$]{1,60})\s*=\s*" + _PROTOTYPE + rb"(?!\s*\[)")
_UNKNOWN_KEYS = (
    rb"(?:\.\.\.\s*)?(?!(?:async|class|false|function|null|true|undefined|void)\b)[A-Za-z_$]"
    rb"|\{(?:[^{}()]{0,400},)?\s*\.\.\."
)
"""The beginning of an argument other than a literal whose keys are all in the text."""

_COPYING_CALL = rb"\b(?:assign|assignIn|defaults|extend|merge|mixin)\s*"
_MIN_DISTINCT_NAME = 3
"""The minimum number of bytes of an alias that hardly names anything else, as names in minified code do."""


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


def is_added_to_builtins(extension: Extension, name: str) -> bool:
    """Whether all arrays, strings or numbers may have such a member, which the package copies to them.

    Some script passes `Array.prototype` or another of these to a call together with an object whose keys
    are elsewhere (`Object.assign(Array.prototype, Enumerable)`), or assigns members whose names it computes,
    and the name is written somewhere, not only as a member that is read.
    """
    texts = {script.path: script.index.text for script in extension.scripts}.values()
    word = encode_name(name)
    return _extends_builtins(extension) and any(
        _MEMBER.search(text, max(0, at - _BYTES_BEFORE), at) is None
        for text in texts
        for at in word_occurrences(text, word, 0, len(text))
    )


@query
def _extends_builtins(extension: Extension) -> bool:
    return any(_copies_to_builtins(script.index.text) for script in extension.scripts)


def _copies_to_builtins(text: bytes) -> bool:
    if b"prototype" not in text:
        return False
    aliases = {match[1] for match in _ALIAS.finditer(text)}
    distinct = [_PROTOTYPE, *(re.escape(each) for each in aliases if len(each) >= _MIN_DISTINCT_NAME)]
    short = [re.escape(each) for each in aliases if len(each) < _MIN_DISTINCT_NAME]
    forms = [rb"[(,]\s*(?:%b)\s*,\s*(?:%b)" % (b"|".join(distinct), _UNKNOWN_KEYS)]
    forms.append(rb"(?<![\w$.])(?:%b)\s*\[\s*[A-Za-z_$][^\]\n]{0,80}\]\s*=(?!=)" % b"|".join(distinct))
    if short:
        forms.append(rb"%b\(\s*(?:%b)\s*,\s*(?:%b)" % (_COPYING_CALL, b"|".join(short), _UNKNOWN_KEYS))
    return any(re.search(form, text) is not None for form in forms)


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
