"""Whether all code is known that may define names for the scripts of an extension."""

from __future__ import annotations

from posixpath import basename

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import LoadKind
from extlint.checks.availability.missing_scripts import is_package_for_effect, missing_scripts
from extlint.checks.reachability.closed_world import (
    has_all_named_files,
    has_known_scripts,
    is_understood,
    unresolved_loads,
)
from extlint.checks.reachability.possible_loads import may_run
from extlint.extension import Extension, Script
from extlint.package.files import UnreadableError
from extlint.package.suffixes import is_page
from extlint.project.build_tools import is_test_path
from extlint.project.builds import dependencies_of, is_build_source
from extlint.project.contexts.words import words_of
from extlint.project.outer_code import outer_code
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.project.tools import is_tool_script, project_programs
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import decode
from extlint_rules.helpers.unbuilt_sources import has_all_files, unknown_loads

_WORD = lazy(rb"[A-Za-z_$][\w$]*+")

_AUTO_IMPORTING = lazy(
    r"(?i).*auto-?imports?.*|@?nuxt\b.*|wxt|@wxt-dev/.*|@quasar/.*|quasar|.*macros?\b.*|unplugin-.*|imports-loader"
    r"|expose-loader|script-loader|.*-globals?"
)
"""Packages that may give names to scripts that do not import them."""

_CONFIGURATION = lazy(
    r"(?i)\.?[\w.-]+\.(?:jsonc?|json5|ya?ml|toml)|\.[\w.-]+rc|[\w.-]*config[\w.-]*\.[cm]?[jt]s"
)
_LOCKED = lazy(r"(?i).*lock.*|.*shrinkwrap.*")

_LIBRARY_FILE = lazy(rb"(?:node_modules|bower_components)/[\w@]")
"""A file of a library that a build adds, so that it may define globals."""

_WITHOUT_GLOBALS = lazy(
    r"(?:core-js|regenerator-runtime|(?:@babel/|babel-)polyfill|(?:browser-|webextension-)polyfill)(?:/.*)?"
    r"|.*\.(?:css|less|s[ac]ss)"
)
"""Modules that scripts import only for their effect, and that define only names of browsers."""

_STRICT = "webpack"
_SLOPPY = frozenset({"@rspack/core", "esbuild", "parcel", "parcel-bundler", "rollup", "vite"})

_BEFORE_NAME = lazy(rb"\bfrom\s*\Z")
_MAX_BYTES_BEFORE = 40


def has_known_names(extension: Extension) -> bool:
    """Whether only code that is known may define globals.

    A module that is missing, and that scripts only import names from, is assumed to define no others.
    """
    if not is_understood(extension):
        return False
    if is_build_source(extension):
        return (
            has_all_files(extension)
            and outer_code(extension).known
            and all(_is_bound(script, load.name) for script, load in unknown_loads(extension))
            and not any(map(_AUTO_IMPORTING.fullmatch, dependencies_of(extension)))
            and not _adds_libraries(extension)
        )
    return (
        has_known_scripts(extension)
        and has_all_named_files(extension)
        and not any(_misses_files(extension, script) for script in extension.scripts)
    )


def _adds_libraries(extension: Extension) -> bool:
    """Whether a build may add libraries that define globals."""
    texts = [each.text for each in project_programs(extension)]
    texts += [text for path, (text, _) in words_of(extension).texts.items() if is_page(path)]
    return any(map(_LIBRARY_FILE.search, texts)) or any(
        is_package_for_effect(script, load) and _WITHOUT_GLOBALS.fullmatch(load.name) is None
        for script in extension.scripts
        if script.contexts
        for load in script.facts.loads
    )


def _misses_files(extension: Extension, script: Script) -> bool:
    if all(_is_bound(script, load.name) for load in unresolved_loads(extension, script)):
        return False
    return may_run(extension, script) or not (is_test_path(script.path) or is_tool_script(script))


def _is_bound(script: Script, name: str) -> bool:
    """Whether a script loads something only by imports that give names to what they take from it."""
    loads = [each for each in script.facts.loads if each.name == name]
    text = script.index.text
    starts = [script.base + each.span[0] for each in loads]
    return bool(loads) and all(
        each.kind is LoadKind.IMPORT and _BEFORE_NAME.search(text, max(0, at - _MAX_BYTES_BEFORE), at)
        for each, at in zip(loads, starts, strict=True)
    )


@query(is_kept=True)
def kinds_with_unknown_names(extension: Extension) -> frozenset[ContextKind]:
    """Returns the kinds of context in which a missing script may define names."""
    scripts = [each for each in extension.scripts if each.contexts]
    return frozenset(
        kind
        for kind, name in missing_scripts(extension)
        if not any(_is_bound(each, name) for each in scripts)
    )


def preserves_strict_modules(extension: Extension) -> bool:
    """Whether modules are certainly strict when they run: webpack adds a directive to them."""
    found = dependencies_of(extension)
    return not is_build_source(extension) or (_STRICT in found and found.isdisjoint(_SLOPPY))


@query(is_of_package=True)
def build_words(extension: Extension) -> frozenset[bytes]:
    """Returns the words in the programs and configuration of a build, and in code outside of the package."""
    texts = [*outer_code(extension).texts, *(each.text for each in project_programs(extension))]
    texts += _configuration(extension)
    return frozenset[bytes]().union(*map(_WORD.findall, texts))


def _configuration(extension: Extension) -> list[bytes]:
    """Returns the texts of the files in the folders of a project that may configure a build."""
    package = extension.package
    around, project = package.around, ProjectFiles(package)
    folder = "" if around is None else around.folder.rstrip("/")
    paths = [project.full(each) for each in package.paths if "/" not in each]
    if around is not None:
        paths += [
            joined(above, each) or each for above in folders_above(folder) for each in around.files(above)
        ]
    texts = []
    for path in dict.fromkeys(paths):
        name = basename(path)
        if _CONFIGURATION.fullmatch(name) and not _LOCKED.fullmatch(name):
            try:
                texts.append(decode(project.read(path) or b""))
            except UnreadableError:
                continue
    return texts
