"""Finds the files that a pattern in `web_accessible_resources` matches.

As in Firefox 153 and Chromium 156: the pattern is compared with the path in a URL, so a space is `%20`; `*`
is any text, including `/`; leading slashes are ignored, but `./` is not. `?` is any character in Firefox, and
a literal `?` in Chromium.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote

from msgspec import Struct

from extlint.extension import Extension
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.text.json.values import JsonNode
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

MAX_ACCESSIBLE_PATTERNS = 500
"""The maximum number of patterns of one extension that are compared; with more, every file counts as
accessible.
"""

MAX_ACCESSIBLE_PATTERN_LENGTH = 300
"""The maximum length of a pattern in characters; with a longer one, every file counts as accessible."""

_IN_PATHS = "/!$&'()*+,-.:;=@[]_~|\\"
_STARS = lazy(r"\*+")


class _Entry(Struct, frozen=True):
    """A pattern for files, and the match patterns of the web pages that may load them, or None for all."""

    expression: re.Pattern[str]
    pages: tuple[str, ...] | None

    def matches(self, path: str) -> bool:
        """Whether the pattern matches a file."""
        return any(self.expression.search(form) for form in forms_of(path))


def is_accessible(extension: Extension, path: str) -> bool:
    """Whether an entry of `web_accessible_resources` matches a file, for some web pages or others."""
    entries = _entries(extension)
    return entries is None or any(each.matches(path) for each in entries)


def pages_with_access(extension: Extension, path: str) -> list[str] | None:
    """Returns the match patterns of the web pages that may load a file.

    Returns None if all may or this is unknown.
    """
    entries = _entries(extension)
    matching = None if entries is None else [each.pages for each in entries if each.matches(path)]
    if matching is None or None in matching:
        return None
    return [page for pages in matching for page in pages or ()]


def expression_of(pattern: str, *, plain: bool) -> str:
    """Returns a regular expression for one line; the text between two `*` matches at its first occurrence.

    With `plain`, `?` is a literal character.
    """
    parts = [_part_expression(each, plain=plain) for each in _STARS.split(pattern.lstrip("/"))]
    if len(parts) == 1:
        return f"^{parts[0]}$"
    first, *middle, last = parts
    return "".join((f"^{first}", *(f"(?>[^\n]*?{each})" for each in middle), f"[^\n]*{last}$"))


def forms_of(path: str) -> tuple[str, ...]:
    """Returns a path as it is in URLs, and as some browser may compare it."""
    shown = path.replace("\n", "%0A")
    return quote(encode_name(shown), safe=_IN_PATHS), shown.replace(" ", "%20")


def _part_expression(text: str, *, plain: bool) -> str:
    escaped = re.escape(text)
    return escaped if plain else escaped.replace("\\?", "[^\n]")


@query
def _entries(extension: Extension) -> list[_Entry] | None:
    """Returns the entries for web pages, or None if there are too many patterns."""
    written = [*_web_page_patterns(extension)]
    names = [name for name, _ in written]
    is_long = any(len(name) > MAX_ACCESSIBLE_PATTERN_LENGTH for name in names)
    if is_long or len(names) > MAX_ACCESSIBLE_PATTERNS:
        return None
    plain = extension.target.engine is Engine.CHROMIUM
    return [_Entry(re.compile(expression_of(name, plain=plain)), pages) for name, pages in written]


def _web_page_patterns(extension: Extension) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Yields the patterns for web pages; an entry only for other extensions does not have `matches`."""
    found = extension.manifest.get("web_accessible_resources")
    for entry in () if found is None else found.items():
        matches = entry.get("matches")
        if matches is None and entry.get("extension_ids") is not None:
            continue
        pages = None if matches is None else _strings(matches.items())
        for name in () if pages == () else _strings((entry, *_items(entry.get("resources")))):
            yield name, pages


def _items(node: JsonNode | None) -> Sequence[JsonNode]:
    return () if node is None else node.items()


def _strings(nodes: Iterable[JsonNode]) -> tuple[str, ...]:
    return tuple(each.value for each in nodes if isinstance(each.value, str))
