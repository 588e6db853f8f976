"""The ids of elements that something in the package may create."""

from __future__ import annotations

import re

from extlint.extension import Extension
from extlint.package.suffixes import TEXTS, has_suffix, is_page
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint_rules.helpers.element_lookups import ids_in, names_of_lookups

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

_BEGINNING = lazy(rb"(?<![\w-])([\w-]+)(?:\$\{|[\"'`]\s*\+)")
_NAME_OF_PAGE = lazy(rb"(?:\}|\+\s*[\"'`])\.x?html?[\"'`]")
"""The end of a name of a page that a script puts together."""

_END = lazy(rb"(?:\}|\+\s*[\"'`])([\w-]{3,})")


def may_be_created(extension: Extension, id: str, pages: list[str]) -> bool:
    """Whether something in the package may create an element with an id."""
    from extlint.project.contexts.words import words_of

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
    from extlint.project.contexts.words import words_of

    return any(_ID_WITH_HASH.search(text) for text, _ in words_of(extension).texts.values())


@query(is_of_package=True)
def _adds_foreign_markup(extension: Extension) -> bool:
    """Whether a script adds markup to a page that may come from a server or from storage."""
    from extlint.project.contexts.words import words_of

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
    from extlint.project.contexts.words import words_of

    name = page.rpartition("/")[2].encode()
    return any(
        name in text or _NAME_OF_PAGE.search(text) is not None
        for path, (text, _) in words_of(extension).texts.items()
        if not is_page(path)
    )


@query(is_of_package=True)
def _parts_of_names(extension: Extension) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the beginnings and ends of texts that scripts put together."""
    from extlint.project.contexts.words import words_of

    texts = [text for text, _ in words_of(extension).texts.values()]
    beginnings = {found[1].decode() for text in texts for found in _BEGINNING.finditer(text)}
    ends = {found[1].decode() for text in texts for found in _END.finditer(text)}
    return frozenset(beginnings), frozenset(ends)
