"""The exports of a package's modules, as the scripts that import them see them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from extlint.analysis.cache.store import CanonicalValues, Store
from extlint.analysis.facts.other_scripts import (
    NO_EXPORTS,
    Demand,
    Exports,
    ImportResolver,
    OwnExports,
    RealmGlobals,
    parse_global_query,
)
from extlint.analysis.facts.script_facts import NO_FACTS, ScriptFacts
from extlint.analysis.facts.values import Value, leads_to_api
from extlint.analysis.values.stack import (
    MAX_WAITING_FOR_SCRIPT,
    MAX_WAITING_IN_CYCLE,
    are_more_waiting_than,
    begin_waiting,
    end_waiting,
)
from extlint.extension import FILES
from extlint.package.suffixes import is_component
from extlint.package.tolerant import TolerantPackage
from extlint.program.sources import CodePolicy, ScriptSources
from extlint.project.contexts.script import ScriptLocation
from extlint.project.resolution.resolver import Chunks, ImportKind, ModuleResolver, import_kind
from extlint.queries.database import Database
from extlint.queries.query import cached_method, query
from extlint.text.positions import ByteSpan

if TYPE_CHECKING:
    from extlint.analysis.cache.records import Records

MAX_DEPTH = 25
"""Modules that may wait for each other's exports. Beyond that, imported modules are read first."""

_TRUNCATED = "partly analyzed script"


