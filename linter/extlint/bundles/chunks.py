"""Scripts that webpack split into chunks, told by their text alone: nothing is parsed for it.

A chunk adds itself to a global array, `(self.webpackChunkname = …).push([[key], modules])`, and its
modules may require those of any chunk that is added to the same array. A module of another chunk is
imported by a name that stands for the array and the key.

Chunks of other bundlers are ES modules, which are found as what they import.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.text.last_text import once_for_last_text
from extlint.text.patterns import lazy

_ARRAY = lazy(rb"(?<![\w$])webpack(?:Chunk|Jsonp)[\w$]*")
_MARKS = (b"webpackChunk", b"webpackJsonp")
_COMMENT = rb"(?:/\*[^*]{0,500}\*/\s*)?"
_KEY = _COMMENT + rb"(\d[\de]{0,20}|\"[\w./@+-]{1,200}\"|'[\w./@+-]{1,200}')"
_MODULE = lazy(rb"[{,]\s*" + _KEY + rb"\s*(?:\(|:\s*" + _COMMENT + rb"(?:function\b|\(|[\w$]+\s*=>))")
_REQUIRE = lazy(rb"[\w$]\(\s*" + _KEY + rb"\s*\)")

_PREFIX = "module of a chunk: "


def is_chunk(text: bytes) -> bool:
    """Whether a script may be a chunk, or have modules for chunks."""
    return chunk_array(text) is not None


def may_export(text: bytes) -> bool:
    """Whether the text may export something, or be a chunk with modules for others."""
    return b"export" in text or is_chunk(text)


def modules_brought(text: bytes) -> set[str]:
    """The names of the modules that a script may have for others, and perhaps more."""
    array = chunk_array(text)
    return set() if array is None else {module_name(array, _plain(key)) for key in _MODULE.findall(text)}


def modules_required(text: bytes) -> Iterator[tuple[int, str]]:
    """Where a script may require a module of another chunk, as byte offsets of keys, and the names."""
    array = chunk_array(text)
    for found in () if array is None else _REQUIRE.finditer(text):
        yield found.start(1), module_name(array or "", _plain(found[1]))


def is_module_name(name: str) -> bool:
    """Whether what is imported is a module of another chunk."""
    return name.startswith(_PREFIX)


def module_name(array: str, key: str) -> str:
    """The name by which a script imports a module of another chunk of the same array."""
    return f"{_PREFIX}{array} {key}"


@once_for_last_text
def chunk_array(text: bytes) -> str | None:
    """The array that the chunks of a script are added to; None if it names none, or several."""
    if not any(mark in text for mark in _MARKS):
        return None
    found = set(_ARRAY.findall(text))
    return found.pop().decode() if len(found) == 1 else None


def _plain(key: bytes) -> str:
    return key.strip(b"\"'").decode()


def pushes_of(text: bytes) -> Iterator[int]:
    """The byte offsets of what may be the call that adds a chunk to its array."""
    yield from (found.start() for found in re.finditer(rb"(?<=\.)push\s*\(\s*\[\s*\[", text))
