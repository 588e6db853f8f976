"""Formats that one pattern describes: dates, the widths of icons, and ids of extensions."""

from __future__ import annotations

from extlint.text.formats.registry import Problem
from extlint.text.patterns import lazy

_DATE = lazy(
    r"[0-9]{4}-([0-9]{2})-([0-9]{2})"
    r"(?:T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]{3})?(?:Z|[-+]([0-9]{2}):?([0-9]{2})))?"
)


def date(text: str) -> Problem | None:
    """Checks a date, or a date and time with a time zone."""
    if is_date(text) is not False:
        return None
    return Problem("a date must look like `2016-03-04` or `2016-03-04T08:00:00Z`")


def is_date(text: str) -> bool | None:
    """Whether browsers parse a text as a date, or None if only some do, or only in some months."""
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    month, day, hour, minute, second, zone_hour, zone_minute = (int(each or 0) for each in found.groups())
    if not 1 <= month <= 12 or not 1 <= day <= 31 or hour > 24 or minute > 59 or second > 59:
        return False
    if day > 28 or hour == 24 or zone_hour > 14 or zone_minute > 59:
        return None
    return True


_SIZE = lazy(r"[1-9][0-9]*+")
_OTHER_NOTATION = lazy(r"\s*+0*+([1-9][0-9]{0,4})(?:\s*+(?:px|x\1))?+\s*+")


def icon_size(text: str) -> Problem | None:
    """Checks a number of pixels above zero: `16`."""
    if _SIZE.fullmatch(text):
        return None
    written = _OTHER_NOTATION.fullmatch(text)
    return Problem("a size must be a whole number of pixels, such as `48`", written and written[1])


_GUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_GECKO = lazy(rf"\{{{_GUID}\}}|[a-zA-Z0-9._-]*+@[a-zA-Z0-9._-]++")
_BARE_GUID = lazy(rf"[{{(]?+({_GUID})[)}}]?+")
_FOREIGN = lazy(r"[^a-zA-Z0-9._@{}-]")
_CHROME = lazy(r"[a-pA-P]{32}")
_CHROME_LETTERS = lazy(r"[a-pA-P]*+")
CHROME_LENGTH = 32


def gecko_id(text: str) -> Problem | None:
    """Checks an id in the form of a mail address (`name@example.org`), or a GUID in braces."""
    if _GECKO.fullmatch(text):
        return None
    bare = text.strip()
    guid = _BARE_GUID.fullmatch(bare)
    corrected = f"{{{guid[1]}}}" if guid else bare
    return Problem(
        _gecko_id_reason(text, bare, guid is not None), corrected if _GECKO.fullmatch(corrected) else None
    )


def _gecko_id_reason(text: str, bare: str, is_guid: bool) -> str:
    if not bare:
        return "it is empty"
    if is_guid:
        return "a GUID must be in braces"
    if bare != text:
        return "it starts or ends with a space"
    foreign = _FOREIGN.search(text)
    if foreign:
        return f"an id cannot contain `{foreign[0]}`"
    return "it must look like `name@example.org`, or be a GUID in braces"


def chrome_id(text: str) -> Problem | None:
    """Checks an id of 32 letters from a to p, or `*` for every extension."""
    if text == "*" or _CHROME.fullmatch(text):
        return None
    bare = text.strip()
    message = f"an id is {CHROME_LENGTH} letters from `a` to `p`"
    letters = _CHROME_LETTERS.match(bare)
    if letters and letters.end() == len(bare):
        message += f", but this one has {len(bare)}"
    return Problem(message, bare if _CHROME.fullmatch(bare) else None)
