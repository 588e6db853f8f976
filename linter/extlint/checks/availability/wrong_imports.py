"""Imports that fail: the kind of script does not allow them, or they resolve to nothing.

Verified in Chromium 156 and Firefox 153 (`extlint_judge imports`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from posixpath import dirname
from typing import TYPE_CHECKING

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
from extlint.analysis.modules.module_names import module_names
from extlint.checks.api.absent_globals import absent_globals_in, absent_names, watched_globals
from extlint.checks.availability.missing_globals import fails_on, may_be_provided
from extlint.checks.reachability.unreachable_code import checked_scripts, in_each_script
from extlint.extension import Extension, NamedFile, Script
from extlint.package.files import UnreadableError
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import COMPILED_SOURCES, JAVASCRIPT, has_suffix
from extlint.project.builds import dependencies_of, is_build_source, unbuilt_sources
from extlint.queries.query import cached_method
from extlint.schema.targets import FACTS_OF, engine_of
from extlint.text.patterns import lazy, lazy_word
from extlint.text.placeholders import is_placeholder
from extlint.text.positions import ByteSpan, decode

if TYPE_CHECKING:
    from extlint.analysis.modules.module_names import ModuleNames


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


RELATIVE = lazy(r"\.{0,2}/(?!/)")
"""An address of a file of the package."""


def missing_imports(extension: Extension) -> Iterator[NamedFile]:
    """Yields the missing modules that modules import by their addresses.

    Browsers resolve an address as it is: they add no suffix, and do not look for an `index.js` in a folder. A
    module does not run if one of its imports is missing, in Chromium 156 and Firefox 153 (`extlint_judge
    imports`). Imports in the source of a build are left to the build.
    """
    for script, load, paths in imports_by_address(extension):
        if not any(path in extension.package for path in paths):
            yield NamedFile(load.name, paths[0], script.path, script.span(load.span))


def imports_by_address(extension: Extension) -> Iterator[tuple[Script, Load, Sequence[str]]]:
    """Yields imports of modules that browsers load as they are, with the possible paths of the address."""
    if is_build_source(extension) or any_has_import_map(extension.pages) or _has_sources(extension):
        return
    for script in checked_scripts(extension):
        if script.base or not has_suffix(script.path, JAVASCRIPT):
            continue
        if not any(each.is_module and each.certain for each in script.contexts):
            continue
        for load in script.facts.loads:
            if load.kind is not LoadKind.IMPORT or not RELATIVE.match(load.name) or is_placeholder(load.name):
                continue
            paths = paths_of(load.name, folder_of(script.path))
            if paths:
                yield script, load, paths


def _has_sources(extension: Extension) -> bool:
    """Whether the package has scripts that browsers cannot run, so a build compiles them with the others."""
    return any(has_suffix(path, COMPILED_SOURCES) for path in extension.package.paths)


_DEFAULT = "default"
_NAME = rb"[\w$\x80-\xff]+"
_CLAUSE = lazy(
    rb"(?<![\w$.\x80-\xff])(?:import|export)\s*(?:(?:(%b)\s*,?\s*)?"
    rb"(?:\{([\w$\s,\x80-\xff]*)\}\s*|\*\s*(?:as\s+%b\s*)?)?from\s*)?[\"']?\Z" % (_NAME, _NAME)
)
_EXPORTED = lazy(
    rb"export(?<![\w$.\x80-\xff]export)\s*(?:(default)\b"
    rb"|(?:async\s+)?(?:function\b\s*\*?|class\b|const\b|let\b|var\b)\s*(%b)|\{([^}]*)\})" % _NAME,
    needs=(b"export",),
)
_WORD = lazy(_NAME)
_MAX_CLAUSE_BYTES = 4_000


class MissingExport(Struct, frozen=True):
    """A name in a script that a module does not export; `exported` are the names that it exports."""

    script: Script
    span: ByteSpan
    name: str
    module: str
    exported: frozenset[str]


def missing_exports(extension: Extension) -> Iterator[MissingExport]:
    """Yields the imported names that certainly nothing exports, in modules that browsers load as they are.

    A module with such an import does not run, in Chromium 156 and Firefox 153 (`extlint_judge imports`).
    """
    modules = _Modules(extension)
    reported: set[tuple[str, ByteSpan]] = set()
    for script, load, paths in imports_by_address(extension):
        path = next((each for each in paths if each in extension.package), None)
        if (
            path is None
            or not has_suffix(path, JAVASCRIPT)
            or modules.has_imported_names(script, load.span, path)
        ):
            continue
        own = modules.names(script.path)
        for each in () if own is None else own.imported:
            place = script.path, each.span
            if each.module != load.name or place in reported:
                continue
            exported = modules.exported_names(path)
            if exported is not None and each.name not in exported:
                reported.add(place)
                yield MissingExport(script, each.span, each.name, path, exported)


def _statement_before(text: bytes, source: int) -> bytes:
    """Returns the text before the name of a module, back to the end of another string or statement."""
    before = text[max(0, source - _MAX_CLAUSE_BYTES) : source]
    inner = before[:-1]
    return before[1 + max(inner.rfind(end) for end in (b'"', b"'", b";")) :]


class _Modules:
    """The names of the modules of a package, computed on demand."""

    def __init__(self, extension: Extension) -> None:
        self._package = extension.package
        self._texts = {each.path: each.index.text for each in extension.scripts}

    def has_imported_names(self, script: Script, source: ByteSpan, path: str) -> bool:
        """Whether a module exports all that a statement imports, according to a search of texts only."""
        clause = _CLAUSE.search(_statement_before(script.index.text, source[0]))
        if clause is None:
            return False
        imported_words = {each.split()[0] for each in (clause[2] or b"").split(b",") if each.strip()}
        if clause[1] is not None:
            imported_words.add(_DEFAULT.encode())
        return imported_words <= self._exported_words(path)

    @cached_method
    def _exported_words(self, path: str) -> frozenset[bytes]:
        found: set[bytes] = set()
        for each in _EXPORTED.finditer(self._text(path)):
            found.update(word for word in (each[1], each[2]) if word is not None)
            listed = (each[3] or b"").split(b",")
            found.update(words[-1] for one in listed if (words := _WORD.findall(one)))
        return frozenset(found)

    @cached_method
    def names(self, path: str) -> ModuleNames | None:
        """Returns the names of a module, or None if it is not understood."""
        return module_names(self._text(path), path)

    def _text(self, path: str) -> bytes:
        if path not in self._texts:
            try:
                self._texts[path] = decode(self._package.read(path))
            except UnreadableError:
                self._texts[path] = b"export *"  # may export anything
        return self._texts[path]

    @cached_method
    def exported_names(self, path: str) -> frozenset[str] | None:
        """Returns all names that a module exports, by itself and from others.

        Returns None if it may export any name.
        """
        found: set[str] = set()
        visited = {path}
        waiting = [path]
        while waiting:
            at = waiting.pop()
            names = self.names(at)
            if names is None:
                return None
            found |= names.exported if at == path else names.exported - {_DEFAULT}
            for star in names.stars:
                other = self._module_at(at, star)
                if other is None:
                    return None
                if other not in visited:
                    visited.add(other)
                    waiting.append(other)
        return frozenset(found)

    def _module_at(self, path: str, address: str) -> str | None:
        """Returns the script of the package that a module loads from an address."""
        paths = paths_of(address, dirname(path)) if RELATIVE.match(address) else ()
        found = next((each for each in paths if each in self._package), None)
        return found if found is not None and has_suffix(found, JAVASCRIPT) else None
