"""Finds the builds that generate a manifest, to report them if no manifest is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from posixpath import basename, dirname, splitext

from msgspec import Struct

from extlint.package.discovery.folder import FolderTree
from extlint.package.discovery.variants import is_common_manifest
from extlint.package.files import MANIFEST
from extlint.package.suffixes import TEMPLATES
from extlint.package.surroundings import PACKAGE_JSON
from extlint.project.build_output import ProjectBuild, build_by_program, build_of, display_path
from extlint.project.build_scripts import manifest_generator

MAX_PROJECTS = 50
"""Folders with a package.json that are examined."""


class GeneratedManifest(Struct, frozen=True):
    """A manifest that a project's build generates: the project's folder in a tree, and the generator's name.

    `project_folder` is the same folder relative to the enclosing project, like the folders of the build.
    """

    folder: str
    project_folder: str
    generator: str
    build: ProjectBuild


def generated_manifests(tree: FolderTree) -> Iterator[GeneratedManifest]:
    """Yields the manifests that the projects in a tree generate, those at the top first."""
    folders = (*islice(_projects(tree), MAX_PROJECTS),)
    for folder in folders:
        around = tree.around(folder)
        build = build_of(around, around.folder)
        if build is not None and build.tool is not None:
            yield GeneratedManifest(folder, around.folder, build.tool.name, build)
            continue
        program = manifest_generator(tree, _paths_of_project(tree, folder, folders))
        if program is not None:
            build = build_by_program(around, around.folder, program, build)
        maker = None if program is None else program.path
        if program is None or not program.contains:
            part = _part_of_manifest(tree, folder)
            if part is not None:
                maker = f"the build that reads {part}"
                if build is None and _is_manifest_template(part):
                    build = ProjectBuild(None, None, around.folder.rstrip("/"), None, False)
        if maker is not None and build is not None:
            yield GeneratedManifest(folder, around.folder, maker, build)


def generated_manifest_sentence(tree: FolderTree) -> str | None:
    """Returns a sentence about the build that generates the manifest of a project.

    Returns None if no such build is known.
    """
    generated_manifest = next(generated_manifests(tree), None)
    if generated_manifest is None:
        return None
    name = (
        tree.name if not generated_manifest.folder else display_path(generated_manifest.folder, "", tree.name)
    )
    advice = advice_on_build(generated_manifest.build, generated_manifest.project_folder, name)
    return f"no manifest.json in or below {tree.name}: {generated_manifest.generator} makes it; {advice}"


def _projects(tree: FolderTree) -> Iterator[str]:
    """Yields the folders with a package.json, those at the top first.

    The tree's own folder is always included.
    """
    found = {dirname(path) for path in tree.paths if basename(path) == PACKAGE_JSON}
    yield from sorted({"", *found}, key=lambda folder: (folder.count("/") + bool(folder), folder))


def _paths_of_project(tree: FolderTree, folder: str, folders: Sequence[str]) -> Iterator[str]:
    """Yields the paths in the folder of a project, except those in projects below it."""
    inner = tuple(f"{each}/" for each in folders if each != folder and f"{each}/".startswith(_prefix(folder)))
    prefix = _prefix(folder)
    return (path for path in tree.paths if path.startswith(prefix) and not path.startswith(inner))


def _prefix(folder: str) -> str:
    return f"{folder}/" if folder else ""


def _part_of_manifest(tree: FolderTree, folder: str) -> str | None:
    """Returns the template of a manifest, or the part that a build merges into others, or None."""
    own = sorted(
        (
            path
            for path in tree.paths
            if path.startswith(_prefix(folder)) and (is_common_manifest(path) or _is_manifest_template(path))
        ),
        key=lambda path: (path.count("/"), path),
    )
    return next((path for path in own if "node_modules" not in path.split("/")), None)


def _is_manifest_template(path: str) -> bool:
    stem, suffix = splitext(basename(path))
    return stem == MANIFEST and suffix in TEMPLATES


def advice_on_build(build: ProjectBuild, place: str, name: str) -> str:
    """Returns advice for a user who calls the folder at this location in the project by this name."""
    output = None if build.output is None else display_path(build.output, place, name)
    if build.is_built:
        return f"it has made {output}: run `extlint check {output}`"
    then = "check its output" if output is None else f"check {output}"
    return f"{build_instruction(build, place, name)}, then {then}"


def build_instruction(build: ProjectBuild, place: str, name: str) -> str:
    """Returns the build command, with the folder in which it runs."""
    if not build.command:
        return "build it" if build.command is None else "run it"
    folder = display_path(build.folder, place, name)
    return f"run `{build.command}`{'' if folder == '.' else f' in {folder}'}"
