"""Finds the extensions at, in or around a path on the command line."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import takewhile
from stat import S_ISDIR, S_ISREG

from extlint.package.discovery.folder import FolderTree
from extlint.package.discovery.scope import ConfiguredManifests, Scope, Skipped, SkippedBy
from extlint.package.discovery.tree import FileTree, extensions, name_in, package_of
from extlint.package.discovery.variants import (
    VariantPackage,
    is_common_manifest,
    is_complete_manifest,
    is_in_variant_folder,
    is_manifest_folder,
    is_variant,
    other_manifests,
    variant_name,
)
from extlint.package.disk import (
    below,
    entries_in,
    is_file,
    is_folder,
    is_in,
    mode_of,
    read_file,
    unreadable,
    unsaved_paths_below,
    with_parents,
    with_slashes,
)
from extlint.package.failures import internal_error
from extlint.package.files import MANIFEST, Package, UnreadableError, path_below
from extlint.package.limits import MAX_SNIFFED_BYTES
from extlint.package.sniff import (
    foreign_manifest,
    has_extension_keys,
    has_manifest_version,
    is_named_like_a_manifest,
    names_manifest_version,
)
from extlint.package.suffixes import ARCHIVES, NEVER_MANIFESTS
from extlint.package.surroundings import PACKAGE_JSON
from extlint.queries.query import cached_method

_MAX_START_BYTES = 256
"""The number of bytes of any file that are read to determine whether it may be JSON."""


_ALL_MANIFESTS = ""
"""Denotes all manifests of a folder, in place of the name of one manifest."""


class NoExtensionError(UnreadableError):
    """A file that is not part of an extension: harmless if a tool names the files, such as pre-commit."""


def find_packages(paths: Sequence[str], scope: Scope | None = None) -> Iterator[Package | UnreadableError]:
    """Yields the extensions that paths refer to, in the paths' order, and sorted by name for each path.

    Variants of manifests come last, because an extension is checked with all of its own.

    A path is an extension's folder, a folder that contains several, a manifest, an archive, or any file of an
    extension, which then refers to the nearest one above it. Each extension is yielded only once. Unreadable
    files are yielded as errors in their position, and do not affect other extensions. `scope` decides which
    of the extensions below a folder are skipped, and records them; one at the path itself is never skipped.
    """
    search = _Search(scope, paths)
    for path in sorted(dict.fromkeys(paths), key=is_variant):
        try:
            for each in search.packages_at(path):
                search.mark_given_files(each)
                yield each
        except UnreadableError as error:
            yield error
        except (OSError, ValueError) as error:
            yield unreadable(path, error)
        except Exception as error:
            yield UnreadableError(internal_error(path, error))


def packages_in_archive(
    data: bytes, name: str, scope: Scope | None = None
) -> Iterator[Package | UnreadableError]:
    """Yields the extensions in an archive with this name, which is not on the disk."""
    try:
        yield from _Search(scope).packages_in_archive(data, name)
    except UnreadableError as error:
        yield error


def stdin_package(
    data: bytes, filename: str | None = None, scope: Scope | None = None
) -> Package | UnreadableError:
    """Returns the extension of a file, with `data` in place of the file's contents on the disk, if any.

    A manifest outside of all extensions' folders is a package of its own, which is not complete; so is
    a manifest without a name.
    """
    try:
        search = _Search(scope, () if filename is None else (filename,))
        found = _with_content(search, data, filename)
        search.mark_given_files(found)
        return found
    except UnreadableError as error:
        return error
    except (OSError, ValueError) as error:
        return unreadable(filename or "standard input", error)


def _manifest_only(name: str, manifest: str, data: bytes) -> Package:
    """Returns the package of a manifest outside of all extensions' folders."""
    return Package(
        name, {manifest: partial(bytes, data)}, manifest, complete=False, size=partial(_length, data)
    )


def _length(data: bytes, _path: str) -> int:
    return len(data)


