"""Whether everything is known that a build makes an extension of: its sources, and the libraries in them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from posixpath import dirname

from extlint.analysis.facts.script_facts import HIDDEN_FIELDS, ApiPath
from extlint.checks.reachability.closed_world import (
    UnresolvedLoad,
    has_file,
    is_understood,
    unresolved_loads,
)
from extlint.checks.reachability.unused_scripts import path_ends_of_alias, stem
from extlint.extension import Extension, Script
from extlint.manifest.manifest import is_host_pattern
from extlint.package.references import paths_of
from extlint.package.suffixes import OTHER_LANGUAGES, has_suffix
from extlint.project.build_tools import is_test_path
from extlint.project.builds import (
    DEPENDENCIES,
    dependencies_of,
    is_build_source,
    is_copied_by_build,
    may_be_completed,
)
from extlint.project.contexts.build_entries import build_entries_of
from extlint.project.contexts.words import words_of
from extlint.project.entry_points import building_programs, texts_of
from extlint.project.outer_code import OuterCode, outer_code
from extlint.project.resolution.project_files import (
    CONFIG,
    ProjectFiles,
    folders_above,
    joined,
    package_name,
    path_suffixes,
)
from extlint.project.rewritten_keys import may_add
from extlint.project.tools import code_of, is_tool_script
from extlint.queries.query import query
from extlint.text.json.values import JsonNode
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name
from extlint_rules.helpers.libraries import MESSAGING, is_for_extensions, is_known, may_use
from extlint_rules.helpers.permission_uses import ACTIVE_TAB, may_get_active_tab
from extlint_rules.helpers.unseen_tab_reads import DELIVERING

_SENDER = lazy(rb"(?:\.\s*|\[\s*[\"'])sender\b|\{[^{}()]*\bsender\s*[},]")
"""A read of the sender of a message, which has a tab, but not a list of parameters."""

_IMPORT = lazy(r"(?:\bfrom|\bimport|\brequire\s*\()\s*[\"'][^\"'\n]*[\"']")

_INSTALLED = lazy(r"(?:^|/)(?:bower_components|node_modules)/(?P<path>.+)")
_GRANTING_KEYS = ("action", "browser_action", "commands", "content_scripts", "omnibox", "page_action")
"""Keys that let a user grant `activeTab`, or that use access to hosts."""

_ELSEWHERE = lazy(r"/|(?<!^catalog):")
"""A part of the version of a package that is not in the npm registry."""

_LOCK_FILES = ("package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock")
_NODE_MODULES = frozenset(
    {
        *("assert", "buffer", "console", "constants", "crypto", "events", "http", "https", "os", "path"),
        *("process", "punycode", "querystring", "stream", "string_decoder", "timers", "tty", "url", "util"),
    }
)
"""Modules of Node.js that bundlers replace with packages."""

_FRAMEWORKS = frozenset({"angular", "ionic", "lit", "preact", "svelte", "vue"})
"""Scopes of frameworks, whose names are often those of projects, too."""

_WORD = lazy(r"[a-z0-9]+")
_SPLIT = lazy(r"-?(?:commons?|manifest|polyfills?|runtime|vendors?)(?:[.-].*)?|\d+(?:\.chunk)?\..*")
"""The names of files into which bundlers split their output."""


@query(is_kept=True)
def has_all_sources(extension: Extension) -> bool:
    """Whether a build makes an extension of libraries, and of sources that are all known.

    A missing file may be one of a library, or have a name that a program of the build gives its output.
    """
    return (
        _is_known_source(extension)
        and all(
            _is_made(extension, path) or _INSTALLED.search(path) or _is_named_by_build(extension, path)
            for path in _named_paths(extension)
        )
        and libraries(extension) is not None
    )


@query(is_kept=True)
def has_all_files(extension: Extension) -> bool:
    """Whether a build makes an extension of sources that are all in the project, apart from imports."""
    return _is_known_source(extension) and all(_is_made(extension, path) for path in _named_paths(extension))


def _named_paths(extension: Extension) -> Iterator[str]:
    return (each.path for each in extension.named_files)


def _is_known_source(extension: Extension) -> bool:
    """Whether a package is the source of a build, and everything in it could be read."""
    package = extension.package
    return (
        is_build_source(extension)
        and package.complete
        and not package.failed
        and not package.failures
        and any(script.contexts for script in extension.scripts)
        and not any(has_suffix(path, OTHER_LANGUAGES) for path in package.paths)
        and (not is_copied_by_build(extension) or any(path.startswith("../") for path in package.paths))
    )


@query(is_kept=True)
def libraries(extension: Extension) -> frozenset[str] | None:
    """Returns the names in imports of npm packages, and the paths of missing files in those of npm or Bower.

    Dependencies for extensions count, too, if other code or a program of the build names them. Returns None
    if a script loads anything else that is not known.
    """
    found: set[str] = set()
    for _, load, is_library in _outside_loads(extension):
        if not is_library:
            return None
        found.add(_package_path(load))
    missing = (path for path in _named_paths(extension) if not has_file(extension, path))
    found.update(each["path"] for path in missing if (each := _INSTALLED.search(path)) is not None)
    names = frozenset(filter(is_for_extensions, dependencies_of(extension)))
    outer = [*outer_code(extension).texts] if names else []
    named = (each for each in names if any(encode_name(each) in text for text in outer))
    return frozenset(found.union(named, _added_by_programs(extension, names)))


def _added_by_programs(extension: Extension, names: Collection[str]) -> Iterator[str]:
    """Yields the names of packages that programs of the build may add to what they build.

    They have such a name in quotes or in a path, and neither import it nor define a task of this name. Of
    frameworks, which are known, the name is enough: they build the extension themselves.
    """
    codes = [code_of(extension, each) for each in building_programs(extension)] if names else []
    programs = [_IMPORT.sub("", each) for each in codes]
    for name in names:
        if is_known(name):
            if any(name in each for each in codes):
                yield name
            continue
        own = re.escape(name)
        is_task = any(re.search(rf"\btask\s*\(\s*[\"'`]{own}[\"'`]", each) for each in programs)
        place = re.compile(rf"[\"'`/]{own}/" if is_task else rf"[\"'`/]{own}[\"'`/]")
        if any(place.search(each) for each in programs):
            yield name


def unknown_loads(extension: Extension) -> Iterator[tuple[Script, UnresolvedLoad]]:
    """Yields what scripts load that is neither known nor in an npm package."""
    return ((script, load) for script, load, is_library in _outside_loads(extension) if not is_library)


def _outside_loads(extension: Extension) -> Iterator[tuple[Script, UnresolvedLoad, bool]]:
    """Yields what scripts load from outside of the project, and whether it is in an npm package."""
    project = ProjectFiles(extension.package)
    for script in extension.scripts:
        if not script.contexts and (is_test_path(script.path) or is_tool_script(script)):
            continue
        for load in unresolved_loads(extension, script):
            if not _is_own(extension, project, script, load):
                is_library = load.is_import and _is_dependency(project, script, _package_path(load))
                yield script, load, is_library


def _package_path(load: UnresolvedLoad) -> str:
    return load.name.rpartition("node_modules/")[2]


def _is_made(extension: Extension, path: str) -> bool:
    """Whether a named file is in the package, or a build makes it of known sources."""
    entries, name = build_entries_of(extension.package), path.rpartition("/")[2]
    return (
        has_file(extension, path)
        or entries.source_of(path) is not None
        or entries.is_output(path)
        or _SPLIT.fullmatch(name) is not None
        or name in _outer_names(extension)
    )


def _is_own(extension: Extension, project: ProjectFiles, script: Script, load: UnresolvedLoad) -> bool:
    """Whether a load that is not in the package is one of the project's files, in any letter case."""
    if not load.is_import:
        found = paths_of(load.name)
        return bool(found) and any(_is_made(extension, path) for path in found)
    ends = {*path_ends_of_alias(load.name)}
    if load.name.startswith("."):
        ends.add(joined(dirname(project.full(script.path)), stem(load.name)) or load.name)
    return not _ends_of_sources(extension).isdisjoint(map(str.lower, ends))


