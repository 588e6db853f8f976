"""What is said where no manifest is found, and a build makes it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from posixpath import basename, dirname

from msgspec import Struct

from extlint.package.files import UnreadableError
from extlint.package.folder import FolderTree
from extlint.package.variants import is_common
from extlint.project.build_output import ProjectBuild, build_of, shown
from extlint.project.builds import PACKAGE_JSON
from extlint.text.patterns import lazy

MAX_PROJECTS = 50
"""Folders with a package.json that are looked at."""

_PROGRAM = lazy(r"manifest(?:\.config)?\.[cm]?[jt]s")


class MadeManifest(Struct, frozen=True):
    """A manifest that the build of a project makes: the project's folder in a tree, and what makes it there.

    `place` is the same folder in the project around it, which the folders of the build are relative to.
    """

    folder: str
    place: str
    maker: str
    build: ProjectBuild


def made_manifests(tree: FolderTree) -> Iterator[MadeManifest]:
    """The manifests that the projects in a tree make, those at the top first."""
    for folder in islice(_projects(tree), MAX_PROJECTS):
        around = tree.around(folder)
        build = build_of(around, around.folder)
        if build is not None:
            maker = build.tool.name if build.tool is not None else _maker(tree, folder)
            if maker is not None:
                yield MadeManifest(folder, around.folder, maker, build)


def told_of_made_manifest(tree: FolderTree) -> str | None:
    """A sentence about the build that makes the manifest of a project; None if none is known to do so."""
    made = next(made_manifests(tree), None)
    if made is None:
        return None
    name = tree.name if not made.folder else shown(made.folder, "", tree.name)
    advice = _advice(made.build, made.place, name)
    return f"no manifest.json in or below {tree.name}: {made.maker} makes it; {advice}"


def _projects(tree: FolderTree) -> Iterator[str]:
    """The folders with a package.json, those at the top first; the tree's own folder is always among them."""
    found = {dirname(path) for path in tree.paths if basename(path) == PACKAGE_JSON}
    yield from sorted({"", *found}, key=lambda folder: (folder.count("/") + bool(folder), folder))


def _maker(tree: FolderTree, folder: str) -> str | None:
    """The program of a project that makes its manifest, or what that merges with other parts, by its name."""
    prefix = f"{folder}/" if folder else ""
    own = sorted(
        (path for path in tree.paths if path.startswith(prefix)), key=lambda path: (path.count("/"), path)
    )
    program = next((path for path in own if _makes_manifest(tree, path)), None)
    part = next((path for path in own if is_common(path) and "node_modules" not in path.split("/")), None)
    return program or (None if part is None else f"the build that reads {part}")


def _makes_manifest(tree: FolderTree, path: str) -> bool:
    """Whether a file has the name of such a program, and its text the one key that each manifest has."""
    if _PROGRAM.fullmatch(basename(path)) is None:
        return False
    try:
        return b"manifest_version" in tree.read(path)
    except UnreadableError:
        return False


def _advice(build: ProjectBuild, place: str, name: str) -> str:
    """What to do, for a user who calls the folder at this place in the project by this name."""
    output = None if build.output is None else shown(build.output, place, name)
    if build.is_built:
        return f"it has made {output}: run `extlint check {output}`"
    return (
        f"{to_build(build, place, name)}, then {'check its output' if output is None else f'check {output}'}"
    )


def to_build(build: ProjectBuild, place: str, name: str) -> str:
    """The command that builds, with the folder in which it runs."""
    folder = shown(build.folder, place, name)
    return f"run `{build.command}`{'' if folder == '.' else f' in {folder}'}"
