"""The identity of this extlint: a version does not use the results of another."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from extlint.analysis.cache.disk import DiskStore
from extlint.analysis.cache.values import digest_of

_OWN = ("extlint", "extlint_rules", "extlint_schemas")
_DEPENDENCIES = (
    "fastjsonschema",
    "jsonschema",
    "msgspec",
    "pathspec",
    "re2",
    "regress",
    "tree_sitter",
    "tree_sitter_javascript",
    "tree_sitter_typescript",
)
"""The packages that results depend on, in addition to Python itself."""

_GENERATED = frozenset({"__pycache__", ".cache"})


def engine_digest(folder: Path) -> bytes:
    """Returns a digest of extlint's files and the packages that it uses; stores these digests in a folder.

    A checkout changes without a new version, so the contents are compared. They are read again only if a file
    has a different size, time or path.
    """
    files = [each for name in _OWN for each in _files(name)]
    python = f"{sys.implementation.name} {sys.version} {sys.platform}".encode()
    files += [each for name in _DEPENDENCIES for each in _files(name, below=False)]
    shape = digest_of(python, *map(_file_stamp, files))
    store = DiskStore(folder, b"engine")
    found = store.get(shape)
    if found is None:
        found = digest_of(python, *map(_content, files))
        store.put(shape, found)
    return found


def _files(package: str, *, below: bool = True) -> Iterator[os.DirEntry[str]]:
    """Yields the files of an installed package in a stable order; without `below`, only those at its top."""
    spec = find_spec(package)
    waiting = [] if spec is None else sorted(spec.submodule_search_locations or ())
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for each in sorted(entries, key=lambda entry: entry.name):
                if each.is_file():
                    yield each
                elif below and each.name not in _GENERATED:
                    waiting.append(each.path)


def _file_stamp(file: os.DirEntry[str]) -> bytes:
    """Returns data that changes whenever a file changes."""
    found = file.stat()
    return f"{file.path} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}".encode("utf-8", "replace")


def _content(file: os.DirEntry[str]) -> bytes:
    data = Path(file.path).read_bytes()
    return digest_of(file.name.encode("utf-8", "replace"), data)
