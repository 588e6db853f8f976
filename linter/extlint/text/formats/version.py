"""Versions of extensions, and the lists of numbers that browsers parse versions into."""

from __future__ import annotations

from collections.abc import Callable

from extlint.text.formats.problem import Problem
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

MAX_NUMBERS = 4
MAX_DIGITS = 9

MAX_CHROME_NUMBER = 2**32 - 1
"""The largest number that Chrome loads; its store accepts at most 65,535."""

_ADORNED = lazy(
    r"\s*+(?:[A-Za-z]++\s*+)?+\.?+([0-9]++(?:[.,][0-9]++)*+)\.?+(?:[-+_ ][A-Za-z][\w.+-]*+)?+\s*+"
)
"""Matches numbers with a word before them (`v2.0`) or after them (`2.0-beta.1`)."""


def firefox(text: str) -> Problem | None:
    """Checks up to four numbers of up to nine digits, without leading zeros (`versionString` of its schemas).

    Firefox only warns about others.
    """
    return check_numbers(text, _firefox_number)


def chrome(text: str) -> Problem | None:
    """Checks up to four numbers below 4,294,967,296; the first without leading zeros."""
    return check_numbers(text, chrome_number)


def check_numbers(
    text: str, wrong: Callable[[str, bool], str | None], most: int | None = MAX_NUMBERS
) -> Problem | None:
    """Returns the problem of a list of numbers, or None; `wrong` checks one that may be the first."""
    reason = _reason(text, wrong, most)
    if reason is None:
        return None
    written = _ADORNED.fullmatch(text)
    if written is None:
        return Problem(reason)
    corrected = ".".join(each.lstrip("0") or "0" for each in written[1].replace(",", ".").split("."))
    return Problem(reason, corrected if _reason(corrected, wrong, most) is None else None)


def chrome_number(number: str, first: bool) -> str | None:
    """Returns why Chrome rejects a number of a version, or None."""
    if first and number != "0" and number.startswith("0"):
        return f"{quoted(number)} has a leading zero"
    significant = number.lstrip("0") or "0"
    if len(significant) > len(str(MAX_CHROME_NUMBER)) or int(significant) > MAX_CHROME_NUMBER:
        return f"{quoted(number)} is larger than {MAX_CHROME_NUMBER}"
    return None


def _firefox_number(number: str, _first: bool) -> str | None:
    if number != "0" and number.startswith("0"):
        return f"{quoted(number)} has a leading zero"
    if len(number) > MAX_DIGITS:
        return f"{quoted(number)} has more than {MAX_DIGITS} digits"
    return None


def _reason(text: str, wrong: Callable[[str, bool], str | None], most: int | None) -> str | None:
    if not text:
        return "it is empty"
    numbers = text.split(".")
    for at, number in enumerate(numbers):
        if not number:
            return "a number is missing next to a dot"
        if not (number.isascii() and number.isdigit()):
            return f"{quoted(number)} is not a number"
        if (reason := wrong(number, at == 0)) is not None:
            return reason
    if most is not None and len(numbers) > most:
        return f"it has {len(numbers)} numbers, but at most {most} are allowed"
    return None
