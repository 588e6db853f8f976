"""The browser versions that an extension requires."""

from __future__ import annotations

from extlint.text.formats.problem import Problem
from extlint.text.formats.version import check_numbers, chrome_number
from extlint.text.patterns import lazy
from extlint.text.wording import not_valid

_GECKO_PART = lazy(r"-?+[0-9]++[0-9A-Za-z+-]*+|\*")
_ADORNED = lazy(r"\s*+[vV^~]?+(?:[<>]=?+|=)?+\s*+([0-9]{1,4}(?:\.[0-9]++)*+)(?:\+|\.\*|\.x)?+\s*+")


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
    written = _ADORNED.fullmatch(text)
    if written is None:
        return None
    return written[1] if "." in written[1] else f"{written[1]}.0"
