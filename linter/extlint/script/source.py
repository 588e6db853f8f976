"""From the bytes of a script file to the text that is analysed."""

from __future__ import annotations

import re

_UTF16_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_UTF8_MARK = b"\xef\xbb\xbf"
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x19\x1b-\x1f\x7f]")


def decode(data: bytes) -> bytes:
    """The text as UTF-8 bytes: a file in UTF-16 with a byte order mark is transcoded, any other is kept.

    Every byte offset in a script's facts counts in this text.
    """
    encoding = _UTF16_MARKS.get(data[:2])
    if encoding is None:
        return data
    return data[2:].decode(encoding, "replace").encode("utf-8", "surrogatepass")


def is_text(text: bytes) -> bool:
    """Whether it can be a script at all: bytes that are not UTF-8 and hold control characters cannot."""
    try:
        text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return _CONTROL.search(text) is None
    return True


def parsable(text: bytes) -> bytes:
    """The same text, byte for byte as long, without what the parser takes for the end of the file."""
    if text.startswith(_UTF8_MARK):
        text = b"   " + text[3:]
    return text.replace(b"\0", b" ")
