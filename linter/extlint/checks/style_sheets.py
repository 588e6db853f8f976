"""Finds names of files in style sheets that are certainly wrong: the file is in another folder.

A style sheet names more files than a page loads: those of rules that match nothing, and every font of a
library. So a name of a file that is not in the package at all is not a mistake by itself. The text is
tokenized as in the CSS Syntax standard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from extlint.checks.load_paths import index_of
from extlint.extension import Extension, NamedFile
from extlint.package.files import Package
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import is_page
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.placeholders import is_placeholder
from extlint.text.positions import ByteSpan

LOCAL = "local:"
"""Denotes a font of the system among the sources of a font."""

OWN_ADDRESS = lazy(r"(?i)(?:chrome|moz)-extension://__MSG_@@extension_id__(?=/)")
"""The start of an address in the package, which browsers fill in when they load the style sheet."""

_NAMED = lazy(rb"url\(|@import", re.IGNORECASE)
_WITH_BLOCKS = lazy(rb"@font-face|@import", re.IGNORECASE)
_STRING = rb"\"((?:[^\"\\\n]|\\[\s\S])*+)\"|'((?:[^'\\\n]|\\[\s\S])*+)'"
_NAMES = (
    rb"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
    rb"|(?P<url>\burl\(\s*+(?:%b|([^\s\"'()\\]*+))\s*+\))"
    rb"|(?P<import>@import\s++(?:url\(\s*+)?(?:%b|([^\s\"'();\\]++)))"
    rb"|(?P<string>%b)" % (_STRING, _STRING, _STRING)
)
_SOURCES = rb"|(?P<local>\blocal\()|(?P<src>(?<![\w-])src\s*+:)|(?P<end>[;{}])"
_TOKEN = lazy(_NAMES, re.IGNORECASE)
_TOKEN_WITH_BLOCKS = lazy(_NAMES + _SOURCES, re.IGNORECASE)


class StyleUrl(Struct, frozen=True):
    """The name of a file in a style sheet, as written, and its byte range without quotes.

    The sources of one font are alternatives: the browser uses the first that it supports. They have
    the same number as `alternatives`, which is 0 for all other names.
    """

    name: str
    span: ByteSpan
    alternatives: int = 0


def urls_in(data: bytes) -> Iterator[StyleUrl]:
    """Yields the names in `url()` and `@import` of a style sheet in UTF-8, in order; runs in linear time.

    Skips names with escapes, and an `@import` after or in a block, which browsers ignore.
    """
    if not _NAMED.search(data):
        return
    block = 0
    is_source = False
    tokens = _TOKEN_WITH_BLOCKS if _WITH_BLOCKS.search(data) else _TOKEN
    for found in tokens.finditer(data):
        kind = found.lastgroup
        if kind in ("src", "end"):
            is_source = kind == "src"
            block += found[0] == b"{"
        if kind == "local" and is_source:
            yield StyleUrl(LOCAL, found.span(), block)
        if kind not in ("url", "import") or (kind == "import" and block):
            continue
        first = found.re.groupindex[kind] + 1
        part = next((each for each in range(first, first + 3) if found[each]), None)
        if part is None or b"\\" in found[part]:
            continue
        name = found[part].decode("utf-8", "replace")
        yield StyleUrl(name, found.span(part), block if is_source else 0)


_STYLES = ".css"


class MisplacedName(Struct, frozen=True):
    """A name without a file, and the intended file, or None for a missing style sheet."""

    named: NamedFile
    intended_file: str | None


@query(is_of_package=True)
def style_urls(extension: Extension, path: str) -> Sequence[StyleUrl]:
    """Returns the names in a style sheet, which is read once for all rules and targets."""
    return tuple(urls_in(index_of(extension, path).text))


def misplaced_names(extension: Extension) -> Iterator[MisplacedName]:
    """Yields names in style sheets, and in sheets they import, whose files are in another folder.

    An imported style sheet is always loaded, so its file must exist. Fonts are wrong only if none of their
    sources exists. Of sheets that no page names, only addresses in the package are checked: those of content
    scripts are in the web page, which other names are relative to.
    """
    package = extension.package
    sheets = [each for each in extension.named_files if each.path.endswith(_STYLES) and each.path in package]
    in_pages = {each.path for each in sheets if is_page(each.source)}
    waiting = list(dict.fromkeys(each.path for each in sheets))
    by_name = _paths_by_name(package) if waiting else {}
    for sheet in waiting:
        index = index_of(extension, sheet)
        folder = folder_of(sheet) if sheet in in_pages else None
        found = [(url, _paths_of(url, folder)) for url in style_urls(extension, sheet)]
        named = dict.fromkeys(path for _, paths in found for path in paths)
        imported = [path for path in named if path.endswith(_STYLES) and path in package]
        waiting += [path for path in imported if path not in waiting]
        in_pages.update(imported)
        for url, path in _names_without_file(found, package):
            candidates = by_name.get(path.rpartition("/")[2], [])
            is_wrong = len(candidates) == 1 or path.endswith(_STYLES) or package.other_case(path) is not None
            if is_wrong and not is_placeholder(OWN_ADDRESS.sub("", url.name)):
                file = NamedFile(url.name, path, sheet, index.span(*url.span))
                yield MisplacedName(file, candidates[0] if len(candidates) == 1 else None)


def _paths_of(url: StyleUrl, folder: str | None) -> tuple[str, ...]:
    """Returns the paths that a name in a style sheet may mean; an address in the package has no folder."""
    own = OWN_ADDRESS.match(url.name)
    return paths_of(url.name, folder) if own is None else paths_of(url.name[own.end() :])


def _paths_by_name(package: Package) -> dict[str, list[str]]:
    """Returns the files of a package by their names without folders."""
    found: dict[str, list[str]] = {}
    for path in package.paths:
        found.setdefault(path.rpartition("/")[2], []).append(path)
    return found


def _names_without_file(
    urls: Iterable[tuple[StyleUrl, tuple[str, ...]]], package: Package
) -> Iterator[tuple[StyleUrl, str]]:
    """Yields the names without a file; for a font, only if it has no other source."""
    fonts: dict[int, list[tuple[StyleUrl, tuple[str, ...]]]] = {}
    for url, paths in urls:
        if url.alternatives:
            fonts.setdefault(url.alternatives, []).append((url, paths))
        elif paths and not any(path in package for path in paths):
            yield url, paths[0]
    for sources in fonts.values():
        if all(paths and not any(path in package for path in paths) for _, paths in sources):
            yield from ((url, paths[0]) for url, paths in sources)
