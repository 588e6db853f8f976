"""Whether an extension's folder is the source of a build, so that files may be missing until it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extlint.extension import Extension
from extlint.package.files import GIT_INDEX
from extlint.package.suffixes import CODE, JAVASCRIPT, TYPED, WITH_MARKUP, has_suffix
from extlint.package.surroundings import COPIED_FOLDERS, PACKAGE_JSON
from extlint.project.build_tools import CRXJS, FETCHED, is_build_file, program_folders
from extlint.project.copied_files import keys_in_parts, misses_shared_files
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.queries.query import query
from extlint.text.json.values import JsonNode
from extlint.text.patterns import lazy
from extlint.text.positions import decode

MANIFEST_BUILD_TOOLS = frozenset(
    {
        *("@bedframe/cli", "@crxjs/vite-plugin", "@parcel/config-webextension", "@plasmohq/parcel-config"),
        *("@samrum/vite-plugin-web-extension", "@webextension-toolbox/webpack-webextension-plugin"),
        *("extension", "parcel-plugin-web-extension", "plasmo", "rollup-plugin-chrome-extension"),
        *("rollup-plugin-web-extension", "rollup-plugin-webext", "vite-plugin-chrome-extension"),
        *("vite-plugin-crx-mv3", "vite-plugin-web-extension", "vite-plugin-webextension"),
        *("webextension-toolbox", "webpack-extension-manifest-plugin", "wext-manifest-loader"),
        *("wext-manifest-webpack-plugin", "wxt"),
    }
)
"""npm packages that build an extension from a manifest and the files that it names."""

_BUNDLERS = MANIFEST_BUILD_TOOLS | {
    *("@rspack/core", "@swc/cli", "browserify", "bun", "esbuild", "grunt", "gulp", "laravel-mix", "metro"),
    *("nx", "parcel", "parcel-bundler", "react-scripts", "rolldown", "rollup", "snowpack", "tsdown", "tsup"),
    *("turbo", "vite", "webpack"),
}
DEPENDENCIES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
"""The tables of package.json that name packages."""

_BUILD_SCRIPT = lazy(r"(?:build|bundle|compile|make|transpile)(?![a-z])")
_NON_BUILD_SCRIPT = lazy(
    r"(?:npx |yarn |pnpm )?(?:(?:web-ext|zip)\b|tsc\b"
    r"[^&;]*(?:(?:&&|;)\s*(?:npx |yarn |pnpm )?(?:web-ext|zip|tsc|eslint|prettier|echo)\b[^&;]*)*$)|echo\b|$"
)
"""Scripts that do not generate an extension's folder. `tsc` does if a later command copies the other
files.
"""
_CHECKS = lazy(r"[:._-](?:analy[sz]e|check|clean|docs|lint|size|stats|tests?|validate|verify)(?![a-z])")
"""Parts of the names of scripts that build nothing: `build:check`."""

_AND = lazy(r"&&|\|\||;")
_CHECK_COMMAND = lazy(
    r"(?:(?:npx|yarn|pnpm)\s+)?(?:addons-linter|ava|biome|eslint|jest|mocha|prettier|stylelint|svelte-check|tap|tape"
    r"|tslint|vitest|web-ext lint|xo)(?:\s[^|>]*)?|(?:npm|yarn|pnpm) (?:run )?(?:check|lint|test)[\w:-]*"
    r"|node --(?:check|test)(?:\s[^|>]*)?|tsc(?:\s[^|>]*)?\s--noEmit(?:\s[^|>]*)?"
)
"""Commands that only check code."""

_NODE_PROGRAM = lazy(r"node\s+(?:-\S+\s+)*([\w./-]+\.[cm]?js)(?:\s[^&|;]*)?")
_MAY_WRITE = lazy(
    rb"(?i)write|copy|cp|mkdir|rename|output|child_process|spawn|exec|pipe|build|bundle|compile"
    rb"|(?:from|import|require\s*\(|import\s*\()\s*[\"']\."
)
"""Words in a program that may write files, or that continues in another file."""

_MAKERS = frozenset({"plasmo", "wxt"})
_MAKING = lazy(r"\b(?:plasmo|wxt)\b")

_COMPILED = (*TYPED, *WITH_MARKUP)
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")

_DIGIT = lazy(r"[0-9]")
_WORD = lazy(r"[A-Za-z_]\w*")
_SUBMODULE = lazy(r"^[ \t]*path[ \t]*=[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)


@query(is_kept=True)
def is_build_source(extension: Extension) -> bool:
    """Whether the project around the folder has a build, and the folder is not its output.

    A folder in a project without any of the scripts and pages in its manifest is also a source, as something
    assembles the extension elsewhere. So is a folder whose manifest is in another folder, or that is missing
    files it shares with a sibling extension. The same holds for one without its scripts that has sources to
    compile, and no command for that. An archive with the manifest at its top is a finished extension,
    whatever else it contains.
    """
    package = extension.package
    if package.packed or package.around is None:
        return False
    if package.around.folder and misses_all_scripts(extension):
        return True
    if "/" in package.manifest_path or misses_shared_files(extension) or _misses_compiled(extension):
        return True
    project = ProjectFiles(package)
    own, *above = _folders(extension)
    loaded = {each.path for each in extension.named_files}
    loaded |= {script.path for script in extension.scripts if script.contexts}
    if _has_build(project, own, frozenset(map(project.full, loaded))):
        return True
    if not any(_has_build(project, folder, frozenset()) for folder in above):
        return False
    from extlint.project.output_folders import is_output_folder

    return not is_output_folder(extension)


def _misses_compiled(extension: Extension) -> bool:
    """Whether all scripts that the manifest names are missing, and something unknown compiles others.

    TypeScript compiles a script into the folder of its source without any other command.
    """
    package, project = extension.package, ProjectFiles(extension.package)
    if any(_members(_config(project, folder), "scripts") for folder in _folders(extension)):
        return False
    own = [each.path for each in extension.named_files if each.source == package.manifest_path]
    scripts = {path.rpartition(".")[0]: path for path in own if path.endswith(JAVASCRIPT)}
    sources = [
        path for path in package.paths if path.endswith(_COMPILED) and not path.endswith(_DECLARATIONS)
    ]
    return (
        bool(scripts and sources)
        and not any(path in package for path in scripts.values())
        and not any(path.rpartition(".")[0] in scripts for path in sources)
    )


@query
def unbuilt_sources(extension: Extension) -> frozenset[str]:
    """The sources of files that the manifest or a page names, and that a build has yet to make."""
    from extlint.project.contexts.build_entries import build_entries_of

    package = extension.package
    missing = [each.path for each in extension.named_files if each.path not in package]
    entries = build_entries_of(package) if missing else None
    found = () if entries is None else map(entries.source_of, missing)
    return frozenset(each for each in found if each is not None)


def is_in_built_project(extension: Extension, path: str) -> bool:
    """Whether a file belongs to a project below the extension's folder that has a build of its own."""
    package = extension.package
    if package.packed or "/" not in path:
        return False
    project = ProjectFiles(package)
    inner = folders_above(path)[1:-1]
    return any(
        f"{folder}/{PACKAGE_JSON}" in package and _has_build(project, project.full(folder), frozenset())
        for folder in inner
    )