def _with_content(search: _Search, data: bytes, filename: str | None) -> Package:
    if filename is None:
        if has_manifest_version(data):
            return _manifest_only(".", MANIFEST, data)
        raise UnreadableError("standard input is not a manifest; name the file with --stdin-filename")
    file = _absolute(filename)
    if is_folder(file):
        raise UnreadableError(f"{filename} is a folder; --stdin-filename requires the name of a file")
    if _is_archive(file):
        raise UnreadableError(f"{filename} cannot be read from standard input; give its path as an argument")
    entry = search.configured_entry(file)
    if entry is not None:
        inner = below(file, entry.root)
        return next(search.configured_package(entry, filename, {inner: data}))
    folder, manifest = search.extension_of(file, data, filename)
    name = _display_name(folder, filename)
    manifest = manifest or MANIFEST
    if not is_folder(folder) or (
        not os.path.exists(file) and search.nearest_extension_folder(folder) is None
    ):
        return _manifest_only(name, manifest, data)
    inner = below(file, folder)
    return search.package_with_file(FolderTree(folder, name, {inner: data}), manifest, inner)


class _Search:
    """The state of a search: the extensions found, and which folders are known to be extensions or not."""

    def __init__(self, scope: Scope | None = None, paths: Sequence[str] = ()) -> None:
        self._scope = Scope() if scope is None else scope
        self._given = frozenset(map(os.path.abspath, paths))
        self._given_in_order = sorted(self._given)
        self._yielded: set[tuple[str, str]] = set()
        self._roots: dict[str, str] = {}

    def mark_given_files(self, found: Package | UnreadableError) -> None:
        """Records the files of an extension that the user names, or whose texts are not saved."""
        if isinstance(found, Package):
            root = os.path.abspath(found.name)
            start, given = os.path.join(root, ""), self._given_in_order
            first = bisect_left(given, start)
            named = takewhile(
                lambda each: each.startswith(start), map(given.__getitem__, range(first, len(given)))
            )
            unsaved = map(os.path.abspath, unsaved_paths_below(root))
            requested = named if self._scope.is_named_by_user else ()
            found.given = frozenset(below(each, root) for each in (*requested, *unsaved))

    def packages_at(self, path: str) -> Iterator[Package | UnreadableError]:
        """Yields the extensions that one path refers to, without those found before."""
        place = _absolute(path)
        mode = mode_of(place)
        if S_ISDIR(mode):
            yield from self._folder(place, path)
        elif not S_ISREG(mode):
            raise UnreadableError(f"{path} is neither a file nor a folder")
        elif _is_archive(place):
            yield from self._archive(place, path)
        else:
            yield from self._file(place, path)

    def _folder(self, folder: str, path: str) -> Iterator[Package | UnreadableError]:
        manifest = os.path.join(folder, MANIFEST)
        if _has_root_elsewhere(manifest):
            yield from self._file(manifest, path)
            return
        tree = FolderTree(folder, _display_name(folder, path))
        yield from tree.unreadable
        entries = self._scope.entries(tree.name)
        for entry in entries:
            self._roots |= {os.path.realpath(each): os.path.realpath(entry.root) for each in entry.manifests}
        try:
            yield from self._packages_in_tree(tree, folder, partial(self._scope.skips, tree.name))
        except UnreadableError:
            if not entries:
                raise
        for entry in entries:
            yield from self.configured_package(entry, path)

    def configured_package(
        self, entry: ConfiguredManifests, path: str, contents: Mapping[str, bytes] | None = None
    ) -> Iterator[Package]:
        """Yields the extension in a folder, with the manifests that a configuration names for it.

        `contents` replaces the contents of the disk at these paths in the folder.
        """
        root = entry.root
        named = {below(each, root): each for each in entry.manifests}
        new = [inner for inner in named if self._is_new(root, inner)]
        if new:
            outside = {
                inner: read_file(named[inner], named[inner]) for inner in new if inner.startswith("../")
            }
            tree = FolderTree(root, _display_name(root, path), {**outside, **(contents or {})})
            yield VariantPackage(package_of(tree), new[0], new[1:])

    def configured_entry(self, file: str) -> ConfiguredManifests | None:
        """Returns the configured extension of a file, or None, also if a nearer one has the file."""
        entry = self._scope.entry_with(file)
        if entry is None or file in entry.manifests:
            return entry
        above = self.nearest_extension_folder(os.path.dirname(file))
        return entry if above is None or not is_in(above, entry.root) else None

    def _archive(self, archive: str, path: str) -> Iterator[Package | UnreadableError]:
        from extlint.package.discovery.archive import ArchiveTree

        yield from self._packages_in_tree(ArchiveTree(archive, _display_name(archive, path)), archive)

    def packages_in_archive(self, data: bytes, name: str) -> Iterator[Package | UnreadableError]:
        """Yields the extensions in an archive with this content."""
        from extlint.package.discovery.archive import ArchiveTree

        place = os.path.abspath(name)
        yield from self._packages_in_tree(ArchiveTree(data, _display_name(place, name)), place)

    def _packages_in_tree(
        self, tree: FileTree, place: str, skipped_by: Callable[[str], SkippedBy | None] = lambda _: None
    ) -> Iterator[Package | UnreadableError]:
        found = list(extensions(tree, reads_projects=self._scope.reads_projects))
        if not found:
            from extlint.package.discovery.not_found import no_manifest_error

            raise no_manifest_error(tree)
        by = {root: skipped_by(root + _manifest_of(package)) for root, package in found if root}
        skipped = [Skipped(name_in(tree, root), why) for root, why in by.items() if why is not None]
        if len(skipped) == len(found):
            from extlint.package.discovery.not_found import all_skipped_error

            raise all_skipped_error(tree, skipped)
        copies = _old_copies(dict(each for each in found if by.get(each[0]) is None))
        self._scope.skipped += skipped
        for root, package in found:
            if root in copies:
                place = path_below(name_in(tree, root), _manifest_of(package))
                self._scope.skipped.append(Skipped(place, SkippedBy.COPY))
            elif by.get(root) is None:
                if not tree.packed and isinstance(package, Package):
                    self._scope.skipped += self._other_manifests(package)
                yield from self._unseen_manifests(os.path.join(place, root), package)

    def _file(self, file: str, path: str) -> Iterator[Package | UnreadableError]:
        entry = self.configured_entry(file)
        if entry is not None:
            yield from self.configured_package(entry, path)
            return
        folder, manifest = self.extension_of(file, _start_of(file, path), path)
        if self._is_new(folder, manifest or _ALL_MANIFESTS):
            outside = {manifest: read_file(file, path)} if manifest and manifest.startswith("../") else {}
            tree = FolderTree(folder, _display_name(folder, path), outside)
            yield from tree.unreadable
            package = self.package_with_file(tree, manifest or MANIFEST, below(file, folder))
            if manifest is None:
                yield from self._unseen_manifests(os.path.abspath(package.name), package)
            else:
                yield VariantPackage(package, manifest) if package.variants else package

    def _unseen_manifests(
        self, root: str, found: Package | UnreadableError
    ) -> Iterator[Package | UnreadableError]:
        """Yields an extension with those of its manifests that were not found before."""
        self._is_new(root, _ALL_MANIFESTS)
        if isinstance(found, UnreadableError) or not found.variants:
            if self._is_new(root, _manifest_of(found)):
                yield found
            return
        new = [each for each in (found.manifest_path, *found.variants) if self._is_new(root, each)]
        if new:
            first, *found.variants = new
            yield found if first == found.manifest_path else VariantPackage(found, first, found.variants)

    def _other_manifests(self, package: Package) -> Iterator[Skipped]:
        """Yields the manifests of an extension that are checked only if the user gives their paths."""
        for manifest in other_manifests(package):
            path = path_below(package.name, manifest)
            if os.path.abspath(path) not in self._given:
                yield Skipped(path, SkippedBy.NAME)

    def _is_new(self, root: str, manifest: str) -> bool:
        """Whether a manifest was not found before, and its root does not contradict the configuration."""
        key = (os.path.realpath(root), manifest)
        file = os.path.realpath(os.path.join(root, manifest)) if self._roots and manifest else ""
        if key in self._yielded or self._roots.get(file, key[0]) != key[0]:
            return False
        self._yielded.add(key)
        return True

    def extension_of(self, file: str, text: bytes, path: str) -> tuple[str, str | None]:
        """Returns the folder of a file's extension, and the file's name there if it is a manifest itself.

        `text` is the start of the file, at least if it may be a manifest. The file is a manifest if its text
        says so, or if its name does and it is not in an extension's folder: parts of manifests, from which a
        build generates complete ones, have similar names. A `manifest.json` for another purpose is treated
        like any other file. Raises NoExtensionError, which names the file as `path`.
        """
        folder, name = os.path.split(file)
        is_script = _suffix(file) in NEVER_MANIFESTS
        is_named = name == MANIFEST or (not is_script and is_named_like_a_manifest(name))
        owner = foreign_manifest(text) if is_named else None
        has_version = not is_script and has_manifest_version(text)
        if owner is None and (name == MANIFEST or has_version):
            return _own_root(file, text)
        above = (
            self.nearest_extension_folder(folder)
            or _folder_with_separate_manifest(file)
            or self._copied_folder(file)
        )
        if above is not None:
            return above, None
        if owner is not None:
            from extlint.package.discovery.not_found import not_an_extension_sentence

            raise NoExtensionError(not_an_extension_sentence(path, owner, text))
        if is_named or (not is_script and has_extension_keys(text)):
            if self._scope.is_named_by_user:
                return folder, name
            raise NoExtensionError(f"{path} is only a part of a manifest: it has no manifest_version")
        raise NoExtensionError(f"{path} belongs to no extension: no folder above it has a manifest.json")

    def package_with_file(self, tree: FolderTree, manifest: str, file: str) -> Package:
        """Returns the extension at the top of a tree, or a file's own if only inner ones are known.

        Raises NoExtensionError for a file that belongs to no extension.
        """
        reads_projects = self._scope.reads_projects and file != manifest
        found = dict(extensions(tree, manifest, reads_projects=reads_projects))
        for root in sorted(found, key=len):
            package = found[root]
            if not root or file.startswith(root):
                if isinstance(package, UnreadableError):
                    raise package
                return package
        if found:
            raise NoExtensionError(f"{path_below(tree.name, file)} belongs to no extension")
        from extlint.package.discovery.not_found import no_manifest_error

        raise no_manifest_error(tree, manifest)

    def _copied_folder(self, file: str) -> str | None:
        """Returns the folder of an extension if a file outside of it is one of its sources, or None."""
        from extlint.package.discovery.outer_files import copied_folders

        return next(filter(self._is_extension, copied_folders(file)), None)

    def nearest_extension_folder(self, folder: str) -> str | None:
        """Returns the nearest folder, from this one up, with an extension's manifest or variants, or None."""
        return next((each for each in with_parents(folder) if self._is_extension(each)), None)

    @cached_method
    def _is_extension(self, folder: str) -> bool:
        manifest = os.path.join(folder, MANIFEST)
        has_own = is_file(manifest) and _is_extensions(read_file(manifest, manifest, MAX_SNIFFED_BYTES))
        return (
            has_own
            or (not is_manifest_folder(os.path.basename(folder)) and _has_variants(folder))
            or (self._scope.reads_projects and _is_project(folder))
        )


