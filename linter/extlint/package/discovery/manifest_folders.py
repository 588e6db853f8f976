"""Finds manifests in other folders than the files they name, and old copies of an extension.

Examples: `manifests/chrome.json`, `platform/chrome/manifest.json`. A build copies one of them to the folder
with those files. The named files determine that folder.

A folder named `backup` or `old` has one, or a manifest that stayed behind when its files moved.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from posixpath import basename, dirname, join

from msgspec import Struct

from extlint.package.discovery.variants import is_in_manifest_folder, is_in_variant_folder, is_variant
from extlint.package.disk import entries_in, is_file, is_folder, with_slashes
from extlint.package.files import MANIFEST, Package, bytes_of
from extlint.package.sniff import plain_json
from extlint.package.suffixes import CODE, PAGES, SHOWN_IMAGES, has_suffix
from extlint.package.surroundings import OUTPUT_FOLDERS, PACKAGE_JSON
from extlint.text.patterns import lazy

_SOURCE_FOLDERS = ("src", "public", "static", "app", "extension", "common", "shared")
"""Folders that may contain the files, in or around the folder that contains the folder of manifests."""

_MANIFEST_PARENTS = (
    "browsers",
    "config",
    "configs",
    "manifest",
    "manifests",
    "platform",
    "platforms",
    "targets",
)
"""Folders that may contain folders of manifests."""

_NAMED = (*CODE, ".css", *SHOWN_IMAGES)
_LISTS_OF_GLOBS = "web_accessible_resources"


def folders_on_disk(folder: str) -> Iterator[str]:
    """Yields the names of the folders in a folder on disk, if it can be listed."""
    with suppress(OSError):
        yield from (each.name for each in entries_in(folder or os.curdir) if each.is_dir())


def root_of(
    path: str,
    manifest: bytes,
    has: Callable[[str], bool] = is_file,
    folders_in: Callable[[str], Iterable[str]] = folders_on_disk,
) -> str:
    """Returns the folder that the paths in a manifest are relative to.

    For a manifest in a folder of manifests, it is the folder with most of the files that the manifest names;
    if no folder has any, the one around the folder of manifests. For any other manifest it is its own folder,
    unless that has none of the named scripts and pages and another folder has all of them, or one outside all
    of the pages, or a single folder in it has most of the named files. The result is empty or ends in `/`.
    `has` returns whether there is a file at a path, and `folders_in` the names of the folders in one.
    """
    names = tuple(dict.fromkeys(named_files(plain_json(manifest))))
    own = dirname(path)
    if is_in_manifest_folder(path):
        candidates = (*_candidates(dirname(own)), join(own, ""))
        return max(candidates, key=lambda each: sum(has(each + name) for name in names))
    code = [each for each in names if has_suffix(each, CODE)]
    if not code or any(has(join(own, each)) for each in code):
        return join(own, "")
    outside = [] if has(join(own, PACKAGE_JSON)) else [*_candidates(dirname(own))]
    other_folders = [*(join(own, each, "") for each in _SOURCE_FOLDERS), *outside]
    found = [each for each in other_folders if all(has(each + name) for name in code)]
    pages = [each for each in code if has_suffix(each, PAGES)]
    if not found and (len(pages) > 1 or any("/" in each for each in pages)):
        found = [each for each in outside if all(has(each + name) for name in pages)]
    if not found:
        inner = [join(own, each, "") for each in folders_in(own) if each not in OUTPUT_FOLDERS]
        counts = {each: sum(has(each + name) for name in names) for each in inner}
        most = max(counts.values(), default=0)
        found = [each for each in inner if counts[each] == most > len(names) / 2]
        found = found if len(found) == 1 else []
    return found[0] if found else join(own, "")


def code_named_in(manifest: bytes) -> Iterator[str]:
    """Yields the paths of the scripts and pages that a manifest certainly names.

    Those outside of its folder, which only some bundlers find, begin with `../`.
    """
    return (each for each in _named_files(plain_json(manifest)) if has_suffix(each, CODE))


def find_separate_manifests(folder: str) -> Iterator[str]:
    """Yields the manifests in folders for browsers, or in folders of manifests, below a folder on disk.

    Raises OSError if one cannot be listed.
    """
    for name in _names_in(folder):
        place = os.path.join(folder, name)
        manifest = os.path.join(place, MANIFEST)
        if _is_variant_manifest(manifest):
            yield manifest
        elif name in _MANIFEST_PARENTS and is_folder(place):
            inner = [os.path.join(place, each) for each in _names_in(place)]
            yield from (each for each in inner if is_variant(with_slashes(each)) and is_file(each))
            yield from filter(_is_variant_manifest, (os.path.join(each, MANIFEST) for each in inner))


def _names_in(folder: str) -> list[str]:
    return sorted(each.name for each in entries_in(folder))


def _is_variant_manifest(file: str) -> bool:
    """Whether a file exists and is the manifest of a folder for a browser."""
    return is_in_variant_folder(with_slashes(file)) and is_file(file)


def _candidates(around: str) -> Iterator[str]:
    yield join(around, "")
    yield from (join(around, each, "") for each in _SOURCE_FOLDERS)
    if basename(around) in (*_SOURCE_FOLDERS, *_MANIFEST_PARENTS):
        yield join(dirname(around), "")
        yield from (join(dirname(around), each, "") for each in _SOURCE_FOLDERS if each != basename(around))


def named_files(value: object) -> Iterator[str]:
    """Yields the files of a package that a manifest value certainly names."""
    return (each for each in _named_files(value) if not each.startswith("../"))


def _named_files(value: object) -> Iterator[str]:
    if isinstance(value, str):
        name = posixpath.normpath(value.partition("#")[0].partition("?")[0].lstrip("/"))
        if has_suffix(name, _NAMED) and "*" not in name and ":" not in name:
            yield name
    elif isinstance(value, list):
        for each in value:
            yield from _named_files(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key != _LISTS_OF_GLOBS:
                yield from _named_files(each)


_OLD = lazy(
    r"(?i)(?<![a-z])(?:archived?|backups?|bak|copy|deprecated|legacy|old|orig|original|outdated|previous)"
    r"(?![a-z])"
)
"""Words in the names of folders whose contents are not used any more."""

_VERSION = re.compile(r"\d+(?:\.\d+)*")
_MIN_NAME = 4
"""The letters and digits of a name that may be the start of another one."""


class _Manifest(Struct, frozen=True):
    """The keys that show whether two manifests are of one extension, and which of them is older."""

    name: str
    manifest_version: object
    is_for_firefox: bool
    version: tuple[int, ...] | None
    named: frozenset[str]


def old_copies(packages: Mapping[str, Package]) -> set[str]:
    """Returns the folders of those packages that are old copies of another one of them.

    A copy is for the browser of the other, and has its name, or a longer or shorter one. Either its folder
    says that it is old, or it has the same manifest version and a lower version, and files that its manifest
    names are missing, while the other, which is not the output of a build, has them.
    """
    manifests = {root: read for root, each in packages.items() if (read := _read(each)) is not None}
    return {
        root
        for root, manifest in manifests.items()
        if any(
            _are_alike(manifest, each) and _is_copy(packages, root, manifest, other, each)
            for other, each in manifests.items()
            if other != root
        )
    }


def _read(package: Package) -> _Manifest | None:
    manifest = plain_json(bytes_of(package.peek, package.manifest_path) or b"")
    if not isinstance(manifest, dict) or not isinstance(manifest.get("name"), str):
        return None
    is_for_firefox = not {"browser_specific_settings", "applications"}.isdisjoint(manifest)
    return _Manifest(
        "".join(filter(str.isalnum, manifest["name"].lower())),
        manifest.get("manifest_version"),
        is_for_firefox,
        _numbers(manifest.get("version")),
        frozenset(named_files(manifest)),
    )


def _numbers(version: object) -> tuple[int, ...] | None:
    if not isinstance(version, str) or _VERSION.fullmatch(version) is None:
        return None
    return tuple(map(int, version.split(".")))


def _are_alike(one: _Manifest, other: _Manifest) -> bool:
    short, long = sorted((one.name, other.name), key=len)
    is_same = short == long or (len(short) >= _MIN_NAME and long.startswith(short))
    return is_same and one.is_for_firefox == other.is_for_firefox


def _is_copy(
    packages: Mapping[str, Package], root: str, manifest: _Manifest, other: str, original: _Manifest
) -> bool:
    if _OLD.search(root) is not None and _OLD.search(other) is None:
        return True
    missing = {path for path in manifest.named if path not in packages[root]}
    if not missing or basename(other.rstrip("/")) in OUTPUT_FOLDERS or is_in_variant_folder(root + MANIFEST):
        return False
    is_of_same = manifest.manifest_version == original.manifest_version
    is_older = is_of_same and manifest.version is not None and manifest.version < (original.version or ())
    return is_older and all(path in packages[other] for path in missing)
