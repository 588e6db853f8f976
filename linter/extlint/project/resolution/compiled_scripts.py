"""Finds the sources of scripts that the TypeScript compiler writes into the folder of `tsconfig.json`."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname

from extlint.package.files import Package
from extlint.package.suffixes import JAVASCRIPT, TYPED, has_suffix, suffix_of
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined

_CONFIG = "tsconfig.json"


def compiled_sources(package: Package, path: str) -> Iterator[str]:
    """Yields the sources from which the compiler makes a script.

    Without a `rootDir`, a source may be in any folder.
    """
    if package.around is None or not has_suffix(path, JAVASCRIPT):
        return
    project = ProjectFiles(package)
    full = _stem(project.full(path))
    for folder in folders_above(package.around.folder.rstrip("/")):
        config = joined(folder, _CONFIG) or _CONFIG
        output, root = (_folder(project, config, each) for each in ("outDir", "rootDir"))
        if not output or not full.startswith(f"{output}/"):
            continue
        rest = full.removeprefix(f"{output}/")
        for each in package.paths:
            stem = _stem(project.full(each)) if has_suffix(each, TYPED) else ""
            if stem == joined(root, rest) if root is not None else f"/{stem}".endswith(f"/{rest}"):
                yield each


def _stem(path: str) -> str:
    return path.removesuffix(suffix_of(path))


def _folder(project: ProjectFiles, config: str, option: str) -> str | None:
    """Returns the path in the project of a folder that is an option of the compiler, or None."""
    found = project.json(config)
    node = None if found is None else found.get("compilerOptions", option)
    stated = None if node is None else node.value
    return joined(dirname(config), stated) if isinstance(stated, str) else None
