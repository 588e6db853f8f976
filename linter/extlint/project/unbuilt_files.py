"""Finds the scripts of an extension that its build has yet to generate, so that they were not read."""

from __future__ import annotations

from msgspec import Struct

from extlint.extension import Extension, once_per_extension
from extlint.package.suffixes import CODE, has_suffix
from extlint.project.build_output import build_of, display_path
from extlint.project.builds import submodules
from extlint.project.generated_manifests import build_instruction
from extlint.resolution.project_files import ProjectFiles


class UnbuiltFiles(Struct, frozen=True):
    """The missing scripts and pages that an extension's build generates, and advice on how to check them."""

    paths: tuple[str, ...]
    advice: str


@once_per_extension
def find_unbuilt_files(extension: Extension) -> UnbuiltFiles | None:
    """Returns the unbuilt files of an extension whose folder is the source of a build.

    Returns None if it is complete.
    """
    package = extension.package
    fetched = submodules(extension)
    lost = {
        each.path
        for each in extension.named_files
        if each.path not in package
        and has_suffix(each.path, CODE)
        and not each.path.startswith(("node_modules/", *fetched))
        and not _is_root_relative(extension, each.path)
    }
    return UnbuiltFiles(tuple(sorted(lost)), _advice(extension)) if lost else None


def _is_root_relative(extension: Extension, path: str) -> bool:
    """Whether a name refers to a file of the extension for tools that resolve it from the project's root."""
    around = extension.package.around
    inner = None if around is None or not around.folder else ProjectFiles(extension.package).inner(path)
    return inner is not None and inner in extension.package


def _advice(extension: Extension) -> str:
    around, name = extension.package.around, extension.package.name
    build = None if around is None else build_of(around, around.folder)
    if around is None or build is None:
        return "check what the build makes"
    if build.is_built and build.output is not None:
        return f"check {display_path(build.output, around.folder, name)}, where they are built"
    command = build_instruction(build, around.folder, name)
    return (
        f"{command}, then check "
        f"{'its output' if build.output is None else display_path(build.output, around.folder, name)}"
    )
