"""Results about scripts and entire packages, stored with the queries that were made to compute them.

Those about a package are stored with all queries about its files and the project around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, TypeVar

from extlint.analysis.cache.store import CanonicalValues, Store, digest_of, results_in
from extlint.analysis.facts.other_scripts import Exports, ImportResolver
from extlint.package.files import Package, Reader, Surroundings, UnreadableError, WrappedPackage
from extlint.queries.database import Database
from extlint.queries.memos import Key
from extlint.queries.query import Query, cached_method, query
from extlint.queries.stored import Question, Results, question_of, stored_key

AnswerT = TypeVar("AnswerT")


class Records:
    """Stores results about scripts, and reuses them if nothing has changed.

    The results in a store are valid only for the version of extlint that stored them.
    """

    def __init__(self, store: Store, values: CanonicalValues) -> None:
        self._results = results_in(store)
        self._values = values

    def get_or_compute(
        self,
        key: Sequence[object],
        text: bytes,
        imported: ImportResolver,
        compute: Callable[[ImportResolver], AnswerT],
    ) -> AnswerT:
        """Returns the result of `compute`, which queries the passed function for other scripts' exports.

        The result may depend only on these, on the text and on `key`. Nothing is stored if `compute` raises
        an exception.
        """
        script = _RecordedScript(self._results, self._values, text, imported, compute)
        found: AnswerT = script.result(*map(self._values.digest, key))
        return found

    def has(self, key: Sequence[object], text: bytes) -> bool:
        """Whether any result is stored for a text, whatever its queries returned."""
        digests = tuple(map(self._values.digest, key))
        place = stored_key(_RecordedScript.result.method, digest_of(text), digests)
        return self._results.get(place) is not None


class _RecordedScript:
    """A text, as the owner of queries about the exports of other scripts, and of a result that uses them."""

    def __init__(
        self,
        results: Results,
        values: CanonicalValues,
        text: bytes,
        imported: ImportResolver,
        compute: Callable[[ImportResolver], Any],
    ) -> None:
        self.queries = Database(is_incremental=True)
        self.query_scope = digest_of(text)
        self.results = results
        self._values = values
        self._imported = imported
        self._compute = compute

    @query(is_stored=True)
    def result(self, *_: bytes) -> Any:
        """Returns the result for a key."""
        return self._compute(self._find)

    @query
    def exports(self, name: str, of_api: bool) -> Exports:
        """Returns the exports of a module; see `ImportResolver`."""
        return self._imported(name, of_api=of_api)

    def _find(self, name: str, *, of_api: bool = False) -> Exports:
        return self.exports(name, of_api)

    def digest(self, question: Question) -> bytes:
        """See `StoringOwner`."""
        arguments: tuple[Any, ...] = question[2]
        with self.queries.unrecorded():
            return self._values.digest(self.exports(*arguments))


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
    """The same files as another package, each read once. The questions about them are queries.

    The list of files is not among them: the scope has its digest.
    """

    def __init__(self, package: Package, store: Store) -> None:
        super().__init__(package)
        self.queries = Database(is_incremental=True)
        self.results = results_in(store)
        self._listed = frozenset(package.paths)
        self._examined: set[str] = set()
        self.around = None if package.around is None else _RecordedSurroundings(package.around, self.queries)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the other package instead: a worker that receives it records nothing."""
        return _received, (self._package,)

    @cached_property
    def query_scope(self) -> bytes:
        """The digest of what is known about the package without queries about its files."""
        return digest_of(*_package_facts(self._package))

    def result(
        self,
        of: Query[RecordedPackage, [bytes], Any],
        settings: bytes,
        compute: Callable[[], Any] | None = None,
    ) -> Any:
        """Returns a stored result for some settings, or that of `compute`; without it, perhaps None."""
        self._compute = compute or self.queries.mark_unrepeatable
        try:
            return of(self, settings)
        finally:
            del self._compute  # it refers to this package

    @query(is_stored=True)
    def report(self, _: bytes) -> Any:
        """Computes a report, which is not stored if extlint itself failed."""
        found = self._compute()
        if self.failures:
            self.queries.mark_unrepeatable()
        return found

    @query(is_stored=True)
    def kept_with_report(self, settings: bytes) -> Any:
        """Computes another result, which is valid as long as the report."""
        report = RecordedPackage.report, self.query_scope, (settings,)
        self.queries.depend_on_all(self.queries.dependencies(report))
        return self._compute()

    def mark_examined(self, path: str) -> None:
        """See `Package.mark_examined`."""
        self._examined.add(path)

    def examined(self, dependencies: Iterable[Key]) -> Mapping[Question, bytes]:
        """Returns queries about the package with digests, except for the contents of some files.

        These are scripts and the manifest, unless they were examined.
        """
        return {
            (asked := question_of(each)): self.digest(asked)
            for each in dependencies
            if each[0] is not RecordedPackage.read_or_error or each[2][0] in self._examined
        }

    def content_digest(self, path: str) -> bytes:
        """Returns the digest of the content of a file, without recording the query."""
        return self.digest((self.query_scope, RecordedPackage.read_or_error.method, (path,)))

    @cached_method
    def digest(self, question: Question) -> bytes:
        """See `StoringOwner`."""
        scope, name, arguments = question
        with self.queries.unrecorded():
            found = getattr(self if scope == self.query_scope else self.around, name)(*arguments)
        if isinstance(found, bytes):
            return digest_of(b"bytes", found)
        text = str(found) if isinstance(found, UnreadableError) else repr(found)
        return digest_of(type(found).__name__.encode(), text.encode("utf-8", "surrogatepass"))

    def reader(self, path: str) -> Reader | None:
        """Returns the reader of a file, listed or not, or None if no such file exists."""
        return partial(self._read, path) if path in self._listed or self.has_reader(path) else None

    def read(self, path: str) -> bytes:
        """See `Package.read`."""
        self._examined.add(path)
        return super().read(path)

    def peek(self, path: str) -> bytes:
        """See `Package.peek`."""
        return super().read(path)

    def _read(self, path: str) -> bytes:
        return _raised(self.read_or_error(path))

    @query
    def leads_out(self, path: str) -> bool:
        """Whether a link on the way to a path leads out of the extension's folder."""
        return self._package.leads_out(path)

    @query
    def is_given(self, path: str) -> bool:
        """See `Package.is_given`."""
        return self._package.is_given(path)

    @query
    def has_reader(self, path: str) -> bool:
        """Whether a file exists that is not listed."""
        return self._package.reader(path) is not None

    @query
    def read_or_error(self, path: str) -> bytes | UnreadableError:
        """Returns the content of a file, or why it cannot be read."""
        reader = self._package.reader(path)
        return UnreadableError(f"no {path}") if reader is None else _content(reader)


