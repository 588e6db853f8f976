"""Detects targets in the names that builds give to folders, manifests and archives for one browser."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, split

from msgspec import Struct

from extlint.package.discovery.variants import VERSIONS, is_complete_manifest, is_variant
from extlint.package.files import MANIFEST, Package, bytes_of
from extlint.package.surroundings import OUTPUT_FOLDERS
from extlint.schema.targets import CHROME, EDGE, FIREFOX, FIREFOX_ANDROID, SAFARI
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

THUNDERBIRD = "thunderbird"
"""Thunderbird, among the targets that names mean although it is not a target."""

_BROWSERS = {
    "brave": CHROME,
    "chrome": CHROME,
    "chromium": CHROME,
    "edge": EDGE,
    "ff": FIREFOX,
    "ffx": FIREFOX,
    "firefox": FIREFOX,
    "gecko": FIREFOX,
    "opera": CHROME,
    "safari": SAFARI,
    "tb": THUNDERBIRD,
    "thunderbird": THUNDERBIRD,
    "vivaldi": CHROME,
}
_RELATIVES = frozenset({"brave", "opera", "vivaldi"})
"""Browsers with Chrome's API that remove Manifest V2 by schedules of their own."""

_ANDROID = "android"

_BUILD_WORDS = frozenset(
    {
        *("android", "archive", "beta", "bundle", "canary", "debug", "dev", "development", "manifest", "mv2"),
        *("mv3", "nightly", "pack", "packed", "packages", "prod", "production", "staging", "unpacked", "v2"),
        *("v3", "zip", *(word for name in OUTPUT_FOLDERS for word in name.strip("._").split("_"))),
    }
)
"""Words that builds combine with the name of a browser."""

_NEUTRAL_WORDS = frozenset(
    {
        *("addon", "addons", "app", "browser", "browsers", "ext", "extension", "extensions", "platform"),
        *("platforms", "plugin", "public", "source", "src", "static", "target", "targets", "webext"),
        *("webextension", "webextensions"),
    }
)
"""Words that do not indicate a build: a browser's name next to them only describes the purpose of the
folder.
"""

_SEPARATORS = lazy(r"[-_.+@\s]+")
_FORMATS = {".xpi": (FIREFOX, "an add-on of Firefox"), ".crx": (CHROME, "an extension of Chrome")}


class NamedTargets(Struct, frozen=True):
    """The targets that a name means, with a clause that gives the reason.

    `is_build_output` is true for a typical name of a build output for that browser, or if a sibling folder is
    named for another browser. `is_archive_format` is true if the targets follow from the format of an
    archive. `is_relative` is true if Chrome only stands for a relative, such as Opera.
    """

    targets: tuple[str, ...]
    reason: str
    is_build_output: bool
    is_archive_format: bool = False
    is_relative: bool = False


def targets_in_names(package: Package) -> NamedTargets | None:
    """Returns the targets in the names of a package's manifest, archive, folder, and enclosing folders."""
    return _from_manifest_name(package) or _from_archive_name(package) or _from_folder_names(package)


def targets_of_manifest(package: Package) -> tuple[str, ...]:
    """Returns the targets in the name of a package's manifest.

    Returns an empty tuple if it does not name browsers.
    """
    named = _from_manifest_name(package)
    return () if named is None else named.targets


def targets_of_sibling_manifests(package: Package) -> frozenset[str]:
    """Returns the targets in the names of the complete manifests next to a package's `manifest.json`."""
    return frozenset(each for targets in _sibling_targets(package) for each in targets)


def all_siblings_are_for_firefox(package: Package) -> bool:
    """Whether other complete manifests are next to a package's `manifest.json`, all named for Firefox."""
    named = [*_sibling_targets(package)]
    return bool(named) and all({*each} <= {FIREFOX, FIREFOX_ANDROID} and each for each in named)


def _sibling_targets(package: Package) -> Iterator[tuple[str, ...]]:
    """Yields the targets in the name of each complete manifest next to a package's `manifest.json`."""
    if package.manifest_path == MANIFEST:
        for path in package.paths:
            if "/" not in path and is_variant(path) and _is_complete(package, path):
                yield _targets(_words(path.removesuffix(".json")))


def has_other_manifest(package: Package) -> bool:
    """Whether another complete manifest is next to a package's manifest, for another browser or version."""
    return any(
        "/" not in path
        and path != package.manifest_path
        and (path == MANIFEST or is_variant(path))
        and _is_complete(package, path)
        for path in package.paths
    )


def _is_complete(package: Package, path: str) -> bool:
    data = bytes_of(package.peek, path)
    return data is not None and is_complete_manifest(data)


