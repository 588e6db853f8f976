"""Joins qualified type names in TypeScript casts, which the grammar cuts off after the first dot.

In `(await tabs.get(1)) as chrome.tabs.Tab` the grammar parses `chrome.tabs` as the type, and `.Tab` as a
property of the cast expression.
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
