"""Lists of names, strings and phrases, cut after the first few."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from extlint.schema.words.strings import string_text
from extlint.text.wording import listed, quoted

MAX_NAMES = 10
"""The maximum number of names shown (an enum's values, an object's required properties)."""

MAX_OPTIONS = 4
"""The maximum number of alternatives shown, correct or wrong ones."""

MAX_VALUES = 15
"""The maximum number of manifest values that are listed in full."""

MAX_VALUES_SHOWN = 8
"""The number of values that are listed if there are more than MAX_VALUES."""


def property_names(names: Sequence[str]) -> str:
    """Returns the properties of an object, as a phrase."""
    if not names:
        return "other properties"
    shown = [quoted(name) for name in names[:MAX_NAMES]]
    return ", ".join(shown) + " …" if len(names) > MAX_NAMES else listed(shown, "and")


def enum_text(values: Sequence[str]) -> str:
    """Returns the strings of an enum: `"a" or "b"`, `one of "a", "b" or "c"`; of many, only the first."""
    shown = [string_text(each) for each in values[:MAX_NAMES]]
    if len(values) > MAX_NAMES:
        return f"one of {', '.join(shown)} or {len(values) - MAX_NAMES} others"
    if len(shown) > 2:
        return f"one of {listed(shown, 'or')}"
    return listed(shown, "or") if shown else "one of no values"


def either(phrases: Iterable[str]) -> str:
    """Returns several phrases as one, without duplicates: `a string or a function`."""
    distinct = tuple(dict.fromkeys(phrases))
    if len(distinct) > MAX_OPTIONS:
        distinct = (*distinct[:MAX_OPTIONS], "another value")
    return listed(distinct, "or") if distinct else "another value"


def accepted_values_text(values: Iterable[str], forms: Sequence[str] = ()) -> str | None:
    """Returns the accepted values as a phrase; of many, only the first."""
    every = list(values)
    if len(every) > MAX_VALUES:
        every = [*every[:MAX_VALUES_SHOWN], f"{len(every) - MAX_VALUES_SHOWN} others"]
    every += forms
    return f"it can be {listed(every, 'or')}" if every else None
