"""Finds icons that do not have the size stated in the manifest.

## What it does

Compares the width and height of each pixel image with the size stated for it in `icons`, `default_icon` and
`theme_icons`. It reports an icon that is smaller, and one whose width and height differ visibly, by more than
4 %. A larger one is scaled down and not reported, unless the package has a file of the right size whose name
differs only in the number: then that one was meant. An SVG image has any size.

## Why is this bad

An icon that is too small is blurred when it is enlarged, and one that is not square is distorted.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "icons": {"48": "icon.png"}
}
```

An image of 16x16 pixels:

```base64 icon.png
iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "icons": {"48": "icon.png"}
}
```

An image of 48x48 pixels:

```base64 icon.png
iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAQAAAAB/ecQqAAAADUlEQVR42mNgGAXUBAABUAABNLg62QAAAABJRU5ErkJggg==
```

## References

* Chrome: <https://developer.chrome.com/docs/extensions/develop/ui/configure-icons>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.checks.images import Size, read_image
from extlint.checks.manifest_values.named_images import ImageProblem, NamedImage, image_findings
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.patterns import lazy
from extlint.text.wording import did_you_mean, quoted

RULE = RULES["wrong-image-size"]

_VISIBLE_DISTORTION = 0.04
"""The smallest part of the width or height whose loss is visible: less than a pixel of a 16-pixel icon."""

_NUMBER = lazy(r"\d+", re.ASCII)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each icon of a wrong size."""
    yield from image_findings(extension, RULE, _problem)


def _problem(extension: Extension, named: NamedImage) -> ImageProblem | None:
    message = _message(extension, named)
    return None if message is None else ImageProblem(message, message)


def _message(extension: Extension, named: NamedImage) -> str | None:
    image = named.image
    if image is None or not image.sizes or not named.is_icon or image.problem or image.damage:
        return None
    stated = named.stated_size
    width, height = largest = max(image.sizes)
    is_right = width == height and (stated is None or width == stated)
    other = None if stated is None or is_right else _path_with_stated_size(extension, named.path, stated)
    what = f"{quoted(named.path)} is {_size_text(largest)} pixels"
    if stated is not None and (other is not None or min(largest) < stated):
        return f"{what}, not {_size_text((stated, stated))}{did_you_mean(other)}"
    return f"{what}: an icon that is not square is distorted" if _is_distorted(largest) else None


def _is_distorted(size: Size) -> bool:
    """Whether an icon that is shown as a square looks distorted."""
    width, height = size
    return abs(width - height) > max(width, height) * _VISIBLE_DISTORTION


def _size_text(size: Size) -> str:
    return f"{size[0]}x{size[1]}"


def _path_with_stated_size(extension: Extension, path: str, stated: int) -> str | None:
    """Returns the path of the package's icon of the stated size, if only the number differs, or None."""
    folder, slash, name = path.rpartition("/")
    meant = f"{folder}{slash}{_NUMBER.sub(str(stated), name)}"
    if meant == path or meant not in extension.package:
        return None
    found = read_image(extension.package.read(meant))
    return meant if found is not None and (stated, stated) in found.sizes else None
