"""The extensions in a folder that has no configuration yet, and the browsers that each is made for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from glob import escape
from pathlib import Path
from posixpath import basename, dirname, join

from msgspec import Struct
from msgspec.structs import replace

from extlint.linting.configuration.entries import matches
from extlint.linting.configuration.project_file import folders_above
from extlint.linting.configuration.source import sources_in
from extlint.manifest.file_keys import FileUse, file_references
from extlint.manifest.manifest import Manifest, read_manifest
from extlint.package.discovery.find import find_packages
from extlint.package.discovery.folder import FolderTree
from extlint.package.discovery.variants import each_variant
from extlint.package.files import MANIFEST, Package, UnreadableError, path_below
from extlint.package.git_ignore import GitIgnores
from extlint.package.surroundings import OUTPUT_FOLDERS
from extlint.package.tolerant import TolerantPackage
from extlint.project.build_output import display_path
from extlint.project.generated_manifests import generated_manifests
from extlint.project.target_detection.build_names import is_variant_folder
from extlint.project.target_detection.choice import Choice, Origin
from extlint.project.target_detection.detect import detect_targets
from extlint.text.json.values import JsonValue

_SET_BY_BUILDS = frozenset({"key", "update_url", "version", "version_name"})


class FoundExtension(Struct, frozen=True):
    """An extension: its folder, relative to the surveyed one, and its manifest in there.

    `keys` are the keys of its manifest and their values. `is_complete` is true if all scripts and pages exist
    that its manifest names. `is_configured` is true if a file in its folder, or on the way to it, is
    its configuration already. `is_ignored` is true if Git ignores it.
    """

    folder: str
    manifest: str
    choice: Choice
    keys: Mapping[str, JsonValue]
    is_complete: bool
    is_configured: bool
    is_ignored: bool

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets that the extension states; empty if it states none."""
        return () if self.choice.origin is Origin.DEFAULT else self.choice.names

    @property
    def has_own_manifest(self) -> bool:
        """Whether its manifest has the name that browsers look for."""
        return self.manifest == MANIFEST

    @property
    def manifest_path(self) -> str:
        """The path of its manifest."""
        return path_below(self.folder, self.manifest)

    @property
    def output_folder(self) -> str | None:
        """The folder on the path to it that is named like a build's output folder, or None."""
        parts = self.folder.split("/")
        count = next((number for number, part in enumerate(parts, 1) if part in OUTPUT_FOLDERS), None)
        return None if count is None else "/".join(parts[:count])


class GeneratedFolder(Struct, frozen=True):
    """A glob of the folders in which a project's build generates extensions, and the tool that does."""

    glob: str
    maker: str
    command: str


class Survey(Struct, frozen=True):
    """The extensions in a folder, and a sentence for each unreadable or invalid item.

    `made` are the folders of generated extensions, if they contain all extensions that Git does not ignore.
    """

    extensions: tuple[FoundExtension, ...]
    unreadable: tuple[str, ...]
    made: tuple[GeneratedFolder, ...] = ()

    @property
    def tracked(self) -> tuple[FoundExtension, ...]:
        """The extensions that Git does not ignore, or all if it ignores all, because a build makes them."""
        return tuple(each for each in self.extensions if not each.is_ignored) or self.extensions

    @property
    def copied_folders(self) -> tuple[str, ...]:
        """The build folders whose extensions are all copies of one that can be checked itself.

        That one has all of its files, and the same manifest but for keys that builds set.
        """
        sources = [each for each in self.tracked if each.output_folder is None and each.is_complete]
        folders: dict[str, bool] = {}
        for each in self.tracked:
            if each.output_folder is not None:
                is_copy = any(_is_copy(each, source) for source in sources)
                folders[each.output_folder] = is_copy and folders.get(each.output_folder, True)
        return tuple(folder for folder, are_copies in folders.items() if are_copies)


def _is_copy(built: FoundExtension, source: FoundExtension) -> bool:
    return built.targets == source.targets and _without_build_keys(built.keys) == _without_build_keys(
        source.keys
    )


def _without_build_keys(keys: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Returns the keys of a manifest that builds do not set."""
    return {key: value for key, value in keys.items() if key not in _SET_BY_BUILDS}


def survey(folder: str) -> Survey:
    """Returns the survey of a folder."""
    extensions = []
    unreadable = []
    ignores = GitIgnores(os.path.realpath(folder))
    for each in find_packages([folder]):
        if isinstance(each, UnreadableError):
            unreadable.append(str(each))
        else:
            extensions += [_found(variant, folder, ignores) for variant in each_variant(each)]
    found = Survey(tuple(sorted(extensions, key=lambda each: each.manifest_path)), tuple(unreadable))
    generated = tuple(_generated_folders(folder))
    if all(any(matches(each.glob, one.folder) for each in generated) for one in found.tracked):
        return replace(found, made=generated)
    return found


def _generated_folders(folder: str) -> Iterator[GeneratedFolder]:
    """Yields the folders in which the builds of the projects in a folder generate extensions."""
    for each in generated_manifests(FolderTree(folder, ".")):
        output = each.build.output
        if output is not None and each.build.command:
            path = display_path(output, each.project_folder, each.folder or ".")
            glob = join(escape(dirname(path)), "*") if is_variant_folder(basename(path)) else escape(path)
            if not path.startswith("../"):
                yield GeneratedFolder(glob, each.generator, each.build.command)


def _found(package: Package, folder: str, ignores: GitIgnores) -> FoundExtension:
    files = TolerantPackage(package)
    manifest = read_manifest(files.manifest_path, files.read(files.manifest_path))
    place = Path(os.path.relpath(package.name, folder)).as_posix()
    plain = manifest.plain
    return FoundExtension(
        place,
        package.manifest_path,
        detect_targets(package, manifest),
        plain if isinstance(plain, dict) else {},
        all(path in package for path in _code(manifest)),
        _is_configured(package.name, folder),
        ignores.has(Path(place, package.manifest_path).as_posix()),
    )


def _is_configured(name: str, folder: str) -> bool:
    """Whether there is a configuration in the folder of an extension, or in one on the path to it."""
    inner = folders_above(name)
    inner = inner[: len(inner) - len(folders_above(folder))]
    return any(source.may_have_table for each in inner for source in sources_in(each, each))


def _code(manifest: Manifest) -> Iterator[str]:
    for each in file_references(manifest):
        if each.use in (FileUse.SCRIPT, FileUse.PAGE):
            yield each.name.partition("#")[0].partition("?")[0].removeprefix("./").lstrip("/")
