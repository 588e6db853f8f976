"""Corrects TypeScript type arguments after `await` and other operators, which the grammar misparses.

It parses `await tabs.query<T>({})` as a call of `await tabs.query`, and `!tabs.query<T>({})` likewise.
"""

from __future__ import annotations

from tree_sitter import Tree

from extlint.text.patterns import lazy

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
