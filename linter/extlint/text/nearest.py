"""Finds the known name that the author of another name meant.

`nearest` finds a misspelled name, and only if it is sure: rules decide by it. `suggest_name` also finds
misremembered names, and only suggests a replacement for a name that is certainly wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from extlint.text.patterns import lazy

MAX_SHORT_LENGTH = 4
"""The maximum length of a short name: such names differ from other words by one letter, as `text` and
`rest` do from `test`.
"""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Returns the known name that `name` is a misspelling of, or None.

    A name that differs only in letter case is a misspelling. Others may differ by one edit (a letter that is
    missing, extra or replaced, or two that are swapped) for each three letters of the known name, two at
    most; in a short name no letter may be replaced. On a tie, the name with the same letters in another order
    wins, then the one with the longest common prefix. If both are equal, no name is returned. A name that is
    itself known has no near miss.
    """
    candidates = tuple(dict.fromkeys(known))
    if name in candidates:
        return None
    ranked = sorted((rank, each) for each in candidates if (rank := _distance(name, each)) is not None)
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][1]


MIN_SURE_LENGTH = 5
"""The minimum length for certainty: shorter names differ by one letter from other valid names, as `mdns`
from `dns`.
"""


def is_certain_misspelling(name: str, known: str) -> bool:
    """Whether a name can only be a misspelling of a known one, so that replacing it is safe.

    In a short name only the letter case, the order of letters, or an `s` at the end may be wrong.
    """
    if nearest(name, (known,)) is None:
        return False
    written, other = name.casefold(), known.casefold()
    is_same = sorted(written) == sorted(other) or written + "s" == other or other + "s" == written
    return is_same or len(known) >= MIN_SURE_LENGTH


MAX_COMPARED = 300
"""Among more known names than this, only misspellings are searched for."""

MAX_NAME_LENGTH = 60
"""The maximum length of a name, in code points; for longer ones, only misspellings are searched for."""

_MIN_COMMON_SHARE = 0.65
"""The share of their letters that two names must have in common words."""

_MIN_COMMON_SHARE_WITH_ODD_WORDS = 0.8
"""The same, if each of them has a word that is not in the other."""

_MIN_PREFIX_LENGTH = 4
"""The number of leading letters that identify a word or a name: those of `get` and `set` are too few."""

_WORD = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

_SYNONYMS: dict[str, tuple[str, ...]] = {
    "add": ("create",),
    "ajax": ("xmlhttprequest",),
    "bg": ("background",),
    "body": ("message",),
    "childs": ("children",),
    "css": ("stylesheet",),
    "delete": ("remove",),
    "desc": ("description",),
    "document": ("main", "frame"),
    "erase": ("remove",),
    "href": ("url",),
    "iframe": ("sub", "frame"),
    "img": ("image",),
    "javascript": ("script",),
    "js": ("script",),
    "lang": ("language",),
    "msg": ("message",),
    "open": ("create",),
    "picture": ("image",),
    "style": ("stylesheet",),
    "uri": ("url",),
    "xhr": ("xmlhttprequest",),
    "xml": ("xmlhttprequest",),
}
"""Words with the same meaning, here and in other APIs."""


def suggest_name(name: str, known: Iterable[str]) -> str | None:
    """Returns the probably intended known name, or None: a misspelled one, or one worded differently.

    That is one with the same words in another order, with one extra or missing word, with words of the same
    stem or the same meaning (`childs` is `children`), or the only one that starts with the name or contains
    its words (`icon` is `default_icon`). In a short name one letter after the first may differ. Names of
    events (`onCreated`) only match names of events. On a tie, no name is returned.
    """
    candidates = tuple(dict.fromkeys(known))
    near = nearest(name, candidates)
    if near is not None or name in candidates or not 1 < len(name) <= MAX_NAME_LENGTH:
        return near
    if len(candidates) > MAX_COMPARED or name.isdecimal():
        return None
    is_event, prefixes, first = _is_event(name), _word_prefixes(name), name[0].lower()
    alike = [
        each
        for each in candidates
        if len(each) <= MAX_NAME_LENGTH
        and _is_event(each) == is_event
        and not prefixes.isdisjoint(_word_prefixes(each))
    ]
    same_first = [each for each in candidates if each[:1].lower() == first]
    for rank, choices in (
        (_word_similarity, alike),
        (_prefix_score, same_first),
        (_short_name_score, same_first),
    ):
        ranked = sorted(((score, each) for each in choices if (score := rank(name, each))), reverse=True)
        if ranked:
            return ranked[0][1] if len(ranked) == 1 or ranked[0][0] > ranked[1][0] else None
    return None


