"""Converts the bytes of a script file to the text that is analyzed."""

from __future__ import annotations

from codecs import utf_8_decode

from extlint.text.patterns import lazy
from extlint.text.positions import decode

MAX_SCRIPT_BYTES = 32 * 1024 * 1024
"""The size in bytes above which scripts are not parsed."""

_DECODED_BYTES = 64 * 1024
_UTF8_MARK = b"\xef\xbb\xbf"
_CONTROL = lazy(rb"[\x00-\x08\x0e-\x19\x1b-\x1f\x7f]")


def source_of(data: bytes) -> bytes:
    """Returns the text of a script file in UTF-8.

    A byte order mark is blanked so that it does not join the first word.
    """
    return _without_mark(decode(data))


def is_text(text: bytes) -> bool:
    """Whether the text can be a script: bytes that are not UTF-8 and contain control characters cannot."""
    return is_utf8(text) or _CONTROL.search(text) is None


def is_utf8(text: bytes) -> bool:
    """Whether a text is UTF-8, allowing unpaired surrogates. It is never decoded all at once."""
    rest = memoryview(text)
    while rest:
        piece = rest[:_DECODED_BYTES]
        try:
            _, used = utf_8_decode(piece, "surrogatepass", len(piece) == len(rest))
        except UnicodeDecodeError:
            return False
        rest = rest[used:]
    return True


def parsable(text: bytes) -> bytes:
    """Returns the text, of the same length in bytes, without bytes that the parser treats as end of file."""
    return _without_mark(text).replace(b"\0", b" ")


def _without_mark(text: bytes) -> bytes:
    return b"   " + text[3:] if text.startswith(_UTF8_MARK) else text
