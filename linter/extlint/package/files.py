"""A package: one read-only set of files, whatever its origin."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial
from posixpath import normpath
from typing import Protocol, TypeAlias

from msgspec import Struct

from extlint.package.failures import Failures
from extlint.package.limits import LeftOut, Unchecked, mebibytes
from extlint.text.positions import ByteSpan, Span, TextIndex, decode

MANIFEST = "manifest.json"
GIT_INDEX = ".git/index"

Reader: TypeAlias = Callable[[], bytes]


class UnreadableError(Exception):
    """A package or file that cannot be read; the text is one sentence for the user.

    Names in it are as on the disk or in the archive: escape them before printing.
    """


class TooLargeError(UnreadableError):
    """A file that is larger than `limits.MAX_FILE_BYTES`."""


class TooCostlyError(TooLargeError):
    """A file that takes more memory than the check of a package may take."""


def bytes_of(read: Callable[[str], bytes], path: str) -> bytes | None:
    """Returns the bytes of a file, or None if `read` raises UnreadableError."""
    try:
        return read(path)
    except UnreadableError:
        return None


def path_below(folder: str, path: str) -> str:
    """Returns the path of a file in a folder, such as that of an extension, from where the folder is named.

    A path that leads out of the folder, such as `../manifests/chrome.json`, is normalized.
    """
    full = path if folder in ("", ".") else f"{folder.rstrip('/')}/{path}"
    return normpath(full) if path.startswith("../") else full


class Surroundings(Protocol):
    """The project around an extension's folder, which contains the configuration of compilers and bundlers.

    Paths are relative to the project's root, with `/` between the parts.
    """

    @property
    def folder(self) -> str:
        """The extension's folder, with a trailing `/`; empty if it is the project's root."""
        ...

    def has(self, path: str) -> bool:
        """Whether the project has a file at a path."""
        ...

    def read(self, path: str) -> bytes:
        """Returns the bytes of a file. Raises UnreadableError."""
        ...

    def folders(self, folder: str) -> Sequence[str]:
        """Returns the names of the folders in a folder, sorted; only some of them if there are very many."""
        ...

    def files(self, folder: str) -> Sequence[str]:
        """Returns the names of the files in a folder, sorted; only some of them if there are very many."""
        ...


class KeyPlaces(Struct, frozen=True):
    """The file of a project in which keys of a made manifest are written, and the places in it.

    `literal` is the object with the keys. `spans` maps the places of keys and values in the made manifest to
    those in the file, except values that code computes in part.
    """

    path: str
    literal: ByteSpan
    spans: Mapping[ByteSpan, ByteSpan]


class Made(Struct, frozen=True):
    """The manifests and other files that a framework makes, by path, and the places of their written keys."""

    files: Mapping[str, bytes]
    key_places: Mapping[str, KeyPlaces] = {}
    manifests: tuple[str, ...] = (MANIFEST,)


class Package:
    """The files of one extension. Paths are relative to its root, with `/` between the parts.

    `name` is its path in output: the folder or archive as the user specified it.
    `manifest_path` is the file that is its manifest, and `variants` are others that a build packs with the
    same files, for other browsers. `complete` is false if only some of its files are known, so that the
    absence of others proves nothing.

    `unlisted` finds a file that is in the extension's folder, but not in `paths`: files in
    `node_modules`, or in another extension below this one, are checked only if they are named somewhere.
    `packed` is true for an archive that is an extension as browsers install it, and `in_packed` for an
    extension in a folder of such an archive. `around` is the project
    that contains the extension's folder, or None if unknown. `others` are the folders of the
    extensions below this one, each with a trailing `/`. `left_out` are the contents that are not
    examined, which make the package incomplete if browsers may find them. `links` are the listed files that
    are second names of another file, with that file's own path.

    `top_folder` is the folder of an archive that contains all of its files, with a trailing `/`: paths are
    relative to it, although browsers look for the manifest at the top. It is empty for all other packages.

    `failures` has the errors of extlint itself, and keeps each of them from ending the check of the others;
    `unchecked` records the parts that were not examined because there are too many.

    `made` are files that are not there: the manifests that a framework makes from the others, and its pages.
    `key_places` are the places where keys of these manifests are written, as far as that is known.

    `given` are the files that the user names, or whose texts are not saved.

    `derived` caches results that only depend on the files, by any key, so that they are computed once for all
    targets.
    """

    def __init__(
        self,
        name: str,
        readers: Mapping[str, Reader],
        manifest_path: str = MANIFEST,
        *,
        complete: bool = True,
        unlisted: Callable[[str], Reader | None] | None = None,
        around: Surroundings | None = None,
        packed: bool = False,
        in_packed: bool = False,
        others: Sequence[str] = (),
        left_out: Sequence[LeftOut] = (),
        links: Mapping[str, str] | None = None,
        leads_out: Callable[[str], bool] | None = None,
        size: Callable[[str], int] | None = None,
        top_folder: str = "",
        variants: Sequence[str] = (),
        made: frozenset[str] = frozenset(),
        key_places: Mapping[str, KeyPlaces] | None = None,
    ) -> None:
        self.name = name
        self.manifest_path = manifest_path
        self.variants = variants
        self.made = made
        self._all_key_places = key_places or {}
        self.left_out = left_out
        self.complete = complete and not any(each.may_be_named for each in left_out)
        self.around = around
        self.packed = packed
        self.in_packed = in_packed
        self.others = others
        self.links = links or {}
        self.top_folder = top_folder
        self.given: frozenset[str] = frozenset()
        self.failures = Failures()
        self.unchecked = Unchecked()
        self._readers = readers
        self._unlisted = unlisted
        self._leads_out = leads_out
        self._size = size

    @property
    def key_places(self) -> KeyPlaces | None:
        """The places where keys of the manifest are written, if a build makes it and that is known."""
        return self._all_key_places.get(self.manifest_path)

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all listed files, sorted."""
        return self._sorted

    @property
    def failed(self) -> frozenset[str]:
        """The paths of the files that are known to be unreadable."""
        return frozenset()

    @cached_property
    def _sorted(self) -> tuple[str, ...]:
        return tuple(sorted(self._readers))

    @cached_property
    def _by_folded(self) -> Mapping[str, str]:
        return {path.casefold(): path for path in self._sorted}

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.reader(path) is not None

    def reader(self, path: str) -> Reader | None:
        """Returns the reader of a file, listed or not, or None. Letter case is significant."""
        found = self._readers.get(path)
        if found is None and self._unlisted is not None and self.other_case(path) is None:
            found = self._unlisted(path)
        return found

    def read(self, path: str) -> bytes:
        """Returns the bytes of a file. Raises KeyError if it is missing, UnreadableError if unreadable."""
        found = self.reader(path)
        if found is None:
            raise KeyError(path)
        return found()

    def peek(self, path: str) -> bytes:
        """Returns the bytes of a file without counting it as examined. Raises as `read` does."""
        return self.read(path)

    def mark_examined(self, path: str) -> None:
        """Records that results depend on the content of a file, other than scripts and the manifest."""

    def content(self, path: str) -> bytes:
        """Returns the bytes of a file for a caller that follows its changes itself. Raises as `read` does."""
        return self.read(path)

    def size(self, path: str) -> int:
        """Returns the size of a listed file in bytes, without reading it; 0 if unknown."""
        return 0 if self._size is None else self._size(path)

    def leads_out(self, path: str) -> bool:
        """Whether a link on the way to a path leads out of the extension's folder, to unknown files."""
        return self._leads_out is not None and self._leads_out(path)

    def written_place(self, where: ByteSpan) -> tuple[str, Span] | None:
        """Returns the file and the place in which a part of a made manifest is written, or None."""
        places = self.key_places
        found = None if places is None else places.spans.get(where)
        if places is None or found is None:
            return None
        return places.path, TextIndex(decode(self.peek(places.path))).span(*found)

    def is_given(self, path: str) -> bool:
        """Whether the user names a file, or its text is not saved: it is judged even if nothing loads it."""
        return path in self.given

    def other_case(self, path: str) -> str | None:
        """Returns the path of a listed file that differs from `path` only in letter case, or None."""
        found = self._by_folded.get(path.casefold())
        return found if found != path else None


