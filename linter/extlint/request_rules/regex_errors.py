"""Explains the errors of RE2 and `regress` in an author's terms."""

from __future__ import annotations

import re

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
