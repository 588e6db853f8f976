"""Images by their first bytes, as tests use them: the header is right, and the picture is missing."""

from __future__ import annotations

from struct import pack
from zlib import crc32

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'


def png(width: int, height: int | None = None) -> bytes:
    header = pack(">IIBBBBB", width, height or width, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def chunk(kind: bytes, body: bytes) -> bytes:
    """A part of a PNG image."""
    return pack(">I", len(body)) + kind + body + pack(">I", crc32(kind + body))


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + pack("<HH", width, height) + b"\0\0\0;"


def jpeg(width: int, height: int, marker: int = 0xC0, before: bytes = b"") -> bytes:
    frame = pack(">BBHBHHB", 0xFF, marker, 11, 8, height, width, 1) + b"\x01\x11\0"
    return b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0" + before + frame + b"\xff\xd9"


def bmp(width: int, height: int) -> bytes:
    return b"BM" + pack("<IHHIIii", 54, 0, 0, 54, 40, width, height) + bytes(28)


def old_bmp(width: int, height: int) -> bytes:
    return b"BM" + pack("<IHHIIHH", 26, 0, 0, 26, 12, width, height) + bytes(4)


def ico(*sizes: int, kind: int = 1) -> bytes:
    entries = [pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, 0, 0) for size in sizes]
    return pack("<HHH", 0, kind, len(sizes)) + b"".join(entries)


def webp(kind: bytes, width: int, height: int) -> bytes:
    if kind == b"VP8X":
        body = bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    elif kind == b"VP8L":
        body = b"\x2f" + pack("<I", (width - 1) | (height - 1) << 14) + bytes(5)
    else:
        body = b"\0\0\0\x9d\x01\x2a" + pack("<HH", width, height)
    chunk = kind + pack("<I", len(body)) + body
    return b"RIFF" + pack("<I", 4 + len(chunk)) + b"WEBP" + chunk
