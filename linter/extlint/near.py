"""Near misses: the name that somebody meant who wrote another one."""

from __future__ import annotations

from collections.abc import Iterable

SHORT = 4
"""Names of up to this many letters have words for neighbors: `text` and `rest` are not `test`."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` is a misspelling of, or None.

    A name that differs in letter case alone is one. Others may differ by one edit (a letter that is
    missing, extra or replaced, or two that changed places) for each three letters of the known
    name, two at the most; in a short name no letter may be replaced. Where two known names are as
    near as each other, the one with the same letters in another order wins, then the one that begins
    alike for longer; else neither is meant. A name that is itself known has no near miss.
    """
    candidates = tuple(dict.fromkeys(known))
    if name in candidates:
        return None
    ranked = sorted((rank, each) for each in candidates if (rank := _rank(name, each)) is not None)
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][1]


def _rank(name: str, known: str) -> tuple[int, bool, int] | None:
    """How far a name is from a known one, lower is nearer; None if it is no misspelling of it."""
    limit = min(2, len(known) // 3)
    if abs(len(name) - len(known)) > limit:
        return None
    written, meant = name.casefold(), known.casefold()
    if len({*written} ^ {*meant}) > 2 * limit:  # an edit changes at most two letters of the sets
        return None
    distance = _edits(written, meant)
    same_letters = sorted(written) == sorted(meant)
    replaces = distance == 1 and len(written) == len(meant) and not same_letters
    if distance > limit or (replaces and len(known) <= SHORT):
        return None
    return distance, not same_letters, -_common_prefix(written, meant)


def _common_prefix(one: str, other: str) -> int:
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _edits(one: str, other: str) -> int:
    """The edits between two strings: a letter added, dropped or replaced, or two neighbors swapped."""
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
