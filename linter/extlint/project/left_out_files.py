"""Files next to the manifest that a build leaves out of the package, because it copies files one by one.

There must be evidence: the configuration of a bundler copies the manifest by itself, and no program of the
build names the file, or a folder or pattern that contains it.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from posixpath import basename

from extlint.extension import Extension
from extlint.package.suffixes import is_page
from extlint.package.surroundings import COPIED_FOLDERS
from extlint.project.build_tools import is_build_file
from extlint.project.builds import build_reads_manifest, dependencies_of, is_build_source
from extlint.project.contexts.build_entries import build_entries_of
from extlint.project.entry_points import building_programs, texts_of, with_wildcards
from extlint.project.resolution.project_files import ProjectFiles, folders_above
from extlint.queries.query import query
from extlint.text.patterns import lazy

_COPYING_TOOLS = frozenset({"@vue/cli-service", "astro", "next", "parcel", "react-scripts", "vite"})
"""Tools that copy the folder `public` or `static` by default."""

_MAY_COPY = lazy(rb"(?i)copy|(?<![a-z])cp|move|(?<![a-z])mv|archive|zip")


@query(is_kept=True)
def left_out_files(extension: Extension) -> frozenset[str]:
    """Returns the paths of the pages that the build leaves out, and of scripts that only these load.

    A page that the manifest names does not count: a build that leaves it out is broken.
    """
    if not _copies_one_by_one(extension):
        return frozenset()
    project, texts = ProjectFiles(extension.package), _texts(extension)
    named = {each.path for each in extension.named_files if each.source == extension.manifest.path}
    pages = frozenset(
        path
        for path in extension.package.paths
        if is_page(path)
        and path not in named
        and not any(_covers(each, project.full(path)) for each in texts)
    )
    return pages | {
        script.path
        for script in extension.scripts
        if pages
        and script.contexts
        and all(each.step is not None and each.step.path in pages for each in script.contexts)
    }


def _texts(extension: Extension) -> frozenset[str]:
    """Returns the texts that may be paths in programs that may copy files."""
    return frozenset(
        text
        for program in building_programs(extension)
        if is_build_file(basename(program.path)) or _MAY_COPY.search(program.text) is not None
        for text in texts_of(extension, program)
    )


def _copies_one_by_one(extension: Extension) -> bool:
    package = extension.package
    if package.around is None or not is_build_source(extension) or build_reads_manifest(extension):
        return False
    is_public = basename(package.around.folder.rstrip("/")) in COPIED_FOLDERS
    if is_public and not _COPYING_TOOLS.isdisjoint(dependencies_of(extension)):
        return False
    return ProjectFiles(package).full(extension.manifest.path) in build_entries_of(package).copied


def _covers(text: str, path: str) -> bool:
    """Whether a text in a program of the build names a file of the project, or a folder or pattern of it."""
    stem = basename(path).partition(".")[0]
    if re.search(rf"(?<![\w-]){re.escape(stem)}(?![\w-])", text) is not None:
        return True
    pattern, folder = with_wildcards(text), text.strip("./*{}")
    if folder and any(f"/{each}".endswith(f"/{folder}") for each in folders_above(path)[1:]):
        return True
    return "*" in pattern and bool(folder) and fnmatchcase(f"/{path}", f"*/{pattern.lstrip('./')}")
