"""The exports of the modules that a script imports, as far as they lead to the API."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import cached_property
from threading import Lock

from msgspec import Struct

from extlint.analysis.analyze import exports_of_script
from extlint.analysis.facts.other_scripts import NO_EXPORTS, Exports, ImportResolver
from extlint.analysis.syntax.source import source_of
from extlint.package.files import Package, UnreadableError
from extlint.package.suffixes import is_script
from extlint.project.resolution.resolver import ModuleResolver

MAX_CHAIN = 3
"""The maximum number of modules through which an export is followed."""

MAX_MODULE_BYTES = 200_000
"""The size of the largest module that is read for its exports."""

MAX_KEPT_MODULES = 64
"""The maximum number of modules whose exports are kept."""


class _Known(Struct, frozen=True):
    """The exports of a module, and the texts from which they were computed, by path."""

    exports: Exports
    texts: Mapping[str, bytes]


_kept: OrderedDict[tuple[str, str, int], _Known] = OrderedDict()
_lock = Lock()


class ImportedModules:
    """Finds the exports of modules of a package, when they are requested."""

    def __init__(self, package: Package) -> None:
        self._package = package

    @cached_property
    def _resolver(self) -> ModuleResolver:
        return ModuleResolver(self._package)

    def seen_from(
        self, importer: str, depth: int = 0, read: dict[str, bytes] | None = None
    ) -> ImportResolver:
        """Returns the resolver for the imports of a script.

        The texts of the modules that it reads are added to `read`.
        """

        def imported(name: str, *, of_api: bool = False) -> Exports:  # noqa: ARG001
            path = None if depth >= MAX_CHAIN else self._resolver.find(name, importer)
            if path is None or not is_script(path):
                return NO_EXPORTS
            known = self._module(path, depth + 1)
            if read is not None:
                read.update(known.texts)
            return known.exports

        return imported

    def _module(self, path: str, depth: int) -> _Known:
        key = self._package.name, path, depth
        with _lock:
            known = _kept.get(key)
        if known is None or any(self._text(each) != text for each, text in known.texts.items()):
            known = self._read(path, depth)
            with _lock:
                _kept[key] = known
                while len(_kept) > MAX_KEPT_MODULES:
                    _kept.popitem(last=False)
        return known

    def _read(self, path: str, depth: int) -> _Known:
        texts = {path: self._text(path)}
        if len(texts[path]) > MAX_MODULE_BYTES:
            return _Known({}, texts)
        imported = self.seen_from(path, depth, texts)
        own = exports_of_script(source_of(texts[path]), path, imported)
        others = (imported(each) for each in own.star_exports)
        exports = {name: value for each in others for name, value in each.items()}
        return _Known({**exports, **own.exports}, texts)

    def _text(self, path: str) -> bytes:
        try:
            return self._package.read(path)
        except (KeyError, UnreadableError):
            return b""
