"""Finds what a browser refuses or ignores when it loads a manifest that its schemas accept.

Verified in Firefox 153 and Chromium 156.

Chromium 156: "Could not load file 'content.js' for content script. It isn't UTF-8 encoded." It refuses files
in UTF-16, and those with a code point that is not a character, such as U+FFFF. NUL and a byte order mark are
accepted, and so are other scripts in any encoding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from extlint.extension import Extension
from extlint.manifest.file_keys import file_references
from extlint.package.references import paths_of
from extlint.package.suffixes import (
    COMPILED_SOURCES,
    CONTENT_SCRIPTS,
    SCRIPTS_OF_SOME_SYSTEMS,
    STYLES,
    suffix_of,
)
from extlint.project.builds import is_build_source
from extlint.schema.engine import Engine
from extlint.schema.targets import (
    CHROME,
    FIREFOX,
    FIREFOX_ANDROID,
    Version,
    browser_name,
    engine_of,
    first_with_manifest,
    newest_release,
    version_of,
    version_text,
)
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.text.patterns import lazy
from extlint.text.positions import Span
from extlint.text.wording import quoted

Value: TypeAlias = Mapping[str, Any]

_SUFFIXES_OF_SCRIPTS = ("", *CONTENT_SCRIPTS, *SCRIPTS_OF_SOME_SYSTEMS, *COMPILED_SOURCES)

MAX_NAME_IN_FIREFOX = 75
_VERSION = lazy(r"(?:0|[1-9][0-9]*+)(?:\.[0-9]++){0,3}+")
_LEADING_ZEROS = lazy(r"(?<=\.)0+(?=[0-9])")
_REQUIRED_DATA = ("browser_specific_settings", "gecko", "data_collection_permissions")
_REQUESTS = (
    ("optional_permissions", "permissions"),
    ("optional_host_permissions", "host_permissions"),
)
_ALL_HOSTS = ("<all_urls>", "*://*/*")
_ALL_HOSTS_INCLUDE = ("*://", "http://", "https://")

_MINIMA: Mapping[Engine, Sequence[tuple[str, Steps]]] = {
    Engine.CHROMIUM: ((CHROME, ("minimum_chrome_version",)),),
    Engine.GECKO: (
        (FIREFOX, ("browser_specific_settings", "gecko", "strict_min_version")),
        (FIREFOX_ANDROID, ("browser_specific_settings", "gecko_android", "strict_min_version")),
    ),
}


def load_messages(value: Value, browser: str, version: int) -> Iterator[Mistake]:
    """Yields what a browser refuses, ignores or warns about."""
    yield from _content_scripts(value, browser)
    engine = engine_of(browser)
    if engine is not None:
        for reader, steps in _MINIMA.get(engine, ()):
            yield from _minimum(value, steps, reader, version)
    if engine is Engine.CHROMIUM:
        yield from _redundant_requests(value, browser_name(browser))
        yield from _leading_zeros(value, browser_name(browser))
    if engine is Engine.GECKO:
        yield from _long_name(value, browser_name(browser))
        yield from _undeclared_data(value)


def _content_scripts(value: Value, browser: str) -> Iterator[Mistake]:
    """Yields each file of another kind: in both browsers, no script of its list runs."""
    entries = value.get("content_scripts")
    for at, entry in enumerate(entries if isinstance(entries, list) else ()):
        for key, names in entry.items() if isinstance(entry, dict) else ():
            for place, name in enumerate(names if isinstance(names, list) and key in ("css", "js") else ()):
                suffix = suffix_of(name.partition("?")[0].partition("#")[0]) if isinstance(name, str) else ""
                steps = ("content_scripts", at, key, place)
                if key == "js" and suffix not in _SUFFIXES_OF_SCRIPTS:
                    message = f"{quoted(name)} is not a script, so that no file of the list runs"
                    help = f"the name of a content script ends in {quoted(CONTENT_SCRIPTS[0])}"
                    yield Mistake("invalid-value", steps, message, help=help, reaction=Reaction.REJECTS)
                elif key == "css" and suffix not in ("", *STYLES) and engine_of(browser) is Engine.CHROMIUM:
                    message = f"{quoted(name)} is not a style sheet: {browser_name(browser)} does not load it"
                    help = "the name of a style sheet ends in `.css`"
                    yield Mistake("invalid-value", steps, message, help=help, reaction=Reaction.IGNORES)


def _redundant_requests(value: Value, browser: str) -> Iterator[Mistake]:
    for optional, required in _REQUESTS:
        optional_names, required_names = (
            names if isinstance(names := value.get(key), list) else [] for key in (optional, required)
        )
        for at, name in enumerate(optional_names):
            is_host = isinstance(name, str) and name.startswith(_ALL_HOSTS_INCLUDE)
            wider = [name, *_ALL_HOSTS] if is_host else [name]
            outer = next((each for each in wider if isinstance(each, str) and each in required_names), None)
            if outer is None:
                continue
            message = f"{quoted(outer)} is already in {quoted(required)}"
            yield Mistake(
                "conflicting-keys",
                (optional, at),
                f"{message}: {browser} ignores the optional {quoted(name)}",
                related_steps=(required, required_names.index(outer)),
                reaction=Reaction.IGNORES,
                general=message,
            )


def _long_name(value: Value, browser: str) -> Iterator[Mistake]:
    name = value.get("name")
    if isinstance(name, str) and len(name) > MAX_NAME_IN_FIREFOX and "__MSG_" not in name:
        message = (
            f"`name` has {len(name)} characters, and {browser} warns about more than {MAX_NAME_IN_FIREFOX}"
        )
        yield Mistake("invalid-value", ("name",), message, reaction=Reaction.IGNORES)


def _leading_zeros(value: Value, browser: str) -> Iterator[Mistake]:
    """Yields a version that Chromium changes with a warning. It refuses one whose first number has a zero."""
    written = value.get("version")
    if not isinstance(written, str) or _VERSION.fullmatch(written) is None:
        return
    read = _LEADING_ZEROS.sub("", written)
    if read != written:
        message = f"{browser} reads `version` as {quoted(read)}, and warns about the leading zero"
        yield Mistake("invalid-value", ("version",), message, suggestion=read, reaction=Reaction.IGNORES)


def _undeclared_data(value: Value) -> Iterator[Mistake]:
    """Yields an object without `required`, which Firefox accepts, and its store refuses."""
    found: Any = value
    for step in _REQUIRED_DATA:
        found = found.get(step) if isinstance(found, dict) else None
    if isinstance(found, dict) and "required" not in found:
        message = (
            "`data_collection_permissions` is missing `required`: it does not say which data is collected"
        )
        help = (
            'if the extension sends nothing, write "required": ["none"]; addons.mozilla.org requires the key'
        )
        yield Mistake(
            "missing-key",
            _REQUIRED_DATA,
            message,
            help=help,
            missing=("required",),
            reaction=Reaction.IGNORES,
        )


_FUTURE_VERSIONS = 50
"""The number of versions after the newest known one that may exist at the time of a check: four years."""


def _minimum(value: Value, steps: Steps, browser: str, version: int) -> Iterator[Mistake]:
    """Yields the mistake of an oldest version that does not load the manifest, or that does not exist yet."""
    found: Any = value
    for step in steps:
        found = found.get(step) if isinstance(found, dict) else None
    stated: Version | None = version_of(found) if isinstance(found, str) else None
    if stated is None:
        return
    name = browser_name(browser)
    first = first_with_manifest(browser, version)
    newest = newest_release(browser)
    if newest is not None and stated[0] > newest + _FUTURE_VERSIONS:
        message = f"{name} {version_text(stated)} does not exist yet: the newest known version is {newest}"
        yield Mistake("invalid-value", steps, message, reaction=Reaction.REJECTS)
    elif version > 2 and first is not None and stated < first:
        message = f"{name} {version_text(stated)} does not load Manifest V{version}"
        help = f"the first version that loads it is {version_text(first)}"
        yield Mistake("invalid-value", steps, message, help=help, reaction=Reaction.IGNORES)


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
