"""Variants of an extension: manifests for several browsers or manifest versions, next to each other.

A folder has `manifest.chrome.json` and `manifest.firefox.json`, or `manifest-v2.json` next to
`manifest.json`, or there is a folder of manifests, `manifests/chrome.json`. A build packs one of them, with
the same files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from posixpath import basename, dirname

from extlint.package.files import MANIFEST, Package, UnreadableError, WrappedPackage
from extlint.package.sniff import foreign_manifest, has_manifest_version
from extlint.text.patterns import lazy

BROWSERS = frozenset(
    {
        *("brave", "chrome", "chromium", "edge", "ff", "ffx", "firefox", "gecko", "opera", "safari", "tb"),
        *("thunderbird", "vivaldi"),
    }
)
"""Words for browsers in the names of manifests, and of other files and folders of builds."""

VERSIONS = frozenset({"mv2", "mv3", "v2", "v3"})
"""Words for manifest versions."""

MAX_VARIANTS = 10
"""Variants of one extension that are checked."""

_COMMON = frozenset({"base", "common", "shared", "template"})
_PUBLISHED = frozenset({"mv2", "mv3", "prod", "production", "release", "v2", "v3"})
_UNPUBLISHED = frozenset(
    {
        *(
            "backup",
            "bak",
            "copy",
            "debug",
            "dev",
            "develop",
            "development",
            "example",
            "local",
            "old",
            "orig",
        ),
        *("original", "sample", "test", "testing"),
    }
)
"""Words in the names of manifests that users do not install."""

_FOLDERS = frozenset({"manifest", "manifests"})
"""Names of folders that contain only manifests."""

_NAME = lazy(
    r"manifest[._-](?P<before>.+)\.json|(?P<after>.+)[._-]manifest\.json|manifest(?P<version>m?v[23])\.json",
    needs=("manifest",),
)
_SEPARATORS = lazy(r"[-_.+@\s]+")


def is_manifest_folder(name: str) -> bool:
    """Whether a folder is one of manifests, by its name."""
    return name.lower() in _FOLDERS


def is_in_manifest_folder(path: str) -> bool:
    """Whether a file is in a folder of manifests."""
    return is_manifest_folder(basename(dirname(path)))


def is_variant(path: str) -> bool:
    """Whether a file is named as the manifest for a browser or a version: `manifest.firefox.json`.

    A variant for developers does not count, as users do not install it.
    """
    return _is_target_name(variant_name(path))


def is_in_variant_folder(path: str) -> bool:
    """Whether a file is the manifest of a folder for a browser or a version: `chrome/manifest.json`."""
    folder, _, file = path.rpartition("/")
    return file == MANIFEST and _is_target_name(basename(folder).lower())


def _is_target_name(name: str) -> bool:
    """Whether a lower-case name consists of browsers and versions, without words for developer builds."""
    targets = BROWSERS | VERSIONS
    if not any(each in name for each in targets):
        return False
    words = {each for each in _SEPARATORS.split(name) if each}
    return words <= (BROWSERS | _PUBLISHED) and not words.isdisjoint(targets)


def is_common_manifest(path: str) -> bool:
    """Whether a build merges a file with each of the other manifests.

    Example: `manifest.common.json`.
    """
    return variant_name(path) in _COMMON or (path.endswith(f"/{MANIFEST}") and is_in_manifest_folder(path))


def variant_name(path: str) -> str:
    """Returns the part of a manifest's name other than `manifest`, or an empty string.

    Example: `firefox` for `manifest.firefox.json`.
    """
    if path[-5:].lower() != ".json":
        return ""
    file = basename(path).lower()
    name = None if file == MANIFEST else _NAME.fullmatch(file)
    if name is not None:
        return name["before"] or name["after"] or name["version"]
    return file.removesuffix(".json") if is_in_manifest_folder(path) else ""


def is_published(path: str) -> bool:
    """Whether the name of a manifest has none of the words for those that users do not install."""
    return _UNPUBLISHED.isdisjoint(_SEPARATORS.split(variant_name(path)))


def is_complete_manifest(data: bytes) -> bool:
    """Whether a text is a complete manifest, and not a part that a build merges into another."""
    return b'"name"' in data and has_manifest_version(data)


def other_manifests(package: Package) -> Iterator[str]:
    """Yields the complete manifests next to that of a package whose names are not those of variants.

    Example: `manifest-app.json`. Parts of manifests and manifests for developers do not count.
    """
    for path in package.paths:
        is_known = "/" in path or is_variant(path) or path in package.variants
        name = "" if is_known else variant_name(path)
        if not name or name in _COMMON or not is_published(path):
            continue
        with suppress(UnreadableError):
            data = b"" if path == package.manifest_path else package.peek(path)
            if is_complete_manifest(data) and foreign_manifest(data) is None:
                yield path


def each_variant(package: Package) -> Iterator[Package]:
    """Yields a package with each of its manifests, or itself if it has only one."""
    if not package.variants:
        yield package
        return
    for manifest in (package.manifest_path, *package.variants):
        yield VariantPackage(package, manifest)


class VariantPackage(WrappedPackage):
    """The same files as another package, with a different manifest."""

    def __init__(self, package: Package, manifest_path: str, variants: Sequence[str] = ()) -> None:
        super().__init__(package, manifest_path, variants)
