"""Folders that hold nothing but manifests: `manifests/chrome.json` beside `manifests/firefox.json`.

A build copies one of them to where the files are that it names. Those say which folder that is.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from posixpath import basename, dirname, join

from extlint.package.suffixes import CODE, SHOWN_IMAGES, has_suffix

_BESIDE = ("src", "public", "static", "app", "extension")
"""Folders that may have the files, in or around the one with the folder of manifests."""

_NAMED = (*CODE, ".css", *SHOWN_IMAGES)
_LISTS_OF_GLOBS = "web_accessible_resources"


def root_of(path: str, manifest: bytes, has: Callable[[str], bool]) -> str:
    """The folder that the paths in a manifest are relative to, which lies in a folder of manifests.

    That is the one that has most of the files which it names; if none has any, the one around the folder of
    manifests. It is empty or has a `/` at its end. `has` says whether there is a file at a path.
    """
    names = tuple(dict.fromkeys(_named_files(_plain(manifest))))
    own = dirname(path)
    candidates = (*_candidates(dirname(own)), join(own, ""))
    return max(candidates, key=lambda each: sum(has(each + name) for name in names))


def _candidates(around: str) -> Iterator[str]:
    yield join(around, "")
    yield from (join(around, each, "") for each in _BESIDE)
    if basename(around) in (*_BESIDE, "config", "configs"):
        yield join(dirname(around), "")
        yield from (join(dirname(around), each, "") for each in _BESIDE if each != basename(around))


def _plain(data: bytes) -> object:
    from extlint.json_text.reader import read_json
    from extlint.text.positions import decode

    root = read_json(decode(data)).root
    return None if root is None else root.plain


def _named_files(value: object) -> Iterator[str]:
    """The files of a package that a value of a manifest certainly names."""
    if isinstance(value, str):
        name = posixpath.normpath(value.partition("#")[0].partition("?")[0].lstrip("/"))
        if has_suffix(name, _NAMED) and "*" not in name and ":" not in name and not name.startswith("../"):
            yield name
    elif isinstance(value, list):
        for each in value:
            yield from _named_files(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key != _LISTS_OF_GLOBS:
                yield from _named_files(each)