def _word_similarity(name: str, known: str) -> float:
    """Returns the similarity of the words of two names, 0 if they differ.

    The same words score highest. Among names with all words of `name` and more, one that starts with it
    scores higher.
    """
    written, known_words = _words(name), list(_words(known))
    has_all = {*written} <= {*known_words}
    letters = sum(map(len, (*written, *known_words)))
    shared, own = 0, 0
    for word in written:
        found, at = max(
            ((_common_letters(word, other), at) for at, other in enumerate(known_words)), default=(0, 0)
        )
        if found:
            shared += found
            del known_words[at]
        else:
            own += 1
    if 2 * shared == letters:
        return 3
    if shared < _MIN_PREFIX_LENGTH:
        return 0
    if has_all:
        return 1 + known.startswith(name)
    enough = _MIN_COMMON_SHARE_WITH_ODD_WORDS if own and known_words else _MIN_COMMON_SHARE
    return 2 * shared / letters if 2 * shared >= enough * letters else 0


@lru_cache(maxsize=2_000)
def _words(name: str) -> tuple[str, ...]:
    found = (word.lower() for word in _WORD.findall(name))
    return tuple(same for word in found for same in _SYNONYMS.get(word, (word,)))


@lru_cache(maxsize=2_000)
def _word_prefixes(name: str) -> frozenset[str]:
    """The starts of the words of a name. Names that share none are not compared further."""
    return frozenset(word.removesuffix("s")[:_MIN_PREFIX_LENGTH] for word in _words(name))


def _common_letters(one: str, other: str) -> int:
    """Returns the number of common letters of two words that are the same or have the same stem, else 0."""
    if one == other:
        return len(one)
    if min(len(one), len(other)) > 1 and (one + "s" == other or other + "s" == one):
        return min(len(one), len(other))
    same = _common_prefix(one, other)
    return same if same >= _MIN_PREFIX_LENGTH and 3 * same >= 2 * max(len(one), len(other)) else 0


def _is_event(name: str) -> bool:
    return name.startswith("on") and name[2:3].isupper()


def _prefix_score(name: str, known: str) -> float:
    """Returns 1 if one name is a prefix of the other, else 0.

    After a known name, a whole word must follow.
    """
    written, other = name.casefold(), known.casefold()
    if len(written) >= _MIN_PREFIX_LENGTH and other.startswith(written):
        return 1
    end = name[len(known) : len(known) + 1]
    return float(len(known) >= _MIN_PREFIX_LENGTH and written.startswith(other) and not end.islower())


def _short_name_score(name: str, known: str) -> float:
    """Returns a score for one wrong letter after a short name's first, or a missing or extra final `s`.

    Returns 0 for other names.
    """
    written, other = name.casefold(), known.casefold()
    if written + "s" == other or other + "s" == written:
        return 2
    is_short = 3 <= len(written) <= MAX_SHORT_LENGTH and 3 <= len(other) <= MAX_SHORT_LENGTH
    return float(is_short and written[0] == other[0] and _edit_distance(written, other) == 1)


def _distance(name: str, known: str) -> tuple[int, bool, int] | None:
    """Returns the distance of a name from a known one, or None if it is not a misspelling of it."""
    limit = min(2, len(known) // 3)
    return _distance_within(limit, name, known) if abs(len(name) - len(known)) <= limit else None


@lru_cache(maxsize=2_000)
def _distance_within(limit: int, name: str, known: str) -> tuple[int, bool, int] | None:
    """The same for names of similar length. Rules and targets compare the same few names repeatedly."""
    written, meant = name.casefold(), known.casefold()
    if len({*written} ^ {*meant}) > 2 * limit:  # an edit changes at most two letters of the sets
        return None
    distance = _edit_distance(written, meant)
    same_letters = sorted(written) == sorted(meant)
    replaces = distance == 1 and len(written) == len(meant) and not same_letters
    if distance > limit or (replaces and len(known) <= MAX_SHORT_LENGTH):
        return None
    return distance, not same_letters, -_common_prefix(written, meant)


def _common_prefix(one: str, other: str) -> int:
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _edit_distance(one: str, other: str) -> int:
    """Returns the optimal string alignment distance.

    It counts letters added, dropped or replaced, and two neighbors swapped. A common beginning or end does
    not matter.
    """
    start = _common_prefix(one, other)
    one, other = one[start:], other[start:]
    end = _common_prefix(one[::-1], other[::-1])
    one, other = one[: len(one) - end], other[: len(other) - end]
    before: list[int] = []
    above = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        here = [row]
        for column, target in enumerate(other, 1):
            cost = min(above[column] + 1, here[-1] + 1, above[column - 1] + (letter != target))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == target:
                cost = min(cost, before[column - 2] + 1)
            here.append(cost)
        before, above = above, here
    return above[-1]
