"""Files that a bundler of the webpack family split a script into, told by their text alone.

A chunk adds itself to a global array, `(self.webpackChunkname = …).push([[key], modules])`, and its
modules may require those of any chunk that is added to the same array.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.text.patterns import lazy

_ARRAY = lazy(rb"(?<![\w$])webpack(?:Chunk|Jsonp)[\w$]*")
_MARKS = (b"webpackChunk", b"webpackJsonp")
_COMMENT = rb"(?:/\*[^*]{0,500}\*/\s*)?"
_KEY = _COMMENT + rb"(\d[\de]{0,20}|\"[\w./@+-]{1,200}\"|'[\w./@+-]{1,200}')"
_MODULE = lazy(rb"[{,]\s*" + _KEY + rb"\s*(?:\(|:\s*" + _COMMENT + rb"(?:function\b|\(|[\w$]+\s*=>))")
_REQUIRE = lazy(rb"[\w$]\(\s*" + _KEY + rb"\s*\)")

MAX_REQUIRES = 20_000
"""Calls of one script that may require a module; what comes after them is passed over."""

_PREFIX = "module of a chunk: "


def module_name(array: str, key: str) -> str:
    """The name by which a script asks for a module of another chunk of the same array."""
    return f"{_PREFIX}{array} {key}"


def is_module_name(name: str) -> bool:
    """Whether a name is one that `module_name` gives."""
    return name.startswith(_PREFIX)


def chunk_array(text: bytes) -> str | None:
    """The array that the chunks of a script are added to; None if it names none, or several."""
    if not any(mark in text for mark in _MARKS):
        return None
    found = set(_ARRAY.findall(text))
    return found.pop().decode() if len(found) == 1 else None


def modules_of(text: bytes) -> set[str]:
    """The keys that modules of a script may have, and perhaps more."""
    return {_plain(found) for found in _MODULE.findall(text)}


def _plain(key: bytes) -> str:
    return key.strip(b"\"'").decode()


def requires_of(text: bytes) -> Iterator[tuple[int, str]]:
    """Where a script may require a module, as byte offsets of keys, and the keys."""
    for count, found in enumerate(_REQUIRE.finditer(text)):
        if count >= MAX_REQUIRES:
            return
        yield found.start(1), _plain(found[1])


def pushes_of(text: bytes) -> Iterator[int]:
    """The byte offsets of what may be the call that adds a chunk to its array."""
    yield from (found.start() for found in re.finditer(rb"(?<=\.)push\s*\(\s*\[\s*\[", text))