@query(is_kept=True)
def is_copied_by_build(extension: Extension) -> bool:
    """Whether the folder is one that builds copy unchanged, next to the output of scripts from elsewhere."""
    around = extension.package.around
    name = "" if around is None else around.folder.rstrip("/").rpartition("/")[2]
    return name in COPIED_FOLDERS and is_build_source(extension)


def misses_all_scripts(extension: Extension) -> bool:
    """Whether the manifest names at least two scripts or pages, and all of them are missing."""
    named = {
        each.path
        for each in extension.named_files
        if each.source == extension.manifest.path and has_suffix(each.path, CODE)
    }
    if not any(path not in extension.package for path in named):
        return False
    fetched = (*(f"{each}/" for each in FETCHED), *submodules(extension))
    own = {path for path in named if not path.startswith(fetched)}
    return len(own) > 1 and not any(path in extension.package for path in own)


def may_be_completed(extension: Extension, *keys: str) -> bool:
    """Whether a build fills in or adds one of these keys of the manifest, from a template or a part of it.

    It may add any key if no browser reads the manifest, and marks those that it may add to one that it makes.
    """
    is_made = extension.manifest.path in extension.package.made
    return (
        (is_only_input(extension) and not is_made)
        or extension.manifest.may_be_filled_in(*keys)
        or not keys_in_parts(extension).isdisjoint(keys)
    )


