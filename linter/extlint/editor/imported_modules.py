"""The exports of the modules that a script imports, as far as they lead to the API."""

from __future__ import annotations

from functools import cached_property

from extlint.package.files import Package, UnreadableError
from extlint.package.suffixes import is_script
from extlint.resolution.resolver import ModuleResolver
from extlint.script.analyze import exports_of_script
from extlint.script.facts.imports import NO_EXPORTS, Exports, ImportResolver
from extlint.script.syntax.source import source_of

MAX_CHAIN = 3
"""The maximum number of modules through which an export is followed."""

MAX_MODULE_BYTES = 200_000
"""The size of the largest module that is read for its exports."""


class ImportedModules:
    """Finds the exports of modules of a package, when they are requested."""

    def __init__(self, package: Package) -> None:
        self._package = package

    @cached_property
    def _resolver(self) -> ModuleResolver:
        return ModuleResolver(self._package)

    def seen_from(self, importer: str, depth: int = 0) -> ImportResolver:
        """Returns the resolver for the imports of a script."""

        def imported(name: str, *, of_api: bool = False) -> Exports:  # noqa: ARG001
            path = None if depth >= MAX_CHAIN else self._resolver.find(name, importer)
            return NO_EXPORTS if path is None or not is_script(path) else self._exports(path, depth + 1)

        return imported

    def _exports(self, path: str, depth: int) -> Exports:
        try:
            text = source_of(self._package.read(path))
        except (KeyError, UnreadableError):
            return {}
        if len(text) > MAX_MODULE_BYTES:
            return {}
        imported = self.seen_from(path, depth)
        own = exports_of_script(text, path, imported)
        others = (imported(each) for each in own.star_exports)
        return {**{name: value for each in others for name, value in each.items()}, **own.exports}
