"""Detects the image in a file, if any: its format, its sizes, and its damage.

The positions of the fields are from the PNG specification (W3C), ITU T.81 for JPEG, the GIF89a specification,
Microsoft's documentation of BMP and ICO, and RFC 9649 for WebP.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import Literal, TypeAlias
from zlib import crc32

from msgspec import Struct

from extlint.text.patterns import lazy
from extlint.text.positions import decode

Size: TypeAlias = tuple[int, int]
"""Width and height in pixels."""


class Format(Enum):
    """The image formats that are distinguished, by their usual names.

    `OTHER` is a format that some program supports, and whose properties are unknown here.
    """

    PNG = "PNG"
    JPEG = "JPEG"
    GIF = "GIF"
    BMP = "BMP"
    ICO = "ICO"
    WEBP = "WebP"
    SVG = "SVG"
    OTHER = "other"


class Image(Struct, frozen=True):
    """An image: its format, and the sizes that it contains.

    An icon file (ICO) may contain several sizes. The sizes are empty for SVG, which has any size, and if the
    header does not state them. `problem` is a reason why browsers cannot show it, or None if none is known.
    `damage` is a reason why Chromium cannot show it as an icon, while pages show the intact part.
    """

    format: Format
    sizes: tuple[Size, ...] = ()
    problem: str | None = None
    damage: str | None = None


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


MAX_BYTES_TO_ROOT = 256 * 1024
"""The number of bytes in which the root element is searched."""

_BEFORE_ROOT = lazy(rb"\s++|<\?(?>.*?\?>)|<!--(?>.*?-->)|<!DOCTYPE(?:[^\[>]|\"[^\"]*\"|'[^']*')*+", re.DOTALL)
_END_OF_SUBSET = lazy(rb"\][ \t\r\n]*>")
_ROOT = lazy(rb"<(?:([A-Za-z_][\w.-]*):)?svg(?=[\s/>])((?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>")
_NAMESPACE = lazy(rb"(?<![\w:.-])xmlns(?::([A-Za-z_][\w.-]*))?\s*=\s*(?:\"\s*([^\"]*)|'\s*([^']*))")
MAX_SVG_BYTES = 4 * 1024 * 1024
"""The maximum number of bytes in a text that is parsed."""

_UNKNOWN_ENCODINGS = (18, 19)
_SVG = b"http://www.w3.org/2000/svg"


def is_svg(data: bytes) -> bool | None:
    """Whether the root element of a text is an SVG image, or None if uncertain.

    Browsers only show an image in the SVG namespace. Never raises; runs in linear time.
    """
    text = decode(data[:MAX_BYTES_TO_ROOT]).removeprefix(b"\xef\xbb\xbf")
    at = 0
    while found := _BEFORE_ROOT.match(text, at):
        at = found.end()
        if found[0].startswith(b"<!DOCTYPE"):
            if text[at : at + 1] == b"[":
                end = _END_OF_SUBSET.search(text, at)
                if end is None:
                    return None
                at = end.end()
            elif text[at : at + 1] == b">":
                at += 1
            else:
                return None
    root = _ROOT.match(text, at)
    if root is None:
        return None if text[at:].startswith(b"<") and b"svg" in text[at:].lower() else False
    for space in _NAMESPACE.finditer(root[2]):
        if space[1] == root[1]:
            value = (space[2] if space[2] is not None else space[3]).strip()
            return value == _SVG or value.startswith(b"&")
    return False


def xml_problem(data: bytes) -> str | None:
    """Returns the syntax error of an XML text with its line, or None if no error is known.

    Firefox parses with expat too, and does not show an image that expat rejects. Entities are not followed.
    """
    if len(data) > MAX_SVG_BYTES or b"<!ENTITY" in data:
        return None
    from xml.parsers.expat import ErrorString, ExpatError, ParserCreate

    try:
        ParserCreate(namespace_separator=" ").Parse(data, True)
    except ExpatError as error:
        if error.code in _UNKNOWN_ENCODINGS:
            return None
        return f"{ErrorString(error.code)} on line {error.lineno}"
    except (LookupError, ValueError):  # an encoding that Firefox may know
        return None
    return None


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
    _PNG: read_png,
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
    answer = is_svg(data)
    if answer is None:
        return Image(Format.OTHER)
    return Image(Format.SVG, problem=xml_problem(data)) if answer else None
