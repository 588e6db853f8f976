"""Decides for each file whether it is in the package that users install, and whether anything there reads it.

There must be evidence that this is not so. Either nothing that runs loads the file, and no other code,
manifest or program of the build has its name. Or the build copies files one by one: its configuration copies
the manifest by itself, and no program names the file, or a folder or pattern that contains it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from posixpath import basename, dirname

from extlint.checks.reachability.possible_loads import manifest_texts, may_run, texts_at, unnamed_files
from extlint.checks.reachability.unused_scripts import has_only_named_loads, is_unused_script
from extlint.extension import Extension, Script
from extlint.package.files import MANIFEST
from extlint.package.sniff import names_manifest_version
from extlint.package.suffixes import is_page
from extlint.package.surroundings import COPIED_FOLDERS
from extlint.project.build_tools import is_build_file, is_test_path
from extlint.project.builds import (
    build_reads_manifest,
    dependencies_of,
    is_build_source,
    is_only_input,
)
from extlint.project.contexts.build_entries import build_entries_of
from extlint.project.contexts.words import words_of
from extlint.project.entry_points import (
    building_programs,
    misses_entry_points,
    missing_entry_points,
    texts_of,
    with_wildcards,
)
from extlint.project.resolution.bundler_entries import name_of_source
from extlint.project.resolution.project_files import ProjectFiles, folders_above
from extlint.project.tools import code_of, uses_node
from extlint.queries.query import query
from extlint.text.patterns import isolated_word, lazy
from extlint.text.positions import encode_name

_SOURCES = "src"
"""The folder to which frameworks restrict the entry points if it is there."""

MAX_DATA_FILES = 500
"""JSON files of one package that are searched for the names of folders."""

_PLACEHOLDER = lazy(r"\$\{[^}]*\}")
_LEFT_OUT = lazy(r"\bchromeManifest\s*\([^;]*?\bexclude\s*:\s*\[([^\]]*)\]")
_STRING = lazy(r"[\"'`]([^\"'`]+)[\"'`]")
_OF_TOOLS = frozenset({"package-lock.json", "package.json", "tsconfig.json"})

_COPYING_TOOLS = frozenset({"@vue/cli-service", "astro", "next", "parcel", "react-scripts", "vite"})
"""Tools that copy the folder `public` or `static` by default."""

_MAY_COPY = lazy(rb"(?i)copy|(?<![a-z])cp|move|(?<![a-z])mv|archive|zip")
_READS_FOLDERS = lazy(rb"\bimport\.meta\.glob|\brequire\.context\b|\bglob(?:Sync)?\b|\breaddir(?:Sync)?\b")
"""Code that loads whatever a folder contains."""


@query(is_kept=True)
def is_left_out(extension: Extension, path: str) -> bool:
    """Whether a script, page or manifest is in no package, or is a script that nothing loads."""
    if path in extension.package.made:
        return True
    if path == extension.manifest.path:
        return is_only_input(extension) or _has_manifest_in_its_place(extension)
    if path in _pages_left_out(extension):
        return True
    scripts = extension.scripts_in(path)
    return bool(scripts) and all(
        _is_unloaded(extension, each)
        or (not each.path.startswith(f"{_SOURCES}/") and _is_outside_of_sources(extension, each))
        for each in scripts
    )


def _is_outside_of_sources(extension: Extension, script: Script) -> bool:
    """Whether nothing loads a script outside of the folder that a framework makes an extension of."""
    is_loaded = script.contexts or script.all_contexts
    return not is_loaded and bool(extension.package.made) and _has_only_sources(extension)


@query(is_kept=True)
def _has_only_sources(extension: Extension) -> bool:
    """Whether all entry points of a framework's project are in one folder."""
    own = (each.path for each in extension.named_files if each.source == extension.manifest.path)
    return {path.partition("/")[0] for path in own if path not in extension.package.made} == {_SOURCES}


def _is_unloaded(extension: Extension, script: Script) -> bool:
    """Whether only pages that a build leaves out load a script, or nothing does."""
    if name_of_source(script.path) in _names_left_out(extension):
        own = extension.manifest.path
        return all(each.step is not None and each.step.path == own for each in script.contexts)
    if script.contexts:
        pages = _pages_left_out(extension)
        return all(each.step is not None and each.step.path in pages for each in script.contexts)
    if script.facts.problem is not None and script.path in unnamed_files(extension):
        return True
    is_any_loaded = any(each.contexts for each in extension.scripts)
    if script.all_contexts or not is_any_loaded or not is_unused_script(extension, script):
        return False
    if script.path in _hidden_files(extension) or not may_run(extension, script):
        return True
    return _has_known_build(extension) and not _is_named(extension, script.path)


@query(is_kept=True)
def _names_left_out(extension: Extension) -> frozenset[str]:
    """Returns the names of the scripts that gulp-chrome-manifest removes from the background."""
    programs = building_programs(extension) if is_build_source(extension) else ()
    lists = (each for program in programs for each in _LEFT_OUT.findall(code_of(extension, program)))
    return frozenset(name_of_source(path) for each in lists for path in _STRING.findall(each))


