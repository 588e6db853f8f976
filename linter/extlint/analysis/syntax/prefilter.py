"""Finds positions where a script may name an API root, and reads the text around a name, without parsing.

A script without such a position is never parsed. A position found may still be prose or a local
name; an occurrence that is skipped can only be prose, a property, a key or part of a longer word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from extlint.text.patterns import cache_last_text, each_offset, lazy
from extlint.text.positions import encode_name
from extlint.text.word_search import WORD

ROOTS = ("browser", "chrome")
OLD_ROOTS = frozenset({"msBrowser"})
"""The name of the root in Microsoft Edge up to version 18."""

POLYFILLS = (
    b"webextension-polyfill",
    b"webextension-polyfill-ts",
    b"chrome-promise",
    b"wxt/browser",
    b"@wxt-dev/browser",
    b"wxt/testing",
    b"#imports",
)
_WXT = b"wxt"
"""The common part of most of their names."""

GLOBAL_OBJECTS = ("window", "self", "globalThis", "global", "this")

_NAME = bytes(WORD)
_ENDS_OF_OWNERS = (b")", b"]", *(name.encode() for name in GLOBAL_OBJECTS))
_MEMBER_AFTER = lazy(rb"\s*(?:\?\.|[!)]*\.(?=\s*[a-z])|\[)")
_AFTER_PROSE = lazy(
    rb"-[A-Za-z]|\.\s+[A-Z]|[ \t]+(?!(?:as|in|instanceof|of|satisfies)\b)[A-Za-z]+[ \t]+[A-Za-z]"
)
_CODE_WORDS = frozenset(
    b"await async break case class const continue default delete do else export extends from function if "
    b"import in instanceof let new of return throw typeof var void while yield as satisfies is keyof".split()
)
_LOADS = (
    lazy(rb"import(?<!\wimport)\b(?!\s*[.:=;,)\]])", needs=(b"import",)),
    lazy(rb"from(?<!\wfrom)\s*[\"']", needs=(b"from",)),
    lazy(
        rb"(?:importScripts(?<!\wimportScripts)|SharedWorker(?<!\wSharedWorker)|Worker(?<!\wWorker))\s*\(",
        needs=(b"importScripts", b"Worker"),
    ),
    lazy(rb"require(?<!\wrequire)\s*\(\s*[\"'][./@~#]", needs=(b"require",)),
)
_LOADERS = (b"addModule", b"serviceWorker")
_SCRIPT_ELEMENT = lazy(rb"createElement\s*\(\s*[\"'`]script[\"'`]")
_SOURCE = lazy(rb"\.src\s*=(?!=)")
_REMOTE = lazy(rb"[\"'`](?:https?:(?://)?[\"'`]|(?:https?:)?//[\w.:\[$])")
_WRITERS = (b"HTML", b".write", b"setAttribute", b"$(", b"jQuery(")
_HANDLER_IN_MARKUP = lazy(rb"on(?<=[\s\"'`]on)[a-z]{3,30}(?:\s*=\s*\\?[\"'`$]|=\w)")
_ASSIGNED_HANDLER = lazy(rb"setAttribute\s*\([\s(]*[\"']on[a-z]{3}(?![a-z]*[\"']\s*,\s*[\"']return;?[\"'])")
"""An assigned handler, except the bare `return` that libraries set as a feature test."""
_ATTRIBUTE_BEFORE = lazy(rb"(?:(?<![.\w$-])[\w$-]+|[^\w$\s])\s*=[\s\"'\\]*\Z")
"""The text before the address of an attribute, but not of a property (`link.href = "javascript:"`)."""

_PAGE_NAME = lazy(rb"\.x?html?(?:[?#][^\"'`\n]{0,200})?[\"'`]")
_TAKEN_FROM_GLOBAL = lazy(rb"\s*:[^;()]{0,200}?\}\s*=\s*(?:window|self|globalThis|global|this)\b")
_WORDS = lazy(rb"[\w$\x80-\xff]+")
_MAX_NEIGHBORHOOD_BYTES = 64

MAX_SEARCHES = 12
"""The most words that are searched for one by one; for more, every word of the text is compared with them."""


def candidates(text: bytes) -> list[int]:
    """Returns the byte offsets where `browser` or `chrome` may be a name of the program, in order."""
    return sorted(at for root in ROOTS for at in _plausible_offsets(text, root.encode()))


def may_name_api(text: bytes) -> bool:
    """Whether the text has a candidate, or names a polyfill."""
    return names_polyfill(text) or any(
        True for root in ROOTS for _ in _plausible_offsets(text, root.encode())
    )


def names_polyfill(text: bytes) -> bool:
    """Whether the text names a module that wraps the API, such as `webextension-polyfill`."""
    return bool(polyfill_places(text))


@cache_last_text
def polyfill_places(text: bytes) -> Sequence[int]:
    """Returns the byte offsets where the text names a polyfill."""
    has_wxt = _WXT in text
    return [at for name in POLYFILLS if has_wxt or _WXT not in name for at in each_offset(name, text)]


def may_load(text: bytes) -> bool:
    """Whether a text may load other scripts or pages: imports, `importScripts`, workers or page addresses."""
    if any(word in text for word in _LOADERS) or any(each.search(text) for each in _LOADS):
        return True
    return (b".htm" in text or b".xht" in text) and _PAGE_NAME.search(text) is not None


def may_evaluate(text: bytes) -> bool:
    """Whether the text may run strings as code with `eval`."""
    return b"eval" in text


@cache_last_text
def may_write_code(text: bytes) -> bool:
    """Whether the text may write HTML with event handlers or `javascript:` addresses to its document."""
    if not any(word in text for word in _WRITERS):
        return False
    if any(_ASSIGNED_HANDLER.match(text, at) for at in each_offset(b"setAttribute", text)):
        return True
    before = (text[max(0, at - _MAX_NEIGHBORHOOD_BYTES) : at] for at in each_offset(b"javascript:", text))
    return any(map(_ATTRIBUTE_BEFORE.search, before)) or _HANDLER_IN_MARKUP.search(text) is not None


@cache_last_text
def may_insert_script(text: bytes) -> bool:
    """Whether the text may create a script element with a source on another host."""
    return (
        b".src" in text
        and _SCRIPT_ELEMENT.search(text) is not None
        and _SOURCE.search(text) is not None
        and _REMOTE.search(text) is not None
    )


def global_mentions(text: bytes, names: Iterable[str]) -> list[int]:
    """Returns the byte offsets of possible globals of these names, except other objects' properties."""
    words = {encode_name(name) for name in names}
    return sorted(start for start, _ in word_spans(text, words) if may_name_global(text, start))


