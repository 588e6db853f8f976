"""Parsing with tree-sitter, in bounded time."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from sys import getrefcount
from typing import Any, Literal, TypeAlias

from tree_sitter import Language, Parser, Tree

from extlint.package.suffixes import suffix_of
from extlint.script.syntax.memory import resident_bytes
from extlint.script.syntax.nesting import nests_too_deeply
from extlint.script.syntax.nodes import AWAIT_LENGTH
from extlint.script.syntax.source import MAX_SCRIPT_BYTES
from extlint.text.patterns import lazy, lazy_word

Grammar: TypeAlias = Literal["javascript", "typescript", "tsx"]

_AWAIT = lazy_word(b"await", rb"\w$.#\x80-\xff", rb"\w", then=rb"(?<!for await)(?=[ \t]*\()")
_MARK = b"!" + b" " * (AWAIT_LENGTH - 1)
_MARK_LIKE = lazy(rb"![ \t\r\n]{4}")

_MAX_UNBOUNDED_BYTES = 1024 * 1024
_MAX_SPLIT_NAMES = 4
"""Names in one union of types that are put together again, one with each parsing."""

MAX_PARSER_STEPS = 200_000
"""Steps of the parser in one script, which take four kilobytes each at most."""

MAX_PARSER_BYTES = 768 * 1024 * 1024
"""Memory that the parser may take for one script, where steps take more."""

_STEPS = 2000
_BYTES_PER_STEP = 20
_PIECE = 65536
_REFERENCES = 3
"""Those of a list, of a variable and of an argument."""

_STEPS_UNSEEN = 500
"""Steps between two looks at the memory."""

_GRAMMARS: dict[str, Grammar] = {
    ".cts": "typescript",
    ".mts": "typescript",
    ".svelte": "typescript",
    ".ts": "typescript",
    ".tsx": "tsx",
    ".vue": "typescript",
}


def grammar_of(path: str) -> Grammar:
    """The grammar for a file by its suffix: TypeScript's own, and JavaScript with JSX for any other.

    The scripts of components may be in either language; TypeScript's grammar reads both.
    """
    return _GRAMMARS.get(suffix_of(path), "javascript")


@cache
def _language(grammar: Grammar) -> Language:
    if grammar == "javascript":
        return Language(_binding_of("tree_sitter_javascript").language())
    binding = _binding_of("tree_sitter_typescript")
    return Language(binding.language_tsx() if grammar == "tsx" else binding.language_typescript())


def _binding_of(package: str) -> Any:
    """The compiled module of a grammar's package, without the package's own module.

    That imports `importlib.resources` for queries, which takes longer than the rest of the grammar.
    """
    found = PathFinder.find_spec(package)
    folders = None if found is None else found.submodule_search_locations
    spec = PathFinder.find_spec("_binding", folders)
    binding = None if spec is None or spec.loader is None else spec.loader.create_module(spec)
    if folders is None or spec is None or spec.loader is None or binding is None:
        return import_module(package)
    spec.loader.exec_module(binding)
    return binding


def parse(text: bytes, grammar: Grammar) -> Tree | None:
    """The syntax tree, or None if the text is too long or too deep, or the parser does not come to its end.

    The TSX grammar never ends on some malformed input, and others are slow on what is no script. So the
    parser may be stopped where a text is in TSX or long; other JavaScript and TypeScript always ends. The
    bound counts the parser's own steps, not time, so that the answer is the same on every machine. Only what
    is nested without brackets (`~~~~…` for megabytes) is stopped by the memory that it takes.
    """
    if is_too_long(text) or nests_too_deeply(text, has_types=grammar != "javascript"):
        return None
    found = _parse(marked := with_marks(text), grammar)
    if marked is not text and found is not None and found.root_node.has_error:
        found = None  # its memory is free before the next is made
        found = _parse(marked := text, grammar)
    if grammar == "javascript":
        return found
    from extlint.script.syntax.cast_types import with_joined_types
    from extlint.script.syntax.type_arguments import without_misread_type_arguments

    plain = marked if found is None else without_misread_type_arguments(marked, found)
    if plain is not marked:
        found = None
        found = _parse(marked := plain, grammar)
    for _ in range(_MAX_SPLIT_NAMES):
        joined = marked if found is None else with_joined_types(marked, found)
        if joined is marked:
            break
        found = None
        found = _parse(marked := joined, grammar)
    return found


def is_too_long(text: bytes) -> bool:
    """Whether a text is not parsed because of its length."""
    return len(text) > MAX_SCRIPT_BYTES


def with_marks(text: bytes) -> bytes:
    """The text, of the same length in bytes, with `!` and spaces for each `await` before a bracket.

    The grammars take `await (a).b()` for a call of `await`, but every `!` for what it is. The tree tells
    these marks from others by the spaces; a text that has such spaces of its own stays as it is.
    """
    if b"await" not in text or _MARK_LIKE.search(text) is not None:
        return text
    return _AWAIT.sub(_MARK, text)


def _parse(text: bytes, grammar: Grammar) -> Tree | None:
    parser = Parser(_language(grammar))
    if grammar != "tsx" and len(text) <= _MAX_UNBOUNDED_BYTES:
        return parser.parse(text)
    limit = min(_STEPS + len(text) // _BYTES_PER_STEP, MAX_PARSER_STEPS)
    most = resident_bytes() + MAX_PARSER_BYTES
    steps = 0

    def is_enough(_offset: int, _has_error: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps > limit or (not steps % _STEPS_UNSEEN and resident_bytes() > most)

    read: list[bytes] = []

    def piece(offset: int, _point: object) -> bytes:
        read.append(text[offset : offset + _PIECE])
        return read[-1]

    try:
        return parser.parse(piece, progress_callback=is_enough)
    except ValueError:
        return None
    finally:
        _release(read)


def _release(pieces: list[bytes]) -> None:
    """Drops a reference to each piece of a text: the binding keeps one to all that it reads, for ever."""
    for each in pieces:
        if len(each) > 1 and getrefcount(each) > _REFERENCES:
            import ctypes

            ctypes.pythonapi.Py_DecRef(ctypes.py_object(each))