@query(is_kept=True, is_of_package=True)
def _hidden_files(extension: Extension) -> frozenset[str]:
    """Returns the scripts in folders without a loaded one whose name nothing outside of the folder has.

    Code that computes a path must get the name of the folder from somewhere, perhaps from a JSON file. Tests
    and programs do not count.
    """
    loaded = {each.path for each in extension.scripts if each.contexts or each.all_contexts}
    used = {folder for path in loaded for folder in folders_above(dirname(path))}
    unknown = {each.path for each in extension.scripts} - loaded
    places = {path: [each for each in folders_above(dirname(path)) if each not in used] for path in unknown}
    data = [
        each for each in extension.package.paths if each.endswith(".json") and basename(each) not in _OF_TOOLS
    ]
    if not any(places.values()) or len(data) > MAX_DATA_FILES:
        return frozenset()
    words = words_of(extension)
    code = {
        path: text
        for path, (text, _) in words.texts.items()
        if path in loaded or not (is_test_path(path) or uses_node(text))
    }
    texts = {**texts_at(extension, data), **manifest_texts(extension)}

    @cache
    def is_named(folder: str) -> bool:
        name = encode_name(basename(folder))
        word = re.compile(isolated_word(name))
        found = ((path, words.without_comments(path)) for path, text in code.items() if name in text)
        return any(
            word.search(text) and not path.startswith(f"{folder}/") for path, text in (*texts.items(), *found)
        )

    return frozenset(path for path, folders in places.items() if not all(map(is_named, folders)))


@query(is_kept=True)
def _has_known_build(extension: Extension) -> bool:
    """Whether the folder is the source of a build, and what is missing in it has its source there."""
    if not is_build_source(extension) or build_reads_manifest(extension):
        return False
    source_of = build_entries_of(extension.package).source_of
    return all(source_of(each) is not None for each in missing_entry_points(extension))


def _is_named(extension: Extension, path: str) -> bool:
    """Whether other code, a manifest or a program has the name of a file, or loads what a folder contains."""
    words, name = words_of(extension), encode_name(name_of_source(path))
    word, is_whole = re.escape(name), has_only_named_loads(extension)
    in_code = re.compile(rb"[\"'`/]" + word + rb"(?![\w-])|" + word + rb"\.[cm]?[jt]s" if is_whole else word)
    texts = [words.without_comments(other) for other in words.texts if other != path]
    others = [*manifest_texts(extension).values(), *(each.text for each in building_programs(extension))]
    return (
        any(name in text and in_code.search(text) for text in texts)
        or any(name in text for text in others)
        or any(map(_READS_FOLDERS.search, (*texts, *others)))
    )


def _has_manifest_in_its_place(extension: Extension) -> bool:
    """Whether no browser reads a manifest, because a build copies another one, and not this one.

    Scripts or pages that a valid one names must also be missing, and no program may name it or its folder. In
    place of an invalid one, any other that a program names counts.
    """
    is_valid = extension.manifest.is_object
    if not is_build_source(extension) or (is_valid and not misses_entry_points(extension)):
        return False
    project, entries = ProjectFiles(extension.package), build_entries_of(extension.package)
    own = project.full(extension.manifest.path)
    folders = [each.partition("*")[0].rstrip("/") for each in entries.copied]
    named = {
        *entries.copied,
        *(f"{each}/{MANIFEST}" for each in folders),
        *(() if is_valid else _texts_of_programs(extension)),
    }
    others = (each.removeprefix("./") for each in named if basename(each) == MANIFEST)
    if entries.copies(own) or not any(
        each != own and names_manifest_version(project.read(each) or b"") for each in others
    ):
        return False
    return not is_valid or not (
        _is_copied_by_tool(extension)
        or any(
            f"/{text}".endswith(f"/{own}") or _contains(text, own) for text in _texts_of_programs(extension)
        )
    )


def _texts_of_programs(extension: Extension) -> Iterator[str]:
    """Yields the texts that may be paths in the programs of the build, which are read on demand."""
    return (text for program in building_programs(extension) for text in texts_of(extension, program))


@query(is_kept=True)
def _pages_left_out(extension: Extension) -> frozenset[str]:
    """Returns the paths of the pages that a build leaves out.

    A page that the manifest names does not count: a build that leaves it out is broken.
    """
    if not _copies_one_by_one(extension):
        return frozenset()
    project, texts = ProjectFiles(extension.package), _texts(extension)
    named = {each.path for each in extension.named_files if each.source == extension.manifest.path}
    return frozenset(
        path
        for path in extension.package.paths
        if is_page(path)
        and path not in named
        and not any(_covers(each, project.full(path)) for each in texts)
    )


def _texts(extension: Extension) -> frozenset[str]:
    """Returns the texts that may be paths in programs that may copy files."""
    return frozenset(
        text
        for program in building_programs(extension)
        if is_build_file(basename(program.path)) or _MAY_COPY.search(program.text) is not None
        for text in texts_of(extension, program)
    )


def _copies_one_by_one(extension: Extension) -> bool:
    package = extension.package
    if package.around is None or not is_build_source(extension) or build_reads_manifest(extension):
        return False
    if _is_copied_by_tool(extension):
        return False
    return ProjectFiles(package).full(extension.manifest.path) in build_entries_of(package).copied


def _is_copied_by_tool(extension: Extension) -> bool:
    """Whether the folder is one that a tool of the project copies by default."""
    around = extension.package.around
    is_public = around is not None and basename(around.folder.rstrip("/")) in COPIED_FOLDERS
    return is_public and not _COPYING_TOOLS.isdisjoint(dependencies_of(extension))


def _covers(text: str, path: str) -> bool:
    """Whether a text in a program of the build names a file of the project, or a folder or pattern of it."""
    stem = basename(path).partition(".")[0]
    return re.search(rf"(?<![\w-]){re.escape(stem)}(?![\w-])", text) is not None or _contains(text, path)


def _contains(text: str, path: str) -> bool:
    """Whether a text in a program is a folder or pattern that contains a file of the project."""
    pattern, folder = with_wildcards(text), _PLACEHOLDER.sub("", text).strip("./*{}")
    if folder and any(f"/{each}".endswith(f"/{folder}") for each in folders_above(path)[1:]):
        return True
    return "*" in pattern and bool(folder) and fnmatchcase(f"/{path}", f"*/{pattern.lstrip('./')}")
