"""The ids of the elements in a page, and the lookups of constant ids in the text of a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from extlint.extension import Extension, Script
from extlint.queries.query import query
from extlint.text.patterns import each_offset, lazy

NO_PAGE = ""
"""The background page that a browser generates for scripts: it has no elements."""

_FILLED_IN = lazy(
    rb"\{\{|<%|\{%|\$\{|@@|%[A-Z_]+%|<include\b|rel=[\"']?import|<script[^>]*\ssrc\s*=\s*[\"']?(?:https?:)?//"
)
_LOOKUPS = {b"document.getElementById": False, b"document.querySelector": True}
"""The functions that look up elements, and whether they take a selector."""

_LOOKED_UP = lazy(
    rb"(?:<[\w\s.|]{1,60}>)?\(\s*[\"'`](#)?([A-Za-z_][\w-]*)(?(1)(?:[ .:>\[][^,\"'`]*)?)[\"'`]\s*\)"
)
"""The argument of a lookup."""

_MEMBER = lazy(rb"[\w$.]")
_WINDOW = b"window."
_LOOKUP_IN_DOCUMENT = lazy(rb"document\.(?:getElementById|querySelector)\(", needs=(b"document.",))
_FUNCTION_OF_LOOKUP = lazy(
    rb"(?:function\s+([\w$]+)\s*\(|(?:const|let|var)\s+([\w$]+)\s*=\s*(?:function\s*)?\(?)\s*[\w$]+[^)={]{0,60}\)?"
    rb"[^={;]{0,60}(?:=>|\{)\s*\(?\{?\s*(?:return\b\s*)?\Z"
)
"""Matches the beginning of a function, as far as to its first expression."""

_ENDS_OF_BEGINNING = (b"=>", b"{", b"(", b"return")
_MAX_BYTES_OF_FUNCTION = 250


class Lookup(Struct, frozen=True):
    """An id that is looked up, by itself or in a selector.

    `takes_selector` is whether the function takes a selector, or None if unknown.
    """

    id: str
    is_selector: bool
    takes_selector: bool | None = None

    @property
    def is_unlike(self) -> bool:
        """Whether the function takes the other one: `getElementById("#a")`, `querySelector("a")`."""
        return self.takes_selector is not None and self.takes_selector != self.is_selector

    @property
    def text(self) -> str:
        """The text that is passed, up to the id."""
        return f"#{self.id}" if self.is_selector else self.id


def lookups_in(extension: Extension, script: Script) -> Iterator[tuple[int, Lookup]]:
    """Yields the lookups of constant ids, each with the offset of its argument."""
    text = script.index.text
    for name, takes_selector in {**names_of_lookups(extension), **_LOOKUPS}.items():
        for at in each_offset(name, text):
            start = at - len(_WINDOW) * (name in _LOOKUPS and text.endswith(_WINDOW, 0, at))
            found = _LOOKED_UP.match(text, at + len(name))
            if found is not None and not (start and _MEMBER.match(text, start - 1)):
                lookup = Lookup(found[2].decode(), bool(found[1]), takes_selector)
                yield found.start(2) - 1 - len(found[1] or b""), lookup


@query(is_of_package=True)
def names_of_lookups(extension: Extension) -> Mapping[bytes, bool | None]:
    """The names of the functions of scripts that only look up an element, sorted.

    The values are whether they take a selector, or None for the name of different ones.
    """
    names: dict[bytes, bool | None] = {}
    for script in extension.scripts:
        text = script.index.text
        for lookup in _LOOKUP_IN_DOCUMENT.finditer(text):
            at = lookup.start()
            start = max(0, at - _MAX_BYTES_OF_FUNCTION)
            may_begin = text[start:at].rstrip().endswith(_ENDS_OF_BEGINNING)
            found = _FUNCTION_OF_LOOKUP.search(text, start, at) if may_begin else None
            if found is not None:
                takes_selector = _LOOKUPS[lookup[0][:-1]]
                known = names.setdefault(found[1] or found[2], takes_selector)
                names[found[1] or found[2]] = takes_selector if known == takes_selector else None
    return dict(sorted(names.items()))


@query(is_of_package=True)
def ids_in(extension: Extension, page: str) -> frozenset[str] | None:
    """Returns the ids of the elements in a page, or None if a build or a program fills it in."""
    from extlint.project.contexts.page_code import attribute_text, read_tags

    if page == NO_PAGE:
        return frozenset()
    data = extension.package.read(page) if page in extension.package else b"{{"
    if _FILLED_IN.search(data):
        return None
    texts = (attribute_text(data, tag, b"id") for tag in read_tags(data, page))
    return frozenset(each for each in texts if each)
