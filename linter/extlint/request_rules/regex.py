"""Determines whether a browser accepts a regular expression as a `regexFilter`, with its own engine.

Chrome matches with RE2, Latin-1 text and two kilobytes for each program, and RE2's Python binding is used
with the same settings. Firefox matches with JavaScript's regular expressions, which `regress` parses. For
12,000 random patterns, Chromium 156 agreed with RE2. For 16,000, Firefox 153 accepted all that `regress`
accepts except those that repeat a word boundary, and none of the rest. `extlint_judge rules --patterns`
repeats the comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from extlint.request_rules.regex_errors import MAX_RE2_REPEATS, explain_javascript_error, explain_re2_error
from extlint.text.javascript_regex import MAX_PATTERN_LENGTH, syntax_error
from extlint.text.patterns import lazy

MAX_REPEATS = 10_000
"""Sum of the numbers in braces up to which patterns are checked for Chrome, as RE2 expands repetitions."""

_MAX_MEMORY = 2 << 10
"""Bytes that Chrome grants to each compiled pattern."""

_MAX_CACHED = 2_000
"""Patterns whose result is cached, twice the limit of a rule file, as a wrong rule is examined twice."""

_NUMBER = lazy(r"[{,]([0-9]+)")
_TOO_LARGE = "pattern too large"


class Rejection(Struct, frozen=True):
    """The reason why an engine rejects a pattern.

    `too_large` if the pattern is valid but exceeds the memory limit.
    """

    why: str
    too_large: bool = False


def chrome_rejection(pattern: str, *, case_sensitive: bool, captures: bool) -> Rejection | None:
    """Returns the reason why Chrome rejects an ASCII pattern.

    Returns None if it accepts it or this cannot be determined.

    `captures` is whether the rule redirects to captured groups. Without google-re2, this cannot be
    determined.
    """
    compiled = _compile(pattern, case_sensitive, captures)
    return compiled if isinstance(compiled, Rejection) else None


def firefox_rejection(pattern: str) -> Rejection | None:
    """Returns the reason why Firefox rejects a pattern.

    Returns None if it accepts it or this cannot be determined.
    """
    error = syntax_error(pattern)
    return None if error is None else Rejection(explain_javascript_error(error, pattern))


def capturing_groups(pattern: str) -> int | None:
    """Returns the number of capturing groups of a pattern in Chrome, or None if it cannot be determined."""
    compiled = _compile(pattern, True, True)
    return None if compiled is None or isinstance(compiled, Rejection) else int(compiled.groups)


@lru_cache(maxsize=_MAX_CACHED)
def _compile(pattern: str, case_sensitive: bool, captures: bool) -> Any:
    """Returns a compiled pattern, its rejection, or None if the engine is not available or not queried."""
    compile_re2 = _re2()
    if compile_re2 is None or _is_too_costly(pattern) or not pattern.isascii():
        return None
    return compile_re2(pattern, case_sensitive, captures)


@cache
def _re2() -> Callable[[str, bool, bool], Any] | None:
    """Returns the function that compiles patterns like Chrome, or None if google-re2 is not installed."""
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
            message = error.args[0].decode("latin-1")
        if message.startswith(_TOO_LARGE):
            why = f"it requires more than the {_MAX_MEMORY >> 10} KB of memory that Chrome allows a pattern"
            return Rejection(why, too_large=True)
        return Rejection(explain_re2_error(message))

    return compiled


def _is_too_costly(pattern: str) -> bool:
    """Whether RE2 would take long. It rejects numbers above its limit without expanding them."""
    if len(pattern) > MAX_PATTERN_LENGTH:
        return True
    numbers = (int(each[:6]) for each in _NUMBER.findall(pattern)) if "{" in pattern else ()
    return sum(each for each in numbers if each <= MAX_RE2_REPEATS) > MAX_REPEATS
