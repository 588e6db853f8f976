"""Writes new statements in the style of the code around them: lines, indentation, and semicolons."""

from __future__ import annotations

from extlint.analysis.syntax.node import Node
from extlint.text.patterns import lazy
from extlint.text.positions import TextEdit

_REST_OF_LINE = lazy(
    rb"((?:[ \t]*+/\*(?:[^*\r\n]|\*(?!/))*+\*/)*+(?:[ \t]*+//[^\r\n]*+)?+)[ \t]*+(\r\n|\n|\r)"
)
_INDENTATION = lazy(rb"[ \t]*+")

_BLOCKS = frozenset({"class_body", "statement_block", "switch_body"})
_SIMPLE = frozenset(
    {
        *("break_statement", "continue_statement", "debugger_statement", "do_statement", "empty_statement"),
        *("expression_statement", "lexical_declaration", "return_statement", "throw_statement"),
        *("variable_declaration",),
    }
)


def statement_after(text: bytes, previous: Node, model: Node, new: str) -> TextEdit:
    """Returns an edit that adds a statement after another one, written like the statement `model`.

    `new` has no semicolon. It gets a line of its own if `previous` ends one that it also began.
    """
    rest = _REST_OF_LINE.match(text, previous.end)
    indentation = indentation_of(text, previous)
    if rest is None or indentation is None:
        separator = ";" if ends_without_semicolon(text, previous) else ""
        return TextEdit(previous.end, previous.end, f"{separator} {new};")
    end = ";" if text[model.end - 1 : model.end] == b";" else ""
    place = rest.end(1)
    return TextEdit(place, place, f"{rest[2].decode()}{indentation}{new}{end}")


def indentation_of(text: bytes, node: Node) -> str | None:
    """Returns the indentation of a line, or None if it has other text before a node."""
    start = max(text.rfind(b"\n", 0, node.start), text.rfind(b"\r", 0, node.start)) + 1
    found = _INDENTATION.match(text, start)
    return found[0].decode() if found is not None and found.end() == node.start else None


def ends_without_semicolon(text: bytes, statement: Node) -> bool:
    """Whether a statement ends where the line, or the block around it, ends, rather than with a semicolon."""
    while statement.type not in _BLOCKS:
        inner = statement.named()
        if statement.type in _SIMPLE or not inner:
            return text[statement.end - 1 : statement.end] != b";"
        statement = inner[-1]
    return False


def begins_own_statement(text: bytes, node: Node) -> bool:
    """Whether an expression may begin a statement, whatever the statement before ends with."""
    first = text[node.start : node.start + 1]
    return first.isalpha() or first in (b"_", b"$")
