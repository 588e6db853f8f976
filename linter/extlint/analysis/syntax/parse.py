"""Parses with tree-sitter, in bounded time and memory, and corrects what the grammar misparses.

In `(await tabs.get(1)) as chrome.tabs.Tab` the grammar parses `chrome.tabs` as the type, and `.Tab` as a
property of the cast expression.

It parses `await tabs.query<T>({})` as a call of `await tabs.query`, and `!tabs.query<T>({})` likewise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from io import FileIO
from sys import getrefcount
from time import thread_time
from typing import Any, Literal, TypeAlias

from tree_sitter import Language, Node, Parser, Tree

from extlint.analysis.syntax.lexer import nests_too_deeply
from extlint.analysis.syntax.nodes import AWAIT_LENGTH
from extlint.analysis.syntax.source import MAX_SCRIPT_BYTES
from extlint.package.failures import is_cancelled, raise_if_cancelled
from extlint.package.suffixes import suffix_of
from extlint.text.patterns import lazy, lazy_word

_STATISTICS = "/proc/self/statm"
_BYTES = 200
_PAGE = 4096


def resident_bytes() -> int:
    """Returns the current memory of this process in bytes, or its peak if the system reports only that.

    0 if the system reports neither, as on Windows. On Linux, the second field of `statm` has the pages
    (proc(5)).
    """
    if sys.platform == "linux":
        try:
            with FileIO(_STATISTICS) as statistics:  # called thousands of times by a parser
                return int(statistics.read(_BYTES).split()[1]) * _PAGE
        except (OSError, ValueError, IndexError):
            return 0
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return 0
    return getrusage(RUSAGE_SELF).ru_maxrss


Grammar: TypeAlias = Literal["javascript", "typescript", "tsx"]

_AWAIT = lazy_word(b"await", rb"\w$.#\x80-\xff", rb"\w", then=rb"(?<!for await)(?=[ \t]*\()")
_MARK = b"!" + b" " * (AWAIT_LENGTH - 1)
_MARK_LIKE = lazy(rb"![ \t\r\n]{4}")

_MAX_UNBOUNDED_BYTES = 1024 * 1024
_MAX_SPLIT_NAMES = 4
"""The most names in one union of types that are joined again; each takes another parse."""

MAX_PARSER_STEPS = 200_000
"""The most parser steps for one script; each takes at most four kilobytes."""

MAX_PARSER_BYTES = 768 * 1024 * 1024
"""The most memory that the parser may use for one script, in case its steps take more."""

MAX_PARSER_SECONDS = 12
"""The most processor time that the parser may use for one long script, in case its steps take long.

Where each statement has an error, a step takes twenty times as long. Other scripts take at most five seconds.
"""

_STEPS = 2000
_BYTES_PER_STEP = 20
_STEPS_OF_EDIT = 50
_PIECE = 65536
_REFERENCES = 3
"""The references from a list, a variable and an argument."""

_STEPS_UNSEEN = 500
"""Steps between two checks of memory and time."""

_GRAMMARS: dict[str, Grammar] = {
    ".cts": "typescript",
    ".mts": "typescript",
    ".svelte": "typescript",
    ".ts": "typescript",
    ".tsx": "tsx",
    ".vue": "typescript",
}


def grammar_of(path: str) -> Grammar:
    """Returns the grammar for a file by its suffix: TypeScript's own, and JavaScript with JSX for any other.

    The scripts of components may be in either language; TypeScript's grammar parses both.
    """
    return _GRAMMARS.get(suffix_of(path), "javascript")


@cache
def _language(grammar: Grammar) -> Language:
    if grammar == "javascript":
        return Language(_binding_of("tree_sitter_javascript").language())
    binding = _binding_of("tree_sitter_typescript")
    return Language(binding.language_tsx() if grammar == "tsx" else binding.language_typescript())


def _binding_of(package: str) -> Any:
    """Imports the compiled module of a grammar's package, without the package's own module.

    The latter imports `importlib.resources` for queries, which takes longer than the rest of the grammar.
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
    """Returns the syntax tree, or None if the text is too long or too deep, or if parsing does not finish.

    The TSX grammar never finishes on some malformed input, and others are slow on text that is not a script.
    So the parser may be stopped if a text is in TSX or long; parsing other JavaScript and TypeScript always
    finishes. The bound counts the parser's own steps, not time, so that the result is the same on every
    machine. Only nesting without brackets (`~~~~…` for megabytes) is stopped by its memory use, and text with
    an error in each statement (`a ba ba b…`) by its time.
    """
    if is_too_long(text) or nests_too_deeply(text, has_types=grammar != "javascript"):
        return None
    found = _parse(marked := with_marks(text), grammar)
    if marked is not text and found is not None and found.root_node.has_error:
        found = None  # its memory is freed before the next is made
        found = _parse(marked := text, grammar)
    if grammar == "javascript":
        return found
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
    """Whether a text is too long to be parsed."""
    return len(text) > MAX_SCRIPT_BYTES