@query(is_kept=True)
def build_adds_version(extension: Extension) -> bool:
    """Whether a build adds what `package.json` states: the name, version and description.

    A version without a digit is a placeholder, if something replaces its words.
    """
    manifest = extension.manifest
    if manifest.is_template or manifest.has_vendor_keys or keys_in_parts(extension):
        return True
    version = manifest.get("version")
    stated = None if version is None else version.value
    is_placeholder = not (isinstance(stated, str) and _DIGIT.search(stated))
    if is_build_source(extension):
        return is_placeholder or manifest.get("name") is None
    return is_placeholder and isinstance(stated, str) and _is_replaced(extension, stated)


def _is_replaced(extension: Extension, text: str) -> bool:
    """Whether a tool of the project replaces the words of a text in the manifest."""
    from extlint.project.rewritten_keys import may_rewrite

    return may_rewrite(extension, *_WORD.findall(text))


@query(is_kept=True)
def build_reads_manifest(extension: Extension) -> bool:
    """Whether the project is built by a tool that reads the manifest and generates another one from it."""
    if not is_build_source(extension):
        return False
    project = ProjectFiles(extension.package)
    return any(
        not MANIFEST_BUILD_TOOLS.isdisjoint(_dependencies(project, folder)) for folder in _folders(extension)
    )


@query(is_kept=True)
def dependencies_of(extension: Extension) -> frozenset[str]:
    """Returns the packages that the project names in `package.json`, in the extension's folder or above."""
    project = ProjectFiles(extension.package)
    return frozenset[str]().union(*(_dependencies(project, folder) for folder in _folders(extension)))


def loads_content_scripts_later(extension: Extension) -> bool:
    """Whether the build puts content scripts behind a loader that imports them, as CRXJS does."""
    return is_build_source(extension) and not CRXJS.packages.isdisjoint(dependencies_of(extension))


def may_be_stale(extension: Extension) -> bool:
    """Whether a manifest may be one that no browser reads.

    A valid one is not, outside of builds and without other extensions below it.
    """
    manifest = extension.manifest
    return (
        not manifest.is_object
        or manifest.is_of_no_version
        or bool(extension.package.others)
        or is_build_source(extension)
    )


def is_only_input(extension: Extension) -> bool:
    """Whether no browser reads the manifest: a tool makes that of the package, or writes another version."""
    if extension.manifest.path in extension.package.made or _makes_manifest_anew(extension):
        return True
    if not extension.manifest.is_of_no_version:
        return False
    from extlint.project.rewritten_keys import may_rewrite

    return may_rewrite(extension, "manifest_version")


@query(is_kept=True)
def _makes_manifest_anew(extension: Extension) -> bool:
    """Whether a tool makes the manifest of the package without reading one.

    WXT makes it from its configuration, and Plasmo from `package.json`. A manifest in their projects is a
    remnant, or for something else.
    """
    if not is_build_source(extension):
        return False
    project, (own, *above) = ProjectFiles(extension.package), _folders(extension)
    folder = above[0] if above and own.rpartition("/")[2] in COPIED_FOLDERS else own
    scripts = _members(_config(project, folder), "scripts")
    return not _MAKERS.isdisjoint(_dependencies(project, folder)) and any(
        isinstance(command, str) and _MAKING.search(command) for command in scripts.values()
    )


