"""Text from packages, made safe to print.

A package may hold anything: terminal escapes, characters that turn the direction of writing, bytes
that are not UTF-8. None of them reaches the terminal as it is.
"""

from __future__ import annotations

from functools import lru_cache


def visible(text: str) -> str:
    r"""The text on one line, with whatever a terminal would act on or could not show written out.

    A control, format or separator character becomes `\x1b` or `\u202e`; a byte that is not
    UTF-8 becomes U+FFFD, as browsers decode it.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(shown(each) for each in text)


@lru_cache(maxsize=4096)
def shown(character: str) -> str:
    """One character as it is printed."""
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return "\ufffd"
    if code < 0x20 or 0x7F <= code < 0xA0:
        return f"\\x{code:02x}"
    if code < 0x7F:
        return character
    from unicodedata import category

    if category(character) in ("Cf", "Cs", "Zl", "Zp"):
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character


@lru_cache(maxsize=4096)
def cells(text: str) -> int:
    """How many columns of a terminal a printed text takes: wide characters two, combining none."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(each) in ("Mn", "Me") else 2 if east_asian_width(each) in "WF" else 1 for each in text
    )
