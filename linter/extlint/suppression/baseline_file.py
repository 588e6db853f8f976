"""The file of a baseline: JSON with one entry on each line, so that a change shows what changed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import DecodeError, Struct, ValidationError, json

from extlint import __version__
from extlint.package.disk import read_file
from extlint.package.files import MANIFEST, Package, UnreadableError
from extlint.suppression.baseline import Entry

VERSION = 1
"""Counts up when older versions of extlint could not read a file."""


class Baseline(Struct, frozen=True):
    """What a file has: the entries of each extension, and the version of extlint that wrote them."""

    version: int
    extlint: str
    extensions: Mapping[str, tuple[Entry, ...]]


NO_BASELINE = Baseline(VERSION, __version__, {})


class _Head(Struct):
    version: int


def read_baseline(path: str, name: str) -> Baseline:
    """Reads a file that users call by `name`. Raises UnreadableError if it cannot be read or is none."""
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


def written(extensions: Mapping[str, tuple[Entry, ...]]) -> str:
    """The text of a file."""
    parts = [
        f"  {_dump(name)}: [\n" + ",\n".join(f"   {_dump(each)}" for each in entries) + "\n  ]"
        for name, entries in sorted(extensions.items())
        if entries
    ]
    listed = "{\n" + ",\n".join(parts) + "\n }" if parts else "{}"
    return f'{{\n "version": {VERSION},\n "extlint": {_dump(__version__)},\n "extensions": {listed}\n}}\n'


def _dump(value: object) -> str:
    return json.encode(value).decode()


def name_in(path: str, package: Package) -> str:
    """What the baseline at an absolute path calls an extension: its path from the file's folder."""
    place = os.path.abspath(package.name)
    if package.manifest_path != MANIFEST:
        place = os.path.join(place, package.manifest_path)
    try:
        found = os.path.relpath(place, Path(path).parent)
    except ValueError:  # on another drive
        found = place
    return Path(found).as_posix().encode("utf-8", "replace").decode()
