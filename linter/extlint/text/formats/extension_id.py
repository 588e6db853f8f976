"""Ids of extensions."""

from __future__ import annotations

from extlint.text.formats.problem import Problem
from extlint.text.patterns import lazy

_GUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_GECKO = lazy(rf"\{{{_GUID}\}}|[a-zA-Z0-9._-]*+@[a-zA-Z0-9._-]++")
_BARE_GUID = lazy(rf"[{{(]?+({_GUID})[)}}]?+")
_FOREIGN = lazy(r"[^a-zA-Z0-9._@{}-]")
_CHROME = lazy(r"[a-pA-P]{32}")
_CHROME_LETTERS = lazy(r"[a-pA-P]*+")
CHROME_LENGTH = 32


def gecko(text: str) -> Problem | None:
    """Checks an id in the form of a mail address (`name@example.org`), or a GUID in braces."""
    if _GECKO.fullmatch(text):
        return None
    bare = text.strip()
    guid = _BARE_GUID.fullmatch(bare)
    corrected = f"{{{guid[1]}}}" if guid else bare
    return Problem(
        _gecko_reason(text, bare, guid is not None), corrected if _GECKO.fullmatch(corrected) else None
    )


def _gecko_reason(text: str, bare: str, is_guid: bool) -> str:
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


def chrome(text: str) -> Problem | None:
    """Checks an id of 32 letters from a to p, or `*` for every extension."""
    if text == "*" or _CHROME.fullmatch(text):
        return None
    bare = text.strip()
    message = f"an id is {CHROME_LENGTH} letters from `a` to `p`"
    letters = _CHROME_LETTERS.match(bare)
    if letters and letters.end() == len(bare):
        message += f", but this one has {len(bare)}"
    return Problem(message, bare if _CHROME.fullmatch(bare) else None)
