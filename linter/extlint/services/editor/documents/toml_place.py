"""Finds the key or value at a position of a TOML text in the middle of an edit."""

from __future__ import annotations

from msgspec import Struct

from extlint.services.editor.documents.loose_json import Offsets
from extlint.text.json.values import Step
from extlint.text.patterns import lazy

_TOKEN = lazy(
    r"(?P<space>[ \t]++)|(?P<comment>#[^\r\n]*+)|(?P<line>\r\n|\r|\n)"
    r"|(?P<string>\"(?:[^\"\\\r\n]++|\\[^\r\n])*+\"?|'[^'\r\n]*+'?)"
    r"|(?P<mark>[\[\]{}=,.])|(?P<word>[^ \t\r\n\[\]{}=,.#\"']++)"
)


class TomlPlace(Struct, frozen=True):
    """A place for a key or a value.

    `steps` lead to the table around a key, or to the value. `span` are the offsets of the text that is
    replaced, `quote` the quote before it, and `missing_quote` the one that is missing after it. `present` are
    the other keys of the table, or the other strings of the array. `has_equals` is true for a key that has a
    value.
    """

    steps: tuple[Step, ...]
    span: Offsets
    at_key: bool
    quote: str = ""
    missing_quote: str = ""
    present: frozenset[str] = frozenset()
    has_equals: bool = False


class _State:
    def __init__(self) -> None:
        self.table: tuple[Step, ...] = ()
        self.keys: dict[tuple[Step, ...], set[str]] = {}
        self.names: list[str] = []
        self.at_value = False
        self.open: list[tuple[str, tuple[Step, ...]]] = []
        self.header: list[str] | None = None
        self.strings: set[str] = set()

    @property
    def base(self) -> tuple[Step, ...]:
        """The steps to the innermost table or array."""
        return self.open[-1][1] if self.open else self.table

    @property
    def in_array(self) -> bool:
        return bool(self.open) and self.open[-1][0] == "["

    def new_member(self) -> None:
        self.names = []
        self.at_value = False

    def new_line(self) -> None:
        if not self.open:
            self.new_member()
            self.header = None

    def value_steps(self) -> tuple[Step, ...]:
        return (*self.base, 0) if self.in_array else (*self.base, *self.names)


def toml_place_at(text: str, offset: int) -> TomlPlace | None:
    """Returns the place at an offset, or None where neither a key nor a value can be."""
    state = _State()
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            return None
        kind, token, start, at = str(found.lastgroup), found[0], found.start(), found.end()
        if kind == "comment" and start < offset <= at:
            return None
        is_touched = kind in ("string", "word") and start <= offset <= at
        if (
            kind == "string"
            and is_touched
            and not (start < offset and (offset < at or not _is_closed(token)))
        ):
            is_touched = False
        if is_touched or start >= offset:
            return _place(state, text, offset, (kind, token, start) if is_touched else None)
        _advance(state, kind, token, text, at)
    return _place(state, text, offset, None)


def _is_closed(token: str) -> bool:
    return len(token) > 1 and token[-1] == token[0]


def _place(state: _State, text: str, offset: int, token: tuple[str, str, int] | None) -> TomlPlace | None:
    if state.header is not None:
        return None
    quote, missing, span, own = "", "", (offset, offset), ""
    if token is not None:
        kind, written, start = token
        own = written
        span = start, start + len(written)
        if kind == "string":
            is_closed = _is_closed(written)
            quote, missing = written[0], "" if is_closed else written[0]
            span = start + 1, start + len(written) - is_closed
            own = text[slice(*span)]
    if state.at_value or state.in_array:
        present = frozenset(state.strings - {own}) if state.in_array else frozenset()
        rest = text[span[1] :].partition("]")[0] if state.in_array else ""
        others = frozenset(each[0][1:-1] for each in _STRINGS.finditer(rest[len(quote) - len(missing) :]))
        return TomlPlace(state.value_steps(), span, False, quote, missing, present | others)
    rest = text[span[1] + len(quote) - len(missing) :].lstrip(" \t")
    steps = (*state.base, *state.names)
    present = frozenset(state.keys.get(steps, set()) | _later_keys(text, span[1], bool(state.open)))
    return TomlPlace(steps, span, True, quote, missing, present - {own}, rest.startswith("="))


_STRINGS = lazy(r"\"[^\"\r\n]*+\"|'[^'\r\n]*+'")
_LATER = lazy(r"(?m)^[ \t]*+(?:\"([^\"\r\n]*)\"|([\w-]+))[ \t]*+=|^[ \t]*+(\[)")


def _later_keys(text: str, at: int, is_inline: bool) -> set[str]:
    """Returns the keys of the same table on the following lines."""
    found: set[str] = set()
    line = text.find("\n", at)
    if is_inline or line < 0:
        return found
    for each in _LATER.finditer(text, line):
        if each[3]:
            break
        found.add(each[1] or each[2])
    return found


def _advance(state: _State, kind: str, token: str, text: str, at: int) -> None:
    if kind == "line":
        state.new_line()
    elif kind in ("string", "word"):
        name = token[1 : len(token) - _is_closed(token)] if kind == "string" else token
        if state.header is not None:
            state.header.append(name)
        elif state.in_array:
            state.strings.add(name)
        elif not state.at_value:
            state.names.append(name)
    elif kind == "mark":
        _advance_mark(state, token, text, at)


def _advance_mark(state: _State, token: str, text: str, at: int) -> None:
    if token == "[" and not state.at_value and not state.open:
        if state.header is None:
            state.header = []
    elif token == "]" and state.header is not None:
        is_list = text.startswith("]", at) or text.startswith("]]", at - 2)
        state.table = (*state.header, *((0,) if is_list else ()))
    elif token == "=":
        state.keys.setdefault((*state.base, *state.names[:-1]), set()).update(state.names[-1:])
        state.at_value = True
    elif token in "[{":
        state.open.append((token, state.value_steps()))
        state.names, state.at_value, state.strings = [], False, set()
    elif token in "]}":
        if state.open:
            state.open.pop()
        state.at_value = True
    elif token == "," and state.open:
        state.new_member()
