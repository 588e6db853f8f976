"""JavaScript's regular expressions, as far as Python's can stand in for them.

A pattern is translated piece by piece, and only if each piece means the same in both languages; the
text is compared in UTF-16 units, as JavaScript compares it. What is not understood, and any text on
which the search could take long, has no answer.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from extlint.text.patterns import lazy

MAX_STEPS = 2_000_000
"""The number of steps that a search may take at worst, about a tenth of a second."""

MAX_UNITS = 1_000
"""Longer texts (in UTF-16 units) are not searched."""

MAX_NESTED_UNITS = 20
"""Longer texts are not searched for a repetition of what can match in several ways, which can take
2**n steps."""

_LINE_ENDS = r"\n\r\u2028\u2029"
_SPACES = r"\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_SETS = {"d": "0-9", "w": "A-Za-z0-9_", "s": _SPACES}
_CONTROLS = {"t": "\t", "n": "\n", "v": "\x0b", "f": "\x0c", "r": "\r", "0": "\0"}
_EDGES = {"b": r"\b", "B": r"(?!\b)"}
_FLAGS = lazy(r"\(\?([im]{1,2})\)")
_QUANTIFIER = lazy(r"\*|\+|\?|\{(\d+)(,(\d*))?\}")
_GROUP = lazy(r"\((?:\?(?:[:=!]|<[=!]|<[A-Za-z_$][A-Za-z0-9_$]*>))?")
_FEW = 3
"""Repetitions that vary by no more than this are not counted as open-ended."""


class _Search(Struct, frozen=True):
    regex: re.Pattern[str]
    loops: int
    nested: bool
    ignores_case: bool


def found_in(pattern: str, text: str) -> bool | None:
    """Whether JavaScript's `RegExp(pattern).test(text)` is true; None if that cannot be told.

    `(?i)`, `(?m)` and `(?im)` at the start of the pattern are flags, as in Firefox's schemas.
    """
    search = _translated(pattern)
    if search is None or len(text) > MAX_UNITS or (search.ignores_case and not text.isascii()):
        return None
    units = _units(text)
    if len(units) > (MAX_NESTED_UNITS if search.nested else MAX_UNITS):
        return None
    if len(units) ** search.loops > MAX_STEPS:
        return None
    return search.regex.search(units) is not None


def _units(text: str) -> str:
    """The text with a character for each UTF-16 unit."""
    if all(letter <= "\uffff" for letter in text):
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[at] | data[at + 1] << 8) for at in range(0, len(data), 2))


class _UnknownError(Exception):
    """The pattern has a part whose meaning in Python may differ."""


@lru_cache(maxsize=512)
def _translated(pattern: str) -> _Search | None:
    flags = _FLAGS.match(pattern)
    source = _units(pattern[flags.end() :] if flags else pattern)
    named = flags[1] if flags else ""
    try:
        reader = _Reader(source, multiline="m" in named)
        translated = reader.read()
        options = re.ASCII | (re.IGNORECASE if "i" in named else re.NOFLAG)
        regex = re.compile(translated, options)
    except (_UnknownError, re.error, OverflowError, RecursionError, ValueError):
        return None
    if "i" in named and not source.isascii():
        return None
    return _Search(regex, reader.loops + (not reader.anchored), reader.nested, "i" in named)


class _Reader:
    """Reads one pattern from left to right and writes Python's form of it."""

    def __init__(self, source: str, *, multiline: bool) -> None:
        self.source = source
        self.multiline = multiline
        self.at = 0
        self.loops = 0
        self.choices = 0
        self.nested = False
        self.anchored = source.startswith("^") and "|" not in source and not multiline

    def read(self) -> str:
        out: list[str] = []
        groups: list[tuple[bool, int]] = []
        while self.at < len(self.source):
            letter = self.source[self.at]
            can_repeat, choices_before = True, self.choices
            if letter == "(":
                opening = self._group()
                out.append(opening)
                groups.append((opening == "(?:", self.choices))
                continue
            if letter == "|":
                self.at += 1
                self.choices += 1
                out.append("|")
                continue
            if letter == ")":
                if not groups:
                    raise _UnknownError
                self.at += 1
                out.append(")")
                can_repeat, choices_before = groups.pop()
            elif letter in "^$":
                self.at += 1
                out.append(self._edge(letter))
                can_repeat = False
            elif letter in "*+?":
                raise _UnknownError
            else:
                out.append(self._atom(letter))
                can_repeat = out[-1] not in _EDGES.values()
            out.append(self._quantifier(can_repeat, self.choices > choices_before))
        return "".join(out)

    def _group(self) -> str:
        opening = _GROUP.match(self.source, self.at)
        if opening is None or (opening[0] == "(" and self.source.startswith("(?", self.at)):
            raise _UnknownError
        self.at = opening.end()
        looks = opening[0][2:] in ("=", "!", "<=", "<!")
        return opening[0] if looks else "(?:"

    def _edge(self, letter: str) -> str:
        if not self.multiline:
            return r"\A" if letter == "^" else r"\Z"
        if letter == "^":
            return rf"(?:\A|(?<=[{_LINE_ENDS}]))"
        return rf"(?:\Z|(?=[{_LINE_ENDS}]))"

    def _quantifier(self, can_repeat: bool, holds_choice: bool) -> str:
        found = _QUANTIFIER.match(self.source, self.at)
        if found is None:
            return ""
        if not can_repeat:
            raise _UnknownError
        self.at = found.end()
        least, most = _bounds(found)
        if most is None or most - least > _FEW:
            self.loops += 1
        if most != least:
            self.choices += 1
        if holds_choice and (most is None or most > _FEW):
            self.nested = True
        lazy = self.source.startswith("?", self.at)
        self.at += lazy
        if _QUANTIFIER.match(self.source, self.at):
            raise _UnknownError
        return found[0] + "?" * lazy

    def _atom(self, letter: str) -> str:
        if letter == "\\":
            return self._escape()
        if letter == "[":
            return self._class()
        self.at += 1
        if letter == ".":
            return f"[^{_LINE_ENDS}]"
        return re.escape(letter)

    def _escape(self) -> str:
        after = self.source[self.at + 1 : self.at + 2]
        if after in ("b", "B"):
            self.at += 2
            return _EDGES[after]
        if after.lower() in _SETS and after:
            self.at += 2
            return f"[{'^' if after.isupper() else ''}{_SETS[after.lower()]}]"
        return re.escape(self._escaped_letter())

    def _escaped_letter(self) -> str:
        after = self.source[self.at + 1 : self.at + 2]
        if after in ("x", "u"):
            width = 2 if after == "x" else 4
            digits = self.source[self.at + 2 : self.at + 2 + width]
            if not re.fullmatch(rf"[0-9A-Fa-f]{{{width}}}", digits):
                raise _UnknownError
            self.at += 2 + width
            return chr(int(digits, 16))
        self.at += 2
        if after == "0" and self.source[self.at : self.at + 1].isdigit():
            raise _UnknownError
        if after in _CONTROLS and after:
            return _CONTROLS[after]
        if not after or after.isalnum():
            raise _UnknownError
        return after

    def _class(self) -> str:
        self.at += 1
        negated = self.source.startswith("^", self.at)
        self.at += negated
        items: list[str] = []
        while not self.source.startswith("]", self.at):
            first, is_set = self._class_item()
            if not self.source.startswith("-", self.at) or self.source.startswith("-]", self.at):
                items.append(first if is_set else _in_class(first))
                continue
            self.at += 1
            last, last_is_set = self._class_item()
            if is_set or last_is_set:
                items += [
                    each if known else _in_class(each) for each, known in ((first, is_set), ("-", False))
                ]
                items.append(last if last_is_set else _in_class(last))
            else:
                items.append(f"{_in_class(first)}-{_in_class(last)}")
        self.at += 1
        if not items:
            return r"[\s\S]" if negated else r"(?!)"
        return f"[{'^' if negated else ''}{''.join(items)}]"

    def _class_item(self) -> tuple[str, bool]:
        """One letter of a class, or a set of letters (those of an escape) and True."""
        if self.at >= len(self.source):
            raise _UnknownError
        letter = self.source[self.at]
        if letter != "\\":
            self.at += 1
            return letter, False
        after = self.source[self.at + 1 : self.at + 2]
        if after in ("d", "w", "s"):
            self.at += 2
            return _SETS[after], True
        if after in ("D", "W"):
            self.at += 2
            return "\\" + after, True
        if after == "b":
            self.at += 2
            return "\b", False
        if after == "-":
            self.at += 2
            return "-", False
        return self._escaped_letter(), False


def _bounds(quantifier: re.Match[str]) -> tuple[int, int | None]:
    """How often it repeats at least and at most; None for no limit."""
    if quantifier[0] == "?":
        return 0, 1
    if quantifier[1] is None:
        return (0 if quantifier[0] == "*" else 1), None
    least = int(quantifier[1])
    if quantifier[2] is None:
        return least, least
    return least, int(quantifier[3]) if quantifier[3] else None


def _in_class(letter: str) -> str:
    return letter if letter.isalnum() else re.escape(letter) if letter.isascii() else f"\\u{ord(letter):04x}"