@query
def submodules(extension: Extension) -> tuple[str, ...]:
    """Returns the Git submodules in the extension's folder, each with a `/` at its end.

    Git also tracks a repository in a folder as a submodule if `.gitmodules` does not name it.
    """
    package = extension.package
    if package.packed or package.around is None:
        return ()
    project = ProjectFiles(package)
    data = project.read(".gitmodules")
    named = () if data is None else _SUBMODULE.findall(decode(data).decode("utf-8", "replace"))
    found = {f"{each.rstrip('/')}/" for each in named}
    if package.around.has(GIT_INDEX):
        from extlint.package.git_index import tracked_files

        found.update(each for each in tracked_files(package) if each.endswith("/"))
    return tuple(sorted(path for each in found if (path := project.inner(each))))


def _folders(extension: Extension) -> list[str]:
    """Returns the extension's folder and those above it, in the project."""
    around = extension.package.around
    return folders_above("" if around is None else around.folder.rstrip("/"))


def _has_build(project: ProjectFiles, folder: str, loaded: frozenset[str]) -> bool:
    """Whether a folder has a build configuration or program, other than scripts that are `loaded`."""
    for inner in ("", *program_folders(project.folders(folder))):
        place = joined(folder, inner) or ""
        if any(is_build_file(name) and joined(place, name) not in loaded for name in project.names(place)):
            return True
    if not _BUNDLERS.isdisjoint(_dependencies(project, folder)):
        return True
    return any(
        _BUILD_SCRIPT.match(name)
        and not _CHECKS.search(name)
        and isinstance(command, str)
        and not _NON_BUILD_SCRIPT.match(command)
        and not all(
            _CHECK_COMMAND.fullmatch(each.strip()) or _only_reads(project, folder, each.strip())
            for each in _AND.split(command)
        )
        for name, command in _members(_config(project, folder), "scripts").items()
    )


def _only_reads(project: ProjectFiles, folder: str, command: str) -> bool:
    """Whether a command only runs a program of the project that writes no file and starts nothing else."""
    found = _NODE_PROGRAM.fullmatch(command)
    path = None if found is None else joined(folder, found[1].removeprefix("./"))
    text = None if path is None else project.read(path)
    return text is not None and _MAY_WRITE.search(text) is None


def _dependencies(project: ProjectFiles, folder: str) -> frozenset[str]:
    config = _config(project, folder)
    return frozenset(name for key in DEPENDENCIES for name in _members(config, key))


def _config(project: ProjectFiles, folder: str) -> JsonNode | None:
    path = joined(folder, PACKAGE_JSON)
    return None if path is None else project.json(path)


def _members(config: JsonNode | None, key: str) -> dict[str, object]:
    """Returns the names and values in a table of a `package.json`."""
    table = None if config is None else config.get(key)
    return {} if table is None else {name: member.node.value for name, member in table.members()}


_PAIRS = (("action", "browser_action"), ("action", "page_action"))
"""A key of Manifest V3, and the corresponding key of Manifest V2."""

_BY_VERSION = frozenset(
    {
        *("action", "applications", "background", "browser_action", "content_security_policy"),
        *("host_permissions", "manifest_version", "page_action", "web_accessible_resources"),
    }
)
"""Keys that such a build rewrites or removes for each manifest version."""


def depends_on_version(extension: Extension, steps: Sequence[str | int]) -> bool:
    """Whether a value of the manifest is in a key that a build has yet to adapt to a manifest version."""
    return bool(steps) and steps[0] in _BY_VERSION and _has_keys_of_both_versions(extension)


@query(is_kept=True)
def _has_keys_of_both_versions(extension: Extension) -> bool:
    manifest = extension.manifest
    return (
        any(all(manifest.get(key) is not None for key in pair) for pair in _PAIRS)
        and misses_all_scripts(extension)
        and is_build_source(extension)
    )
