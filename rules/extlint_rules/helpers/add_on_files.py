"""The requirements of addons.mozilla.org for files: images, messages, names and sizes.

Verified with addons-linter 10.14, by which the store judges uploads.
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename

from extlint.checks.images import Format
from extlint.checks.locales.catalogs import PREDEFINED
from extlint.checks.manifest_values.named_images import named_images
from extlint.checks.stores.store import ADD_ONS
from extlint.extension import Extension
from extlint.package.left_out import Why
from extlint.package.suffixes import PARSED_IN_STORE, has_suffix, suffix_of
from extlint.project.contexts.json_files import JsonKind, has_locales, json_files
from extlint.schema.validation.mistake import Reaction
from extlint.text.positions import Span
from extlint.text.wording import quoted

_FORMATS = {
    ".gif": Format.GIF,
    ".jpeg": Format.JPEG,
    ".jpg": Format.JPEG,
    ".png": Format.PNG,
    ".svg": Format.SVG,
    ".webp": Format.WEBP,
}
_THEME = ("theme", "images")
_RESERVED = "mozilla-recommendation.json"
_SIGNATURE = "META-INF/manifest.mf"
MAX_BYTES_IN_STORE = 5 * 1024 * 1024


def image_problems(extension: Extension) -> Iterator[tuple[Span, str, Reaction]]:
    """Yields the images that the store refuses or warns of, by their names in the manifest."""
    for named in named_images(extension):
        expected = _FORMATS.get(suffix_of(named.path))
        if named.is_icon and expected is None:
            message = f"{ADD_ONS.name} expects the name of an icon to end like that of an image"
            yield named.span, message, Reaction.IGNORES
        if named.keys[:2] != _THEME or named.image is None:
            continue
        found = named.image.format
        if expected in (None, Format.WEBP) or found not in _FORMATS.values() or found is Format.WEBP:
            message = f"{ADD_ONS.name} accepts only PNG, JPEG, GIF and SVG images in a theme"
            yield named.span, message, Reaction.REJECTS
        elif expected is not found:
            message = f"{quoted(named.path)} is a {found.value} image: its name should end accordingly"
            yield named.span, message, Reaction.IGNORES


def message_problems(extension: Extension) -> Iterator[tuple[str, Span, str, Reaction]]:
    """Yields the messages whose names are like those of the messages that browsers define."""
    for file in json_files(extension) if has_locales(extension) else ():
        if file.kind is not JsonKind.MESSAGES or not isinstance(file.value, dict):
            continue
        for name in file.value:
            if name.startswith("@@") and name.lower() not in PREDEFINED:
                message = (
                    f"names that begin with `@@` are reserved for browsers; {ADD_ONS.name} warns of them"
                )
                yield file.path, file.span_at((name,), at_key=True), message, Reaction.IGNORES


def file_problems(extension: Extension) -> Iterator[tuple[str, Reaction]]:
    """Yields the files that the store refuses or warns of."""
    package = extension.package
    for path in package.paths:
        if basename(path) == _RESERVED:
            yield (
                f"{ADD_ONS.name} reserves the name of {quoted(path)}, and refuses the file",
                Reaction.REJECTS,
            )
        elif path == _SIGNATURE:
            message = f"{quoted(path)} is the signature of a package; {ADD_ONS.name} signs the add-on again"
            yield message, Reaction.IGNORES
        elif has_suffix(path, PARSED_IN_STORE) and package.size(path) >= MAX_BYTES_IN_STORE:
            message = f"{quoted(path)} has {package.size(path)} bytes; {ADD_ONS.name} refuses 5 MB and more"
            yield message, Reaction.REJECTS
    for each in package.left_out:
        if each.why is Why.REPEATED:
            message = f"the archive has several files with the name {quoted(each.path)}"
            yield f"{message}; {ADD_ONS.name} refuses it", Reaction.REJECTS
