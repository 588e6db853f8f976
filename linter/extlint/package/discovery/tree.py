"""File trees, and the extensions in them."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from posixpath import basename, dirname, join, normpath, relpath
from typing import Protocol

from extlint.package.discovery.variants import (
    MAX_VARIANTS,
    is_common_manifest,
    is_complete_manifest,
    is_in_variant_folder,
    is_published,
    is_variant,
    variant_name,
)
from extlint.package.disk import with_parents
from extlint.package.failures import internal_error
from extlint.package.files import MANIFEST, Made, Package, Reader, Surroundings, UnreadableError
from extlint.package.limits import LeftOut, Why, left_out_sentence
from extlint.package.sniff import (
    foreign_manifest,
    has_extension_keys,
    has_manifest_version,
    names_manifest_version,
)
from extlint.package.suffixes import is_page
from extlint.package.surroundings import PACKAGE_JSON


class FileLinks(Protocol):
    """The links of a file tree. A folder is written with a `/` at its end."""

    def links(self, folder: str) -> Mapping[str, str]:
        """Returns listed files below a folder that links lead to, each with its own path in that folder."""
        ...

    def leads_out(self, folder: str, path: str) -> bool:
        """Whether a link on the way to a path below a folder leads out of that folder."""
        ...


class FileTree(Protocol):
    """Files below one location. Paths are relative to it, with `/` between the parts. It can be pickled.

    A folder is written with a `/` at its end; the location itself is the empty string.
    """

    @property
    def name(self) -> str:
        """The location, as the user would write it."""
        ...

    @property
    def paths(self) -> Collection[str]:
        """The files that are listed."""
        ...

    @property
    def packed(self) -> bool:
        """Whether they are in an archive."""
        ...

    @property
    def top_folder(self) -> str:
        """The folder of an archive that contains all of its files, ending in `/`, or empty without one."""
        ...

    @property
    def left_out(self) -> Sequence[LeftOut]:
        """The contents of the location that are not listed, with their paths."""
        ...

    @property
    def file_links(self) -> FileLinks | None:
        """The links among the files, or None without any."""
        ...

    def read(self, path: str) -> bytes:
        """Returns the bytes of a file. Raises UnreadableError."""
        ...

    def size(self, path: str) -> int:
        """Returns the size of a listed file in bytes, or 0 if it cannot be determined."""
        ...

    def holds(self, folder: str, path: str) -> bool:
        """Whether a folder contains a file, even unlisted, at a path below it, with no link leading out."""
        ...

    def around(self, folder: str) -> Surroundings:
        """Returns the project around a folder."""
        ...


def package_of(tree: FileTree) -> Package:
    """Returns a package of all files in a tree, including any extensions among them."""
    return _package(tree, "", tree.paths, MANIFEST, (), tree.left_out)


def extensions(
    tree: FileTree, manifest_path: str = MANIFEST, *, reads_projects: bool = False
) -> Iterator[tuple[str, Package | UnreadableError]]:
    """Yields the extensions of a tree, each with its folder, sorted by name.

    A manifest at the top (`manifest_path`) counts unless it belongs to another product, a deeper one if its
    text mentions `manifest_version`. Variants of a manifest form one extension with it, or their own
    extension in a folder that belongs to no other. A file belongs only to the nearest extension above it, but
    each extension may name files of those below it. An extension whose manifest cannot be read is an error,
    and so is what was left out outside of all extensions. With `reads_projects`, a project without any
    manifest is an extension with the one that its framework makes.
    """
    roots, errors = _roots(tree, manifest_path)
    if reads_projects and manifest_path == MANIFEST:
        roots = [root for root in roots if not _is_remnant(tree, root)]
    variants = _variants(tree, roots, _named_variants(tree)) if manifest_path == MANIFEST else {}
    roots = [root for root in roots if not _is_variant_in(root + MANIFEST, variants)]
    roots += [root for root in variants if root not in roots]
    made = _made(tree, roots) if reads_projects and manifest_path == MANIFEST else {}
    roots += made
    if not roots and manifest_path == MANIFEST:
        variants = _variants(tree, (), _manifests_by_other_names(tree))
        roots += variants
    members: dict[str, list[str]] = {root: [] for root in roots}
    owners: dict[str, str | None] = {}
    for path in tree.paths:
        owner = _owner(dirname(path), members, owners)
        if owner is not None:
            members[owner].append(path)
    left_out: dict[str | None, list[LeftOut]] = {}
    for each in tree.left_out:
        is_inside = each.why is not Why.LEADS_OUT
        owner = _owner(dirname(each.path), members, owners) if is_inside else min(roots, default=None)
        if owner is not None or (roots and each.may_be_named):
            left_out.setdefault(owner, []).append(each)
    for root in sorted(roots, key=lambda root: name_in(tree, root)):
        found = _manifests(tree, root, variants.get(root, ()), manifest_path)
        manifest, *more = made[root].manifests if root in made else found
        nested_folders = [each[len(root) :] for each in roots if each != root and each.startswith(root)]
        own = [LeftOut(each.path[len(root) :], each.why) for each in left_out.get(root, ())]
        yield (
            root,
            errors.get(root)
            or _package(tree, root, members[root], manifest, nested_folders, own, more, made=made.get(root)),
        )
    if None in left_out:
        yield "", UnreadableError(f"{tree.name}: {left_out_sentence(left_out[None])}")


def _manifests(tree: FileTree, root: str, variants: Sequence[str], manifest_path: str) -> Sequence[str]:
    """Returns the manifests of an extension. The first represents it: `manifest.json` if it has one."""
    if root:
        manifest_path = MANIFEST
    path = root + manifest_path
    has_own = not variants or (path in tree.paths and _has_text(tree, path, _is_not_foreign))
    return (manifest_path, *variants) if has_own else variants


def _is_remnant(tree: FileTree, root: str) -> bool:
    """Whether a manifest is next to the configuration of WXT, which makes another one without reading it."""
    if tree.packed or f"{root}{PACKAGE_JSON}" not in tree.paths:
        return False
    from extlint.package.discovery.frameworks import CONFIGURATIONS

    configs = [root + each for each in CONFIGURATIONS if root + each in tree.paths]
    return bool(configs) and not any(MANIFEST.encode() in tree.read(each) for each in configs)


def _made(tree: FileTree, roots: Collection[str]) -> dict[str, Made]:
    """Returns the files that frameworks make in projects that have no manifest, by the project's folder.

    Only the innermost of several projects counts. An archive with a manifest is a finished extension.
    """
    found: dict[str, Made] = {}
    is_finished = tree.packed and bool(roots)
    configs = [] if is_finished else [each for each in tree.paths if basename(each) == PACKAGE_JSON]
    paths = sorted(tree.paths) if configs else []
    for path in sorted(configs, key=lambda path: (-path.count("/"), path)):
        folder = path.removesuffix(PACKAGE_JSON)
        if _is_vendored(path) or any(root.startswith(folder) for root in (*roots, *found)):
            continue
        from extlint.package.discovery.frameworks import made_files

        own = paths[bisect_left(paths, folder) : bisect_left(paths, f"{folder}{chr(sys.maxunicode)}")]
        made = made_files([each[len(folder) :] for each in own], partial(_read_below, tree, folder))
        if made.files and not (folder and _has_page_elsewhere(made, folder, paths)):
            found[folder] = made
    return found


def _has_page_elsewhere(made: Made, folder: str, paths: Sequence[str]) -> bool:
    """Whether a made manifest names a page that only another project has: `popup/index.html` in `pages`."""
    from extlint.package.discovery.manifest_folders import code_named_in

    names = [each for each in code_named_in(made.files[MANIFEST]) if is_page(each) and each not in made.files]
    missing = tuple(f"/{each}" for each in names if folder + each not in paths)
    return any(each.endswith(missing) and not each.startswith(folder) for each in paths)


def _read_below(tree: FileTree, folder: str, path: str) -> bytes:
    return tree.read(folder + path)


def _is_variant_in(path: str, variants: Mapping[str, Sequence[str]]) -> bool:
    """Whether a manifest is a variant of an extension with another folder."""
    return any(relpath(path, root or ".") in paths for root, paths in variants.items())


def _named_variants(tree: FileTree) -> list[str]:
    """Returns the complete manifests that are named for a browser or a version.

    Those that a build makes of a common manifest do not count.
    """
    merged = {path.removesuffix(basename(path)) for path in tree.paths if is_common_manifest(path)}
    single = [path for path in tree.paths if is_variant(path) or is_in_variant_folder(path)]
    named = [path for path in single if path.removesuffix(basename(path)) not in merged]
    return [path for path in named if _has_text(tree, path, is_complete_manifest)]


def _manifests_by_other_names(tree: FileTree) -> list[str]:
    """Returns the manifests of a tree without any `manifest.json`, such as templates and common ones.

    Parts of manifests count only without complete ones, and those for developers only without others.
    """
    kinds = {
        path: (_has_text(tree, path, is_complete_manifest), is_published(path))
        for path in tree.paths
        if variant_name(path) and _has_text(tree, path, _is_manifest)
    }
    return [path for path, kind in kinds.items() if kind == max(kinds.values())]


def _is_manifest(data: bytes) -> bool:
    is_one = is_complete_manifest(data) or (has_manifest_version(data) and has_extension_keys(data))
    return is_one and _is_not_foreign(data)


def _is_not_foreign(data: bytes) -> bool:
    return foreign_manifest(data) is None


def _variants(tree: FileTree, roots: Collection[str], named: Sequence[str]) -> dict[str, list[str]]:
    """Returns those of some manifests that are variants of an extension, by its root.

    A root is that of an extension with another manifest, or a new root outside of all extensions. The
    variants are relative to it. A `manifest.json` is a variant if its root is not its own folder.
    """
    found: dict[str, list[str]] = {}
    in_folders: dict[str, str] = {}
    for path in [] if tree.packed else sorted(named):
        folder = path.removesuffix(basename(path))
        if _is_vendored(path):
            continue
        if folder not in in_folders:
            from extlint.package.discovery.manifest_folders import root_of

            in_folders[folder] = root_of(
                path, tree.read(path), tree.paths.__contains__, partial(_folders_in, tree)
            )
        root = in_folders[folder]
        is_displaced = path.endswith(f"/{MANIFEST}")
        if is_displaced and root == folder:
            continue
        other_roots = [each for each in roots if each != folder] if is_displaced else roots
        is_inside = any(folder.startswith(each) or root.startswith(each) for each in other_roots)
        if (root in other_roots or not is_inside) and len(found.get(root, ())) < MAX_VARIANTS:
            found.setdefault(root, []).append(relpath(path, root or "."))
    return found


def _folders_in(tree: FileTree, folder: str) -> set[str]:
    start = folder and f"{folder}/"
    inner = (path[len(start) :].partition("/") for path in tree.paths if path.startswith(start))
    return {name for name, slash, _ in inner if slash}


def _has_text(tree: FileTree, path: str, fits: Callable[[bytes], bool]) -> bool:
    try:
        return fits(tree.read(path))
    except UnreadableError:
        return False


def _roots(tree: FileTree, manifest_path: str) -> tuple[list[str], dict[str, UnreadableError]]:
    roots = []
    errors: dict[str, UnreadableError] = {}
    for path in tree.paths:
        top = path == manifest_path
        if not top and (path == MANIFEST or basename(path) != MANIFEST or _is_vendored(path)):
            continue
        root = path.removesuffix(MANIFEST) if not top else ""
        try:
            data = tree.read(path)
            is_one = names_manifest_version(data) or (top and path == MANIFEST)
            if (is_one and foreign_manifest(data) is None) or (top and path != MANIFEST):
                roots.append(root)
        except UnreadableError as error:
            roots.append(root)
            errors[root] = error
        except Exception as error:
            roots.append(root)
            errors[root] = UnreadableError(internal_error(f"{tree.name}/{path}", error))
    return roots, errors


def _is_vendored(path: str) -> bool:
    return "node_modules" in path.split("/")


def _owner(folder: str, roots: Collection[str], known: dict[str, str | None]) -> str | None:
    """Returns the nearest extension at or above a folder (written without the final `/`), or None."""
    passed = []
    while folder not in known:
        passed.append(folder)
        root = folder and f"{folder}/"
        if root in roots or not folder:
            known[folder] = root if root in roots else None
        else:
            folder = dirname(folder)
    found = known[folder]
    known.update(dict.fromkeys(passed, found))
    return found


def _package(
    tree: FileTree,
    root: str,
    paths: Collection[str],
    manifest_path: str,
    nested_folders: Sequence[str] = (),
    left_out: Sequence[LeftOut] = (),
    variants: Sequence[str] = (),
    *,
    made: Made | None = None,
) -> Package:
    made_files = {} if made is None else made.files
    inner = [(path, path[len(root) :]) for path in paths if path[len(root) :] not in made_files]
    readers: dict[str, Reader] = {path: partial(bytes, data) for path, data in made_files.items()}
    readers |= {path: partial(tree.read, full) for full, path in inner if tree.holds(root, path)}
    outside = (path for path in (manifest_path, *variants) if path.startswith("../"))
    readers.update({path: partial(tree.read, normpath(root + path)) for path in outside})
    around = tree.around(root)
    above = with_parents(around.folder[:-1]) if around.folder and manifest_path in readers else ()
    projects = [each for each in above if around.has(join(each, PACKAGE_JSON))]
    if projects:
        from extlint.package.discovery.outer_files import outer_files

        readers |= outer_files(around, projects, readers[manifest_path], readers)
    links = tree.file_links
    return Package(
        name_in(tree, root),
        readers,
        manifest_path,
        unlisted=partial(_unlisted, tree, root),
        around=around,
        packed=tree.packed and not root and made is None,
        in_packed=tree.packed and bool(root) and tree.holds("", MANIFEST),
        top_folder="" if root else tree.top_folder,
        others=nested_folders,
        left_out=left_out,
        links=None if links is None else links.links(root),
        leads_out=None if links is None else partial(links.leads_out, root),
        size=partial(_size, tree, root),
        variants=variants,
        made=frozenset(made_files),
        key_places={} if made is None else made.key_places,
    )


def _unlisted(tree: FileTree, root: str, path: str) -> Reader | None:
    return partial(tree.read, root + path) if tree.holds(root, path) else None


def _size(tree: FileTree, root: str, path: str) -> int:
    return tree.size(normpath(root + path) if path.startswith("../") else root + path)


def name_in(tree: FileTree, root: str) -> str:
    """Returns the path of a folder of the tree, as the user would write it."""
    inner = root.removesuffix("/")
    if tree.name == ".":
        return inner or "."
    return join(tree.name, inner) if inner else tree.name
