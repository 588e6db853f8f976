"""Ways to load code that the kind of script does not allow, or that no browser resolves.

Verified in Chromium 156 and Firefox 153 (`extlint_judge imports`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct

from extlint.analysis.facts.context import WORKERS, Context, ContextKind, any_has_import_map
from extlint.analysis.facts.platform_globals import (
    COMMON_JS,
    DYNAMIC_IMPORT,
    EXPORTS,
    IMPORT_SCRIPTS,
    PROCESS,
    REQUIRE,
)
from extlint.analysis.facts.script_facts import Load, LoadKind
from extlint.checks.api.absent_globals import absent_globals_in, absent_names, watched_globals
from extlint.checks.availability.missing_globals import fails_on, may_be_provided
from extlint.checks.reachability.each_script import in_each_script
from extlint.extension import Extension, Script
from extlint.project.builds import dependencies_of, is_build_source, unbuilt_sources
from extlint.schema.targets import FACTS_OF, engine_of
from extlint.text.patterns import lazy, lazy_word
from extlint.text.positions import ByteSpan

_REQUIRED = {b"require": lazy(rb"require(?<![\w$.]require)\s*\(\s*[\"'`]")}
_TESTED = lazy(
    rb"(?:typeof\s+(?:exports|module|require)\s*(?:===?\s*[\"'](?:function|object)|!==?\s*[\"']undefined)"
    rb"|(?:[\"'](?:function|object)[\"']\s*===?|[\"']undefined[\"']\s*!==?)"
    rb"\s*typeof\s+(?:exports|module|require)\b)"
    rb"[^;{}:]*\{?[^;{}:]*\Z"
)
"""A test for such module systems, without the end of the statement that depends on it."""

_MAX_BYTES_TO_TEST = 300
_COMPILED = lazy(rb"(?:[\"']use strict[\"'];?\s*)?Object\.defineProperty\(exports, [\"']__esModule[\"']")
_PROCESS = lazy_word(b"process.env", rb"\w$.", rb"\w")
_DATA = lazy(r"\.(?:css|html?|json|png|svg)\Z")
"""Matches the names of files that are not scripts. A query after one is for a build."""

_WITH_TYPE = lazy(rb"[\"']?\s*(?:with|assert)\s*\{")
_ADDRESS = lazy(r"\.{0,2}/|[A-Za-z][A-Za-z0-9+.-]*:")


class Misplacement(Enum):
    """The kind of a mistake."""

    CLASSIC = "what only modules may have, in a classic script"
    MODULE = "`importScripts`, in a module"
    WORKER = "`import()`, in a service worker"
    NAME = "the name of a package, for a module"
    DATA = "the name of a file that is not a script, for a module"
    COMMON_JS = "what only Node and bundlers have"


class MisplacedImport(Struct, frozen=True):
    """A mistake in a script, with the contexts in which it applies. `word` is the text at its position."""

    kind: Misplacement
    word: str
    script: Script
    span: ByteSpan
    contexts: tuple[Context, ...]


def misplaced_imports(extension: Extension) -> Iterator[MisplacedImport]:
    """Yields the mistakes of a package, unless a build generates other scripts from these."""
    if engine_of(extension.target.name) in FACTS_OF:
        yield from _misplaced_imports(extension)


@in_each_script
def _misplaced_imports(extension: Extension, script: Script) -> Sequence[MisplacedImport]:
    mistakes = mistakes_in(extension, script)
    if mistakes and (is_build_source(extension) or script.path in unbuilt_sources(extension)):
        return ()
    return mistakes


def mistakes_in(extension: Extension, script: Script) -> list[MisplacedImport]:
    """Returns the mistakes in one script, if browsers run it as it is."""
    if not script.contexts or script.facts.problem is not None:
        return []
    classic = tuple(each for each in script.contexts if each.is_module is False)
    found = extension.script_searches.module_syntax(script) if classic else None
    if found is not None:
        return [MisplacedImport(Misplacement.CLASSIC, found.word, script, found.span, classic)]
    return [
        *_module_mistakes(extension, script),
        *_worker_mistakes(extension, script),
        *_common_js_mistakes(extension, script),
    ]


def _module_mistakes(extension: Extension, script: Script) -> Iterator[MisplacedImport]:
    modules = tuple(each for each in script.contexts if each.is_module and each.certain)
    if not modules:
        return
    for load in script.facts.loads:
        if load.kind is not LoadKind.IMPORT:
            continue
        if _is_data(script, load):
            yield MisplacedImport(Misplacement.DATA, load.name, script, load.span, modules)
        if (
            _is_bare(load)
            and not any_has_import_map(extension.pages)
            and not _is_dependency(extension, load.name)
        ):
            yield MisplacedImport(Misplacement.NAME, load.name, script, load.span, modules)


def _is_data(script: Script, load: Load) -> bool:
    """Whether a module imports a file of the package that is not a script, without saying what it is."""
    is_file = not _is_bare(load) and not load.is_remote and _DATA.search(load.name) is not None
    return is_file and _WITH_TYPE.match(script.index.text, load.span[1]) is None


def _is_bare(load: Load) -> bool:
    return bool(load.name) and _ADDRESS.match(load.name) is None


def _is_dependency(extension: Extension, name: str) -> bool:
    """Whether a module is in a package that the project depends on, so that the build resolves it."""
    return any(name == each or name.startswith(f"{each}/") for each in dependencies_of(extension))


def _worker_mistakes(extension: Extension, script: Script) -> Iterator[MisplacedImport]:
    text = script.index.text
    modules = tuple(each for each in script.contexts if each.is_module and each.kind in WORKERS)
    if modules and len(modules) == len(script.contexts) and b"importScripts" in text:
        yield from _uses(extension, script, IMPORT_SCRIPTS, Misplacement.MODULE, modules)
    workers = tuple(each for each in script.contexts if each.kind is ContextKind.SERVICE_WORKER)
    if workers and b"import" in text:
        yield from _uses(extension, script, DYNAMIC_IMPORT, Misplacement.WORKER, workers)


def _common_js_mistakes(extension: Extension, script: Script) -> Iterator[MisplacedImport]:
    """Yields the first use of `require` or `process` as in Node, or of `exports` in a compiled script."""
    text = script.index.text[script.base :] if script.base else script.index.text
    required = extension.script_searches.spans_of(script, _REQUIRED)
    names = [REQUIRE] if not all(_is_tested(script, at) for at, _ in required) else []
    names += [EXPORTS] if _COMPILED.match(text) else []
    names += [PROCESS] if _PROCESS.search(text) else []
    for name in names:
        found = next(_uses(extension, script, name, Misplacement.COMMON_JS, script.contexts), None)
        if found is not None and not may_be_provided(extension, script, name):
            yield found
            return


def _is_tested(script: Script, at: int) -> bool:
    """Whether a module is required only after a test for such module systems, as in universal libraries."""
    return _TESTED.search(script.index.text, max(0, at - _MAX_BYTES_TO_TEST), at) is not None


def _uses(
    extension: Extension, script: Script, name: str, kind: Misplacement, contexts: tuple[Context, ...]
) -> Iterator[MisplacedImport]:
    own = COMMON_JS if kind is Misplacement.COMMON_JS else frozenset({name})
    missing_names = own.union(*(absent_names(absent_globals_in(extension, each.kind)) for each in contexts))
    is_everywhere = len(contexts) == len(script.contexts)
    for use in extension.searches.global_uses(script, frozenset({name}), watched_globals(extension)):
        if not is_everywhere and not use.on_load:
            continue
        if any(
            fails_on(extension, script, each, missing_names, is_everywhere=is_everywhere)
            for each in use.paths
        ):
            yield MisplacedImport(kind, name, script, use.span, contexts)
