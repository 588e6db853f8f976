"""Scripts that nothing loads, and those that may run in more contexts than are known.

Contexts are followed from the manifest. This does not find a page whose name is computed, or an entry point
in the configuration of a bundler, so a module that they import may run anywhere. A specifier whose alias no
known configuration defines, as in `@/shared/api`, may name several files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from posixpath import basename

from msgspec.structs import replace

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import Load, LoadKind
from extlint.checks.reachability.closed_world import (
    UnresolvedLoad,
    has_all_loaded_files,
    has_all_named_files,
    has_known_scripts,
    module_resolver,
    unresolved_loads,
)
from extlint.checks.reachability.possible_loads import IMPORTING, WHOLE_NAME, manifest_texts, unnamed_files
from extlint.extension import Extension, Script
from extlint.package.suffixes import CODE, has_suffix, is_page
from extlint.project.build_tools import is_test_path, is_test_script
from extlint.project.builds import dependencies_of, is_build_source
from extlint.project.contexts.build_entries import build_entries_of
from extlint.project.contexts.words import words_of
from extlint.project.resolution.project_files import package_name, path_suffixes
from extlint.project.resolution.resolver import ImportKind, ModuleResolver, import_kind
from extlint.project.tools import is_tool_script
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import decode, encode_name

_SUFFIX = lazy(r"(?:/index)?(?:\.[cm]?[jt]sx?|\.vue|\.svelte)?$")
_NON_PACKAGE_PREFIXES = ("@/", "~", "#", "$")
"""Prefixes that names of npm packages do not have."""

_PACKAGE = lazy(r"(?:@[\w.-]+/)?[a-zA-Z0-9][\w.-]*(?:/[\w./-]+)?")


def stem(path: str) -> str:
    """Returns a path as specifiers may name it: without its suffix, and the folder of an `index` file."""
    return _SUFFIX.sub("", path)


def path_ends_of_alias(name: str) -> Iterator[str]:
    """Yields the possible ends of the path of a file that a specifier refers to by an alias, if any."""
    if name.startswith((".", "/")) or ":" in name:
        return
    plain = stem(name.partition("?")[0].lstrip("@~#$").lstrip("/"))
    first, _, rest = plain.partition("/")
    if rest or (first and name.startswith(_NON_PACKAGE_PREFIXES)):
        yield plain
    if "/" in rest:
        yield rest


def is_package_name(name: str) -> bool:
    """Whether a specifier may name an npm package, or a file in one."""
    return _PACKAGE.fullmatch(name.partition("?")[0]) is not None


_UNKNOWN_CONTEXT = Context(ContextKind.UNKNOWN, certain=False)
_LOADING_KINDS = frozenset(
    {LoadKind.IMPORT, LoadKind.DYNAMIC_IMPORT, LoadKind.REQUIRE, LoadKind.IMPORT_SCRIPTS, LoadKind.WORKER}
)
_ONLY_REEXPORTS = lazy(
    rb"(?:\s|;|//[^\n]*(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*\*/"
    rb"|export\s*(?:type\s*)?(?:\*(?:\s*as\s+\w+)?|\{[^{}]*\})\s*from\s*[\"'][^\"'\n]*[\"'])*"
)


def with_unknown_context(extension: Extension, script: Script) -> Script | None:
    """Returns the script with an unknown context added.

    Returns None for a script that has one already, or that nothing unknown may load.
    """
    if any(each.kind is ContextKind.UNKNOWN for each in script.contexts):
        return None
    is_loaded = bool(script.contexts) and (
        script.path in _loaded_in_unknown_contexts(extension)
        or _may_be_loaded_by_failed_script(extension, script)
        or _may_be_opened_elsewhere(extension, script)
    )
    return replace(script, contexts=(*script.contexts, _UNKNOWN_CONTEXT)) if is_loaded else None


def _may_be_opened_elsewhere(extension: Extension, script: Script) -> bool:
    """Whether the pages that load a script may also be panels of developer tools, or opened by unknown code.

    Every page may be a panel if the code of the developer tools page is unknown. A page that the manifest
    lets web pages open may also be opened by the extension.
    """
    has_tools = extension.manifest.get("devtools_page") is not None
    if has_tools and not _runs_in_developer_tools(extension):
        return any(each.kind is ContextKind.EXTENSION_PAGE for each in script.contexts)
    is_unknown = has_tools or not has_all_loaded_files(extension)
    return is_unknown and all(map(_is_for_web_pages, script.contexts))


@query(is_kept=True)
def _runs_in_developer_tools(extension: Extension) -> bool:
    return any(
        each.kind is ContextKind.DEVTOOLS_PAGE for script in extension.scripts for each in script.contexts
    )


def _is_for_web_pages(context: Context) -> bool:
    """Whether a context is only known because the manifest lets web pages open a page."""
    first = None if context.step is None else context.step.first or context.step
    return first is not None and first.may_read and context.kind is ContextKind.EXTENSION_PAGE


def _may_be_loaded_by_failed_script(extension: Extension, script: Script) -> bool:
    """Whether a script or page in which extlint itself failed contains the name of a script."""
    name = encode_name(stem(script.path).rpartition("/")[2])
    return any(name in text for text in _failed_texts(extension))


@query
def _failed_texts(extension: Extension) -> tuple[bytes, ...]:
    """Returns the texts of the scripts and pages in which extlint itself failed."""
    package = extension.package
    paths = {each.path for each in package.failures if each.rule is None and has_suffix(each.path, CODE)}
    return tuple(decode(package.read(path)) for path in sorted(paths) if path in package)


@query(is_kept=True)
def _loaded_in_unknown_contexts(extension: Extension) -> frozenset[str]:
    """Returns the scripts that scripts or pages with unknown contexts load, also indirectly."""
    resolver = module_resolver(extension)
    pages = {page: scripts for page, scripts in extension.unreached_pages if not is_test_path(page)}
    loaded = {script for scripts in pages.values() for script in scripts}
    loaded |= frozenset(_alias_candidates(extension, resolver))
    starts = [*pages, *loaded, *(script.path for script in _unreached_scripts(extension))]
    return _with_loaded(extension, starts, loaded)


def may_get_other_root(extension: Extension, script: Script, root: str) -> bool:
    """Whether a script that is not known to be loaded is loaded by one that gives a root another value.

    Such scripts are in no realm that is known: `window.browser = detect(); require("./script")`.
    """
    return not script.contexts and script.path in _loaded_with_other_root(extension, root)


@query(is_kept=True)
def _loaded_with_other_root(extension: Extension, root: str) -> frozenset[str]:
    starts = (
        script.path
        for script in extension.scripts
        if not script.contexts and root in script.facts.globals and not is_test_script(script)
    )
    return _with_loaded(extension, starts)


def _with_loaded(
    extension: Extension, starts: Iterable[str], known: AbstractSet[str] = frozenset()
) -> frozenset[str]:
    """Returns the scripts that scripts or pages load, also indirectly, and those that are known."""
    resolver = module_resolver(extension)
    loads: dict[str, list[Load]] = {}
    for script in extension.scripts:
        loads.setdefault(script.path, []).extend(script.facts.loads)
    loaded, waiting = {*known}, [*starts]
    while waiting:
        path = waiting.pop()
        for load in loads.get(path, ()):
            found = resolver.find(load.name, path) if load.kind in _LOADING_KINDS else None
            if found is not None and found not in loaded and import_kind(load.name) is ImportKind.MODULE:
                loaded.add(found)
                waiting.append(found)
    return frozenset(loaded)


def _alias_candidates(extension: Extension, resolver: ModuleResolver) -> Iterator[str]:
    """Yields the scripts that an import may refer to if no known configuration defines its alias.

    Example: `@/shared/api`.
    """
    if has_all_loaded_files(extension):
        return
    names = {
        each
        for script in extension.scripts
        if not is_test_path(script.path) and not is_tool_script(script)
        for load in script.facts.loads
        if load.kind in _LOADING_KINDS and resolver.find(load.name, script.path) is None
        for each in path_ends_of_alias(load.name)
    }
    for script in extension.scripts if names else ():
        if not names.isdisjoint(path_suffixes(stem(script.path))):
            yield script.path


def _unreached_scripts(extension: Extension) -> Iterator[Script]:
    """Yields the scripts that nothing is known to load, and that a build of the package may include."""
    if has_all_loaded_files(extension):
        return
    for script in extension.scripts:
        if script.contexts or script.is_for_other_targets or is_test_path(script.path):
            continue
        if not is_tool_script(script) and not _ONLY_REEXPORTS.fullmatch(script.index.text):
            yield script


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
