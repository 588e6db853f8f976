"""Recognizes scripts that webpack split into chunks by their text only, without parsing.

A chunk adds itself to a global array, `(self.webpackChunkname = …).push([[key], modules])`, and its modules
may require those of any chunk in the same array. A module of another chunk is imported by a name that stands
for the array and the key.

Chunks of other bundlers are ES modules, which are found through their imports.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.text.patterns import cache_last_text, lazy

_ARRAY = lazy(rb"(?<![\w$])webpack(?:Chunk|Jsonp)[\w$]*")
_MARKS = (b"webpackChunk", b"webpackJsonp")
_COMMENT = rb"(?:/\*[^*]{0,500}\*/\s*)?"
_KEY = _COMMENT + rb"(\d[\de]{0,20}|\"[\w./@+-]{1,200}\"|'[\w./@+-]{1,200}')"
_MODULE = lazy(rb"[{,]\s*" + _KEY + rb"\s*(?:\(|:\s*" + _COMMENT + rb"(?:function\b|\(|[\w$]+\s*=>))")
_REQUIRE = lazy(rb"[\w$]\(\s*" + _KEY + rb"\s*\)")

_ADDS_CHUNK = lazy(rb"(?<=\.)push\s*\(\s*\[\s*\[|(?<![\w$])webpackJsonp[\w$]*\s*\(\s*\[")

_PREFIX = "module of a chunk: "


def is_chunk(text: bytes) -> bool:
    """Whether a script may be a chunk, or may provide modules for chunks."""
    return chunk_array(text) is not None


def may_export(text: bytes) -> bool:
    """Whether the text may export something, or be a chunk with modules for other scripts."""
    return b"export" in text or is_chunk(text)


def provided_modules(text: bytes) -> set[str]:
    """Returns the names of the modules that a script may provide for others, possibly too many."""
    array = chunk_array(text)
    return set() if array is None else {module_name(array, _unquoted(key)) for key in _MODULE.findall(text)}


def required_modules(text: bytes) -> Iterator[tuple[int, str]]:
    """Yields possible requires of modules in other chunks: the key's byte offset, and the module name."""
    array = chunk_array(text)
    for found in () if array is None else _REQUIRE.finditer(text):
        yield found.start(1), module_name(array or "", _unquoted(found[1]))


def is_module_name(name: str) -> bool:
    """Whether an import is of a module in another chunk."""
    return name.startswith(_PREFIX)


def module_name(array: str, key: str) -> str:
    """Returns the name by which a script imports a module from another chunk of the same array."""
    return f"{_PREFIX}{array} {key}"


@cache_last_text
def chunk_array(text: bytes) -> str | None:
    """Returns the array that the chunks of a script are added to, or None if it names no array or several."""
    if not any(mark in text for mark in _MARKS):
        return None
    found = set(_ARRAY.findall(text))
    return found.pop().decode() if len(found) == 1 else None


def _unquoted(key: bytes) -> str:
    return key.strip(b"\"'").decode()


def push_offsets(text: bytes) -> Iterator[int]:
    """Yields the byte offsets of possible calls that add a chunk: `array.push` and `webpackJsonp`."""
    yield from (found.start() for found in _ADDS_CHUNK.finditer(text))
