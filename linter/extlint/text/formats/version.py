"""Versions of extensions, and the browser versions that they require."""

from __future__ import annotations

from collections.abc import Callable

from extlint.text.formats.registry import Problem
from extlint.text.patterns import lazy
from extlint.text.wording import not_valid, quoted

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


_GECKO_PART = lazy(r"-?+[0-9]++[0-9A-Za-z+-]*+|\*")
_ADORNED_BROWSER_VERSION = lazy(
    r"\s*+[vV^~]?+(?:[<>]=?+|=)?+\s*+([0-9]{1,4}(?:\.[0-9]++)*+)(?:\+|\.\*|\.x)?+\s*+"
)


def chrome_minimum(text: str) -> Problem | None:
    """Checks dot-separated numbers, of any count; the first without leading zeros."""
    return check_numbers(text, chrome_number, most=None)


def gecko_minimum(text: str) -> Problem | None:
    """Checks a version of Firefox (`128.0`, `42.0a1`) without `*`, which would prevent the installation."""
    if "*" in text.split("."):
        return Problem("the minimum version cannot contain `*`", _suggestion(text))
    return gecko_maximum(text)


def gecko_maximum(text: str) -> Problem | None:
    """Checks a version of Firefox; a `*` stands for any number (`128.*`).

    Firefox accepts any text: one that does not begin with a number is lower than every version.
    """
    reason = _gecko_reason(text)
    return None if reason is None else Problem(reason, _suggestion(text))


def _gecko_reason(text: str) -> str | None:
    if not text:
        return "it is empty"
    for part in text.split("."):
        if not part:
            return "a number is missing next to a dot"
        if _GECKO_PART.fullmatch(part) is None:
            return not_valid(part, "part of a version")
    return None


def _suggestion(text: str) -> str | None:
    written = _ADORNED_BROWSER_VERSION.fullmatch(text)
    if written is None:
        return None
    return written[1] if "." in written[1] else f"{written[1]}.0"
