"""Detects the image in a file, if any."""

from __future__ import annotations

from extlint.images.model import Format, Image
from extlint.images.raster import read_raster


def read_image(data: bytes) -> Image | None:
    """Returns the image in a file, whatever its name, or None if no browser would show it as an image.

    Never raises. Runs in at most linear time.
    """
    found = read_raster(data)
    if found is not None:
        return found
    from extlint.images.svg import is_svg

    answer = is_svg(data)
    if answer is None:
        return Image(Format.OTHER)
    from extlint.images.svg import xml_problem

    return Image(Format.SVG, problem=xml_problem(data)) if answer else None
