"""Finds the builds that generate a manifest, to report them if no manifest is found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from posixpath import basename, dirname

from msgspec import Struct

from extlint.package.files import UnreadableError
from extlint.package.folder import FolderTree
from extlint.package.variants import is_common_manifest
from extlint.project.build_output import ProjectBuild, build_of, display_path
from extlint.project.builds import PACKAGE_JSON
from extlint.text.patterns import lazy

MAX_PROJECTS = 50
"""Folders with a package.json that are examined."""

_PROGRAM = lazy(r"manifest(?:\.config)?\.[cm]?[jt]s")


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
    for folder in islice(_projects(tree), MAX_PROJECTS):
        around = tree.around(folder)
        build = build_of(around, around.folder)
        if build is not None:
            maker = build.tool.name if build.tool is not None else _find_generator(tree, folder)
            if maker is not None:
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
    advice = _advice(generated_manifest.build, generated_manifest.project_folder, name)
    return f"no manifest.json in or below {tree.name}: {generated_manifest.generator} makes it; {advice}"


def _projects(tree: FolderTree) -> Iterator[str]:
    """Yields the folders with a package.json, those at the top first.

    The tree's own folder is always included.
    """
    found = {dirname(path) for path in tree.paths if basename(path) == PACKAGE_JSON}
    yield from sorted({"", *found}, key=lambda folder: (folder.count("/") + bool(folder), folder))


def _find_generator(tree: FolderTree, folder: str) -> str | None:
    """Returns the name of the program that generates the manifest or a part that a build merges, or None."""
    prefix = f"{folder}/" if folder else ""
    own = sorted(
        (path for path in tree.paths if path.startswith(prefix)), key=lambda path: (path.count("/"), path)
    )
    program = next((path for path in own if _generates_manifest(tree, path)), None)
    part = next(
        (path for path in own if is_common_manifest(path) and "node_modules" not in path.split("/")), None
    )
    return program or (None if part is None else f"the build that reads {part}")


def _generates_manifest(tree: FolderTree, path: str) -> bool:
    """Whether a file is named like such a program, and its text contains the key that every manifest has."""
    if _PROGRAM.fullmatch(basename(path)) is None:
        return False
    try:
        return b"manifest_version" in tree.read(path)
    except UnreadableError:
        return False


def _advice(build: ProjectBuild, place: str, name: str) -> str:
    """Returns advice for a user who calls the folder at this location in the project by this name."""
    output = None if build.output is None else display_path(build.output, place, name)
    if build.is_built:
        return f"it has made {output}: run `extlint check {output}`"
    then = "check its output" if output is None else f"check {output}"
    return f"{build_instruction(build, place, name)}, then {then}"


def build_instruction(build: ProjectBuild, place: str, name: str) -> str:
    """Returns the build command, with the folder in which it runs."""
    folder = display_path(build.folder, place, name)
    return f"run `{build.command}`{'' if folder == '.' else f' in {folder}'}"
