"""What RE2 and `regress` say of a pattern that they refuse, in the author's words."""

from __future__ import annotations

import re

from extlint.patterns import lazy
from extlint.wording import quoted

BOUND_OF_RE2 = 1000
"""RE2 repeats nothing more often than that, repetitions inside of repetitions multiplied."""

_GROUPS = {
    "(?=": "a look-ahead",
    "(?!": "a negative look-ahead",
    "(?<=": "a look-behind",
    "(?<!": "a negative look-behind",
    "(?>": "an atomic group",
    "(?#": "a comment",
    "(?(": "a condition",
    "(?P": "a group with `P`, but no name in `<` and `>`",
}
"""What begins with these marks elsewhere, and nowhere in RE2."""

_NUMBERS = lazy(r"\{([0-9]+)(?:,([0-9]+))?")
_FLAGS = lazy(r"(?<!\\)\(\?[A-Za-z-]+\)")
_NO_GROUP_OF_JAVASCRIPT = lazy(r"(?<!\\)\(\?(?![:=!]|<|[ims-]+:)(?:P[<=>]?|.)", re.DOTALL)

_OF_RE2 = {
    "bad repetition operator": "{} repeats what is repeated already",
    "invalid character class": "{} is no set of characters",
    "invalid character class range": "{} is no range or kind of characters",
    "invalid named capture group": "{} does not name a group",
    "missing )": "a `(` has no `)`",
    "missing ]": "a `[` has no `]`",
    "no argument for repetition operator": "nothing that can be repeated stands before {}",
    "trailing \\": "it ends with a `\\`",
    "unexpected )": "a `)` has no `(`",
}

_OF_JAVASCRIPT = {
    "Duplicate capture group name": "two groups have the same name",
    "Incomplete escape": "it ends with a `\\`",
    "Invalid atom character": "a `*`, `+` or `?` has nothing before it that can be repeated",
    "Invalid braced quantifier": "a number of times in braces has nothing before it that can be repeated",
    "Invalid named backreference syntax": "`\\k` needs the name of a group in `<` and `>`",
    "Invalid quantifier": "it repeats something from more to less",
    "Invalid token at named capture group identifier": "what stands in `(?<…>` is no name of a group",
    "Quantifier not allowed here": "it repeats what cannot be repeated",
    "Range values reversed": "a range of characters has its ends in the wrong order",
    "Unbalanced bracket": "a `[` has no `]`",
    "Unbalanced parenthesis": "its parentheses do not match",
    "Unterminated escape": "it ends with a `\\`",
}


def re2_words(said: str) -> str:
    """The reason in RE2's words (`missing ): (a`) as people say it."""
    what, _, where = said.partition(": ")
    if what == "invalid escape sequence":
        known = where[1:2] not in tuple("123456789")
        return f"an unknown escape, {quoted(where)}" if known else f"a back reference ({quoted(where)})"
    if what == "invalid perl operator":
        kind = next((_GROUPS[start] for start in sorted(_GROUPS) if where.startswith(start)), None)
        return f"{kind} ({quoted(where)})" if kind else f"an unknown kind of group, {quoted(where)}"
    if what == "invalid repetition size":
        return _too_often(where)
    return _OF_RE2[what].format(quoted(where)) if what in _OF_RE2 else f"RE2 says {quoted(said)}"


def _too_often(shown: str) -> str:
    found = _NUMBERS.match(shown)
    least, most = (found[1], found[2] or found[1]) if found else ("0", "0")
    if int(most[:6]) > BOUND_OF_RE2 or int(least[:6]) > BOUND_OF_RE2:
        return f"{quoted(shown)} repeats more than {BOUND_OF_RE2} times"
    if int(most) < int(least):
        return f"{quoted(shown)} has its numbers in the wrong order"
    return f"{quoted(shown)} and the repetition inside of it repeat more than {BOUND_OF_RE2} times together"


def javascript_words(said: str, pattern: str) -> str:
    """The reason in the words of `regress` (`Unbalanced bracket`) as people say it."""
    what, _, where = said.partition(": ")
    if what == "Backreference to invalid named capture group":
        return f"`\\k` names the group {quoted(where)}, which is not there"
    if what == "Invalid group modifier":
        return _unknown_group(pattern)
    words = next((words for start, words in _OF_JAVASCRIPT.items() if said.startswith(start)), None)
    return words or f"JavaScript says {quoted(said)}"


def _unknown_group(pattern: str) -> str:
    flags, group = _FLAGS.search(pattern), _NO_GROUP_OF_JAVASCRIPT.search(pattern)
    if flags:
        return f"JavaScript has no flags for the rest of a pattern ({quoted(flags[0])})"
    shown = f", {quoted(group[0])}" if group else ""
    return f"a kind of group that JavaScript does not know{shown}"
