"""Finds the chunk that contains a module required by another chunk."""

from __future__ import annotations

from extlint.package.files import Package
from extlint.package.references import folder_of
from extlint.queries.query import cached_method
from extlint.text.positions import decode

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
