"""Finds content scripts and style sheets in an encoding with which Chromium refuses the extension.

Chromium 156: "Could not load file 'content.js' for content script. It isn't UTF-8 encoded." It refuses files
in UTF-16, and those with a code point that is not a character, such as U+FFFF. NUL and a byte order mark are
accepted, and so are other scripts in any encoding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.extension import Extension
from extlint.manifest.file_keys import file_references
from extlint.package.references import paths_of
from extlint.project.builds import is_build_source
from extlint.schema.engine import Engine
from extlint.schema.targets.request import browser_name
from extlint.text.positions import Span
from extlint.text.wording import quoted

_PLACE = re.compile(r"/content_scripts/\d+/(?:js|css)/\d+")
_NOT_CHARACTERS = re.compile(
    "[\ufdd0-\ufdef"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(17))
    + "]"
)


def encoding_problems(extension: Extension) -> Iterator[tuple[Span, str, str]]:
    """Yields the position of the name of each such file in the manifest, what is wrong with it, and a fix."""
    is_chromium = extension.target.engine is Engine.CHROMIUM and not extension.schemas.is_narrowed
    if not is_chromium or is_build_source(extension):
        return
    manifest, package = extension.manifest, extension.package
    browser = browser_name(extension.target.name)
    for name in file_references(manifest):
        path = next((each for each in paths_of(name.name) if each in package), None)
        if path is None or not _PLACE.fullmatch(name.pointer):
            continue
        found = _first_problem(package.read(path))
        if found is not None and path not in package.failed:
            what, help = found
            message = f"{quoted(path)} {what}, so {browser} does not load the extension"
            yield manifest.span(name.node.span), message, help


def _first_problem(data: bytes) -> tuple[str, str] | None:
    """Returns what Chromium refuses in the bytes of a file first, with its line, and how to avoid it."""
    if data.isascii():
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return f"is not UTF-8 in line {line}", "save the file as UTF-8"
    found = _NOT_CHARACTERS.search(text)
    if found is None:
        return None
    number = f"{ord(found[0]):04X}"
    line = text.count("\n", 0, found.start()) + 1
    return f"contains U+{number}, which is not a character, in line {line}", "write an escape in place of it"