def with_marks(text: bytes) -> bytes:
    """Returns the text, of the same length in bytes, with `!` and spaces for each `await` before a bracket.

    The grammars parse `await (a).b()` as a call of `await`, but every `!` correctly. The spaces distinguish
    these marks from others in the tree; a text that already contains such spaces is left as it is.
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
    deadline = thread_time() + MAX_PARSER_SECONDS
    steps = 0

    def is_enough(_offset: int, _has_error: bool) -> bool:
        nonlocal steps
        steps += 1
        if steps > limit or is_cancelled():
            return True
        return not steps % _STEPS_UNSEEN and (resident_bytes() > most or thread_time() > deadline)

    try:
        return _parse_pieces(parser, text, is_enough)
    except ValueError:
        raise_if_cancelled()
        return None


def parse_again(text: bytes, grammar: Grammar, last: Tree | None) -> Tree | None:
    """Returns the syntax tree of an edited text, or None if parsing takes far too many steps.

    `last` is its tree before, with the edits applied to it.
    """
    parser = Parser(_language(grammar))
    if grammar != "tsx":
        return parser.parse(text) if last is None else parser.parse(text, last)
    limit = _STEPS_OF_EDIT + len(text) // _BYTES_PER_STEP
    steps = 0

    def is_enough(_offset: int, _has_error: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps > limit

    try:
        return _parse_pieces(parser, text, is_enough, last)
    except ValueError:
        return None


def _parse_pieces(
    parser: Parser, text: bytes, is_enough: Callable[[int, bool], bool], last: Tree | None = None
) -> Tree:
    """Parses a text until it is enough; then raises ValueError."""
    read: list[bytes] = []

    def piece(offset: int, _point: object) -> bytes:
        read.append(text[offset : offset + _PIECE])
        return read[-1]

    try:
        if last is None:
            return parser.parse(piece, progress_callback=is_enough)
        return parser.parse(piece, last, progress_callback=is_enough)
    finally:
        _release(read)


def _release(pieces: list[bytes]) -> None:
    """Drops a reference to each piece of a text, as the binding holds one to every read piece forever."""
    for each in pieces:
        if len(each) > 1 and getrefcount(each) > _REFERENCES:
            import ctypes

            ctypes.pythonapi.Py_DecRef(ctypes.py_object(each))


_CAST = lazy(
    rb"(?<![\w$.#\x80-\xff])(?:as|satisfies)(?![\w$\x80-\xff])"
    rb"(?=[^;]{0,400}?[\w$]\s*\.\s*[\w$]+\s*\.\s*[\w$])"
)
_CASTS = frozenset({"as_expression", "satisfies_expression"})


def with_joined_types(text: bytes, tree: Tree) -> bytes:
    """Returns the text, of the same length in bytes, with each split type name joined into one plain name.

    A cast that is not in parentheses has no members: whatever follows it belongs to its type.
    """
    ends = [end for found in _CAST.finditer(text) for end in _gaps(tree.root_node, found.start())]
    if not ends:
        return text
    marked = bytearray(text)
    for start, end in ends:
        marked[start:end] = b"_" * (end - start)
    return bytes(marked)


def _gaps(root: Node, at: int) -> list[tuple[int, int]]:
    """Returns the ranges between the parts of a split name: a dot and the spaces around it."""
    token = root.descendant_for_byte_range(at, at + 1)
    cast = None if token is None else token.parent
    if cast is None or cast.type not in _CASTS:
        return []
    found: list[tuple[int, int]] = []
    part, up = cast, cast.parent
    while up is not None and up.type == "member_expression":
        target, name = up.child_by_field_name("object"), up.child_by_field_name("property")
        if target is None or name is None or target.id != part.id:
            break
        found.append((target.end_byte, name.start_byte))
        part, up = up, up.parent
    return found


_END = lazy(rb"(?<!=)>\s*\(")
_OPERATORS = frozenset({"await_expression", "unary_expression"})


def without_misread_type_arguments(text: bytes, tree: Tree) -> bytes:
    """Returns the text, of the same length in bytes, with misparsed type arguments replaced by spaces.

    Line breaks in them remain, so that lines end at the same offsets.
    """
    misread = [
        span
        for found in _END.finditer(text)
        for span in [_misread_type_arguments(tree, found.start())]
        if span
    ]
    if not misread:
        return text
    blank = bytearray(text)
    for start, end in misread:
        blank[start:end] = bytes(each if each in b"\r\n" else 0x20 for each in text[start:end])
    return bytes(blank)


def _misread_type_arguments(tree: Tree, at: int) -> tuple[int, int] | None:
    """Returns the type arguments that end at an offset, if the grammar put an operator into their callee."""
    token = tree.root_node.descendant_for_byte_range(at, at + 1)
    arguments = None if token is None else token.parent
    if arguments is None or arguments.type != "type_arguments" or arguments.parent is None:
        return None
    called = arguments.parent.child_by_field_name("function")
    if called is None or called.type not in _OPERATORS:
        return None
    return arguments.start_byte, arguments.end_byte
