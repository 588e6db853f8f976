"""Corrects what the grammar misparses in TypeScript: qualified names in casts, and type arguments.

In `(await tabs.get(1)) as chrome.tabs.Tab` the grammar parses `chrome.tabs` as the type, and `.Tab` as a
property of the cast expression.

It parses `await tabs.query<T>({})` as a call of `await tabs.query`, and `!tabs.query<T>({})` likewise.
"""

from __future__ import annotations

from tree_sitter import Node, Tree

from extlint.text.patterns import lazy

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
