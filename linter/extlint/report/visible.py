"""Text from packages, made safe to print.

A package may contain anything: terminal escapes, characters that change the direction of writing, bytes that
are not UTF-8. They are escaped before they reach the terminal.
"""

from __future__ import annotations

from functools import lru_cache


def visible(text: str) -> str:
    r"""Returns the text on one line, escaping any character that a terminal would act on or could not show.

    A control, format or separator character becomes `\x1b` or `\u202e`; a byte that is not UTF-8 becomes
    U+FFFD, as browsers decode it.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(visible_character(each) for each in text)


@lru_cache(maxsize=4096)
def visible_character(character: str) -> str:
    """Returns the printable form of one character."""
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
def display_width(text: str) -> int:
    """Returns the terminal columns of a printed text: wide characters have two, combining characters none."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(each) in ("Mn", "Me") else 2 if east_asian_width(each) in "WF" else 1 for each in text
    )
