"""Finds missing files: those that are named but do not exist, and that no build may generate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from posixpath import basename
from typing import TYPE_CHECKING

from msgspec import Struct

from extlint.analysis.facts.script_facts import LoadKind
from extlint.extension import Extension, NamedFile
from extlint.manifest.file_keys import file_references
from extlint.package.references import paths_of
from extlint.package.suffixes import IMPLIED, is_page
from extlint.package.surroundings import COPIED_FOLDERS
from extlint.project.builds import is_build_source
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import TextIndex, decode, encode_name

if TYPE_CHECKING:
    from extlint.checks.calls.file_names import FileNameInCall
    from extlint.package.nearest_path import NearPaths

_LOADING = frozenset({LoadKind.IMPORT_SCRIPTS, LoadKind.WORKER, LoadKind.WORKLET})
_NAMING = frozenset(
    {
        *("create", "createDocument", "execute", "executeScript", "insertCSS", "register"),
        *("registerContentScripts", "removeCSS", "setIcon", "setOptions", "setPanel", "setPopup", "update"),
        "updateContentScripts",
    }
)
"""The functions whose calls may contain names of files."""

_LOADING_WORDS = (b"fetch", b".open", b"src", b"href")
"""Words in code that loads files by their names, without the API: each load has one."""

_IS_ICON = lazy(rb"<link\b[^>]*\brel\s*=\s*[\"']?(?:shortcut\s+)?icon\b", re.IGNORECASE)
_POPUP = "/default_popup"

MAX_COMPARISONS = 200_000
"""The maximum number of path comparisons for the names in one file.

