"""PNG images: their size, and whether they are damaged.

The positions of the fields are from the PNG specification (W3C).
"""

from __future__ import annotations

from zlib import crc32

from extlint.checks.images.model import Format, Image

MAX_CHUNKS = 20_000
"""The maximum number of chunks of an image that are examined."""

_HEADER_END = 33
_BEFORE_BODY = 8
_CHECKSUM = 4


def read_png(data: bytes) -> Image:
    """Returns the image in a file with the signature."""
    header = data[12:29]
    if not header.startswith(b"IHDR") or data[29:_HEADER_END] != _checksum(header):
        return Image(Format.PNG, problem="its header is damaged")
    if b"IDAT" not in data:
        return Image(Format.PNG, problem="it has no picture")
    width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))
    if not (width and height):
        return Image(Format.PNG, problem="its width or height is 0")
    return Image(Format.PNG, ((width, height),), damage=_damage(data))


def _damage(data: bytes) -> str | None:
    """Returns the problem of the chunks of the picture, or None.

    Chromium 156 does not show an icon with a wrong checksum there, or without the start of a chunk after
    them.
    """
    at, is_in_picture = _HEADER_END, False
    for _ in range(MAX_CHUNKS):
        body = at + _BEFORE_BODY
        if body > len(data):
            return "its end is missing" if is_in_picture else None
        end = body + int.from_bytes(data[at : at + 4])
        is_picture = data[at + 4 : body] == b"IDAT"
        if is_picture:
            if end + _CHECKSUM > len(data):
                return "its end is missing"
            if data[end : end + _CHECKSUM] != _checksum(memoryview(data)[at + 4 : end]):
                return "its picture does not have the stated checksum"
        elif is_in_picture:
            return None
        at, is_in_picture = end + _CHECKSUM, is_picture
    return None


def _checksum(chunk: bytes | memoryview) -> bytes:
    return crc32(chunk).to_bytes(4)
