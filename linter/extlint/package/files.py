"""A package: one read-only set of files, wherever it came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from posixpath import normpath
from typing import Protocol, TypeAlias

from extlint.package.failures import Failures
from extlint.package.left_out import LeftOut
from extlint.package.unchecked import Unchecked

MANIFEST = "manifest.json"

Reader: TypeAlias = Callable[[], bytes]


class UnreadableError(Exception):
    """A package or file that cannot be read; the text is one sentence for the user.

    Names stand in it as they are on the disk or in the archive: escape them before printing.
    """


class TooLargeError(UnreadableError):
    """A file that is larger than `limits.MAX_FILE_BYTES`."""


def path_below(folder: str, path: str) -> str:
    """A path in a folder, the one of an extension, as seen from where the folder is named.

    Where it leads out of the folder, as to `../manifests/chrome.json`, the way is not told twice.
    """
    full = path if folder in ("", ".") else f"{folder.rstrip('/')}/{path}"
    return normpath(full) if path.startswith("../") else full


class Surroundings(Protocol):
    """The project that an extension's folder lies in, where compilers and bundlers are configured.

    Paths are relative to the project's root, with `/` between the parts.
    """

    @property
    def folder(self) -> str:
        """The extension's folder, with a `/` at its end; empty if it is the project's root."""
        ...

    def has(self, path: str) -> bool:
        """Whether the project has a file at a path."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises UnreadableError."""
        ...

    def folders(self, folder: str) -> Sequence[str]:
        """The names of the folders in a folder, sorted; not all of them where there are very many."""
        ...

    def files(self, folder: str) -> Sequence[str]:
        """The names of the files in a folder, sorted; not all of them where there are very many."""
        ...


class Package:
    """The files of one extension. Paths are relative to its root, with `/` between the parts.

    `name` is the path it is known by in output: the folder or archive as the user gave it.
    `manifest_path` is the file that is its manifest, and `variants` are others that a build packs with the
    same files, for other browsers. `complete` is false where only some of its files are known, so that the
    absence of others proves nothing.

    `unlisted` finds a file that is in the extension's folder, but not in `paths`: what lies in
    `node_modules`, or in another extension below this one, is checked only if something names it.
    `packed` is true for an archive that is an extension as browsers install it. `around` is the project
    that the extension's folder lies in, None where nothing is known of it. `others` are the folders of the
    extensions below this one, each with a `/` at its end. `left_out` is what lies there and is not looked
    at, which makes the package incomplete where browsers may find it. `links` are the listed files that
    are another file by a second name, with that file's own path.

    `top_folder` is the folder of an archive that has all of its files, with a `/` at its end: paths are
    relative to it, though browsers look for the manifest at the top. It is empty for all other packages.

    `failures` has the errors of extlint itself, and keeps each of them from ending the check of the others;
    `unchecked` has what was not looked at because there is too much of it.

    `derived` keeps what is worked out of the files alone, by any key, so that it is done once for all
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
        others: Sequence[str] = (),
        left_out: Sequence[LeftOut] = (),
        links: Mapping[str, str] | None = None,
        leads_out: Callable[[str], bool] | None = None,
        size: Callable[[str], int] | None = None,
        top_folder: str = "",
        variants: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.manifest_path = manifest_path
        self.variants = variants
        self.left_out = left_out
        self.complete = complete and not any(each.may_be_named for each in left_out)
        self.around = around
        self.packed = packed
        self.others = others
        self.links = links or {}
        self.top_folder = top_folder
        self.failures = Failures()
        self.unchecked = Unchecked()
        self.derived: dict[object, object] = {}
        self._readers = readers
        self._unlisted = unlisted
        self._leads_out = leads_out
        self._size = size

    @property
    def paths(self) -> tuple[str, ...]:
        """Every listed file's path, sorted."""
        return self._sorted

    @property
    def failed(self) -> frozenset[str]:
        """The paths of the files of which it is known that they cannot be read."""
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
        """What reads a file, listed or not; None if there is no such file. Letter case counts."""
        found = self._readers.get(path)
        if found is None and self._unlisted is not None and self.other_case(path) is None:
            found = self._unlisted(path)
        return found

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises KeyError if there is none, UnreadableError if it cannot be read."""
        found = self.reader(path)
        if found is None:
            raise KeyError(path)
        return found()

    def peek(self, path: str) -> bytes:
        """The bytes of a file that is not counted as looked at. Raises as `read` does."""
        return self.read(path)

    def size(self, path: str) -> int:
        """How many bytes a listed file has, found without reading it; 0 if that cannot be said."""
        return 0 if self._size is None else self._size(path)

    def leads_out(self, path: str) -> bool:
        """Whether a link on the way to a path leads out of the extension's folder, where nothing is known."""
        return self._leads_out is not None and self._leads_out(path)

    def other_case(self, path: str) -> str | None:
        """The path of a listed file that differs from `path` in letter case alone, if there is one."""
        found = self._by_folded.get(path.casefold())
        return found if found != path else None


class WrappedPackage(Package):
    """The same files as another package, which answers all that a subclass does not.

    Failures, and what is not checked, are its own. Without a path its manifest is that of the other package.
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
            others=package.others,
            left_out=package.left_out,
            links=package.links,
            top_folder=package.top_folder,
            variants=variants,
        )
        self._package = package

    @property
    def paths(self) -> tuple[str, ...]:
        """Every listed file's path, sorted."""
        return self._package.paths

    @property
    def failed(self) -> frozenset[str]:
        """The paths of the files of which it is known that they cannot be read."""
        return self._package.failed

    def reader(self, path: str) -> Reader | None:
        """What reads a file, listed or not; None if there is no such file."""
        return self._package.reader(path)

    def size(self, path: str) -> int:
        """How many bytes a listed file has, found without reading it; 0 if that cannot be said."""
        return self._package.size(path)

    def leads_out(self, path: str) -> bool:
        """Whether a link on the way to a path leads out of the extension's folder, where nothing is known."""
        return self._package.leads_out(path)

    def other_case(self, path: str) -> str | None:
        """The path of a listed file that differs from `path` in letter case alone, if there is one."""
        return self._package.other_case(path)