@query(is_kept=True)
def _ends_of_sources(extension: Extension) -> frozenset[str]:
    """Returns the paths of all code in the project, and their ends, without suffixes, in lower case."""
    own = map(ProjectFiles(extension.package).full, extension.package.paths)
    stems = (stem(path).removesuffix(".d").lower() for path in (*own, *outer_code(extension).paths))
    return frozenset(end for each in stems for end in path_suffixes(each))


@query(is_kept=True)
def _outer_names(extension: Extension) -> frozenset[str]:
    return frozenset(path.rpartition("/")[2] for path in outer_code(extension).paths)


def _is_named_by_build(extension: Extension, path: str) -> bool:
    return not _texts_of_build(extension).isdisjoint((path.rpartition("/")[2], path))


@query(is_of_package=True)
def _texts_of_build(extension: Extension) -> frozenset[str]:
    """Returns the strings in programs of the build that may be paths, such as names of its output."""
    return frozenset(text for each in building_programs(extension) for text in texts_of(extension, each))


def _is_dependency(project: ProjectFiles, script: Script, name: str) -> bool:
    """Whether an import names a package of the npm registry, by `package.json` or a lock file."""
    package = package_name(name)
    folders = folders_above(dirname(project.full(script.path)))
    configs = [config for each in folders if (config := project.json(joined(each, CONFIG) or CONFIG))]
    if any(_is_own_scope(config, package) for config in configs):
        return False
    versions = (config.get(key, package) for config in configs for key in DEPENDENCIES)
    version = next((each.value for each in versions if each is not None), None)
    if version is not None:
        return isinstance(version, str) and _ELSEWHERE.search(version) is None
    return package in _NODE_MODULES or any(_is_locked(project, folder, package) for folder in folders)


