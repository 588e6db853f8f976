"""Finds lookups of elements by ids that the page of a script does not have, and that nothing creates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import GlobalUse
from extlint.checks.api.absent_globals import IN_PAGE, moment_of, watched_globals
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension, Script
from extlint.package.references import paths_of
from extlint.package.suffixes import TEXTS, has_suffix, is_page
from extlint.project.contexts.script import page_of
from extlint.queries.query import query
from extlint.text.patterns import each_offset, lazy

_PAGES = frozenset({ContextKind.DEVTOOLS_PAGE, ContextKind.EXTENSION_PAGE, ContextKind.OFFSCREEN})
_GENERATED = frozenset({ContextKind.BACKGROUND})
_NO_PAGE = ""
"""The background page that a browser generates for scripts: it has no elements."""

_LOOKUPS = (b"document.getElementById", b"document.querySelector")
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
_BEFORE_LOOKUP = (
    rb"(?:getElementById|querySelector(?:All)?|closest|matches|(?<![\w$])(?:\$\$?|jQuery|%b))"
    rb"\s*(?:<[^<>()]*>)?\(\s*[\"'`](?:[^\"'`\n]*#)?\Z"
)
_MAX_BYTES_OF_LOOKUP = 100
_MAX_BYTES_OF_FUNCTION = 250
_FILLED_IN = lazy(
    rb"\{\{|<%|\{%|\$\{|@@|%[A-Z_]+%|<include\b|rel=[\"']?import|<script[^>]*\ssrc\s*=\s*[\"']?(?:https?:)?//"
)
_TEXT_OF_FUNCTION = lazy(rb"\.\s*toString\s*\(\s*\)")
"""Code that may take markup from a comment in a function."""

_USE = lazy(rb"\s*[.=();?!&|]")
"""Matches what follows an identifier that is neither a key, nor short for one, nor in a list."""

_ID_IN_MARKUP = rb"<[^<>]{0,300}\bid\s*=\s*\\?[\"']?%b[\\\"'\s>]"
_ID_IN_DATA = rb"[\"'=]%b[\\\"'\s>]"
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


class _Lookup(Struct, frozen=True):
    """An id that is looked up, by itself or in a selector."""

    id: str
    is_selector: bool


class MissingElement(Struct, frozen=True):
    """A lookup of an element that none of the script's pages has, and the ids that they have.

    With `is_later`, they have it only after the script.
    """

    script: Script
    use: GlobalUse
    id: str
    page: str
    ids: frozenset[str]
    is_later: bool = False


def missing_elements(extension: Extension) -> Iterator[MissingElement]:
    """Yields the lookups that fail each time that a page loads a script, or that some event occurs."""
    for script in checked_scripts(extension):
        kinds = {each.kind for each in (*script.contexts, *script.all_contexts)}
        is_in_page = bool(kinds) and (kinds <= _PAGES or kinds == _GENERATED)
        if is_in_page and not script.base and b"document" in script.index.text:
            yield from _missing_in(extension, script)


def _missing_in(extension: Extension, script: Script) -> Iterator[MissingElement]:
    lookups, pages = dict(_lookups_in(extension, script)), _pages_of(extension, script)
    if not lookups or not pages:
        return
    known: frozenset[str] = frozenset()
    for page in pages:
        ids = _ids_in(extension, page)
        if ids is None:
            return
        known |= ids
    early = _ids_before(extension, script)
    missing = {at: each for at, each in lookups.items() if each.id not in (known if early is None else early)}
    if not missing:
        return
    ids_missing = {each.id for each in missing.values()} - known
    created = {id for id in ids_missing if _may_be_created(extension, id, pages)}
    places = sorted(at for at, each in missing.items() if each.id not in created)
    if not places:
        return
    from extlint.checks.availability.missing_globals import fails_on
    from extlint.checks.availability.missing_scripts import kinds_with_missing_scripts
    from extlint.checks.reachability.closed_world import has_known_scripts

    kinds = {each.kind for each in script.contexts}
    if not has_known_scripts(extension):
        return
    absent = frozenset(at for at, each in lookups.items() if each.id not in known)
    for at, use in extension.searches.failing_lookups(script, places, absent, watched_globals(extension)):
        lookup = missing[at]
        is_later = lookup.id in known
        runs = extension.searches.runs_at_once if is_later else extension.searches.certainly_runs
        if (
            lookup.is_selector == (use.name == "querySelector")
            and any(fails_on(extension, script, path, frozenset(), is_everywhere=True) for path in use.paths)
            and kinds.isdisjoint(kinds_with_missing_scripts(extension))
            and runs(script, use.span)
        ):
            yield MissingElement(script, use, lookup.id, pages[0], known, is_later)


def _ids_before(extension: Extension, script: Script) -> frozenset[str] | None:
    """Returns the ids of the elements before a script that pages load in their heads, or None for others."""
    from extlint.project.contexts.html import attribute_text, read_tags

    found: set[str] = set()
    for each in script.all_contexts or script.contexts:
        if each.step is None or moment_of(extension, each) != IN_PAGE:
            return None
        path = each.step.path
        data = extension.package.read(path)[: each.step.span[0]]
        found.update(text for tag in read_tags(data, path) if (text := attribute_text(data, tag, b"id")))
    return frozenset(found)


def _lookups_in(extension: Extension, script: Script) -> Iterator[tuple[int, _Lookup]]:
    """Yields the lookups of constant ids, each with the offset of its argument."""
    text = script.index.text
    for name in (*_LOOKUPS, *_names_of_lookups(extension)):
        for at in each_offset(name, text):
            start = at - len(_WINDOW) * (name in _LOOKUPS and text.endswith(_WINDOW, 0, at))
            found = _LOOKED_UP.match(text, at + len(name))
            if found is not None and not (start and _MEMBER.match(text, start - 1)):
                yield found.start(2) - 1 - len(found[1] or b""), _Lookup(found[2].decode(), bool(found[1]))


@query(is_of_package=True)
def _names_of_lookups(extension: Extension) -> Sequence[bytes]:
    """The names of the functions of scripts that only look up an element, sorted."""
    names = set[bytes]()
    for script in extension.scripts:
        text = script.index.text
        for lookup in _LOOKUP_IN_DOCUMENT.finditer(text):
            at = lookup.start()
            start = max(0, at - _MAX_BYTES_OF_FUNCTION)
            may_begin = text[start:at].rstrip().endswith(_ENDS_OF_BEGINNING)
            found = _FUNCTION_OF_LOOKUP.search(text, start, at) if may_begin else None
            if found is not None:
                names.add(found[1] or found[2])
    return sorted(names)


def _pages_of(extension: Extension, script: Script) -> list[str]:
    """Returns the pages that load a script, or all pages of the package if there may be several."""
    contexts = script.all_contexts or script.contexts
    if {each.kind for each in contexts} == _GENERATED:
        page = extension.manifest.get("background", "page")
        return [_NO_PAGE] if page is None else [*_named(page.value)]
    own = {page_of(script.path, each) for each in contexts}
    if None not in own and all(each.path_count == 1 for each in contexts):
        return sorted(each for each in own if each is not None)
    return sorted(path for path in extension.package.paths if is_page(path))


def _named(page: object) -> Sequence[str]:
    return paths_of(page)[:1] if isinstance(page, str) else ()


@query(is_of_package=True)
def _ids_in(extension: Extension, page: str) -> frozenset[str] | None:
    """Returns the ids of the elements in a page, or None if a build or a program fills it in."""
    from extlint.project.contexts.html import attribute_text, read_tags

    if page == _NO_PAGE:
        return frozenset()
    data = extension.package.read(page) if page in extension.package else b"{{"
    if _FILLED_IN.search(data):
        return None
    texts = (attribute_text(data, tag, b"id") for tag in read_tags(data, page))
    return frozenset(each for each in texts if each)


def _may_be_created(extension: Extension, id: str, pages: list[str]) -> bool:
    """Whether something in the package may create an element with an id."""
    from extlint.project.contexts.words import words_of

    words, encoded = words_of(extension), id.encode()
    if _adds_foreign_markup(extension):
        return True
    names = b"|".join(map(re.escape, _names_of_lookups(extension)))
    before_lookup = re.compile(_BEFORE_LOOKUP % (names or b"(?!)"))
    for path, (text, _) in words.texts.items():
        if path in pages or encoded not in text:
            continue
        if is_page(path):
            ids = _ids_in(extension, path)
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
