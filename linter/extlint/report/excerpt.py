"""The source lines of a finding, with carets under its span."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from extlint.finding import Severity
from extlint.report.terminal import Style
from extlint.report.visible import display_width, visible_character
from extlint.text.positions import Span

MAX_WIDTH = 100
"""Terminal columns of an excerpt, without its gutter."""

MIN_WIDTH = 40
"""Columns that an excerpt may use in any terminal."""

_LEAD = 24
"""Characters shown before the span in a truncated line."""

_TAB = 4

_OPENING = ("{", "[")


def excerpt(
    line: Callable[[int], str], span: Span, style: Style, severity: Severity, columns: int | None = None
) -> Iterator[str]:
    """Yields the output lines for a span: its first and last line, each with carets below.

    `line` returns the text of a line by its number. A line that is too long is truncated around the span. For
    an object or a list that is long or spans several lines, only the opening bracket is shown. Yields nothing
    for a span on an empty line. `columns` is the width of the terminal, or None if unlimited.
    """
    (first, start), (last, end) = span
    if (last > first or end - start > MAX_WIDTH) and line(first)[start - 1 : start] in _OPENING:
        last, end = first, start + 1
    if last > first and end == 1:
        last, end = last - 1, len(line(last - 1)) + 1
    gutter = len(str(last))
    most = MAX_WIDTH if columns is None else min(MAX_WIDTH, max(MIN_WIDTH, columns - gutter - 6))
    parts = [(first, start, end)] if first == last else [(first, start, None), (last, None, end)]
    for number, left, right in parts:
        text = line(number)
        if not text.strip():
            continue
        if number > first + 1 and number == last:
            yield style("dim", f"  {'':{gutter}} ...")
        begin = len(text) - len(text.lstrip()) if left is None else left - 1
        shown_text, before, width = truncate_line(
            text, begin, len(text.rstrip()) if right is None else right - 1, most
        )
        yield style("dim", f"  {number:{gutter}} | ") + shown_text
        yield style("dim", f"  {'':{gutter}} | ") + " " * before + style.severity(severity, "^" * width)


def truncate_line(text: str, start: int, end: int, max_columns: int = MAX_WIDTH) -> tuple[str, int, int]:
    """Returns the part of a line to print, and the column and width of its carets.

    `start` and `end` count characters of `text` from 0; the results count columns of a terminal.
    """
    if max(end, len(text)) <= max_columns and text.isascii() and text.isprintable():
        return text.rstrip(), min(start, len(text)), max(1, min(end, len(text)) - min(start, len(text)))
    low = 0
    if end > max_columns or _columns(text[:end]) > max_columns:
        low = max(0, start - _LEAD)
    printed = ["…"] if low else []
    column = len(printed)
    before = after = None
    for at in range(low, len(text)):
        before = column if at == start else before
        after = column if at == end else after
        piece = _piece(text[at], column)
        if column + display_width(piece) > max_columns:
            printed.append("…")
            break
        printed.append(piece)
        column += display_width(piece)
    before = column if before is None else before
    after = column if after is None else after
    return "".join(printed).rstrip(), before, max(1, after - before)


def _piece(character: str, column: int) -> str:
    return " " * (_TAB - column % _TAB) if character == "\t" else visible_character(character)


def _columns(text: str) -> int:
    column = 0
    for each in text:
        column += display_width(_piece(each, column))
    return column
