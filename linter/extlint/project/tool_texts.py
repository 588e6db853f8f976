"""Finds edits of keys in programs that are not JavaScript: shells, make, jq, Python, Ruby, ant.

They are read line by line, with patterns of edits that are common to these languages. Comments are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from extlint.project.key_edits import KeyEdits
from extlint.project.resolution.shell_writes import without_comments
from extlint.text.patterns import lazy

MAX_LINES = 60
"""Lines of a quoted argument of an editor that are read."""

_WORD = lazy(r"[A-Za-z_]\w*")
_KEYS = r"""(?:\??\.[A-Za-z_]\w*|\[\s*\\?["':]?[\w-]*\\?["']?\s*\])"""
_CHAIN = rf"(?:{_KEYS})+"
_ASSIGNED = lazy(rf"({_CHAIN})\s*(?:\||//|\?\?|\|\|)?=(?![=>~])")
_EXTENDED = lazy(rf"({_CHAIN})\s*(?:\+=|\.(?:append|concat|extend|insert|push|unshift)\b|<<)")
_CHANGED = lazy(rf"({_CHAIN})\.(?:clear|remove|sort|splice|update|merge!?)\b")
_REMOVED = lazy(r"\b(?:del|delete|unset|pop|setdefault|removeKey)\b\s*\(?([^\n;)]*)")
_REPLACED = lazy(
    r"(?i)(?:\bre\.sub|\.replace(?:all)?|\.g?sub!?|\b(?:preg|str)_replace|-replace)\b\s*\(?([^\n]*)"
    r"|<replace\w*\b(.*?)(?:</replace\w*>|/>)",
    re.DOTALL,
)
_MEMBERS = lazy(r"""["']([A-Za-z_]\w*)["']\s*(?::|=>)""")
_EDITOR = lazy(r"\b(?:awk|dasel|ed|ex|gawk|gsed|jq|perl|sed|sponge|yq)\b")
_IN_PLACE = lazy(
    r"(?<![\w-])-(?:pi|i|p?i\.\w+)\b|--in-?place|\bsponge\b|\btee\b"
    r"|(?<![\d&=\-<>])>>?(?!\s*(?:/dev/null|[&=(>]))"
)
_QUOTE = lazy(r"(?<!\\)[\"']")
_JOINED = lazy(r"\\\r?\n")


def edits_of_text(text: str, *, has_objects: bool) -> KeyEdits:
    """Returns the edits that a program makes to keys.

    If it `has_objects`, keys in object literals count as written.
    """
    text = without_comments(_JOINED.sub(" ", text))
    written, extended = set[str](), set[str]()
    for pattern in (_REMOVED, _REPLACED):
        for found in pattern.finditer(text):
            written.update(_WORD.findall(found[found.lastindex or 0]))
    for pattern, names in ((_ASSIGNED, written), (_CHANGED, written), (_EXTENDED, extended)):
        for found in pattern.finditer(text):
            names.update(_WORD.findall(found[1])[-1:])
    for command in _commands(text):
        if _EDITOR.search(command) and _IN_PLACE.search(command):
            written.update(_WORD.findall(command))
    if has_objects:
        written.update(_MEMBERS.findall(text))
    return KeyEdits(frozenset(written), dict.fromkeys(extended))


def _commands(text: str) -> Iterator[str]:
    """Yields the lines of a shell script. A line with an editor includes the lines of its quoted argument."""
    lines = iter(text.split("\n"))
    for line in lines:
        open_quote = _open_quote(line) if _EDITOR.search(line) else ""
        rest = [] if not open_quote else [*_until(open_quote, islice(lines, MAX_LINES))]
        yield "\n".join((line, *rest))


def _open_quote(line: str) -> str:
    """Returns the quotation mark that is still open at the end of a line, or an empty string."""
    quote = ""
    for mark in _QUOTE.findall(line):
        quote = mark if not quote else "" if mark == quote else quote
    return quote


def _until(quote: str, lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if quote in line:
            return
