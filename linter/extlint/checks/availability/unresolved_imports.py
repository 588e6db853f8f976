"""Finds imports that resolve to nothing: of modules that do not exist, or of names that none exports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import dirname
from typing import TYPE_CHECKING

from msgspec import Struct

from extlint.analysis.facts.context import any_has_import_map
from extlint.analysis.facts.script_facts import Load, LoadKind
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension, NamedFile, Script
from extlint.package.files import UnreadableError
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import COMPILED_SOURCES, JAVASCRIPT, has_suffix
from extlint.project.builds import is_build_source
from extlint.queries.query import cached_method
from extlint.text.patterns import lazy
from extlint.text.placeholders import is_placeholder
from extlint.text.positions import ByteSpan, decode

if TYPE_CHECKING:
    from extlint.analysis.modules.module_names import ModuleNames

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
        from extlint.analysis.modules.module_names import module_names

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