def _old_copies(found: Mapping[str, Package | UnreadableError]) -> set[str]:
    """Returns the folders of the extensions that are old copies of others."""
    packages = {root: each for root, each in found.items() if isinstance(each, Package)}
    if len(packages) < 2:
        return set()
    from extlint.package.discovery.manifest_folders import old_copies

    return old_copies(packages)


def _manifest_of(package: Package | UnreadableError) -> str:
    return package.manifest_path if isinstance(package, Package) else MANIFEST


def _own_root(file: str, text: bytes) -> tuple[str, str]:
    """Returns the root of the extension to which a manifest belongs, and the manifest's path from there."""
    path = with_slashes(file)
    if not variant_name(path) and not is_in_variant_folder(path):
        return os.path.split(file)
    from extlint.package.discovery.manifest_folders import root_of

    root = os.path.normpath(root_of(path, text))
    return root, below(file, root)


def _has_root_elsewhere(manifest: str) -> bool:
    """Whether a file is the manifest of a folder for a browser, and its root is another folder."""
    if not is_in_variant_folder(with_slashes(manifest)) or not is_file(manifest):
        return False
    try:
        data = read_file(manifest, manifest, MAX_SNIFFED_BYTES)
    except UnreadableError:
        return False
    return is_complete_manifest(data) and _own_root(manifest, data)[0] != os.path.dirname(manifest)