No paths similar to further ones are searched for.
"""


class MissingFile(Struct, frozen=True):
    """A name of a file that does not exist.

    `other_case` is a file whose path differs only in letter case, and `suggestion` one whose path is similar
    in another way; both are optional. `is_misspelled` is true if letters differ, not the format.
    """

    named: NamedFile
    other_case: str | None = None
    suggestion: str | None = None
    is_misspelled: bool = False


@query
def missing_files(extension: Extension) -> tuple[MissingFile, ...]:
    """The names of missing files, in order, without those that may be generated or fetched.

    Excluded are files of other repositories (Git submodules, npm packages), files that Git ignores, files
    whose source is in the same folder, and those of a folder that exists as an archive. In the source folder
    of a build, also one below the extension's, all names except misspellings of existing files are excluded,
    and those that the configuration of a bundler gives its output. The icon of a popup is never loaded.
    If a part of the package could not be listed, the result is empty.
    """
    if not extension.package.complete:
        return ()
    found = [*_missing_paths(extension), *_missing_in_styles(extension)]
    if found and is_build_source(extension):
        found = [each for each in found if not _is_written(extension, each.named.path)]
    found = [each for each in found if each.is_misspelled or not _may_be_generated(extension, each.named)]
    if found:
        found = [each for each in found if not _is_icon_of_popup(extension, each.named)]
    at_place: dict[object, MissingFile] = {}
    for each in found:
        at_place.setdefault((each.named.source, each.named.span), each)
    return tuple(at_place.values())


def _named_files(extension: Extension) -> Iterator[NamedFile]:
    yield from extension.named_files
    if extension.manifest.get("declarative_net_request") is not None:
        from extlint.checks.rulesets import missing_redirect_targets

        yield from missing_redirect_targets(extension)
    yield from (each.named for each in names_in_scripts(extension) if each.elsewhere is None)
    if any(word in script.index.text for script in extension.scripts for word in _LOADING_WORDS):
        from extlint.checks.calls.file_names import missing_named_files

        yield from (each.named for each in missing_named_files(extension))
    if any(load.kind is LoadKind.IMPORT for script in extension.scripts for load in script.facts.loads):
        from extlint.checks.availability.wrong_imports import missing_imports

        yield from missing_imports(extension)


def names_in_scripts(extension: Extension) -> Sequence[FileNameInCall]:
    """Returns the names in scripts without a file at the location where a browser looks for it."""
    for script in extension.scripts:
        facts = script.facts
        if (
            facts.loaded_addresses
            or any(each.path[-1] in _NAMING for each in facts.calls)
            or any(each.kind in _LOADING for each in facts.loads)
        ):
            from extlint.checks.calls.file_names import names_in_calls

            return names_in_calls(extension)
    return ()


def _missing_paths(extension: Extension) -> Iterator[MissingFile]:
    package = extension.package
    comparisons: Counter[str] = Counter()
    for named in _named_files(extension):
        path = named.path
        if path in package or package.leads_out(path) or _has_known_origin(extension, path):
            continue
        other = package.other_case(path)
        if other is not None:
            yield MissingFile(named, other, None, is_misspelled=True)
            continue
        comparisons[named.source] += len(package.paths)
        if comparisons[named.source] > MAX_COMPARISONS:
            if is_build_source(extension):
                what = "names of files are compared with others until that takes too long"
                package.unchecked.add(named.source, what)
            yield MissingFile(named)
            continue
        yield MissingFile(named, None, *_meant_file(extension, path))


@query(is_of_package=True)
def _meant_file(extension: Extension, path: str) -> tuple[str | None, bool]:
    """Returns the existing file that a path may be meant for, and whether letters of the path differ.

    In the source of a build, one whose name has another part may be the source: `g_a.js` of `a.js`.
    """
    from extlint.package.nearest_path import adds_part

    near = _near_paths(extension)
    misspelled = near.find_misspelled(path)
    implied = (f"{path}{inner}{each}" for inner in ("", "/index") for each in IMPLIED)
    meant = (
        misspelled
        or next((each for each in implied if each in extension.package), None)
        or near.find_other_format(path)
        or near.find_in_other_folder(path)
    )
    is_source = misspelled is not None and is_build_source(extension) and adds_part(path, misspelled)
    return meant, misspelled is not None and not is_source


@query(is_of_package=True)
def _near_paths(extension: Extension) -> NearPaths:
    from extlint.package.nearest_path import NearPaths

    return NearPaths([path for path in extension.package.paths if not path.startswith("../")])


def _missing_in_styles(extension: Extension) -> Iterator[MissingFile]:
    """Yields the names in style sheets, which are read only if a page loads one."""
    if not any(each.path.endswith(".css") for each in extension.named_files):
        return
    from extlint.checks.style_sheets import misplaced_names

    for each in misplaced_names(extension):
        other = extension.package.other_case(each.named.path)
        if not _has_known_origin(extension, each.named.path):
            yield MissingFile(each.named, other, None if other else each.intended_file, other is not None)


def _is_written(extension: Extension, path: str) -> bool:
    """Whether a bundler writes a file, or copies it from a folder without the folder's name."""
    from extlint.project.contexts.build_entries import build_entries_of

    is_copied = any(f"{folder}/{path}" in extension.package for folder in COPIED_FOLDERS)
    return is_copied or build_entries_of(extension.package).is_output(path)


def _may_be_generated(extension: Extension, named: NamedFile) -> bool:
    from extlint.project.supplied_files import may_be_generated

    return may_be_generated(extension, named.path, named.source)


def _has_known_origin(extension: Extension, path: str) -> bool:
    from extlint.project.supplied_files import has_known_origin

    return has_known_origin(extension, path)


def _is_icon_of_popup(extension: Extension, named: NamedFile) -> bool:
    """Whether a page names its icon, and only the manifest names the page, as a popup.

    Chromium 156 and Firefox 153 load the icon of a page in a tab, and not that of a popup.
    """
    page = named.source
    if not is_page(page) or not _is_only_popup(extension, page):
        return False
    index = TextIndex(decode(extension.package.read(page)))
    start = index.text.rfind(b"<", 0, index.offset(named.span.start))
    return _IS_ICON.match(index.text[start : index.text.find(b">", start) + 1]) is not None


def _is_only_popup(extension: Extension, page: str) -> bool:
    references = [each for each in file_references(extension.manifest) if page in paths_of(each.name)]
    name = encode_name(basename(page))
    return (
        bool(references)
        and all(each.pointer.endswith(_POPUP) for each in references)
        and not any(name in text for path, (text, _) in words_of(extension).texts.items() if path != page)
    )
