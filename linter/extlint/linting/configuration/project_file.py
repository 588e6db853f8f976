"""The configuration of a project, in a file in or above the folders of its extensions."""

from __future__ import annotations

import os
from collections.abc import Iterator

from msgspec.structs import replace

from extlint.linting.configuration.configuration import NO_CONFIGURATION, Configuration
from extlint.linting.configuration.source import FORMS, Source
from extlint.package.disk import exists, is_file, is_folder
from extlint.package.files import UnreadableError
from extlint.package.paths import with_parents


class Configurations:
    """The configurations of a run's extensions. Each file is read once, and its schemas with it.

    If a file is `given`, its configuration applies to every extension.
    """

    def __init__(self, path: str | None = None) -> None:
        """Raises UnreadableError if the given file cannot be read or is invalid."""
        self._known: dict[str, Configuration | None] = {}
        self._given = None if path is None else _configuration_in(path)

    @property
    def loaded(self) -> tuple[Configuration, ...]:
        """The configurations that have been read."""
        if self._given is not None:
            return (self._given,)
        return tuple(each for each in self._known.values() if each is not None)

    def of(self, name: str) -> Configuration:
        """Returns the configuration of the folder or archive at a path, or of the nearest folder above it.

        Raises UnreadableError if a configuration file cannot be read or is invalid.
        """
        if self._given is not None:
            return self._given
        for folder in folders_above(name):
            if folder not in self._known:
                self._known[folder] = _configuration(folder, display_name(name, folder))
            found = self._known[folder]
            if found is not None:
                return found
        return NO_CONFIGURATION


def folders_above(name: str) -> list[str]:
    """Returns the absolute paths of the folder or archive at a path and of each folder above it."""
    return list(with_parents(os.path.abspath(name)))  # symbolic links are not resolved, as in the name


def display_name(name: str, folder: str) -> str:
    """Returns a folder as a user would write it who named a folder below it; empty for the current folder."""
    called = folder if os.path.isabs(name) else os.path.relpath(folder)
    return "" if called == "." else called


def sources_in(folder: str, called: str) -> Iterator[Source]:
    """Yields the files in a folder that may contain a configuration, in order of precedence."""
    for form in FORMS:
        source = Source(folder, called, form)
        if _is_candidate(source):
            yield source


def _is_candidate(source: Source) -> bool:
    """Whether the file exists. A file of extlint's own counts even if it cannot be read.

    Files in a folder without access are not found.
    """
    if source.form.keys:
        return is_file(source.path)
    return exists(source.path) and not is_folder(source.path)


def source_at(file: str) -> Source:
    """Returns the source at a path. Its name decides its form; any other name is like `extlint.toml`."""
    from pathlib import Path

    path = Path(file)
    form = next((each for each in FORMS if each.name == path.name), FORMS[0])
    folder = path.parent.as_posix()
    return Source(
        os.path.abspath(folder),
        "" if folder == "." else folder,
        replace(form, name=path.name),
    )


def read_source(source: Source) -> Configuration | None:
    """Returns the configuration in a file, or None. Raises UnreadableError if it is invalid."""
    table = source.table()
    if table is None:
        return None
    from extlint.linting.configuration.keys import read_table
    from extlint.linting.configuration.mistakes import ConfigurationError, Place

    try:
        values = read_table(table, Place(source.display_folder))
    except ConfigurationError as error:
        position = source.positions().of(error.steps, at_key=error.at_key, part=error.part)
        raise UnreadableError(f"{source.at(position)}: {error.sentence}") from None
    return Configuration(**values, file=source.display_path, folder=source.folder)


def _configuration(folder: str, called: str) -> Configuration | None:
    """Returns the configuration in a folder's own files, the first of several, or None."""
    found = (read_source(source) for source in sources_in(folder, called))
    return next((each for each in found if each is not None), None)


def _configuration_in(file: str) -> Configuration:
    source = source_at(file)
    found = read_source(source)
    if found is None:
        raise UnreadableError(f"{file} does not have the key {'.'.join(source.form.keys)}")
    return found