def _folder_with_separate_manifest(file: str) -> str | None:
    """Returns the nearest folder above a file with a manifest elsewhere whose root is above the file."""
    from extlint.package.discovery.manifest_folders import find_separate_manifests, root_of

    for folder in with_parents(os.path.dirname(file)):
        with suppress(OSError, UnreadableError):
            for manifest in find_separate_manifests(folder):
                path = with_slashes(manifest)
                data = read_file(path, path, MAX_SNIFFED_BYTES)
                root = root_of(path, data) if is_complete_manifest(data) else path
                if is_in(file, root) and not is_in(file, os.path.dirname(manifest)):
                    return folder
    return None


def _has_variants(folder: str) -> bool:
    """Whether a folder contains a variant of a manifest, directly or in a folder of manifests."""
    try:
        found = list(entries_in(folder))
        named = [each.path for each in found if each.name.endswith(".json") and each.is_file()]
        if not is_manifest_folder(os.path.basename(folder)):
            inner = (each.path for each in found if is_manifest_folder(each.name) and each.is_dir())
            if any(map(_has_variants, inner)):
                return True
        paths = [] if any(map(is_common_manifest, named)) else [each for each in named if is_variant(each)]
        return any(is_complete_manifest(read_file(path, path, MAX_SNIFFED_BYTES)) for path in paths)
    except (OSError, UnreadableError):
        return False


