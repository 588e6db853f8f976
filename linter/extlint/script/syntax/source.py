"""From the bytes of a script file to the text that is analysed."""

from __future__ import annotations

from extlint.text.patterns import lazy

MAX_SCRIPT_BYTES = 32 * 1024 * 1024
"""Longer scripts are not parsed."""

_UTF8_MARK = b"\xef\xbb\xbf"
_CONTROL = lazy(rb"[\x00-\x08\x0e-\x19\x1b-\x1f\x7f]")


def is_text(text: bytes) -> bool:
    """Whether it can be a script at all: bytes that are not UTF-8 and hold control characters cannot."""
    try:
        text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return _CONTROL.search(text) is None
    return True


def parsable(text: bytes) -> bytes:
    """The same text, of the same length in bytes, without what the parser takes for the end of the file."""
    if text.startswith(_UTF8_MARK):
        text = b"   " + text[3:]
    return text.replace(b"\0", b" ")
