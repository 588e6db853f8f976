"""Packages for tests: of an archive, or from a table of files, in memory or in the current folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from extlint.package.discovery import tree
from extlint.package.discovery.archive import ArchiveTree
from extlint.package.files import Package, UnreadableError


def package_of(files: Mapping[str, str | bytes], name: str = "ext") -> Package:
    """Returns a package with these files: path to content, with text as UTF-8.

    If all of them are in one folder with a manifest, the package looks like an archive of that folder.
    """
    top = next(iter(files), "").partition("/")[0] + "/"
    if f"{top}manifest.json" not in files or not all(path.startswith(top) for path in files):
        top = ""
    readers = {path.removeprefix(top): _reader(content) for path, content in files.items()}
    return Package(name, readers, top_folder=top)


def open_archive(path: Path, name: str) -> Package:
    """Returns a package of all files in an archive. Raises UnreadableError for any other file."""
    return tree.package_of(ArchiveTree(path, name))


def _reader(content: str | bytes) -> Callable[[], bytes]:
    data = content.encode() if isinstance(content, str) else content
    return lambda: data


class InMemorySurroundings:
    """A project given by a table of files, around one of its folders."""

    def __init__(self, files: Mapping[str, str | bytes], folder: str) -> None:
        self.folder = folder
        self._files = files

    def has(self, path: str) -> bool:
        return path in self._files

    def read(self, path: str) -> bytes:
        if path not in self._files:
            raise UnreadableError(path)
        return _reader(self._files[path])()

    def folders(self, folder: str) -> list[str]:
        return sorted({path.partition("/")[0] for path in self._below(folder) if "/" in path})

    def files(self, folder: str) -> list[str]:
        return sorted(path for path in self._below(folder) if "/" not in path)

    def _below(self, folder: str) -> Iterator[str]:
        start = f"{folder}/" if folder else ""
        return (path[len(start) :] for path in self._files if path.startswith(start))


def package_in(files: Mapping[str, str | bytes], folder: str) -> Package:
    """Returns the package in one folder (written with a final `/`) of a project with these files."""
    inner = {path[len(folder) :]: _reader(files[path]) for path in files if path.startswith(folder)}
    return Package("ext", inner, around=InMemorySurroundings(files, folder))


def write(files: Mapping[str, str]) -> None:
    """Writes files into the current folder, with the folders on their paths."""
    for path, text in files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, "utf-8")
