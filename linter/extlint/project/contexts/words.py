"""A word search in a package's scripts and pages: a member whose name is not a word there is unused."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial

from msgspec import Struct

from extlint.analysis.facts.script_facts import ApiPath, Reference
from extlint.extension import Extension
from extlint.package.suffixes import CODE, PROGRAMS, has_suffix, is_page
from extlint.queries.query import query
from extlint.text.patterns import isolated_word, lazy
from extlint.text.positions import ByteSpan, decode, encode_name

_BLANKS = lazy(rb" {2,}")

_GLOBAL_BY_NAME = lazy(
    rb"(?<![\w$.])(?:globalThis|parent|self|top|window)\s*\[\s*(?![\"'`][\w$]*[\"'`]\s*\])"
)
"""A member of the global object with a computed name."""

_MAX_BLANKS = 50
"""Bytes next to a word that are examined to find out whether it is the key of a member."""


_QUOTES = (b'"', b"'", b"`")
_PATH_IN_QUOTES = lazy(rb"[\w$.]+([\"'`])")
_ROOT_BEFORE = lazy(rb"\b(?:browser|chrome)\s*\??\.\s*\Z")


class Words(Struct, frozen=True):
    """The texts of a package by path, each with the byte ranges of references to API members."""

    texts: Mapping[str, tuple[bytes, tuple[ByteSpan, ...]]]
    _code: dict[str, bytes | None] = {}

    def within(self, files: Collection[str]) -> Words:
        """Returns the words of some of the files."""
        return Words({path: text for path, text in self.texts.items() if path in files}, self._code)

    def has(self, word: str) -> bool:
        """Whether a word occurs anywhere except in comments."""
        return self._has(word, lambda _path, _at: True)

    def has_unresolved(self, word: str, *, only_keys: bool = False) -> bool:
        """Whether a word occurs anywhere except in comments and known references to API members.

        With `only_keys`, it must look like the key of a member: `a.word`, `a["word"]`, `{word} = a`.
        """
        return self._has(
            word,
            lambda path, at: not self._is_known(path, at) and (not only_keys or self._is_key(path, at, word)),
        )

    def has_path(self, path: ApiPath) -> bool:
        """Whether `chrome` or `browser` and a path occur outside of known references: code in a text."""
        first, *others = map(encode_name, path)
        rest = lazy(rb"".join(rb"\s*\??\.\s*%b" % re.escape(each) for each in others))

        def is_path(file: str, at: int) -> bool:
            text = self.texts[file][0]
            return (
                _ROOT_BEFORE.search(text, max(at - _MAX_BLANKS, 0), at) is not None
                and not self._is_known(file, at)
                and rest.match(text, at + len(first)) is not None
            )

        return self._has(path[0], is_path)

    def may_hold_root(self) -> bool:
        """Whether a root may be a member of an unknown object: `parent.chrome`, or `self[name]`."""
        from extlint.analysis.syntax.prefilter import ROOTS, candidates

        def is_member(root: str, path: str, at: int) -> bool:
            text = self.texts[path][0]
            is_key = self._is_key(path, at, root) and at not in candidates(text)
            return not self._is_known(path, at) and (is_key or _is_path_in_quotes(text, at))

        return any(_GLOBAL_BY_NAME.search(text) for text, _ in self.texts.values()) or any(
            self._has(root, partial(is_member, root)) for root in ROOTS
        )

    def _is_known(self, path: str, at: int) -> bool:
        return is_inside(at, self.texts[path][1])

    def _is_key(self, path: str, at: int, word: str) -> bool:
        text = self.texts[path][0]
        before = text[max(at - _MAX_BLANKS, 0) : at].rstrip()
        after = text[at + len(encode_name(word)) :][:_MAX_BLANKS].lstrip()
        if before.endswith((b"{", b",")):
            return after.startswith((b"}", b",", b":", b"="))
        return before.endswith(b".") or (before.endswith((b'"', b"'", b"`")) and before[:-1].endswith(b"["))

    def places_in(self, path: str, word: str) -> Iterator[int]:
        """Yields the byte offsets at which a word occurs in a file, except in comments."""
        for at in _places(self.texts[path][0], word):
            if not self._is_in_comment(path, at):
                yield at

    def _has(self, word: str, test: Callable[[str, int], bool]) -> bool:
        """Whether a word occurs outside of comments at a place in a file that satisfies a test."""
        return any(
            test(path, at) and not self._is_in_comment(path, at)
            for path, (text, _) in self.texts.items()
            for at in _places(text, word)
        )

    def without_comments(self, path: str) -> bytes:
        """Returns a text with blanks for its comments, or as it is if their boundaries are uncertain."""
        found, code = bytearray(self.texts[path][0]), self.code_of(path)
        for blanks in () if code is None else _BLANKS.finditer(code):
            found[blanks.start() : blanks.end()] = blanks[0]
        return bytes(found)

    def _is_in_comment(self, path: str, at: int) -> bool:
        if has_suffix(path, PROGRAMS) and not _may_be_in_comment(self.texts[path][0], at):
            return False
        code = self.code_of(path)
        return code is not None and code[at : at + 1] == b" "

    def code_of(self, path: str) -> bytes | None:
        """Returns a text with blanks for its comments, or None if their boundaries are uncertain.

        A script, unlike a page, has also lost what its strings and regular expressions contain.
        """
        if path not in self._code:
            self._code[path] = _without_comments(path, self.texts[path][0])
        return self._code[path]


def _places(text: bytes, word: str) -> Iterator[int]:
    encoded = encode_name(word)
    if encoded in text:
        yield from (found.start() for found in re.finditer(isolated_word(encoded), text))


def _is_path_in_quotes(text: bytes, at: int) -> bool:
    """Whether a text begins that is only a name, or a path of names: `"chrome.tabs.query"`."""
    end = _PATH_IN_QUOTES.match(text, at)
    return end is not None and text[at - 1 : at] in _QUOTES and text[at - 1 : at] == end[1]


def _may_be_in_comment(text: bytes, at: int) -> bool:
    """Whether something before an offset may begin a comment of JavaScript that nothing ends."""
    if text.rfind(b"/*", 0, at) > text.rfind(b"*/", 0, at):
        return True
    line = max(text.rfind(end, 0, at) for end in (b"\n", b"\r")) + 1
    return any(text.find(each, line, at) >= 0 for each in (b"//", b"<!--", b"-->"))


@query(is_of_package=True)
def words_of(extension: Extension) -> Words:
    """Returns the words of an extension."""
    named: dict[str, tuple[ByteSpan, ...]] = {}
    for script in extension.scripts:
        known = _spans(script.facts.references, script.base)
        others = named.get(script.path)
        named[script.path] = known if others is None else merged((*others, *known))
    texts = {script.path: script.index.text for script in extension.scripts}
    for path in extension.package.paths:
        if path not in texts and has_suffix(path, CODE):
            texts[path] = decode(extension.package.read(path))
    return Words({path: (texts[path], named.get(path, ())) for path in sorted(texts)})


def _without_comments(path: str, text: bytes) -> bytes | None:
    """Returns the text of a file with blanks for its comments, or None if their boundaries are uncertain."""
    if has_suffix(path, PROGRAMS):
        from extlint.analysis.syntax.lexer import code_of

        return code_of(text)
    if not is_page(path):
        return None
    from extlint.project.contexts.page_code import read_tags

    comments: list[ByteSpan] = []
    for _ in read_tags(text, path, comments=comments):
        pass
    found = bytearray(text)
    for start, end in comments:
        found[start:end] = b" " * (end - start)
    return bytes(found)


def _spans(references: Iterable[Reference], base: int) -> tuple[ByteSpan, ...]:
    return merged((each.span[0] + base, each.span[1] + base) for each in references)


def merged(spans: Iterable[ByteSpan]) -> tuple[ByteSpan, ...]:
    """Returns byte ranges in order, and combines those that overlap or touch."""
    found: list[ByteSpan] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def is_inside(at: int, spans: tuple[ByteSpan, ...]) -> bool:
    """Whether an offset is in one of the ranges that `merged` returned."""
    index = bisect_right(spans, (at, 1 << 62)) - 1
    return index >= 0 and at < spans[index][1]