def _is_project(folder: str) -> bool:
    """Whether a framework makes an extension from the files in a folder without any manifest."""
    if not is_file(os.path.join(folder, PACKAGE_JSON)):
        return False
    from extlint.package.discovery.frameworks import made_files, may_be_entry_point

    try:
        if not any(map(may_be_entry_point, _files_near(folder))):
            return False
        tree = FolderTree(folder, folder)
        return not any(path.endswith(MANIFEST) for path in tree.paths) and bool(
            made_files(tree.paths, tree.read).files
        )
    except (OSError, UnreadableError):
        return False


def _files_near(folder: str, above: str = "") -> Iterator[str]:
    """Yields the files in a folder and in two levels of folders below it, by their paths from there."""
    for each in entries_in(folder):
        if each.is_file():
            yield above + each.name
        elif above.count("/") < 2 and each.name[0] != "." and each.name != "node_modules" and each.is_dir():
            with suppress(OSError):
                yield from _files_near(each.path, f"{above}{each.name}/")


def _is_extensions(data: bytes) -> bool:
    return names_manifest_version(data) and foreign_manifest(data) is None


def _start_of(file: str, path: str) -> bytes:
    """Returns the start of a file; only a short one if it is not JSON."""
    start = read_file(file, path, _MAX_START_BYTES)
    may_be_json = start.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith((b"{", b"/", b"<", b"#"))
    is_sniffed = file.endswith(".json") or (may_be_json and _suffix(file) not in NEVER_MANIFESTS)
    return read_file(file, path, MAX_SNIFFED_BYTES) if is_sniffed else start


def _is_archive(file: str) -> bool:
    return _suffix(file) in ARCHIVES


def _suffix(file: str) -> str:
    return os.path.splitext(file)[1].lower()


def _absolute(path: str) -> str:
    """Returns the path without `.` and `..`. If a link precedes a `..`, the path is resolved on the disk."""
    if not path:
        raise UnreadableError("no such file or folder: the path is empty")
    if ".." not in path:
        return os.path.abspath(path)
    from pathlib import Path

    place = Path(path)
    if ".." not in place.parts:
        return str(place.absolute())
    return str(place.resolve() if place.name == ".." else place.parent.resolve() / place.name)


def _display_name(place: str, user_path: str) -> str:
    """Returns an absolute path as the user would write it: relative if the path that they passed is."""
    return with_slashes(place if os.path.isabs(user_path) else os.path.relpath(place))
