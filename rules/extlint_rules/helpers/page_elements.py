"""The ids of the elements in a page, those that a package may create, and the lookups of constant ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from extlint.extension import Extension, Script
from extlint.package.suffixes import TEXTS, has_suffix, is_page
from extlint.project.contexts.page_code import attribute_text, read_tags
from extlint.project.contexts.words import words_of
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
    if page == NO_PAGE:
        return frozenset()
    data = extension.package.read(page) if page in extension.package else b"{{"
    if _FILLED_IN.search(data):
        return None
    texts = (attribute_text(data, tag, b"id") for tag in read_tags(data, page))
    return frozenset(each for each in texts if each)


_BEFORE_LOOKUP = (
    rb"(?:getElementById|querySelector(?:All)?|closest|matches|(?<![\w$])(?:\$\$?|jQuery|%b))"
    rb"\s*(?:<[^<>()]*>)?\(\s*[\"'`](?:[^\"'`\n]*#)?\Z"
)
_MAX_BYTES_OF_LOOKUP = 100
_TEXT_OF_FUNCTION = lazy(rb"\.\s*toString\s*\(\s*\)")
"""Code that may take markup from a comment in a function."""

_USE = lazy(rb"\s*[.=();?!&|]")
"""Matches what follows an identifier that is neither a key, nor short for one, nor in a list."""

_ID_IN_MARKUP = rb"<[^<>]{0,300}\bid\s*=\s*\\?[\"']?%b[\\\"'\s>]"
_ID_IN_DATA = rb"[\"'=]%b[\\\"'\s>]"
_ID_WITH_HASH = lazy(rb"(?i)id[\"'`\]\s,:=\\{]{1,8}#", needs=(b"#",))
_ADDED_MARKUP = lazy(
    rb"(?:(?:inner|outer)HTML\s*\+?=|insertAdjacentHTML\([^,()]{1,40},|\.html\()\s*(?![\"'`])([^;\n]{1,80})"
)
"""Code that adds markup to a page that is not a literal, with the expression for it."""

_FOREIGN_TEXT = lazy(rb"\bresponseText\b|\.text\(\)|\bstorage\b|\bgetItem\b")
"""Code that gets texts of servers, or stored ones."""

_NAME = lazy(rb"[A-Za-z_$][\w$]*")

_BEGINNING = lazy(rb"(?<![\w-])([\w-]+)(?:\$\{|[\"'`]\s*(?:\+|\.concat\())")
_NAME_OF_PAGE = lazy(rb"(?:\}|\+\s*[\"'`])\.x?html?[\"'`]")
"""The end of a name of a page that a script puts together."""

_END = lazy(rb"(?:\}|\+\s*[\"'`]|\.concat\([^()\"'`]{1,80},\s*[\"'`])([\w-]{3,})")


def may_be_created(extension: Extension, id: str, pages: list[str]) -> bool:
    """Whether something in the package may create an element with an id."""
    words, encoded = words_of(extension), id.encode()
    if _adds_foreign_markup(extension):
        return True
    names = b"|".join(map(re.escape, names_of_lookups(extension)))
    before_lookup = re.compile(_BEFORE_LOOKUP % (names or b"(?!)"))
    for path, (text, _) in words.texts.items():
        if path in pages or encoded not in text:
            continue
        if is_page(path):
            ids = ids_in(extension, path)
            if (ids is None or id in ids) and _is_named_in_script(extension, path):
                return True
            continue
        if _TEXT_OF_FUNCTION.search(text) and re.search(_ID_IN_MARKUP % re.escape(encoded), text):
            return True
        code = words.code_of(path)
        for at in words.places_in(path, id):
            if code is not None and code.startswith(encoded, at) and _USE.match(code, at + len(encoded)):
                continue
            around = text[at - 1 : at], text[at + len(encoded) : at + len(encoded) + 1]
            start = max(0, at - _MAX_BYTES_OF_LOOKUP)
            if b"-" not in around and not before_lookup.search(text, start, at):
                return True
    beginnings, ends = _parts_of_names(extension)
    return (
        any(_may_begin(id, each) for each in beginnings)
        or any(id.endswith(each) for each in ends)
        or any(
            has_suffix(path, TEXTS)
            and path != extension.manifest.path
            and re.search(
                (_ID_IN_MARKUP if path.startswith("_locales/") else _ID_IN_DATA) % re.escape(encoded),
                extension.package.read(path),
            )
            for path in extension.package.paths
        )
    )


@query(is_of_package=True)
def sets_id_with_hash(extension: Extension) -> bool:
    """Whether something in the package may give an element an id that begins with `#`."""
    return any(_ID_WITH_HASH.search(text) for text, _ in words_of(extension).texts.values())


@query(is_of_package=True)
def _adds_foreign_markup(extension: Extension) -> bool:
    """Whether a script adds markup to a page that may come from a server or from storage."""
    for text, _ in words_of(extension).texts.values():
        added = {name for found in _ADDED_MARKUP.finditer(text) for name in _NAME.findall(found[1])}
        lines = (line for line in text.split(b"\n") if _FOREIGN_TEXT.search(line)) if added else ()
        if any(not added.isdisjoint(_NAME.findall(line)) for line in lines):
            return True
    return False


def _may_begin(id: str, beginning: str) -> bool:
    """Whether an id may begin with a text; after a single letter, only a number shows that."""
    return id.startswith(beginning) and (len(beginning) > 1 or id[1:].isdecimal())


def _is_named_in_script(extension: Extension, page: str) -> bool:
    """Whether a script has the name of a page, or puts names together, to show the page in another one."""
    name = page.rpartition("/")[2].encode()
    return any(
        name in text or _NAME_OF_PAGE.search(text) is not None
        for path, (text, _) in words_of(extension).texts.items()
        if not is_page(path)
    )


@query(is_of_package=True)
def _parts_of_names(extension: Extension) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the beginnings and ends of texts that scripts put together."""
    texts = [text for text, _ in words_of(extension).texts.values()]
    beginnings = {found[1].decode() for text in texts for found in _BEGINNING.finditer(text)}
    ends = {found[1].decode() for text in texts for found in _END.finditer(text)}
    return frozenset(beginnings), frozenset(ends)
