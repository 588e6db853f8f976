"""Finds icons and other images that the browser cannot show.

## What it does

Checks each image that the manifest names: icons, icons of buttons, and images of themes. It reports a file
that is not an image according to its first bytes, a PNG image without a header that is whole or without a
picture, an SVG image that is not XML or whose name does not end in `.svg`, and, under the target of a
browser, an icon that this browser does not show. Chrome does not show SVG and WebP images as icons, nor a
damaged PNG image: one whose end is missing, or whose picture does not have the stated checksum. It ignores
an icon whose name does not end like that of an image. Pixels are not checked, and neither are Git LFS
pointers in a checkout. In the source folder of a build, an image is correct if the project has a correct
one of the same name elsewhere, or draws images.

SVG images that a service worker passes to `action.setIcon`, `notifications.create` or `notifications.update`
are reported for Chrome.

## Why is this bad

The browser shows a placeholder instead of the icon. Chrome refuses to load an extension with an empty icon.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "icons": {"48": "icon.png"}
}
```

```html icon.png
<!doctype html>
<title>Not found</title>
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "icons": {"48": "icon.svg"}
}
```

```svg icon.svg
<svg xmlns="http://www.w3.org/2000/svg"><circle cx="8" cy="8" r="8"/></svg>
```

## References

* Chrome: <https://developer.chrome.com/docs/extensions/reference/manifest/icons>
* What Firefox 153 and Chromium 156 showed of images of each kind under names of each kind, and of damaged
  ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.images import Format
from extlint.checks.manifest_values.named_images import ImageProblem, NamedImage, image_findings
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.package.suffixes import CHROME_IMAGES, SVG_IMAGES, has_suffix, suffix_of
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import browser_name
from extlint.text.wording import quoted, with_article

RULE = RULES["invalid-image"]

_CALLS = frozenset({("action", "setIcon"), ("notifications", "create"), ("notifications", "update")})
"""The functions that show images which the page or worker decodes."""

_FORMATS = {f".{each.value.lower()}": each for each in Format if each is not Format.OTHER}
_FORMATS[".jpg"] = Format.JPEG


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each image that cannot be shown."""
    yield from image_findings(extension, RULE, _problem)
    calls = (each for script in extension.scripts for each in script.facts.calls)
    if extension.target.engine is not Engine.CHROMIUM or not any(each.path in _CALLS for each in calls):
        return
    from extlint.checks.calls.file_names import vector_images

    for script, image in vector_images(extension, _CALLS):
        yield RULE.at(
            *script.place(image.span),
            f"{browser_name(extension.target.name)} does not show {quoted(image.name)}: "
            "a service worker cannot decode SVG images",
            help="use a PNG image",
        )


def _problem(extension: Extension, named: NamedImage) -> ImageProblem | None:
    general = f"{quoted(named.path)} cannot be shown"
    message = _general_problem(extension, named)
    if message is not None:
        return ImageProblem(message, general)
    why = _icon_problem(extension, named)
    if why is None:
        return None
    browser = browser_name(extension.target.name)
    return ImageProblem(f"{browser} does not show {quoted(named.path)}: {why}", general, why)


def _general_problem(extension: Extension, named: NamedImage) -> str | None:
    image, path = named.image, named.path
    if image is None:
        return _not_an_image(extension, named)
    is_misnamed = image.format is Format.SVG and not has_suffix(path, SVG_IMAGES)
    if is_misnamed and not _is_chromium_icon(extension, named):
        return f"{quoted(path)} is an SVG image; its name must end in {quoted('.svg')}"
    if image.problem is not None:
        return f"{quoted(path)} is broken, and no browser shows it: {image.problem}"
    return None


def _icon_problem(extension: Extension, named: NamedImage) -> str | None:
    """Returns the reason why a browser based on Chromium does not show an icon that others show, or None."""
    image = named.image
    if image is None or not _is_chromium_icon(extension, named):
        return None
    if image.format in (Format.SVG, Format.WEBP):
        return f"it does not accept {image.format.value} images as icons"
    if not has_suffix(named.path, CHROME_IMAGES):
        return "its name does not have the extension of an image"
    return None if image.damage is None else f"the file is damaged: {image.damage}"


def _not_an_image(extension: Extension, named: NamedImage) -> str | None:
    """Returns a description of a file that is not an image, or None if a build may turn it into one."""
    if not named.first_bytes:
        return f"the image {quoted(named.path)} is empty"
    if named.is_pointer:
        around = extension.package.around
        if around is not None and around.has(".gitattributes"):
            return None
        return f"{quoted(named.path)} is not an image, but a Git LFS pointer to one"
    kind = _FORMATS.get(suffix_of(named.path))
    what = f"{kind.value} image" if kind else "image"
    return f"{quoted(named.path)} is not {with_article(what)}"


def _is_chromium_icon(extension: Extension, named: NamedImage) -> bool:
    """Whether an image is an icon that a browser based on Chromium reads in this manifest."""
    if extension.target.engine is not Engine.CHROMIUM:
        return False
    current = ("action",) if extension.manifest_version == 3 else ("browser_action", "page_action")
    return named.keys[0] in ("icons", *current) and "icon_variants" not in named.keys