def word_spans(text: bytes, words: Collection[bytes]) -> Iterator[tuple[int, int]]:
    """Yields the byte ranges of these words; if there are many words, in source order.

    The name of a property may be empty (`globalThis[""]`), which no word is.
    """
    if len(words) > MAX_SEARCHES:
        for found in _WORDS.finditer(text):
            if found[0] in words:
                yield found.span()
        return
    for word in filter(None, words):
        at = text.find(word)
        while at >= 0:
            end = at + len(word)
            if not (at and text[at - 1] in WORD) and not _is_in_name(text, end):
                yield at, end
            at = text.find(word, end)


def may_name_global(text: bytes, at: int) -> bool:
    """Whether the name at an offset may be that of a global, not another object's property."""
    before = text[max(0, at - _MAX_NEIGHBORHOOD_BYTES) : at]
    stem = before.rstrip()
    return not stem.endswith(b".") or stem.endswith(b"...") or _may_end_with_global_object(stem)


def _may_end_with_global_object(stem: bytes) -> bool:
    """Whether the text before its final dot may end with the global object."""
    return stem[:-1].rstrip(b"?!").rstrip().endswith(_ENDS_OF_OWNERS)


def _plausible_offsets(text: bytes, root: bytes) -> Iterator[int]:
    at = text.find(root)
    while at >= 0:
        end = at + len(root)
        if not _is_in_name(text, end) and _may_be_name(text, at, end):
            yield at
        at = text.find(root, end)


def _may_be_name(text: bytes, start: int, end: int) -> bool:
    before = text[max(0, start - _MAX_NEIGHBORHOOD_BYTES) : start]
    last = before[-1:]
    if _is_in_name(last, 0):
        return False
    after = text[end : end + _MAX_NEIGHBORHOOD_BYTES]
    if last in (b'"', b"'", b"`"):
        return after[:1] == last and before[:-1].rstrip().endswith(b"[")
    stem = before.rstrip()
    word, space = stem[len(stem.rstrip(_NAME)) :], before[len(stem) :]
    if not word:
        if stem.endswith(b".") and b"\n" not in space:
            if stem.endswith(b"...") or _may_end_with_global_object(stem):
                return True
            return _MEMBER_AFTER.match(after) is not None
        if stem.endswith((b"{", b",")) and after.lstrip()[:1] == b":":
            return _TAKEN_FROM_GLOBAL.match(text, end) is not None
    elif b"\n" not in space and word not in _CODE_WORDS:
        return False
    may_be_prose = after[:1] in (b"-", b".") or after.lstrip(b" \t")[:1].isalpha()
    return not may_be_prose or _AFTER_PROSE.match(after) is None


def _is_in_name(text: bytes, at: int) -> bool:
    return at < len(text) and text[at] in WORD


_READS = (b".", b"(", b"[", b"`", b"?.")
"""Continuations of a member expression that read its value, whatever precedes it."""