class WrappedPackage(Package):
    """A package with the same files as another one, to which it delegates by default.

    It has failures and unchecked parts of its own. Without a path its manifest is that of the other package.
    """

    def __init__(
        self, package: Package, manifest_path: str | None = None, variants: Sequence[str] = ()
    ) -> None:
        super().__init__(
            package.name,
            {},
            package.manifest_path if manifest_path is None else manifest_path,
            complete=package.complete,
            around=package.around,
            packed=package.packed,
            in_packed=package.in_packed,
            others=package.others,
            left_out=package.left_out,
            links=package.links,
            top_folder=package.top_folder,
            variants=variants,
            made=package.made,
            key_places=package._all_key_places,
        )
        self._package = package

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all listed files, sorted."""
        return self._package.paths

    @property
    def failed(self) -> frozenset[str]:
        """The paths of the files that are known to be unreadable."""
        return self._package.failed

    def reader(self, path: str) -> Reader | None:
        """Returns the reader of a file, listed or not, or None if it does not exist."""
        return self._package.reader(path)

    def size(self, path: str) -> int:
        """Returns the size of a listed file in bytes, without reading it; 0 if unknown."""
        return self._package.size(path)

    def leads_out(self, path: str) -> bool:
        """Whether a link on the way to a path leads out of the extension's folder, to unknown files."""
        return self._package.leads_out(path)

    def is_given(self, path: str) -> bool:
        """See `Package`."""
        return self._package.is_given(path)

    def other_case(self, path: str) -> str | None:
        """Returns the path of a listed file that differs from `path` only in letter case, or None."""
        return self._package.other_case(path)


class PackageWithout(WrappedPackage):
    """A package in which some files cannot be read, as they take too much memory."""

    def __init__(self, package: Package, costly: Collection[str], memory: int) -> None:
        """`memory` is the limit in bytes."""
        super().__init__(package, variants=package.variants)
        self._costly = frozenset(costly)
        self._memory = memory

    def reader(self, path: str) -> Reader | None:
        """Returns the reader of a file, which raises `TooCostlyError` if it takes too much memory."""
        return partial(self._refuse, path) if path in self._costly else super().reader(path)

    def _refuse(self, path: str) -> bytes:
        place = path_below(self.name, path)
        raise TooCostlyError(f"{place} takes more than {mebibytes(self._memory)} of memory to check")