class _RecordedSurroundings:
    """The same surroundings as others, as queries."""

    query_scope = b"around"

    def __init__(self, around: Surroundings, queries: Database) -> None:
        self.queries = queries
        self._around = around

    @property
    def folder(self) -> str:
        """See `Surroundings`."""
        return self.own_folder()

    def read(self, path: str) -> bytes:
        """See `Surroundings`."""
        return _raised(self.read_or_error(path))

    @query
    def own_folder(self) -> str:
        """Returns the folder."""
        return self._around.folder

    @query
    def read_or_error(self, path: str) -> bytes | UnreadableError:
        """Returns the content of a file, or why it cannot be read."""
        return _content(partial(self._around.read, path))

    @query
    def has(self, path: str) -> bool:
        """See `Surroundings`."""
        return self._around.has(path)

    @query
    def folders(self, folder: str) -> Sequence[str]:
        """See `Surroundings`."""
        return tuple(self._around.folders(folder))

    @query
    def files(self, folder: str) -> Sequence[str]:
        """See `Surroundings`."""
        return tuple(self._around.files(folder))


def _received(package: Package) -> Package:
    return package


def _content(reader: Reader) -> bytes | UnreadableError:
    try:
        return reader()
    except UnreadableError as error:
        return error


def _raised(content: bytes | UnreadableError) -> bytes:
    if isinstance(content, UnreadableError):
        raise content
    return content