_SIMPLE_ENDS = (b";", b":", b")", b"?? ", b"|| ", b"&& ", b"=== ", b"!== ")
_ENDS_OF_PARTS = (b",", b"]", b"}")
_ENDS = lazy(
    rb"[=!]==?|&&(?!=)|\|\|(?!=)|\?\?(?!=)|\?(?!\?)|[+-](?![+=-])|[%^&|](?![=&|])|\*(?!\*?=)"
    rb"|/(?![/*=])|<(?!<=)|>(?!>>?=)|(?!(?:in|of)\b)[\w$]"
)
"""Text that follows an expression without writing to it; `_ENDS_OF_PARTS` may also follow part of a
pattern.
"""

_CHAIN = bytes(sorted(WORD)) + b".?"
_BEFORE_PART_OF_PATTERN = (b"[", b",", b":")
_WRITING_WORDS = (b"delete", b"++", b"--", b"/")
_MAX_BEFORE_BYTES = 120

_BEFORE_NAME = (b".", b"\\")
_BEFORE_KEY = (b"{", b",")
_ENDS_KEY = lazy(rb"\s*+(?:[:,}/]|=(?![=>]))")
_NO_PATTERN = lazy(
    rb"\s*+:\s*+(?:[-\"'`\d!+~]|(?:async|class|function|new|typeof|void)\b|[\w$]++\s*+=>|\([\w$,\s]*+\)\s*+=>)"
)
"""Text after a key whose value cannot be a pattern."""

_DEFINES = lazy(rb"[\"']?+\s*+(?:[:?!/]|=(?![=>]))")
_CALLS = lazy(rb"[\"']?+\s*+\(")
_KEY_ENDS = (b":", b",", b"}", b"(", b"/")


def may_be_key(text: bytes, start: int, end: int) -> bool:
    """Whether the word at a range may be a key of an object, or is an entire string."""
    before = text[start - 1 : start]
    if before in (b"'", b'"', b"`"):
        return text.startswith(before, end)
    return before != b"." and text.startswith(_KEY_ENDS, _after_space(text, end))


def may_define_property(text: bytes, start: int, end: int) -> bool:
    """Whether the property named at a range may be assigned: as a key, a field, a getter or a member."""
    if text[start - 1 : start] == b".":
        return may_write_member(text, start, end)
    if _DEFINES.match(text, end) is not None:
        return True
    before = text[max(0, start - _MAX_BEFORE_BYTES) : start].rstrip(b"\"'").rstrip()
    return before.endswith((b".", b"/")) or (before.endswith(b"get") and _CALLS.match(text, end) is not None)


def may_use_property(text: bytes, start: int, end: int) -> bool:
    """Whether the property named at a range may be read or written: as a member, or by a pattern."""
    is_all = start < _MAX_BEFORE_BYTES
    before = b"\n" + text[:start] if is_all else text[start - _MAX_BEFORE_BYTES : start]
    if before.endswith((b"'", b'"')):
        return text.startswith(before[-1:], end) and _may_follow(before[:-1], (b"[",))
    if _may_follow(before, _BEFORE_NAME):
        return True
    is_key = _ENDS_KEY.match(text, end) is not None and _NO_PATTERN.match(text, end) is None
    return is_key and _may_follow(before, _BEFORE_KEY)


def _may_follow(before: bytes, ends: tuple[bytes, ...]) -> bool:
    """Whether code after this text may directly follow one of these endings, apart from comments."""
    stem = before.rstrip()
    if not stem or stem.endswith((b"*/", *ends)):
        return True
    if b"\n" not in before[len(stem) :]:
        return False
    line = stem.rpartition(b"\n")
    return b"//" in line[2] or not line[1]


def may_write_member(text: bytes, start: int, end: int) -> bool:
    """Whether the member named at a range may be written; false if the text there is not a member's name."""
    before = text[max(0, start - _MAX_BEFORE_BYTES) : start]
    stem = before.rstrip()
    if stem[-1:] in (b"'", b'"'):
        return stem[:-1].rstrip()[-1:] in (b"[", b"/", b"")
    if stem[-1:] != b".":
        return stem[-1:] in (b"/", b"")
    at = _after_space(text, end)
    if text.startswith(_READS, at):
        return False
    may_be_part = text.startswith(_ENDS_OF_PARTS, at)
    if not may_be_part and not text.startswith(_SIMPLE_ENDS, at):
        is_assigned = text.startswith(b"=", at) and not text.startswith(b"==", at)
        if is_assigned or _ENDS.match(text, at) is None:
            return True
    head = before.rstrip(_CHAIN)
    if not head or before[len(head) : len(head) + 1] in (b".", b"?"):
        return True
    stem = head.rstrip()
    if stem.endswith(_WRITING_WORDS):
        return True
    return may_be_part and stem.endswith(_BEFORE_PART_OF_PATTERN)


def _after_space(text: bytes, at: int) -> int:
    while text[at : at + 1].isspace():
        piece = text[at : at + _MAX_BEFORE_BYTES]
        at += len(piece) - len(piece.lstrip())
    return at
