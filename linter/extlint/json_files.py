"""The JSON files of an extension that browsers read: the manifest and the locale files."""

from __future__ import annotations

from msgspec import Struct

from extlint.extension import Extension, once_per_extension
from extlint.manifest.json_reader import read_json
from extlint.manifest.json_values import Document
from extlint.package.tolerant import TolerantPackage
from extlint.patterns import lazy
from extlint.text import Span, TextIndex, decode
from extlint.values import ByteSpan

_LOCALE_FILE = lazy(r"_locales/[^/]+/messages\.json")


class JsonFile(Struct, frozen=True):
    """One file: its path in the package, and what it holds."""

    path: str
    document: Document
    index: TextIndex

    def span(self, where: ByteSpan) -> Span:
        """The span for a byte range of the file's text."""
        return self.index.span(*where)


@once_per_extension
def json_files(extension: Extension) -> tuple[JsonFile, ...]:
    """The manifest, and each locale file that can be read."""
    manifest, package = extension.manifest, extension.package
    found = [JsonFile(manifest.path, manifest.document, manifest.index)]
    for path in package.paths:
        if _LOCALE_FILE.fullmatch(path):
            data = decode(package.read(path))
            if not (isinstance(package, TolerantPackage) and path in package.failed):
                found.append(JsonFile(path, read_json(data), TextIndex(data)))
    return tuple(found)
