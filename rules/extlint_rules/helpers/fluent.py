"""Reads Fluent files, the translations in language packs, up to the first mistake.

The grammar is that of Fluent 1.0: https://github.com/projectfluent/fluent/blob/master/spec/fluent.ebnf
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.extension import Extension
from extlint.package.suffixes import has_suffix
from extlint.schema.validation.mistake import Reaction
from extlint.text.patterns import lazy
from extlint.text.positions import Position, Span

_FLUENT = (".ftl",)
_BLANK = lazy(r"[ \n]*+")
_SPACES = lazy(r" *+")
_BLANK_LINES = lazy(r"(?: *+\n)*+(?: *+\Z)?+")
_COMMENT = lazy(r"#{1,3}(?: [^\n]*+)?+(?:\n|\Z)")
_END_OF_LINE = lazy(r" *+(?:\n|\Z)")
_IDENTIFIER = lazy(r"[A-Za-z][A-Za-z0-9_-]*+")
_EQUALS = lazy(r" *+= *+")
_TEXT = lazy(r"[^{}\n]++")
_NEXT_LINE = lazy(r"(?: *+\n)++(?: ++(?=[^ \n\[*.{}])| *+(?=\{))")
_ATTRIBUTE = lazy(r"(?: *+\n)++ *+\.")
_STRING = lazy(r'"(?:[^"\\\n]|\\["\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{6})*+"')
_NUMBER = lazy(r"-?+[0-9]++(?:\.[0-9]++)?+")
_FUNCTION = lazy(r"[A-Z][A-Z0-9_-]*+")
_VARIANT = lazy(r"(?: *+\n)[ \n]*+(\*?+)\[")
_MAX_NESTING = 100
"""Beyond, nothing is known about the file."""


class _MistakeError(Exception):
    pass


class _TooDeepError(Exception):
    pass


def fluent_problems(extension: Extension) -> Iterator[tuple[str, Span, str, Reaction]]:
    """Yields the first entry of each file of translations that is not Fluent."""
    package = extension.package
    for path in package.paths:
        if not has_suffix(path, _FLUENT):
            continue
        text = package.read(path).decode("utf-8", "replace").replace("\r\n", "\n")
        found = None if path in package.failed else fluent_mistake(text)
        if found is not None:
            start = Position(text.count("\n", 0, found) + 1, 1)
            message = "this entry is not Fluent, and is ignored"
            yield path, Span(start, start), message, Reaction.IGNORES


def fluent_mistake(text: str) -> int | None:
    """Returns the offset of the first entry that is not Fluent, or None."""
    reader = _Reader(text)
    while True:
        reader.skip(_BLANK_LINES)
        start = reader.at
        if start >= len(text):
            return None
        try:
            reader.entry()
        except _MistakeError:
            return start
        except _TooDeepError:
            return None


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self.at = 0
        self._depth = 0

    def skip(self, pattern: re.Pattern[str]) -> bool:
        """Skips a match at the position, and returns whether there is one."""
        found = pattern.match(self._text, self.at)
        if found is None:
            return False
        self.at = found.end()
        return True

    def _skip_text(self, text: str) -> bool:
        if not self._text.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def _require(self, is_there: bool) -> None:
        if not is_there:
            raise _MistakeError

    def entry(self) -> None:
        if self.skip(_COMMENT):
            return
        is_term = self._skip_text("-")
        self._require(self.skip(_IDENTIFIER) and self.skip(_EQUALS))
        has_value = self._pattern()
        attributes = 0
        while self.skip(_ATTRIBUTE):
            self._require(self.skip(_IDENTIFIER) and self.skip(_EQUALS) and self._pattern())
            attributes += 1
        self._require(has_value or (attributes > 0 and not is_term))
        self._require(self.skip(_END_OF_LINE))

    def _pattern(self) -> bool:
        """Skips the text of a message, and returns whether there is any."""
        start = self.at
        while self.skip(_TEXT) or self.skip(_NEXT_LINE) or self._placeable():
            pass
        return bool(self._text[start : self.at].strip())

    def _placeable(self) -> bool:
        if not self._skip_text("{"):
            return False
        self._depth += 1
        if self._depth > _MAX_NESTING:
            raise _TooDeepError
        self.skip(_BLANK)
        kind = self._expression()
        self.skip(_BLANK)
        if self._skip_text("->"):
            self._require(kind not in ("message", "term", "placeable"))
            self._variants()
            self.skip(_BLANK)
        else:
            self._require(kind != "attribute of a term")
        self._require(self._skip_text("}"))
        self._depth -= 1
        return True

    def _variants(self) -> None:
        defaults = 0
        self.skip(_SPACES)
        while (found := _VARIANT.match(self._text, self.at)) is not None:
            self.at = found.end()
            defaults += len(found[1])
            self.skip(_BLANK)
            self._require(self.skip(_NUMBER) or self.skip(_IDENTIFIER))
            self.skip(_BLANK)
            self._require(self._skip_text("]"))
            self.skip(_SPACES)
            self._require(self._pattern())
        self._require(defaults == 1 and self._text[self.at : self.at + 1] in ("\n", " "))

    def _expression(self) -> str:
        """Skips an expression, and returns its kind."""
        if self.skip(_STRING) or self.skip(_NUMBER):
            return "literal"
        if self._skip_text("$"):
            self._require(self.skip(_IDENTIFIER))
            return "variable"
        if self._placeable():
            return "placeable"
        is_term = self._skip_text("-")
        start = self.at
        self._require(self.skip(_IDENTIFIER))
        name = self._text[start : self.at]
        has_attribute = self._skip_text(".")
        self._require(not has_attribute or self.skip(_IDENTIFIER))
        if is_term:
            self._arguments()
            return "attribute of a term" if has_attribute else "term"
        if not has_attribute and self._arguments():
            self._require(_FUNCTION.fullmatch(name) is not None)
            return "function"
        return "message"

    def _arguments(self) -> bool:
        start = self.at
        self.skip(_BLANK)
        if not self._skip_text("("):
            self.at = start
            return False
        names: list[str] = []
        self.skip(_BLANK)
        while not self._skip_text(")"):
            begin = self.at
            kind = self._expression()
            written = self._text[begin : self.at]
            self.skip(_BLANK)
            if self._skip_text(":"):
                self._require(kind == "message" and "." not in written and written not in names)
                names.append(written)
                self.skip(_BLANK)
                self._require(self.skip(_STRING) or self.skip(_NUMBER))
                self.skip(_BLANK)
            else:
                self._require(not names)
            if not self._skip_text(","):
                self._require(self._text.startswith(")", self.at))
            self.skip(_BLANK)
        return True
