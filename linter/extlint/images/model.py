"""What is known of an image."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from msgspec import Struct

Size: TypeAlias = tuple[int, int]
"""Width and height in pixels."""


class Format(Enum):
    """The formats that are told apart, by the names that people know them by.

    `OTHER` is one that some program reads, of which nothing else is known here.
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
    """An image: its format, and the sizes that it comes in.

    An icon file (ICO) may hold several sizes. There is none for SVG, which has any size, and where the
    header does not tell. `problem` says what keeps browsers from showing it, None if nothing is known to.
    `damage` says what keeps Chromium from showing it as an icon, while pages show what is left of it.
    """

    format: Format
    sizes: tuple[Size, ...] = ()
    problem: str | None = None
    damage: str | None = None
