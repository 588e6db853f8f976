"""What image a file holds, if any."""

from __future__ import annotations

from extlint.images.model import Format, Image
from extlint.images.raster import read_raster
from extlint.images.svg import is_svg


def read_image(data: bytes) -> Image | None:
    """The image that a file holds, whatever its name says; None if no browser takes it for one.

    Never raises, and looks at no more than a bounded part of a file.
    """
    found = read_raster(data)
    if found is not None:
        return found
    answer = is_svg(data)
    return None if answer is False else Image(Format.SVG if answer else Format.OTHER)
