"""Old copies of an extension: other packages of a repository with the same name that no user installs.

A folder named `backup` or `old` has one, or a manifest that stayed behind when its files moved.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import basename

from msgspec import Struct

from extlint.package.discovery.manifest_folders import named_files
from extlint.package.discovery.variants import is_in_variant_folder
from extlint.package.files import MANIFEST, Package, UnreadableError
from extlint.package.sniff import plain_json
from extlint.package.surroundings import OUTPUT_FOLDERS
from extlint.text.patterns import lazy

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
    try:
        manifest = plain_json(package.peek(package.manifest_path))
    except UnreadableError:
        return None
    if not isinstance(manifest, dict) or not isinstance(manifest.get("name"), str):
        return None
    is_for_firefox = not {"browser_specific_settings", "applications"}.isdisjoint(manifest)
    version = manifest.get("version")
    numbers = version.split(".") if isinstance(version, str) and _VERSION.fullmatch(version) else None
    return _Manifest(
        "".join(filter(str.isalnum, manifest["name"].lower())),
        manifest.get("manifest_version"),
        is_for_firefox,
        None if numbers is None else tuple(map(int, numbers)),
        frozenset(named_files(manifest)),
    )


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
