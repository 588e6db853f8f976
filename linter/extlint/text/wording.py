"""Phrases shared by the messages of several rules."""

from __future__ import annotations

from collections.abc import Sequence

MAX_NAME_LENGTH = 100
"""The length above which names are cut in messages, in code points: texts in a package can be of any
length.
"""

MAX_LISTED = 10
"""The maximum number of names listed if none is similar to the wrong one."""

MAX_NAMED = 3
"""The maximum number of things that a sentence names; the others are counted."""


def quoted(name: str) -> str:
    """Returns a name from the source or the schemas in code quotes, for messages."""
    return f"`{name}`" if len(name) <= MAX_NAME_LENGTH else f"`{name[: MAX_NAME_LENGTH - 1]}…`"


def counted(number: int, noun: str) -> str:
    """Returns a number with its noun: `1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Sequence[str], word: str) -> str:
    """Returns names as a phrase: `a`, `a or b`, `a, b or c` for the word `or`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def listed_with_count(names: Sequence[str]) -> str:
    """Returns the first names as a phrase, with the number of the others: `a, b, c and 5 more`."""
    remaining = len(names) - MAX_NAMED
    return (
        listed(names, "and") if remaining <= 0 else listed([*names[:MAX_NAMED], f"{remaining} more"], "and")
    )


def with_article(noun: str) -> str:
    """Returns a noun preceded by `a` or `an`; acronyms count as they are pronounced."""
    first = noun.split(" ", 1)[0]
    vowels = "AEFHILMNORSX" if len(first) > 1 and first.isupper() else "aeiouAEIO"
    return f"{'an' if noun[0] in vowels else 'a'} {noun}"


def suggestion_question(phrase: str) -> str:
    """Returns the question that suggests a correct phrase."""
    return f"did you mean {phrase}?"


def name_suggestion(name: str | None) -> str | None:
    """Returns the question that suggests the nearest correct name, or None without a name."""
    return None if name is None else suggestion_question(quoted(name))


def did_you_mean(name: str | None) -> str:
    """Returns the message ending that suggests the nearest correct name, or an empty text without a name."""
    return after_semicolon(name_suggestion(name))


def available_names(names: Sequence[str], verb: str = "it has") -> str | None:
    """Returns the existing names as a phrase if they are few, as in `it has `a` and `b``, or None."""
    return (
        f"{verb} {listed([quoted(each) for each in names], 'and')}" if 0 < len(names) <= MAX_LISTED else None
    )


def after_semicolon(phrase: str | None) -> str:
    """Returns a phrase as the end of a message, or an empty text without a phrase."""
    return "" if phrase is None else f"; {phrase}"


def manifest_v(version: int) -> str:
    """Returns the common name of a manifest version: `Manifest V3`."""
    return f"Manifest V{version}"


def available_in(browsers: str) -> str:
    """Returns the phrase for the browsers that have a missing feature; `browsers` is a phrase."""
    return f"it is available in {browsers}"


def requires(what: str, noun: str, names: Sequence[str]) -> str:
    """Returns the sentence that something requires one of several names, each a `noun`.

    Example: `a` requires the permission `b`.
    """
    if len(names) == 1:
        return f"{quoted(what)} requires the {noun} {quoted(names[0])}"
    return f"{quoted(what)} requires one of the {noun}s {listed([*map(quoted, names)], 'or')}"


def use(replacement: str) -> str:
    """Returns the advice to write something else: a name, or a phrase in which names are already quoted."""
    return f"use {replacement}" if " " in replacement else f"use {quoted(replacement)}"


def unknown_key_message(key: str, where: str) -> str:
    """Returns the message for an unknown key of an object; `where` is a phrase, or a name in quotes."""
    return f"unknown key {quoted(key)} in {where}"


def cannot_be_combined(name: str, other: str) -> str:
    """Returns the message for a key that excludes another one in the same object."""
    return f"{quoted(name)} cannot be used together with {quoted(other)}"


def must_be(what: str, expected: str, found: str) -> str:
    """Returns the message for a value of the wrong kind: `what` must be a string, not a number."""
    return f"{what} must be {expected}, not {found}"


def must_not_be_empty(key: str) -> str:
    """Returns the message for a key whose value must not be empty."""
    return f"{quoted(key)} must not be empty"


def not_valid(text: str, noun: str) -> str:
    """Returns the message for a text from the source that is not a valid `noun` (without its article)."""
    return f"{quoted(text)} is not a valid {noun}"
