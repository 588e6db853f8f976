"""Files of an extension that a shell script or command of its project copies, downloads or writes."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from posixpath import basename, dirname

from extlint.extension import Extension, once_per_extension
from extlint.package.suffixes import PROGRAMS, PROGRAMS_WITH_OBJECTS
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.project.resolution.shell_writes import WILDCARD, FileWrite, file_writes
from extlint.project.tools import Tool, project_programs

MAX_WRITES = 2_000
"""Writes of one project that are considered, each in each folder in which its program may run."""


def is_written(extension: Extension, path: str) -> bool:
    """Whether a command of the project writes a missing file, or files that match a pattern.

    A copy of a file that does not exist either writes nothing.
    """
    project = ProjectFiles(extension.package)
    full = project.full(path)
    return any(_produces(project, base, write, full) for base, write in _writes(extension))


@once_per_extension
def _writes(extension: Extension) -> tuple[tuple[str, FileWrite], ...]:
    """Returns the writes of the project's commands, each with a folder in which it may run."""
    return tuple(islice(_find_writes(extension), MAX_WRITES))


def _find_writes(extension: Extension) -> Iterator[tuple[str, FileWrite]]:
    project = ProjectFiles(extension.package)
    for tool in project_programs(extension):
        if not tool.path.endswith((*PROGRAMS, *PROGRAMS_WITH_OBJECTS)):
            bases = _folders(project, tool)
            for write in file_writes(tool.text.decode("utf-8", "replace")):
                yield from ((base, write) for base in bases)


def _folders(project: ProjectFiles, tool: Tool) -> tuple[str, ...]:
    """Returns the folders in which a program may run: its own, those above it, and the extension's."""
    own = project.full("").rstrip("/")
    places = (tool.path, project.full(tool.path))
    return tuple(dict.fromkeys([own, *(each for path in places for each in folders_above(dirname(path)))]))


def _produces(project: ProjectFiles, base: str, write: FileWrite, full: str) -> bool:
    """Whether a command that runs in the folder `base` writes the file at a path."""
    target = _place(base, write.within, write.target)
    if target is None:
        return False
    folder = f"{target}/" if target else ""
    if not write.sources:
        is_inside = write.is_recursive and bool(target) and full.startswith(folder)
        return _matches(full, target) or is_inside
    for source in write.sources:
        copied = _source_of(full, folder, target, _place(base, write.within, source), write)
        if copied not in {None, full} and (WILDCARD in source or _may_exist(project, copied or "")):
            return True
    return False


def _source_of(full: str, folder: str, target: str, source: str | None, write: FileWrite) -> str | None:
    """Returns the file that is copied from one source to a path, or None."""
    if source is None or (_matches(full, target) and len(write.sources) == 1):
        return source
    if not full.startswith(folder):
        return None
    name, rest = basename(source), full.removeprefix(folder)
    if _matches(rest, name) or (write.is_recursive and rest.startswith(f"{name}/")):
        return f"{dirname(source)}/{rest}".lstrip("/")
    return f"{source}/{rest}" if write.is_recursive and target else None


def _place(base: str, within: str, path: str) -> str | None:
    """Returns the path in the project, or None if it is outside. Unknown folders at its start are omitted."""
    path = path.replace("\\", "/")
    while path.startswith((f"{WILDCARD}/", "/", "./")):
        path = path.partition("/")[2]
    return joined(joined(base, within) or "", path.rstrip("/") or ".") if path else None


def _matches(path: str, pattern: str) -> bool:
    """Whether a path or pattern matches another one, with both in the same folder."""
    if path.count("/") != pattern.count("/"):
        return False
    return fnmatchcase(path, pattern) or (WILDCARD in path and fnmatchcase(pattern, path))


def _may_exist(project: ProjectFiles, path: str) -> bool:
    """Whether the source of a copy exists, or may exist when the command runs."""
    if WILDCARD in path or "node_modules" in path.split("/") or ":" in path:
        return True
    return project.has(path) or not project.names(dirname(path))
