"""Files that a build, npm or Git adds to a package if they are missing, or replaces if they exist.

Every rule about the files of a package asks here, so that the same file is excused for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import islice
from posixpath import basename

from extlint.extension import Extension
from extlint.package.files import MANIFEST, Package, UnreadableError, bytes_of
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import ARCHIVES, BUILT_FROM, JAVASCRIPT, has_suffix, suffix_of
from extlint.package.surroundings import COPIED_FOLDERS, OUTPUT_FOLDERS
from extlint.project.build_tools import FETCHED
from extlint.project.builds import is_build_source, is_in_built_project, submodules
from extlint.project.contexts.words import words_of
from extlint.project.copied_files import is_written
from extlint.project.output_folders import ignored_files
from extlint.project.resolution.project_files import compiled_sources, folders_above, joined
from extlint.project.tools import project_programs
from extlint.queries.query import query
from extlint.text.patterns import lazy

MAX_REPLACEMENTS = 20
"""Files with the name of another one that are read."""

MAX_FOLDERS = 50
"""Folders of one folder of the project in which files are searched for."""

MAX_ARCHIVES = 5
"""Archives next to the manifest whose names are read."""

MAX_DIRECTORY_BYTES = 1_000_000
"""The maximum bytes of an archive's directory that are read."""

_SOURCE_FOLDERS = COPIED_FOLDERS | {"app", "assets", "source", "src"}
_FILE_NAME = lazy(rb"[\"'`]([a-zA-Z0-9@_./-]{0,200}\.[a-zA-Z0-9]{1,10})[\"'`?#]")
_MAKES_IMAGES = lazy(
    rb"(?i)\b(?:cairosvg|createCanvas|imagemagick|inkscape|jimp|magick|resvg|rsvg|sharp|svg2png|svgexport)\b"
    rb"|\b(?:from|import) PIL\b|\bconvert\b[^\n]*\.(?:png|svg)\b"
)


@query
def may_be_generated(extension: Extension, path: str, source: str = "") -> bool:
    """Whether a build or command may write a missing file, or Git ignores it.

    `source` is the file that names it.
    """
    return (
        is_build_source(extension)
        or ignored_files(extension).has(path)
        or is_in_built_project(extension, source)
        or is_written(extension, path)
    )


@query(is_of_package=True)
def names_in_code(extension: Extension) -> frozenset[str]:
    """Returns the paths of files that strings in scripts and pages may name, existing and missing ones."""
    return frozenset(
        path
        for source, (text, _) in words_of(extension).texts.items()
        for name in _FILE_NAME.findall(text)
        for folder in {"", folder_of(source)}
        for path in paths_of(name.decode(), folder)
    )


@query
def has_known_origin(extension: Extension, path: str) -> bool:
    """Whether a tool fetches a missing file, its source is next to it, or its folder is an archive."""
    package = extension.package
    if package.packed:
        return False
    suffix = suffix_of(path)
    stem = path[: len(path) - len(suffix)]
    return (
        not FETCHED.isdisjoint(path.split("/"))
        or path.startswith(submodules(extension))
        or any(stem + each in package for each in BUILT_FROM.get(suffix, ()))
        or (has_suffix(path, JAVASCRIPT) and _is_compiled(package, path))
        or any(_is_archived(extension, folder) for folder in folders_above(path)[1:-1])
        or path in _archived_files(extension)
    )


def _is_compiled(package: Package, path: str) -> bool:
    """Whether TypeScript makes a missing script."""
    return any(True for _ in compiled_sources(package, path))


@query(is_of_package=True)
def _archived_files(extension: Extension) -> frozenset[str]:
    """Returns the files of the finished packages next to the manifest, if most of them are only there."""
    package, found = extension.package, frozenset[str]()
    archives = [each for each in package.paths if "/" not in each and has_suffix(each, ARCHIVES)]
    if not archives:
        return found
    from extlint.package.discovery.zip_directory import DamagedError, zip_records

    for path in archives[:MAX_ARCHIVES]:
        with suppress(DamagedError, UnreadableError):
            records = zip_records(BytesIO(package.peek(path)), MAX_DIRECTORY_BYTES)
            names = frozenset(each.name for each in records if each is not None and each.name[-1:] != "/")
            if MANIFEST in names and len(names.intersection(package.paths)) * 2 <= len(names):
                found |= names
    return found


def _is_archived(extension: Extension, folder: str) -> bool:
    """Whether an archive exists in place of a folder."""
    package = extension.package
    return f"{folder}.zip" in package and not any(each.startswith(f"{folder}/") for each in package.paths)


def replacements_of(extension: Extension, path: str) -> Iterator[bytes]:
    """Yields the contents of the other files of a project that its build may give browsers under a name.

    They have the same path in another folder, or the same name in a folder of sources: a copy in
    `src/assets` may replace that in `assets`.
    """
    package, around, name = extension.package, extension.package.around, basename(path)
    if not is_build_source(extension) or around is None:
        return
    inner = (
        each
        for each in package.paths
        if each.endswith(f"/{path}")
        or (basename(each) == name and each != path and each.split("/")[0] in _SOURCE_FOLDERS)
    )
    for each in islice(inner, MAX_REPLACEMENTS):
        data = bytes_of(package.peek, each)
        if data is not None:
            yield data
    outer = (
        joined(folder, f"{other}/{end}")
        for folder in folders_above(around.folder.rstrip("/"))[1:]
        for other in around.folders(folder)
        for end in dict.fromkeys((path, name))
    )
    own = around.folder
    found = (each for each in outer if each is not None and not each.startswith(own) and around.has(each))
    for each in islice(found, MAX_REPLACEMENTS):
        data = bytes_of(around.read, each)
        if data is not None:
            yield data


@query(is_kept=True)
def build_makes_images(extension: Extension) -> bool:
    """Whether a program of the build's project draws or converts images, such as icons of several sizes."""
    return is_build_source(extension) and any(
        _MAKES_IMAGES.search(each.text) for each in project_programs(extension)
    )


def folder_with_files(extension: Extension, paths: Sequence[str]) -> str | None:
    """Returns another folder of the project that has most of the files of an extension, or None.

    A build copies the manifest there: the files are not built. Output and other extensions do not count.
    """
    around = extension.package.around
    if around is None or not around.folder or not paths:
        return None
    for above in folders_above(around.folder.rstrip("/"))[1:]:
        for folder in islice(around.folders(above), MAX_FOLDERS):
            place = joined(above, folder) or folder
            if folder in OUTPUT_FOLDERS or around.has(f"{place}/{MANIFEST}"):
                continue
            has = sum(around.has(f"{place}/{path}") for path in paths[:MAX_REPLACEMENTS])
            if has * 2 > len(paths[:MAX_REPLACEMENTS]) and not around.folder.startswith(f"{place}/"):
                return place
    return None
