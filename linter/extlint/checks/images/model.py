"""The known properties of an image."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from msgspec import Struct

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
