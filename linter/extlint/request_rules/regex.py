"""Whether a browser takes a regular expression as a `regexFilter`, by the word of its own engine.

Chrome matches by RE2 with Latin-1 text and two kilobytes for each program; RE2's Python binding is asked
the same. Firefox matches by JavaScript's regular expressions, and `regress` reads those. Chromium 156 said
the same as RE2 of 12,000 random patterns. Of 16,000 Firefox 153 took all that `regress` takes but for
those that repeat a word boundary, and none that it refuses. `extlint_judge rules --patterns` asks again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from extlint.request_rules.regex_words import MAX_RE2_REPEATS, javascript_words, re2_words
from extlint.text.javascript_regex import MAX_PATTERN_LENGTH, syntax_error
from extlint.text.patterns import lazy

MAX_REPEATS = 10_000
"""Nothing is said for Chrome where numbers in braces add up to more: RE2 writes out what is repeated."""

_MAX_MEMORY = 2 << 10
"""Bytes that Chrome grants to each compiled pattern."""

_MAX_CACHED = 2_000
"""Twice as many patterns as a file of rules may have: a rule with a mistake is looked at twice."""

_NUMBER = lazy(r"[{,]([0-9]+)")
_TOO_LARGE = "pattern too large"


class Refusal(Struct, frozen=True):
    """Why an engine refuses a pattern; `too_large` if it reads it, but has too little memory for it."""

    why: str
    too_large: bool = False


def refused_by_chrome(pattern: str, *, case_sensitive: bool, captures: bool) -> Refusal | None:
    """Why Chrome refuses an ASCII pattern; None if it takes it, or if that cannot be told here.

    `captures` tells whether the rule redirects to what groups captured. Without google-re2 nothing can be
    told.
    """
    compiled = _compiled(pattern, case_sensitive, captures)
    return compiled if isinstance(compiled, Refusal) else None


def refused_by_firefox(pattern: str) -> Refusal | None:
    """Why Firefox refuses a pattern; None if it takes it, or if that cannot be told here."""
    said = syntax_error(pattern)
    return None if said is None else Refusal(javascript_words(said, pattern))


def capturing_groups(pattern: str) -> int | None:
    """How many groups of a pattern capture something in Chrome; None if that cannot be told here."""
    compiled = _compiled(pattern, True, True)
    return None if compiled is None or isinstance(compiled, Refusal) else int(compiled.groups)


@lru_cache(maxsize=_MAX_CACHED)
def _compiled(pattern: str, case_sensitive: bool, captures: bool) -> Any:
    """A compiled pattern, the Refusal, or None if the engine is not to be asked."""
    compile_re2 = _re2()
    if compile_re2 is None or _is_too_much(pattern) or not pattern.isascii():
        return None
    return compile_re2(pattern, case_sensitive, captures)


@cache
def _re2() -> Callable[[str, bool, bool], Any] | None:
    """What compiles as Chrome does; None where google-re2 is not installed."""
    try:
        import re2
    except ImportError:
        return None

    def compiled(pattern: str, case_sensitive: bool, captures: bool) -> Any:
        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1
        options.case_sensitive = case_sensitive
        options.never_capture = not captures
        options.log_errors = False
        options.max_mem = _MAX_MEMORY
        try:
            return re2.compile(pattern.encode("ascii"), options)
        except re2.error as error:
            said = error.args[0].decode("latin-1")
        if said.startswith(_TOO_LARGE):
            why = f"it requires more than the {_MAX_MEMORY >> 10} KB of memory that Chrome allows a pattern"
            return Refusal(why, too_large=True)
        return Refusal(re2_words(said))

    return compiled


def _is_too_much(pattern: str) -> bool:
    """Whether RE2 would take long. It writes nothing out for numbers above its bound, which it refuses."""
    if len(pattern) > MAX_PATTERN_LENGTH:
        return True
    numbers = (int(each[:6]) for each in _NUMBER.findall(pattern)) if "{" in pattern else ()
    return sum(each for each in numbers if each <= MAX_RE2_REPEATS) > MAX_REPEATS
