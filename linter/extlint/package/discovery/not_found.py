"""Creates the errors of a search that finds no extension."""

from __future__ import annotations

import os
from collections.abc import Sequence
from posixpath import basename, join

from extlint.package.discovery.folder import FolderTree
from extlint.package.discovery.scope import Skipped, SkippedBy
from extlint.package.discovery.tree import FileTree
from extlint.package.files import MANIFEST, UnreadableError
from extlint.package.limits import left_out_sentence
from extlint.package.sniff import foreign_manifest, has_manifest_version, names_manifest_version
from extlint.text.wording import listed_with_count, quoted

_MAX_CANDIDATES = 20
"""Files named `manifest.json` that are read."""

_REASONS = {SkippedBy.GIT: "Git ignores", SkippedBy.CONFIGURATION: "the configuration excludes"}
_REMEDIES = {
    SkippedBy.GIT: "--no-gitignore checks that all the same",
    SkippedBy.CONFIGURATION: "to check that, give its path",
}


class NoManifestError(UnreadableError):
    """A folder without an extension to check. `tree` has the files of a folder, or None for anything else."""

    def __init__(self, sentence: str, tree: FolderTree | None = None) -> None:
        super().__init__(sentence)
        self.tree = tree


def no_manifest_error(tree: FileTree, manifest: str = MANIFEST) -> NoManifestError:
    """Returns the error for a tree in which no file is an extension's manifest."""
    folder = tree if isinstance(tree, FolderTree) else None
    if folder is not None and os.path.islink(os.path.join(folder.root, manifest)):
        return NoManifestError(f"{join(tree.name, manifest)} is a symbolic link to a file outside its folder")
    if not tree.paths and tree.left_out:
        return NoManifestError(f"{tree.name}: {left_out_sentence(tree.left_out)}")
    if not tree.paths:
        return NoManifestError(f"{tree.name} is empty")
    named = [path for path in tree.paths if basename(path) == MANIFEST]
    for path in sorted(named, key=lambda path: (path.count("/"), path))[:_MAX_CANDIDATES]:
        data = tree.read(path)
        owner = foreign_manifest(data) if path == MANIFEST or names_manifest_version(data) else None
        if owner is not None:
            return NoManifestError(not_an_extension_sentence(join(tree.name, path), owner, data), folder)
    if named:
        return NoManifestError(f"no manifest.json in {tree.name} has a manifest_version", folder)
    return NoManifestError(f"no manifest.json in or below {tree.name}", folder)


def all_skipped_error(tree: FileTree, skipped: Sequence[Skipped]) -> NoManifestError:
    """Returns the error for a tree whose extensions are all skipped."""
    folder = tree if isinstance(tree, FolderTree) else None
    by = skipped[0].by
    named = listed_with_count([quoted(each.path) for each in skipped if each.by is by])
    return NoManifestError(
        f"no manifest.json in or below {tree.name} but in what {_REASONS[by]}, {named}; {_REMEDIES[by]}",
        folder,
    )


def not_an_extension_sentence(path: str, owner: str, data: bytes) -> str:
    """Returns the sentence about a manifest that belongs to another product."""
    reason = "" if has_manifest_version(data) else ": it has no manifest_version"
    return f"{path} is {owner}, not an extension's manifest{reason}"
