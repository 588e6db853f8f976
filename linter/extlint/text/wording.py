"""Phrases that the messages of several rules share."""

from __future__ import annotations

from collections.abc import Sequence

MAX_NAME_LENGTH = 100
"""Longer names are cut in messages, in code points: what a package says can be of any length."""

MAX_LISTED = 10
"""Names that are listed where none is near the wrong one."""

MAX_NAMED = 3
"""Things that a sentence about many names; the others are counted."""


def quoted(name: str) -> str:
    """A name from the source or the schemas, as messages show it."""
    return f"`{name}`" if len(name) <= MAX_NAME_LENGTH else f"`{name[: MAX_NAME_LENGTH - 1]}…`"


def listed(names: Sequence[str], word: str) -> str:
    """Names as a phrase: `a`, `a or b`, `a, b or c` for the word `or`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def listed_in_part(names: Sequence[str]) -> str:
    """The first names as a phrase, with the number of the others: `a, b, c and 5 more`."""
    others = len(names) - MAX_NAMED
    return listed(names, "and") if others <= 0 else listed([*names[:MAX_NAMED], f"{others} more"], "and")


def with_article(noun: str) -> str:
    """A noun with `a` or `an` before it; letters that are read one by one count as they sound."""
    first = noun.split(" ", 1)[0]
    vowels = "AEFHILMNORSX" if len(first) > 1 and first.isupper() else "aeiouAEIO"
    return f"{'an' if noun[0] in vowels else 'a'} {noun}"


def question(phrase: str) -> str:
    """The question that offers what is right, as a phrase."""
    return f"did you mean {phrase}?"


def asked(name: str | None) -> str | None:
    """The question that offers the nearest right name; None if there is none."""
    return None if name is None else question(quoted(name))


def did_you_mean(name: str | None) -> str:
    """The end of a message that offers the nearest right name; empty if there is none."""
    return after_semicolon(asked(name))


def those_it_has(names: Sequence[str], verb: str = "it has") -> str | None:
    """The names that there are, as a phrase, where those are few: `it has `a` and `b``; else None."""
    return (
        f"{verb} {listed([quoted(each) for each in names], 'and')}" if 0 < len(names) <= MAX_LISTED else None
    )


def after_semicolon(phrase: str | None) -> str:
    """A phrase as the end of a message; empty if there is none."""
    return "" if phrase is None else f"; {phrase}"


def manifest_v(version: int) -> str:
    """A manifest version as people call it: `Manifest V3`."""
    return f"Manifest V{version}"


def available_in(browsers: str) -> str:
    """Where something is that is missing here: `browsers` is a phrase."""
    return f"it is available in {browsers}"


def requires(what: str, noun: str, names: Sequence[str]) -> str:
    """That something requires one of several names, each a `noun`: `a` requires the permission `b`."""
    if len(names) == 1:
        return f"{quoted(what)} requires the {noun} {quoted(names[0])}"
    return f"{quoted(what)} requires one of the {noun}s {listed([*map(quoted, names)], 'or')}"


def use(replacement: str) -> str:
    """The advice to write something else: a name, or a phrase, in which names are in quotes already."""
    return f"use {replacement}" if " " in replacement else f"use {quoted(replacement)}"


def no_such_key(key: str, where: str) -> str:
    """That an object has no such key: `where` is a phrase, or a name in quotes."""
    return f"unknown key {quoted(key)} in {where}"


def not_together(name: str, other: str) -> str:
    """That a key excludes another one in the same object."""
    return f"{quoted(name)} cannot be used together with {quoted(other)}"


def must_be(what: str, wanted: str, found: str) -> str:
    """That a value is of the wrong kind: `what` must be a string, not a number."""
    return f"{what} must be {wanted}, not {found}"


def must_not_be_empty(key: str) -> str:
    """That the value of a key is empty, and is not allowed to be."""
    return f"{quoted(key)} must not be empty"


def not_valid(text: str, noun: str) -> str:
    """That a text from the source is not what it should be, a `noun` without its article."""
    return f"{quoted(text)} is not a valid {noun}"
