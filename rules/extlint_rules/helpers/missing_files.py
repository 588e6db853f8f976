"""The files that are named but not there, and that no build can be thought to make."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from extlint.extension import Extension, NamedFile, once_per_extension
from extlint.package.suffixes import BUILT_FROM, suffix_of
from extlint.project.builds import is_built_from, submodules
from extlint.project.ignored_files import ignored_files

_COPIED = ("public", "static")
MAX_NAMES = 20_000
"""So many names of files in one extension are looked up."""

MAX_COMPARISONS = 200_000
"""Paths that missing names are compared with in one extension; for the others nothing near is looked for."""


class MissingFile(Struct, frozen=True):
    """A name of a file that the package lacks.

    `other_case` is the file that differs in letter case alone, and `meant` the one that is near the
    name in another way, None where there is none. `is_misspelled` is true if that is a matter of letters.
    """

    named: NamedFile
    other_case: str | None = None
    meant: str | None = None
    is_misspelled: bool = False


@once_per_extension
def missing_files(extension: Extension) -> tuple[MissingFile, ...]:
    """The names of files that the package lacks, in order, but for those that may be made or fetched.

    Those are files of other repositories (submodules of Git, packages of npm), files that Git ignores, and
    files whose source lies beside where they belong. In a folder that something is built from they are all
    that are no misspelled names of files that are there.
    """
    found = list(_missing(extension))
    if found and is_built_from(extension):
        found = [each for each in found if each.is_misspelled and not _is_copied(extension, each.named.path)]
    found = [
        each for each in found if each.is_misspelled or not ignored_files(extension).has(each.named.path)
    ]
    at_place: dict[object, MissingFile] = {}
    for each in found:
        at_place.setdefault((each.named.source, each.named.span), each)
    return tuple(at_place.values())


def _named(extension: Extension) -> Iterator[NamedFile]:
    yield from extension.named_files
    if extension.manifest.get("declarative_net_request") is not None:
        from extlint.request_rules.redirects import lost_redirects

        yield from lost_redirects(extension)


def _missing(extension: Extension) -> Iterator[MissingFile]:
    package = extension.package
    left = MAX_COMPARISONS
    for named in islice(_named(extension), MAX_NAMES):
        path = named.path
        if (
            path in package
            or package.leads_out(path)
            or path.startswith(submodules(extension))
            or _is_made(extension, path)
        ):
            continue
        other = package.other_case(path)
        if other is not None or left < len(package.paths):
            yield MissingFile(named, other, None, other is not None)
            continue
        from extlint.package.nearest_path import misspelled_path, other_format

        left -= len(package.paths)
        misspelled = misspelled_path(path, package.paths)
        meant = misspelled or other_format(path, package.paths)
        yield MissingFile(named, None, meant, misspelled is not None)


def _is_copied(extension: Extension, path: str) -> bool:
    """Whether a folder has the file from which bundlers copy all, without the folder's name."""
    return any(f"{folder}/{path}" in extension.package for folder in _COPIED)


def _is_made(extension: Extension, path: str) -> bool:
    """Whether npm fetches a file, or the source that it is built from lies beside where it belongs."""
    if extension.package.packed:
        return False
    suffix = suffix_of(path)
    stem = path[: len(path) - len(suffix)]
    return "node_modules" in path.split("/") or any(
        stem + each in extension.package for each in BUILT_FROM.get(suffix, ())
    )
