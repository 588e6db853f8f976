"""Resolves the name in an import to a file of the package, or to the chunk that contains the module."""

from __future__ import annotations

from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from extlint.package.files import Package
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import is_importable
from extlint.project.resolution.project_files import ProjectFiles
from extlint.queries.query import cached_method
from extlint.text.patterns import lazy
from extlint.text.positions import decode

if TYPE_CHECKING:
    from extlint.project.resolution.project_aliases import ProjectAliases


_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_WORD = lazy(r"[\w-]+")
_TEXTS = frozenset({"raw", "script", "url"})
_WORKERS = frozenset({"sharedworker", "worker"})


class ImportKind(Enum):
    """The kind of value that an import provides, by its name's query, for bundlers (`./a.js?url`)."""

    MODULE = "a module, which runs"
    WORKER = "a constructor of a worker, which runs the file"
    TEXT = "the text or the address of the file, which does not run"


ADDRESS_SCHEME = "url:"
"""The start of a name in Parcel, whose import is the address of the built file."""


def import_kind(name: str) -> ImportKind:
    """Returns an import's kind by its name: Vite supports `?raw`, `?url` and `?worker`, CRXJS `?script`."""
    if name.startswith(ADDRESS_SCHEME):
        return ImportKind.TEXT
    query = set(_WORD.findall(name.partition("?")[2]))
    if query & _TEXTS:
        return ImportKind.TEXT
    return ImportKind.WORKER if query & _WORKERS else ImportKind.MODULE


class ModuleResolver:
    """Finds the files that imports of one package resolve to.

    The name is first resolved as a URL, as a browser does, then as bundlers and TypeScript do. Configuration
    files are read on demand, also those above the extension's folder. The result is always a file of the
    package.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._project = ProjectFiles(package)

    def find(self, name: str, importer: str) -> str | None:
        """Returns the script or component that a script at the path `importer` imports by this name.

        Returns None unless it is known to resolve to a file of the package.
        """
        return self._find(name, folder_of(importer) or "")

    @cached_method
    def _find(self, name: str, folder: str) -> str | None:
        if name.startswith((".", "/")):
            for path in paths_of(name, folder):
                if path in self._package:
                    return path if is_importable(path) else None
        if not name or "\\" in name or "\0" in name or _SCHEME.match(name):
            return None
        plain = name.partition("?")[0]
        if not name.startswith("#"):
            plain = plain.partition("#")[0]
        found = self._names.resolve(plain, self._project.full(folder).rstrip("/"))
        return None if found is None else self._project.inner(found)

    @cached_property
    def _names(self) -> ProjectAliases:
        from extlint.project.resolution.project_aliases import ProjectAliases

        return ProjectAliases(self._project)


MAX_FOLDER_BYTES = 100_000_000
"""Bytes of the scripts in one folder. In a larger folder, no chunk is found."""


class Chunks:
    """The chunks of one package.

    Only chunks in the same folder belong together, as a package may contain the output of several runs. A
    module that seems to be in more than one of them is not found.
    """

    def __init__(self, package: Package) -> None:
        self._package = package

    def find(self, name: str, importer: str) -> str | None:
        """Returns the chunk next to `importer` that contains the module of that name.

        See `extlint.analysis.bundles.chunks`.
        """
        found = self._read(folder_of(importer) or "").get(name)
        return None if found == importer else found

    @cached_method
    def _read(self, folder: str) -> dict[str, str | None]:
        from extlint.analysis.bundles.chunks import provided_modules

        found: dict[str, str | None] = {}
        left = MAX_FOLDER_BYTES
        for path in self._package.paths:
            if not path.endswith(".js") or (folder_of(path) or "") != folder:
                continue
            text = decode(self._package.read(path))
            left -= len(text)
            if left < 0:
                return {}
            for name in provided_modules(text):
                found[name] = None if name in found else path
        return found