class ModuleExports(ScriptSources):
    """Finds the exports of modules by the names in imports.

    The exports of a script are among its facts, except in an import cycle.
    """

    def __init__(
        self,
        files: TolerantPackage,
        queries: Database,
        policy: CodePolicy | None,
        resolver: ModuleResolver | None,
        store: Store | None,
    ) -> None:
        super().__init__(files, queries, policy)
        self._resolver = resolver or ModuleResolver(files)
        self._values = CanonicalValues()
        self._store = store
        self._being_read: list[str] = []
        self._reads_in_order = False
        self._truncated: set[str] = set()
        self._cycles: dict[str, tuple[str, ...]] = {}
        self._api_exports: dict[str, tuple[Exports, Exports]] = {}
        queries.on_effect(_TRUNCATED, self._truncated.add)
        self._records = self._records_in(store)

    @cached_property
    def _chunks(self) -> Chunks:
        return Chunks(self._files)

    def _records_in(self, store: Store | None) -> Records | None:
        if store is None:
            return None
        from extlint.analysis.cache.records import Records

        return Records(store, self._values)

    @abstractmethod
    def facts(self, location: ScriptLocation, demand: Demand = Demand.NONE) -> ScriptFacts:
        """Returns the facts of a script, with the exports that `demand` requests."""

    @abstractmethod
    def has_facts(self, location: ScriptLocation, demand: Demand = Demand.NONE) -> bool:
        """Whether the facts of a script are known, with the exports that `demand` requests."""

    @abstractmethod
    def is_being_read(self, path: str) -> bool:
        """Whether a script waits for the exports of others, directly or indirectly."""

    @abstractmethod
    def globals_of(self, location: ScriptLocation) -> RealmGlobals:
        """Returns the values that other scripts are known to assign to globals of a script."""

    @abstractmethod
    def on_import(self, path: str, importer: str | None) -> None:
        """Called in each check for each imported script, before it is read; no importer is in a chunk."""

    def imports(self, importer: str, name: str, path: str) -> bool:
        """Whether a specifier in one script resolves to another script."""
        return self.resolve_module(importer, name) == path

    def import_test(self, importer: str, path: str) -> Callable[[str], bool]:
        """Returns a predicate of specifiers: whether one in a script resolves to another script."""
        return lambda name: self.imports(importer, name, path)

    def resolve_module(self, importer: str, name: str) -> str | None:
        """Returns the script that runs when a script imports a specifier.

        Returns None if it is not a file of the package.
        """
        return self._resolver.find(name, importer) if import_kind(name) is ImportKind.MODULE else None

    def possible_imports(self, location: ScriptLocation) -> Iterator[str]:
        """Yields the scripts that a script may import by literal specifiers, or require from other chunks."""
        from extlint.analysis.bundles.chunks import required_modules

        yield from self._modules_of(*location)
        names = (name for _, name in required_modules(self.text(location)))
        chunks = (self._chunks.find(name, location[0]) for name in names)
        yield from (each for each in chunks if each is not None)

    def exports_of(self, path: str) -> Exports:
        """Returns the exports of a script."""
        return self._exports_of(path, of_api=False)

    def find_exports(self, importer: str, name: str, of_api: bool = False) -> Exports:
        """Returns the exports of the script that a specifier resolves to; see `ImportResolver`."""
        from extlint.analysis.bundles.chunks import is_module_name

        self.queries.depend_on(FILES, None)
        if parse_global_query(name)[0] is not None:
            return NO_EXPORTS
        if is_module_name(name):
            return self._chunk_exports(importer, name, of_api=of_api)
        found = self._imported_script(importer, name)
        if found is None:
            return NO_EXPORTS
        exports = self._exports_of(found, of_api=of_api)
        return self._only_api_exports(found, exports) if of_api else exports

    imported_exports = query(is_kept=True, in_cycle=find_exports)(find_exports)

    def _imported_script(self, importer: str, name: str) -> str | None:
        """Returns the script that a specifier resolves to, and records its importer."""
        found = self.resolve_module(importer, name)
        if found is None or is_component(found):
            return None
        self._record_import(found, importer)
        return found

    @query(is_kept=True)
    def _record_import(self, path: str, importer: str | None) -> None:
        """Records an import in each check, before the imported script is read."""
        self.queries.mark_unrepeatable()
        self.on_import(path, importer)

    def _chunk_exports(self, importer: str, name: str, *, of_api: bool) -> Exports:
        """Returns the export of a module in another chunk, under the requested name."""
        found = self._chunks.find(name, importer)
        if found is None:
            return NO_EXPORTS
        self._record_import(found, None)
        value = self._exports_of(found, of_api=of_api).get(name)
        return NO_EXPORTS if value is None or (of_api and not leads_to_api(value)) else {name: value}

    def _exports_of(self, path: str, *, of_api: bool) -> Exports:
        """Returns the exports of a script. In an import cycle, its other facts are not computed."""
        if self.is_being_read(path):
            return self._exports_in_cycle(path)
        if not self._has_known_exports(path, of_api=of_api):
            if self._reads_in_order:
                if are_more_waiting_than(MAX_WAITING_IN_CYCLE):
                    self._truncate(*self._being_read[-1:])
                    return {}
            elif len(self._being_read) > MAX_DEPTH or are_more_waiting_than(MAX_WAITING_FOR_SCRIPT):
                self._read_imports_first(path, of_api=of_api)
        return self._known_exports(path, of_api=of_api)

    def _has_known_exports(self, path: str, *, of_api: bool) -> bool:
        """Whether the exports of a script are known without reading it now."""
        return self.has_facts((path, None), Demand.OF_API if of_api else Demand.ALL)

    def _known_exports(self, path: str, *, of_api: bool) -> Exports:
        facts = self.facts((path, None), Demand.OF_API)
        if of_api:
            return facts.exports
        if facts is NO_FACTS:
            return self._exports_in_cycle(path)
        return self.facts((path, None), Demand.ALL).exports

    def _read_imports_first(self, path: str, *, of_api: bool) -> None:
        """Reads the direct and indirect imports of a script in an order in which none has to wait."""
        from extlint.program.import_cycles import imports_in_postorder

        self._reads_in_order = True
        try:
            for each in imports_in_postorder(path, self._modules_of):
                if not self.is_being_read(each):
                    self._known_exports(each, of_api=of_api)
        finally:
            self._reads_in_order = False

    @cached_method
    def _modules_of(self, path: str, body: ByteSpan | None = None) -> tuple[str, ...]:
        """Returns the scripts that a script may import by literal specifiers."""
        from extlint.program.import_cycles import specifiers_in

        resolved = (self.resolve_module(path, name) for name in specifiers_in(self.text((path, body))))
        return tuple(each for each in resolved if each is not None and not is_component(each))

    def _exports_in_cycle(self, path: str) -> Exports:
        """Returns the exports of a script, computed together with all scripts of its import cycle."""
        return self._exports_of_cycle(self._import_cycle(path)).get(path, {})

    @query(is_kept=True)
    def _import_cycle(self, path: str) -> tuple[str, ...]:
        """Returns the scripts of the import cycle of a script, in the same order for each of them.

        It is found in each check, as the texts of all direct and indirect imports determine it.
        """
        self.queries.mark_unrepeatable()
        if path not in self._cycles:
            from extlint.program.import_cycles import find_cycle

            scripts = find_cycle(path, self._modules_of)
            if len(scripts) > 1 and min(scripts) != path:
                scripts = find_cycle(min(scripts), self._modules_of)
            self._cycles.update(dict.fromkeys(scripts, scripts))
        return self._cycles[path]

    @query(is_kept=True, in_cycle=lambda *_: {})
    def _exports_of_cycle(self, scripts: tuple[str, ...]) -> Mapping[str, Exports]:
        """Returns the exports of the scripts of an import cycle, by path."""
        from extlint.program.import_cycles import ImportCycle

        cycle = ImportCycle(scripts, self.find_exports, self._imported_script)
        exports = cycle.exports(self._own_exports)
        self._truncate(*cycle.unconverged)
        return exports

    def _own_exports(self, path: str, imported: ImportResolver) -> OwnExports:
        """Returns the exports of a script, given a resolver for the exports of other scripts."""
        from extlint.analysis.analyze import exports_of_script

        found = OwnExports({})
        location = (path, None)
        shared = self.globals_of(location)
        with self._reading(path):
            text = self.source(location)
            found = exports_of_script(text, path, imported, shared, self._records, self._trees.parse)
            if found.omission is not None:
                self._truncate(path)
        return replace(found, exports=self._values.intern(found.exports))

    def _truncate(self, *paths: str) -> None:
        """Records scripts that were only partly analyzed."""
        for each in paths:
            self._truncated.add(each)
            self.queries.record_effect(_TRUNCATED, each)

    @contextmanager
    def _reading(self, path: str) -> Iterator[None]:
        """Tracks a script while it is read. An error affects only that script, not its importers."""
        self._being_read.append(path)
        begin_waiting()
        try:
            with self._files.failures.contained(path):
                yield
        finally:
            end_waiting()
            self._being_read.pop()

    def _only_api_exports(self, path: str, exports: Exports) -> Exports:
        if path not in self._api_exports or self._api_exports[path][0] is not exports:
            api_exports: Mapping[str, Value] = {
                name: value for name, value in exports.items() if leads_to_api(value)
            }
            self._api_exports[path] = (exports, api_exports)
        return self._api_exports[path][1]
