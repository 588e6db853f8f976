"""The code of a finding in HTML: its lines, those around them, and a mark on its span."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from extlint.report.formats.html.markup import element, text
from extlint.text.positions import Span

MAX_AROUND = 2
"""Lines shown before and after those of a finding."""

MAX_LINES = 6
"""Lines of a finding that are shown. Of a longer one, the first."""

MAX_CHARACTERS = 200
"""Characters shown of a line."""

_LEAD = 40
"""Characters shown before the span in a truncated line."""


def excerpt(line: Callable[[int], str], span: Span) -> str:
    """Returns the numbered lines of a span, or an empty string if they are empty.

    `line` returns a line's text by its number.
    """
    first, last = span.start.line, min(span.end.line, span.start.line + MAX_LINES - 1)
    if not any(line(number).strip() for number in range(first, last + 1)):
        return ""
    begin, end = max(1, first - MAX_AROUND), last + MAX_AROUND
    while begin < first and not line(begin).strip():
        begin += 1
    while end > last and not line(end).strip():
        end -= 1
    lines = (_numbered(line(number), number, span, last) for number in range(begin, end + 1))
    return element("pre", "\n".join(lines))


def _numbered(line: str, number: int, span: Span, last: int) -> str:
    is_own = span.start.line <= number <= last
    shown = _marked(line, number, span) if is_own else _spaced(line[:MAX_CHARACTERS])
    kind = "own" if is_own else "around"
    return element("span", element("b", str(number)) + shown, class_=kind)


def _marked(line: str, number: int, span: Span) -> str:
    """Returns a line with a mark on its part of the span, truncated around that if it is long."""
    start = span.start.column - 1 if number == span.start.line else len(line) - len(line.lstrip())
    end = span.end.column - 1 if number == span.end.line else len(line)
    low = max(0, start - _LEAD) if len(line) > MAX_CHARACTERS else 0
    high = low + MAX_CHARACTERS
    parts = list(_parts(line, (low, start, min(max(end, start), high), high)))
    return ("…" if low else "") + "".join(parts) + ("…" if high < len(line) else "")


def _parts(line: str, at: tuple[int, int, int, int]) -> Iterator[str]:
    low, start, end, high = at
    yield _spaced(line[low:start])
    yield element("mark", _spaced(line[start:end]) or "&#8203;")
    yield _spaced(line[end:high])


def _spaced(code: str) -> str:
    """Escapes code, but keeps its tabs, which `text` would replace."""
    return "\t".join(text(each) for each in code.split("\t"))
