"""A word search in a package's scripts and pages: a member whose name is not a word there is unused."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from extlint.analysis.facts.script_facts import Reference
from extlint.extension import Extension
from extlint.package.suffixes import CODE, PROGRAMS, has_suffix, is_page
from extlint.queries.query import query
from extlint.text.patterns import isolated_word, lazy
from extlint.text.positions import ByteSpan, decode, encode_name

_BLANKS = lazy(rb" {2,}")


class Words(Struct, frozen=True):
    """The texts of a package by path, each with the byte ranges of references to API members."""

    texts: Mapping[str, tuple[bytes, tuple[ByteSpan, ...]]]
    _code: dict[str, bytes | None] = {}

    def has(self, word: str) -> bool:
        """Whether a word occurs anywhere except in comments."""
        return any(True for _ in self._places(word))

    def has_unresolved(self, word: str) -> bool:
        """Whether a word occurs anywhere except in comments and known references to API members."""
        return any(not is_inside(at, known) for at, known in self._places(word))

    def places_in(self, path: str, word: str) -> Iterator[int]:
        """Yields the byte offsets at which a word occurs in a file, except in comments."""
        text, encoded = self.texts[path][0], encode_name(word)
        for found in re.finditer(isolated_word(encoded), text) if encoded in text else ():
            if not self._is_in_comment(path, found.start()):
                yield found.start()

    def _places(self, word: str) -> Iterator[tuple[int, tuple[ByteSpan, ...]]]:
        for path, (_, known) in self.texts.items():
            yield from ((at, known) for at in self.places_in(path, word))

    def without_comments(self, path: str) -> bytes:
        """Returns a text with blanks for its comments, or as it is if their boundaries are uncertain."""
        found, code = bytearray(self.texts[path][0]), self.code_of(path)
        for blanks in () if code is None else _BLANKS.finditer(code):
            found[blanks.start() : blanks.end()] = blanks[0]
        return bytes(found)

    def _is_in_comment(self, path: str, at: int) -> bool:
        code = self.code_of(path)
        return code is not None and code[at : at + 1] == b" "

    def code_of(self, path: str) -> bytes | None:
        """Returns a text with blanks for its comments, or None if their boundaries are uncertain.

        A script, unlike a page, has also lost what its strings and regular expressions contain.
        """
        if path not in self._code:
            self._code[path] = _without_comments(path, self.texts[path][0])
        return self._code[path]


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
    from extlint.project.contexts.html import read_tags

    comments: list[ByteSpan] = []
    for _ in read_tags(text, comments=comments):
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