def _is_own_scope(config: JsonNode, package: str) -> bool:
    """Whether the project's name has the words of a package's scope: `@a-b/lib` in the project `a-b-crx`."""
    scope, slash, _ = package.removeprefix("@").partition("/")
    name = config.get("name")
    words = frozenset() if name is None else frozenset(_WORD.findall(str(name.value).lower()))
    own = frozenset(_WORD.findall(scope.lower())) if slash else frozenset()
    return bool(own) and own <= words and own.isdisjoint(_FRAMEWORKS)


def _is_locked(project: ProjectFiles, folder: str, package: str) -> bool:
    """Whether a lock file in a folder has a package."""
    found = re.compile(rb"(?:node_modules/|[\s\"'/,])" + re.escape(encode_name(package)) + rb"[@\"':]")
    texts = (project.read(joined(folder, name) or name) for name in _LOCK_FILES)
    return any(text is not None and found.search(text) is not None for text in texts)


def is_unused_in_sources(
    extension: Extension,
    permission: str,
    paths: frozenset[ApiPath],
    signs: Sequence[str],
    keys: Sequence[str],
) -> bool:
    """Whether a permission that no code in the package uses is unused in everything that a build includes.

    `paths` are those of the API that require it, `signs` other words of code that uses it, and `keys` those
    of the manifest that use it without any code.
    """
    if permission == ACTIVE_TAB or is_host_pattern(permission):
        keys = _GRANTING_KEYS
    return (
        has_all_sources(extension)
        and is_understood(extension)
        and outer_code(extension).known
        and not (keys and (may_be_completed(extension, *keys) or may_add(extension, *keys)))
        and not _may_be_used_elsewhere(extension, permission, paths, signs)
    )


def _may_be_used_elsewhere(
    extension: Extension, permission: str, paths: frozenset[ApiPath], signs: Sequence[str]
) -> bool:
    """Whether a library, or code of the project outside of the package, may require a permission."""
    if permission == ACTIVE_TAB and not may_get_active_tab(extension):
        return False
    found, outer = libraries(extension), outer_code(extension)
    if found is None or any(may_use(extension, each, permission) for each in found):
        return True
    if permission in ("tabs", ACTIVE_TAB) and (
        _may_get_tabs_unseen(extension, found) or _may_read_tabs(outer)
    ):
        return True
    exposed = {each for script in extension.scripts for each in script.facts.exposed} if found else set()
    return any(map(outer.words.has, signs)) or any(
        all(map(outer.words_of_api.has, path)) or any(path[: len(each)] == each for each in exposed)
        for path in paths
    )


def _may_read_tabs(outer: OuterCode) -> bool:
    """Whether code outside of the package may get tabs, and some of it may read their fields."""
    return any(map(outer.words.has, HIDDEN_FIELDS)) and any(
        all(map(outer.words_of_api.has, path)) for path in DELIVERING
    )


def _may_get_tabs_unseen(extension: Extension, imported: Collection[str]) -> bool:
    """Whether code may get tabs from an object that is not known to be the API, or to come from it.

    It may be a global that a build adds, or the request that a library for messages passes to a handler.
    """
    words = words_of(extension)
    has_messages = any(package_name(each) == MESSAGING for each in imported)
    return any(map(words.has, HIDDEN_FIELDS)) and (
        any(all(words.has_unresolved(part, only_keys=True) for part in path) for path in DELIVERING)
        or (has_messages and any(_SENDER.search(text) for text, _ in words.texts.values()))
    )
