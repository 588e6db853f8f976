"""The documents that are open in the editor, with their unsaved text."""

from __future__ import annotations

import os
from collections.abc import Sequence

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from extlint.services.lsp.positions import Text


class Document(Text):
    """A version of an open document. `path` is its absolute path on the disk."""

    def __init__(self, uri: str, path: str, version: int, text: str, encoding: str) -> None:
        super().__init__(text, encoding)
        self.uri = uri
        self.path = path
        self.version = version
        self.encoding = encoding

    @property
    def data(self) -> bytes:
        """The text as the bytes of a file."""
        return self.text.encode("utf-8", "surrogatepass")


class Documents:
    """The open documents by their paths. Documents that are not files on the disk are not kept."""

    def __init__(self) -> None:
        self.encoding: str = types.PositionEncodingKind.Utf16
        self._documents: dict[str, Document] = {}

    def open(self, item: types.TextDocumentItem) -> Document | None:
        """Adds a document, and returns it. Returns None for one that is not a file."""
        path = path_of(item.uri)
        if path is None:
            return None
        found = Document(item.uri, path, item.version, item.text, self.encoding)
        self._documents[path] = found
        return found

    def change(
        self,
        item: types.VersionedTextDocumentIdentifier,
        changes: Sequence[types.TextDocumentContentChangeEvent],
    ) -> Document | None:
        """Changes a document, and returns its new version. Returns None for one that is not open."""
        path = path_of(item.uri)
        found = None if path is None else self._documents.get(path)
        if found is None or path is None:
            return None
        for change in changes:
            text = change.text
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = found.offset(change.range.start), found.offset(change.range.end)
                text = found.text[:start] + change.text + found.text[max(start, end) :]
            found = Document(found.uri, path, item.version, text, self.encoding)
        self._documents[path] = found
        return found

    def close(self, uri: str) -> str | None:
        """Removes a document. Returns its path, or None if it was not open."""
        path = path_of(uri)
        return path if path is not None and self._documents.pop(path, None) is not None else None

    def at(self, path: str) -> Document | None:
        """Returns the open document of a file."""
        return self._documents.get(path)

    def of(self, uri: str) -> Document | None:
        """Returns the open document with an address."""
        path = path_of(uri)
        return None if path is None else self._documents.get(path)

    def all(self) -> Sequence[Document]:
        """Returns all open documents."""
        return tuple(self._documents.values())

    def version(self, path: str) -> int | None:
        """Returns the version of the open document of a file, or None if it is not open."""
        found = self._documents.get(path)
        return None if found is None else found.version

    def uri(self, path: str) -> str:
        """Returns the address of a file: as the editor wrote it, if the file is open."""
        found = self._documents.get(path)
        return uri_of(path) if found is None else found.uri


def path_of(uri: str) -> str | None:
    """Returns the absolute path of a file, or None for an address that is not of a file."""
    found = to_fs_path(uri)
    return None if found is None else os.path.normpath(found)


def uri_of(path: str) -> str:
    """Returns the address of a file with an absolute path."""
    found: str | None = from_fs_path(path)
    assert found is not None
    return found
