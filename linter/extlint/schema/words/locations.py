"""Describes the locations of values: by the path from a value, or by the key that users know."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.schema.words.strings import string_text
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

IDENTIFIER = lazy(r"[A-Za-z_$][A-Za-z0-9_$]*")


def path_text(root: str, path: Sequence[str | int]) -> str:
    """Returns the location that a path leads to from a value named `root`: `options.icons[0]`, in backquotes.

    A root of several words ("argument 2") is not a name and remains outside of the quotes.
    """
    steps = "".join(_step(each) for each in path)
    if IDENTIFIER.fullmatch(root):
        return quoted(root + steps)
    return f"{quoted(steps.removeprefix('.'))} of {root}" if steps else root


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if IDENTIFIER.fullmatch(step) else f"[{string_text(step)}]"


def location_text(steps: Sequence[str | int]) -> str:
    """Returns a location by the key that users know: `matches`, or an item of `matches`."""
    if not steps:
        return "the manifest"
    named = next((step for step in reversed(steps) if isinstance(step, str)), None)
    if named is None:
        return "this item"
    if named.isdecimal() and len(steps) > 1:
        return full_location_text(steps[-2:])
    return quoted(named) if steps[-1] == named else f"an item of {quoted(named)}"


def full_location_text(steps: Sequence[str | int]) -> str:
    """Returns a location by all keys that lead to it: `background.scripts`."""
    return quoted(".".join(step for step in steps if isinstance(step, str)))
