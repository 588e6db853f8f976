"""Scripts that nothing loads: they require nothing from the manifest."""

from __future__ import annotations

from posixpath import basename

from extlint.checks.reachability.closed_world import (
    UnresolvedLoad,
    has_all_loaded_files,
    has_all_named_files,
    has_known_scripts,
    unresolved_loads,
)
from extlint.checks.reachability.possible_loads import IMPORTING, WHOLE_NAME, manifest_texts, unnamed_files
from extlint.checks.reachability.unknown_importers import is_package_name, path_ends_of_alias, stem
from extlint.extension import Extension, Script
from extlint.package.suffixes import is_page
from extlint.project.builds import is_build_source
from extlint.project.contexts.build_entries import build_entries_of
from extlint.project.contexts.words import words_of
from extlint.project.resolution.project_files import path_suffixes
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

_COMPUTED_LOAD = lazy(
    rb"\brequire\s*\.\s*context\b|\bimport\.meta\.glob"
    rb"|" + IMPORTING + rb"(?!" + WHOLE_NAME + rb")\s*[^\"'\s)\d]"
)
"""Code that may load scripts whose names are not in the text."""

_COMPUTED_PAGE = lazy(rb"[\"'`}*+]\.x?html?\b", needs=(b".htm", b".xhtm"))
"""A part of the name of a page, or a pattern."""


def is_unused_script(extension: Extension, script: Script) -> bool:
    """Whether nothing loads a script in an extension as it is, or the build does not read it.

    Such a script is a remnant, or belongs to another manifest, so its requirements do not apply to this one.
    If scripts of the manifest or of pages are missing, or only others that load no script of the extension, a
    source counts as used if something shows that a build reads it.
    """
    if script.contexts:
        return False
    if (
        _loads_nothing(extension)
        or has_all_loaded_files(extension)
        or (is_page(script.path) and script.path in _unnamed_pages(extension))
    ):
        return True
    from extlint.project.entry_points import build_inputs, misses_entry_points

    if misses_entry_points(extension):
        return script.path not in build_inputs(extension)
    return _is_complete_without_build(extension) or (
        _has_all_loaders(extension) and script.path not in build_inputs(extension)
    )


@query(is_kept=True)
def _loads_nothing(extension: Extension) -> bool:
    """Whether the manifest and its pages are there, name no script, and no build changes that."""
    return (
        extension.package.complete
        and not any(each.contexts or each.all_contexts for each in extension.scripts)
        and not extension.manifest.is_template
        and bool(extension.named_files)
        and has_all_named_files(extension)
        and not is_build_source(extension)
    )


@query(is_kept=True)
def _unnamed_pages(extension: Extension) -> frozenset[str]:
    """Returns the pages whose name no code, manifest or program has, if what is missing has its source."""
    from extlint.project.entry_points import building_programs, missing_entry_points

    source_of = build_entries_of(extension.package).source_of
    if not extension.package.complete or not all(map(source_of, missing_entry_points(extension))):
        return frozenset()
    words = words_of(extension)
    texts = {path: words.without_comments(path) for path in words.texts} | manifest_texts(extension)
    programs = [each.text for each in building_programs(extension)]
    computing = {path for path, text in texts.items() if _COMPUTED_PAGE.search(text)}
    if any(map(_COMPUTED_PAGE.search, programs)):
        return frozenset()

    def is_unnamed(page: str) -> bool:
        name = encode_name(basename(page))
        others = (text for path, text in texts.items() if path != page)
        return computing <= {page} and not any(name in text for text in (*others, *programs))

    return frozenset(filter(is_unnamed, (page for page, _ in extension.unreached_pages)))


@query(is_kept=True)
def _is_complete_without_build(extension: Extension) -> bool:
    """Whether nothing builds the extension, so that missing files have no influence."""
    return (
        has_only_named_loads(extension)
        and not is_build_source(extension)
        and not _imports_missing_file(extension)
    )


def unused_files(extension: Extension) -> frozenset[str]:
    """Returns the scripts and pages that nothing loads or names, if no missing file may import them."""
    return frozenset() if _imports_missing_file(extension) else unnamed_files(extension)


def _imports_missing_file(extension: Extension) -> bool:
    """Whether a loaded script imports a file that is not known to be in the package."""
    return any(each.is_import for each in _missing_loads(extension))


@query(is_kept=True)
def _has_all_loaders(extension: Extension) -> bool:
    """Whether no missing file may load scripts of the extension by unknown names.

    Packages of npm do not, and neither do content scripts, or pages next to the entry points of a bundler.
    """
    from extlint.project.builds import dependencies_of
    from extlint.project.resolution.project_files import package_name

    packages = dependencies_of(extension)
    missing = [each for each in _missing_loads(extension) if package_name(each.name) not in packages]
    aliases = {end for each in missing for end in (stem(each.name), *path_ends_of_alias(each.name))}
    return (
        has_only_named_loads(extension)
        and has_all_named_files(extension)
        and all(_loads_no_script(extension, each) for each in missing)
        and all(aliases.isdisjoint(path_suffixes(stem(script.path))) for script in extension.scripts)
    )


@query(is_kept=True)
def has_only_named_loads(extension: Extension) -> bool:
    """Whether all code is known, and what is loaded computes no names of scripts."""
    loaded = (script for script in extension.scripts if script.contexts)
    return has_known_scripts(extension) and not any(
        _COMPUTED_LOAD.search(script.index.text) for script in loaded
    )


@query
def _missing_loads(extension: Extension) -> frozenset[UnresolvedLoad]:
    """Returns the loads of loaded scripts that are not known to be in the package."""
    loaded = (script for script in extension.scripts if script.contexts)
    return frozenset(each for script in loaded for each in unresolved_loads(extension, script))


def _loads_no_script(extension: Extension, missing: UnresolvedLoad) -> bool:
    return (
        missing.is_injected
        or (missing.is_import and is_package_name(missing.name))
        or (is_page(missing.name) and build_entries_of(extension.package).are_configured)
    )
