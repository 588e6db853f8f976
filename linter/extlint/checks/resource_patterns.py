"""Which files a pattern in `web_accessible_resources` matches.

As Firefox 153 and Chromium 156 do: the pattern is compared with the path in a URL, so a space is `%20`; `*`
is any text, including `/`; leading slashes are ignored, but `./` is not. `?` is any character in Firefox, and
a literal `?` in Chromium.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from extlint.extension import Extension, once_per_extension
from extlint.json_text.values import JsonNode
from extlint.schema.engine import Engine
from extlint.text.patterns import lazy
from extlint.text.positions import encoded

MAX_ACCESSIBLE_PATTERNS = 500
"""Patterns of one extension that files are compared with; with more, every file counts as accessible."""

MAX_ACCESSIBLE_PATTERN_LENGTH = 300
"""Characters; with a longer pattern every file counts as accessible."""

_IN_PATHS = "/!$&'()*+,-.:;=@[]_~|\\"
_STARS = lazy(r"\*+")


def is_accessible(extension: Extension, path: str) -> bool:
    """Whether an entry of `web_accessible_resources` matches a file, for some web pages or others."""
    patterns = _expressions(extension)
    if patterns is None:
        return True
    return any(each.search(form) for form in forms_of(path) for each in patterns)


def expression_of(pattern: str, *, plain: bool) -> str:
    """A regular expression for one line; the text between two `*` matches at its first occurrence.

    With `plain`, `?` is a literal character.
    """
    parts = [_part(each, plain=plain) for each in _STARS.split(pattern.lstrip("/"))]
    if len(parts) == 1:
        return f"^{parts[0]}$"
    first, *middle, last = parts
    return "".join((f"^{first}", *(f"(?>[^\n]*?{each})" for each in middle), f"[^\n]*{last}$"))


def forms_of(path: str) -> tuple[str, ...]:
    """A path as it is in URLs, and as some browser may compare it."""
    shown = path.replace("\n", "%0A")
    return quote(encoded(shown), safe=_IN_PATHS), shown.replace(" ", "%20")


def _part(text: str, *, plain: bool) -> str:
    escaped = re.escape(text)
    return escaped if plain else escaped.replace("\\?", "[^\n]")


def _names(extension: Extension) -> Iterator[str]:
    """The patterns that are for web pages; one for other extensions only has no `matches`."""
    found = extension.manifest.get("web_accessible_resources")
    for entry in () if found is None else found.items():
        matches = entry.get("matches")
        for_none = entry.get("extension_ids") is not None if matches is None else matches.value == ()
        for each in () if for_none else (entry, *_items(entry.get("resources"))):
            if isinstance(each.value, str):
                yield each.value


def _items(node: JsonNode | None) -> Sequence[JsonNode]:
    return () if node is None else node.items()


@once_per_extension
def _expressions(extension: Extension) -> list[re.Pattern[str]] | None:
    names = [*_names(extension)]
    is_long = any(len(name) > MAX_ACCESSIBLE_PATTERN_LENGTH for name in names)
    if is_long or len(names) > MAX_ACCESSIBLE_PATTERNS:
        return None
    plain = extension.target.engine is Engine.CHROMIUM
    return [re.compile(expression_of(name, plain=plain)) for name in names]
