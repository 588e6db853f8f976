"""Determines whether a browser accepts a regular expression as a `regexFilter`, with its own engine.

Chrome matches with RE2, Latin-1 text and two kilobytes for each program, and RE2's Python binding is used
with the same settings. Firefox matches with JavaScript's regular expressions, which `regress` parses. For
12,000 random patterns, Chromium 156 agreed with RE2. For 16,000, Firefox 153 accepted all that `regress`
accepts except those that repeat a word boundary, and none of the rest. `extlint_judge rules --patterns`
repeats the comparison.

The errors of both are explained in an author's terms.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from extlint.text.javascript_regex import MAX_PATTERN_LENGTH, syntax_error
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

MAX_RE2_REPEATS = 1000
"""Repetitions that RE2 allows, with nested repetitions multiplied."""

_GROUPS = {
    "(?=": "look-aheads",
    "(?!": "negative look-aheads",
    "(?<=": "look-behinds",
    "(?<!": "negative look-behinds",
    "(?>": "atomic groups",
    "(?#": "comments",
    "(?(": "conditions",
    "(?P": "groups with `P`, but without a name in `<` and `>`,",
}
"""The groups that begin with these marks in other languages, and are not supported by RE2."""

_NUMBERS = lazy(r"\{([0-9]+)(?:,([0-9]+))?")
_FLAGS = lazy(r"(?<!\\)\(\?[A-Za-z-]+\)")
_NO_GROUP_OF_JAVASCRIPT = lazy(r"(?<!\\)\(\?(?![:=!]|<|[ims-]+:)(?:P[<=>]?|.)", re.DOTALL)

_OF_RE2 = {
    "bad repetition operator": "{} repeats something that is already repeated",
    "invalid character class": "{} is not a set of characters",
    "invalid character class range": "{} is not a range or class of characters",
    "invalid named capture group": "{} is not a valid group name",
    "missing )": "a `(` has no `)`",
    "missing ]": "a `[` has no `]`",
    "no argument for repetition operator": "there is nothing to repeat before {}",
    "trailing \\": "it ends with a `\\`",
    "unexpected )": "a `)` has no `(`",
}

_OF_JAVASCRIPT = {
    "Duplicate capture group name": "two groups have the same name",
    "Incomplete escape": "it ends with a `\\`",
    "Invalid atom character": "there is nothing to repeat before a `*`, `+` or `?`",
    "Invalid braced quantifier": "there is nothing to repeat before a number in braces",
    "Invalid named backreference syntax": "`\\k` requires the name of a group in `<` and `>`",
    "Invalid quantifier": "a repetition has its numbers in the wrong order",
    "Invalid token at named capture group identifier": "the text in `(?<…>` is not a valid group name",
    "Quantifier not allowed here": "it repeats something that cannot be repeated",
    "Range values reversed": "a range of characters has its ends in the wrong order",
    "Unbalanced bracket": "a `[` has no `]`",
    "Unbalanced parenthesis": "its parentheses do not match",
    "Unterminated escape": "it ends with a `\\`",
}


def explain_re2_error(message: str) -> str:
    """Explains an error of RE2 (`missing ): (a`)."""
    what, _, where = message.partition(": ")
    if what == "invalid escape sequence":
        known = where[1:2] not in tuple("123456789")
        return f"unknown escape {quoted(where)}" if known else _unsupported_error("back references", where)
    if what == "invalid perl operator":
        kind = next((_GROUPS[start] for start in sorted(_GROUPS) if where.startswith(start)), None)
        return _unsupported_error(kind, where) if kind else f"unknown kind of group, {quoted(where)}"
    if what == "invalid repetition size":
        return _repetition_error(where)
    return _OF_RE2[what].format(quoted(where)) if what in _OF_RE2 else f"RE2 says {quoted(message)}"


def _unsupported_error(what: str, where: str) -> str:
    return f"{what} are not supported ({quoted(where)})"


def _repetition_error(shown: str) -> str:
    found = _NUMBERS.match(shown)
    least, most = (found[1], found[2] or found[1]) if found else ("0", "0")
    if int(most[:6]) > MAX_RE2_REPEATS or int(least[:6]) > MAX_RE2_REPEATS:
        return f"{quoted(shown)} repeats more than {MAX_RE2_REPEATS} times"
    if int(most) < int(least):
        return f"{quoted(shown)} has its numbers in the wrong order"
    return f"{quoted(shown)} and the repetition inside it repeat more than {MAX_RE2_REPEATS} times together"


def explain_javascript_error(message: str, pattern: str) -> str:
    """Explains an error of `regress` (`Unbalanced bracket`)."""
    what, _, where = message.partition(": ")
    if what == "Backreference to invalid named capture group":
        return f"`\\k` names the group {quoted(where)}, which does not exist"
    if what == "Invalid group modifier":
        return _group_error(pattern)
    words = next((words for start, words in _OF_JAVASCRIPT.items() if message.startswith(start)), None)
    return words or f"JavaScript says {quoted(message)}"


def _group_error(pattern: str) -> str:
    flags, group = _FLAGS.search(pattern), _NO_GROUP_OF_JAVASCRIPT.search(pattern)
    if flags:
        return f"JavaScript does not support flags for the rest of a pattern ({quoted(flags[0])})"
    shown = f", {quoted(group[0])}" if group else ""
    return f"JavaScript does not support this kind of group{shown}"


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
