"""Reads and writes baseline files: JSON with one entry per line, for readable diffs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import DecodeError, Struct, ValidationError, json

from extlint import __version__
from extlint.linting.suppression.baseline import Entry
from extlint.package.disk import read_file
from extlint.package.files import MANIFEST, Package, UnreadableError

VERSION = 1
"""The format version; it increases when older versions of extlint cannot read a file."""


class Baseline(Struct, frozen=True):
    """A baseline file's content: each extension's entries, and the version of extlint that wrote them."""

    version: int
    extlint: str
    extensions: Mapping[str, tuple[Entry, ...]]


NO_BASELINE = Baseline(VERSION, __version__, {})


class _Head(Struct):
    version: int


def read_baseline(path: str, name: str) -> Baseline:
    """Reads a file that messages call `name`.

    Raises UnreadableError if it cannot be read or is not a baseline.
    """
    data = read_file(path, name).removeprefix(b"\xef\xbb\xbf")
    try:
        version = json.decode(data, type=_Head).version
        if version == VERSION:
            return json.decode(data, type=Baseline)
    except ValidationError as error:
        why = f"{str(error)[:1].lower()}{str(error)[1:]}"
    except (DecodeError, RecursionError, UnicodeDecodeError) as error:
        why = str(error)
    else:
        why = f"it has version {version}, and this extlint reads version {VERSION}"
    raise UnreadableError(f"{name} is not a baseline: {why}")


def format_baseline(extensions: Mapping[str, tuple[Entry, ...]]) -> str:
    """Returns the text of a baseline file."""
    parts = [
        f"  {_dump(name)}: [\n" + ",\n".join(f"   {_dump(each)}" for each in entries) + "\n  ]"
        for name, entries in sorted(extensions.items())
        if entries
    ]
    listed = "{\n" + ",\n".join(parts) + "\n }" if parts else "{}"
    return f'{{\n "version": {VERSION},\n "extlint": {_dump(__version__)},\n "extensions": {listed}\n}}\n'


def _dump(value: object) -> str:
    return json.encode(value).decode()


def extension_name(path: str, package: Package) -> str:
    """Returns an extension's name in the baseline at an absolute path: relative to the file's folder."""
    place = os.path.abspath(package.name)
    if package.manifest_path != MANIFEST:
        place = os.path.join(place, package.manifest_path)
    try:
        found = os.path.relpath(place, Path(path).parent)
    except ValueError:  # on another drive
        found = place
    return Path(found).as_posix().encode("utf-8", "replace").decode()
