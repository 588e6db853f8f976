"""Results about an entire package, stored with all queries about its files and the project around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeAlias

from extlint.analysis.cache.values import digest_of
from extlint.package.files import Package, Reader, Surroundings, UnreadableError, WrappedPackage
from extlint.queries.query import cached_method

_Query: TypeAlias = tuple[str, str]
"""A query: the name of the method that returns its result, and a path."""

_FACTS = "facts", ""


def package_key(package: Package, *key: bytes) -> bytes:
    """Returns the key of a result that depends on `key` and on recorded queries about a package."""
    return digest_of(b"package", *key, *_package_facts(package))


def _package_facts(package: Package) -> tuple[bytes, ...]:
    """Returns the facts about a package that are known without queries about its files."""
    facts = (
        package.name,
        package.manifest_path,
        package.complete,
        package.packed,
        package.in_packed,
        package.top_folder,
        package.around is not None,
        tuple(package.others),
        tuple(package.left_out),
        sorted(package.links.items()),
        sorted(package.failed),
    )
    paths = "\n\0".join(package.paths).encode("utf-8", "surrogatepass")
    return repr(facts).encode("ascii", "backslashreplace"), paths


class RecordedPackage(WrappedPackage):
    """The same files as another package, each read once. It records the queries about them.

    The list of files is not among the queries.
    """

    def __init__(self, package: Package) -> None:
        super().__init__(package)
        self._listed = frozenset(package.paths)
        self._queries: dict[_Query, None] = {}
        self._examined: set[str] = set()
        self.around = None if package.around is None else _RecordedSurroundings(package.around, self._queries)

    def recorded_queries(self) -> list[tuple[_Query, bytes]] | None:
        """Returns the queries in the order in which they were first made, with their results' digests.

        Returns None if extlint itself failed, so that no result is stored.
        """
        return None if self.failures else [(each, self.digest(each)) for each in self._queries]

    def mark_examined(self, path: str) -> None:
        """See `Package.mark_examined`."""
        self._examined.add(path)

    def file_queries(self) -> Mapping[_Query, bytes]:
        """Returns the queries, except those for the contents of scripts and of the manifest, with digests.

        They include what is known about the package without queries.
        """
        others = (each for each in self._queries if each[0] != "read" or each[1] in self._examined)
        return {each: self.digest(each) for each in (_FACTS, *others)}

    def has_results(self, known: Mapping[_Query, bytes]) -> bool:
        """Whether queries have the same results as in another revision of the package."""
        return all(self.digest(query) == digest for query, digest in known.items())

    @cached_method
    def digest(self, query: _Query) -> bytes:
        """Returns the digest of the result of a query, without recording the query."""
        kind, path = query
        around = self._package.around
        found: bool | str | bytes | tuple[str, ...] | UnreadableError = False
        match kind:
            case "facts":
                return digest_of(*_package_facts(self))
            case "reader":
                found = self._package.reader(path) is not None
            case "read":
                found = self._content(path)
            case "leads_out":
                found = self._package.leads_out(path)
            case "folder" if around is not None:
                found = around.folder
            case "has" if around is not None:
                found = around.has(path)
            case "read around" if around is not None:
                found = _read(partial(around.read, path))
            case "folders" if around is not None:
                found = tuple(around.folders(path))
            case "files" if around is not None:
                found = tuple(around.files(path))
        if isinstance(found, bytes):
            return digest_of(b"bytes", found)
        text = str(found) if isinstance(found, UnreadableError) else repr(found)
        return digest_of(type(found).__name__.encode(), text.encode("utf-8", "surrogatepass"))

    def reader(self, path: str) -> Reader | None:
        """Returns the reader of a file, listed or not, or None if no such file exists."""
        if path in self._listed:
            return partial(self._read, path)
        self._queries["reader", path] = None
        return None if self._package.reader(path) is None else partial(self._read, path)

    def read(self, path: str) -> bytes:
        """See `Package.read`."""
        self._examined.add(path)
        return super().read(path)

    def peek(self, path: str) -> bytes:
        """See `Package.peek`."""
        return super().read(path)

    def leads_out(self, path: str) -> bool:
        """Whether a link on the way to a path leads out of the extension's folder."""
        self._queries["leads_out", path] = None
        return self._package.leads_out(path)

    def _read(self, path: str) -> bytes:
        self._queries["read", path] = None
        found = self._content(path)
        if isinstance(found, UnreadableError):
            raise found
        return found

    @cached_method
    def _content(self, path: str) -> bytes | UnreadableError:
        reader = self._package.reader(path)
        return UnreadableError(f"no {path}") if reader is None else _read(reader)


class _RecordedSurroundings:
    """The same surroundings as others; adds each query to `queries`."""

    def __init__(self, around: Surroundings, queries: dict[_Query, None]) -> None:
        self._around = around
        self._queries = queries

    @property
    def folder(self) -> str:
        """See `Surroundings`."""
        self._queries["folder", ""] = None
        return self._around.folder

    def has(self, path: str) -> bool:
        """See `Surroundings`."""
        self._queries["has", path] = None
        return self._around.has(path)

    def read(self, path: str) -> bytes:
        """See `Surroundings`."""
        self._queries["read around", path] = None
        return self._around.read(path)

    def folders(self, folder: str) -> Sequence[str]:
        """See `Surroundings`."""
        self._queries["folders", folder] = None
        return self._around.folders(folder)

    def files(self, folder: str) -> Sequence[str]:
        """See `Surroundings`."""
        self._queries["files", folder] = None
        return self._around.files(folder)


def _read(reader: Reader) -> bytes | UnreadableError:
    try:
        return reader()
    except UnreadableError as error:
        return error
