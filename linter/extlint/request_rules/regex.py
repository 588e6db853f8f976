"""Which regular expressions a browser certainly refuses as a `regexFilter`.

Chrome matches by RE2 (https://github.com/google/re2/wiki/Syntax), Firefox by JavaScript's own expressions.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from extlint.patterns import lazy

Engine: TypeAlias = Literal["RE2", "JavaScript"]

LONGEST = 10_000
"""What is said of longer patterns would take too long, and none is that long for people."""

MOST_REPEATS = 1000
"""RE2 repeats nothing more often than that."""

_PLAIN = lazy(r"[^\\()\[{*+?|^$]++")
_RE2_GROUP = lazy(r"\(\?(?:P?<(\w+)>|[imsU]*(?:-[imsU]+)?([:)]))", re.ASCII)
_JAVASCRIPT_GROUP = lazy(r"\(\?(?:(<[=!]|[=!])|:|<([A-Za-z_$][\w$]*)>|(?=[ims-]+:)[ims]*-?[ims]*:)", re.ASCII)
_GROUP_START = lazy(r"\(\?(?:P[<=]|<[=!]?|.?)", re.DOTALL)
_RANGE = lazy(r"\{(0|[1-9][0-9]{0,7})(,(0|[1-9][0-9]{0,7})?)?\}")
_LIKE_RANGE = lazy(r"\{[0-9]+(?:,[0-9]*)?\}")
_RE2_ESCAPES = frozenset("AabBCdDfnpPrsStvwWxz")
_RE2_ESCAPES_IN_SETS = _RE2_ESCAPES - frozenset("AbBCz")
_IN_SETS = lazy(r"\\.|\[:|.", re.DOTALL)
_UNSUPPORTED = {
    "(?=": "a look-ahead",
    "(?!": "a negative look-ahead",
    "(?<=": "a look-behind",
    "(?<!": "a negative look-behind",
    "(?>": "an atomic group",
    "(?#": "a comment",
    "(?(": "a condition",
    "(?P=": "a back reference",
}


def refused(pattern: str, engine: Engine) -> str | None:
    """Why an engine certainly refuses an ASCII pattern; None if it takes it, or if that is not certain."""
    if len(pattern) > LONGEST:
        return None
    try:
        _Reading(pattern, engine).to_the_end()
    except _RefusedError as found:
        return str(found)
    except _UndecidedError:
        pass
    return None


def capturing_groups(pattern: str) -> int | None:
    """How many groups of a pattern capture something in RE2; None if that is not certain."""
    if len(pattern) > LONGEST:
        return None
    reading = _Reading(pattern, "RE2")
    try:
        reading.to_the_end()
    except (_RefusedError, _UndecidedError):
        return None
    return reading.capturing


class _RefusedError(Exception):
    """The engine certainly refuses the pattern; the text says why."""


class _UndecidedError(Exception):
    """It takes more than this module knows to say what the engine does."""


class _Reading:
    """One way through a pattern."""

    def __init__(self, pattern: str, engine: Engine) -> None:
        self.pattern = pattern
        self.engine = engine
        self.at = 0
        self.capturing = 0
        self.names: set[str] = set()
        self.open: list[bool] = []
        """For each group that is open, whether it may be repeated."""
        self.repeatable = False
        """Whether something stands before that can be repeated."""
        self.repeated = False
        """Whether it is repeated already."""

    def to_the_end(self) -> None:
        while self.at < len(self.pattern):
            mark = self.pattern[self.at]
            if mark == "(":
                self.group()
            elif mark in "*+?{" and (end := self.quantifier()):
                self.repeat(end)
            elif plain := _PLAIN.match(self.pattern, self.at):
                self.at, self.repeatable, self.repeated = plain.end(), True, False
            else:
                self.atom(mark)
        if self.open:
            raise _RefusedError("a `(` has no `)`")

    def atom(self, mark: str) -> None:
        self.repeatable, self.repeated = True, False
        if mark == ")":
            if not self.open:
                raise _RefusedError("a `)` has no `(`")
            self.repeatable = self.open.pop()
            self.at += 1
        elif mark == "[":
            self.set()
        elif mark == "\\":
            escaped = self.escape(self.at, _RE2_ESCAPES)
            self.at += 2
            self.repeatable = self.engine == "RE2" or escaped not in "bB"
        else:
            self.repeatable = mark != "|" and (self.engine == "RE2" or mark not in "^$")
            self.at += 1

    def group(self) -> None:
        if not self.pattern.startswith("(?", self.at):
            self.at += 1
            self.enter(captures=True)
            return
        found = (_RE2_GROUP if self.engine == "RE2" else _JAVASCRIPT_GROUP).match(self.pattern, self.at)
        if found is None:
            start = _GROUP_START.match(self.pattern, self.at)
            shown = start[0] if start else "(?"
            what = _UNSUPPORTED.get(shown)
            raise _RefusedError(f"{what} (`{shown}`)" if what else f"an unknown kind of group, `{shown}`")
        self.at = found.end()
        if self.engine == "RE2":
            if found[2] == ")":
                self.repeated = False
                return
            self.enter(captures=found[1] is not None, name=found[1])
        else:
            self.enter(captures=found[2] is not None, name=found[2], repeatable=found[1] not in ("<=", "<!"))

    def enter(self, *, captures: bool, name: str | None = None, repeatable: bool = True) -> None:
        self.open.append(repeatable)
        self.repeatable = self.repeated = False
        self.capturing += captures
        if name is not None and name in self.names:
            if self.engine == "JavaScript":
                raise _UndecidedError
            raise _RefusedError(f"two groups are called `{name}`")
        if name is not None:
            self.names.add(name)

    def quantifier(self) -> int | None:
        """Where the quantifier ends that begins here; None for a `{` that means itself."""
        if self.pattern[self.at] != "{":
            return self.at + 1
        found = _RANGE.match(self.pattern, self.at)
        if found is None:
            if _LIKE_RANGE.match(self.pattern, self.at):
                raise _UndecidedError
            return None
        least = int(found[1])
        most = int(found[3]) if found[3] else least
        if most < least:
            raise _RefusedError(f"`{found[0]}` has its numbers in the wrong order")
        if self.engine == "RE2" and most > MOST_REPEATS:
            raise _RefusedError(f"`{found[0]}` repeats more than {MOST_REPEATS} times")
        return found.end()

    def repeat(self, end: int) -> None:
        shown = self.pattern[self.at : end]
        if self.repeated:
            raise _RefusedError(f"`{shown}` repeats what is repeated already")
        if not self.repeatable:
            raise _RefusedError(f"nothing that can be repeated stands before `{shown}`")
        self.at = end + self.pattern.startswith("?", end)
        self.repeated = True

    def escape(self, at: int, known: frozenset[str]) -> str:
        """The character that is escaped at an offset. RE2 knows those escapes, and those of no letter."""
        escaped = self.pattern[at + 1 : at + 2]
        if not escaped:
            raise _RefusedError("it ends with a `\\`")
        if self.engine == "JavaScript":
            if escaped == "k" or escaped in "cux":
                raise _UndecidedError
            return escaped
        if escaped in "QExpP":
            raise _UndecidedError
        if escaped in "123456789":
            if escaped > "7" or self.pattern[at + 2 : at + 3] not in tuple("01234567"):
                raise _RefusedError(f"a back reference (`\\{escaped}`)")
        elif escaped.isalpha() and escaped not in known:
            raise _RefusedError(f"an unknown escape, `\\{escaped}`")
        return escaped

    def set(self) -> None:
        """Goes past the set of characters that begins here."""
        first = at = self.at + 1 + self.pattern.startswith("^", self.at + 1)
        before: str | None = None
        in_range = False
        while at < len(self.pattern):
            part = self.part_of_set(at)
            if part == "]" and (at > first or self.engine == "JavaScript"):
                self.at = at + 1
                return
            single = part[-1] if len(part) == 1 or not part[-1].isalnum() else None
            if in_range and single is not None and before is not None and single < before:
                raise _RefusedError(f"the range `{before}-{single}` has its ends in the wrong order")
            if in_range:
                before, in_range = None, False
            elif part == "-" and before is not None:
                in_range = True
            else:
                before = single
            at += len(part)
        raise _RefusedError("a `[` has no `]`")

    def part_of_set(self, at: int) -> str:
        found = _IN_SETS.match(self.pattern, at)
        part = found[0] if found else ""
        if part == "[:" and self.engine == "RE2":
            raise _UndecidedError
        if part.startswith("\\"):
            self.escape(at, _RE2_ESCAPES_IN_SETS)
        return "[" if part == "[:" else part