def name_of_manifest(path: str) -> str:
    """Returns the distinguishing name of a manifest: `chrome.json`, or `chrome/manifest.json`."""
    folder, name = split(path)
    return f"{basename(folder)}/{name}" if name == MANIFEST and folder else name


def is_variant_folder(folder: str) -> bool:
    """Whether a folder is named for a browser or for a manifest version: `chrome-mv3`, `firefox`, `v2`."""
    words = _words(folder)
    return _are_all_known(words) and any(each in _BROWSERS or each in VERSIONS for each in words)


def _from_manifest_name(package: Package) -> NamedTargets | None:
    name = name_of_manifest(package.manifest_path)
    words = _words(name.removesuffix(f"/{MANIFEST}").removesuffix(".json"))
    targets = _targets(words)
    if name == MANIFEST or not targets or not _are_all_known(words):
        return None
    return _named(words, f"the manifest is named {quoted(name)}", is_build_output=True)


def _from_archive_name(package: Package) -> NamedTargets | None:
    """Returns the targets of an archive's format, or the browser that ends its name, ignoring versions."""
    if not package.packed:
        return None
    name = basename(package.name)
    stem, _, suffix = name.rpartition(".")
    words = _words(stem)
    while words and words[-1] not in _BROWSERS and _are_all_known(words[-1:]):
        words.pop()
    targets = _targets(words[-1:])
    if f".{suffix.lower()}" in _FORMATS and THUNDERBIRD not in targets:
        target, what = _FORMATS[f".{suffix.lower()}"]
        return NamedTargets((target,), f"{quoted(name)} is {what}", True, is_archive_format=True)
    reason = f"the archive is named {quoted(name)}"
    return _named(words[-1:], reason, is_build_output=True) if targets else None


def _from_folder_names(package: Package) -> NamedTargets | None:
    """Returns the targets of the nearest folder named for a browser, if all below it have common names."""
    is_result = False
    for folder, above, outer in _folders(package):
        words = _words(folder)
        targets = _targets(words)
        by_build = not _BUILD_WORDS.isdisjoint(words)
        if not words or not _are_all_known(words):
            return None
        if targets:
            is_result = (
                is_result or by_build or above in OUTPUT_FOLDERS or _has_counterpart(package, outer, targets)
            )
            reason = f"the folder is named {quoted(folder)}"
            return _named(words, reason, is_build_output=is_result)
        is_result = is_result or by_build
    return None


def _has_counterpart(package: Package, outer: str | None, targets: tuple[str, ...]) -> bool:
    """Whether a folder of the project contains one that is named for browsers other than these targets."""
    if package.around is None or package.packed or outer is None:
        return False
    folder_words = (_words(name) for name in package.around.folders(outer))
    named = (_targets(words) for words in folder_words if _are_all_known(words))
    return any(found and not {*found}.intersection(targets) for found in named)


def _folders(package: Package) -> Iterator[tuple[str, str, str | None]]:
    """Yields the folders from the package's own outward, as far as they are known.

    Each comes with the name of its parent folder, and the parent's path in the project, or None outside of
    it.
    """
    parts = _parts(package.name)
    around = _parts(package.around.folder) if package.around is not None else []
    if package.packed:
        parts = parts[:-1]
    elif len(around) > len(parts):
        parts = around
    outside = len(parts) - len(around)
    for at in range(len(parts) - 1, -1, -1):
        inner = "/".join(parts[outside:at]) if at >= outside else None
        yield parts[at], parts[at - 1] if at else "", inner


def _parts(path: str) -> list[str]:
    return [each for each in path.split("/") if each not in ("", ".")]


def _words(name: str) -> list[str]:
    return [each for each in _SEPARATORS.split(name.lower()) if each]


def _are_all_known(words: list[str]) -> bool:
    return all(
        each in _BROWSERS
        or each in _BUILD_WORDS
        or each in _NEUTRAL_WORDS
        or each.removeprefix("v").isdecimal()
        for each in words
    )


def _targets(words: list[str]) -> tuple[str, ...]:
    """Returns the targets that words name; Firefox for Android if they include it."""
    found = dict.fromkeys(_BROWSERS[each] for each in words if each in _BROWSERS)
    if tuple(found) == (FIREFOX,) and _ANDROID in words:
        return (FIREFOX_ANDROID,)
    return tuple(found)


def _named(words: list[str], reason: str, *, is_build_output: bool) -> NamedTargets:
    with_its_api = {each for each in words if _BROWSERS.get(each) == CHROME}
    is_relative = bool(with_its_api) and with_its_api <= _RELATIVES
    return NamedTargets(_targets(words), reason, is_build_output, is_relative=is_relative)
