"""Detects the image in a file, if any, by its header.

The positions of the fields are from ITU T.81 for JPEG, the GIF89a specification, Microsoft's documentation of
BMP and ICO, and RFC 9649 for WebP.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from extlint.checks.images.model import Format, Image, Size
from extlint.text.patterns import lazy

MAX_SEGMENTS = 2000
"""The maximum number of JPEG segments that are skipped in search of the size."""

MAX_ICONS = 256
"""The maximum number of images in one ICO that are examined."""

_FILL = lazy(rb"\xff++")
_PNG = b"\x89PNG\r\n\x1a\n"
_FRAME_MARKERS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""The markers of JPEG segments that begin with the size."""

_STANDALONE_MARKERS = frozenset({0x01, *range(0xD0, 0xD9)})
"""The JPEG markers without a segment."""


def read_raster(data: bytes) -> Image | None:
    """Returns the image that the first bytes of a file indicate, or None if it does not consist of pixels.

    Also returns None for a GIF that begins without a size. Never raises; examines a bounded number of
    positions.
    """
    for mark, read in _READERS.items():
        if data.startswith(mark):
            return read(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _sized(Format.WEBP, _webp_size(data))
    return Image(Format.OTHER) if _is_other(data) else None


def _number(data: bytes, at: int, length: int, order: Literal["big", "little"] = "little") -> int:
    return int.from_bytes(data[at : at + length], order)


def _sized(kind: Format, size: Size | None) -> Image:
    return Image(kind, () if size is None or 0 in size else (size,))


def _png(data: bytes) -> Image:
    from extlint.checks.images.png import read_png

    return read_png(data)


def _gif(data: bytes) -> Image | None:
    if data[:6] not in (b"GIF87a", b"GIF89a") or len(data) < 10:
        return None
    return _sized(Format.GIF, (_number(data, 6, 2), _number(data, 8, 2)))


def _jpeg(data: bytes) -> Image:
    at = 2
    for _ in range(MAX_SEGMENTS):
        fill = _FILL.match(data, at)
        if fill is None or len(data) < fill.end() + 8:
            break
        at = fill.end() - 1
        marker = data[at + 1]
        if marker in _FRAME_MARKERS:
            return _sized(Format.JPEG, (_number(data, at + 7, 2, "big"), _number(data, at + 5, 2, "big")))
        at += 2 if marker in _STANDALONE_MARKERS else 2 + max(2, _number(data, at + 2, 2, "big"))
    return Image(Format.JPEG)


def _bmp(data: bytes) -> Image:
    if len(data) < 26:
        return Image(Format.BMP)
    if _number(data, 14, 4) == 12:
        return _sized(Format.BMP, (_number(data, 18, 2), _number(data, 20, 2)))
    width, height = (int.from_bytes(data[at : at + 4], "little", signed=True) for at in (18, 22))
    return _sized(Format.BMP, (abs(width), abs(height)))


def _ico(data: bytes) -> Image:
    count = min(_number(data, 4, 2) if len(data) >= 6 else 0, MAX_ICONS)
    sizes = []
    for at in range(6, 6 + 16 * count, 16):
        if at + 2 > len(data):
            break
        sizes.append((data[at] or 256, data[at + 1] or 256))
    return Image(Format.ICO, tuple(dict.fromkeys(sizes)))


def _webp_size(data: bytes) -> Size | None:
    chunk = data[12:16]
    if len(data) < 30:
        return None
    if chunk == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if chunk == b"VP8L" and data[20] == 0x2F:
        bits = _number(data, 21, 4)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if chunk == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        return _number(data, 26, 2) & 0x3FFF, _number(data, 28, 2) & 0x3FFF
    return None


def _is_other(data: bytes) -> bool:
    """Whether a file is AVIF, HEIF, JPEG XL, TIFF, JPEG 2000 or an X bitmap."""
    return (
        data[4:8] in (b"ftyp", b"JXL ", b"jP  ")
        or data.startswith((b"\xff\x0a", b"II*\0", b"MM\0*", b"\xff\x4f\xff\x51"))
        or (data.startswith((b"#define", b"/*")) and b"_width" in data[:1000])
    )


_READERS: dict[bytes, Callable[[bytes], Image | None]] = {
    _PNG: _png,
    b"\xff\xd8\xff": _jpeg,
    b"GIF8": _gif,
    b"BM": _bmp,
    b"\0\0\1\0": _ico,
    b"\0\0\2\0": _ico,
}


def read_image(data: bytes) -> Image | None:
    """Returns the image in a file, whatever its name, or None if no browser would show it as an image.

    Never raises. Runs in at most linear time.
    """
    found = read_raster(data)
    if found is not None:
        return found
    from extlint.checks.images.svg import is_svg

    answer = is_svg(data)
    if answer is None:
        return Image(Format.OTHER)
    from extlint.checks.images.svg import xml_problem

    return Image(Format.SVG, problem=xml_problem(data)) if answer else None
