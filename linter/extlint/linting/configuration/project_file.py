"""The configuration of a project, in a file in or above the folders of its extensions, or that it extends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from posixpath import normpath

from msgspec.structs import replace

from extlint.linting.configuration.configuration import NO_CONFIGURATION, Configuration, PerFileIgnore
from extlint.linting.configuration.source import Source, is_candidate, source_at, sources_in
from extlint.linting.configuration.usage_error import ConfigurationError, Place, UsageError
from extlint.package.disk import exists, is_folder, with_parents, with_slashes
from extlint.package.files import UnreadableError
from extlint.project.resolution.project_files import package_and_path
from extlint.text.wording import suggestion_question

MAX_DEPTH = 20
"""The maximum number of configurations that extend one another in a row."""

_PYTHON_PACKAGES = ("site-packages", "dist-packages")


def extended_sources(text: str, source: Source) -> Sequence[Source]:
    """Returns the files that may have the configuration that a file extends, in order of precedence.

    `text` is a path relative to the folder of the file if it begins with a dot or is absolute. Otherwise, it
    is the name of a package, which a path in the package may follow. A folder stands for the configuration in
    it. No program of a package runs. Raises UsageError.
    """
    if text.startswith(".") or os.path.isabs(text):
        found = _sources_at(os.path.join(source.folder, text), _joined(source.display_folder, text))
        if not found:
            raise UsageError(f"extends names a file that does not exist: {text}")
        return found
    name, rest = package_and_path(text)
    folders = list(dict.fromkeys(_package_folders(name, source)))
    for folder, called in folders:
        found = _sources_at(os.path.join(folder, rest), _joined(called, rest))
        if found:
            return found
    if folders:
        what = f"no file {rest}" if rest else "no configuration"
        raise UsageError(f"the package {name} has {what}: {folders[0][1]}")
    if exists(os.path.join(source.folder, text)):
        raise UsageError(f"no such package: {name}; {suggestion_question(f'./{text}')}")
    raise UsageError(
        f"no such package: {name}; it is neither in a node_modules folder above nor a package of Python"
    )


def _sources_at(path: str, called: str) -> Sequence[Source]:
    if is_folder(path):
        return tuple(sources_in(os.path.abspath(path), called))
    found = source_at(path)
    return (replace(found, display_folder=os.path.dirname(called)),) if is_candidate(found) else ()


def _joined(folder: str, path: str) -> str:
    joined = normpath(with_slashes(os.path.join(folder, path)))
    return "" if joined == "." else joined


def _package_folders(name: str, source: Source) -> Iterator[tuple[str, str]]:
    """Yields the folders of the packages with a name, and the folders as users write them: npm's first."""
    called = source.display_folder
    for depth, above in enumerate(with_parents(source.folder)):
        folder = os.path.join(above, "node_modules", name)
        if is_folder(folder):
            yield folder, _joined(os.path.join(called, *[".."] * depth), f"node_modules/{name}")
    for place in sys.path:
        folder = os.path.join(place, name.replace("-", "_"))
        if os.path.basename(place) in _PYTHON_PACKAGES and is_folder(folder):
            yield folder, with_slashes(folder)


def extended(own: Configuration, others: Sequence[Configuration]) -> Configuration:
    """Returns a configuration with the values of the ones that it extends where it sets none.

    Of these, the last one that sets a key decides. Tables are combined, entry by entry.
    """
    layers = {own.file: own}
    for other in reversed(others):
        layers |= {each.file: each for each in (other.layers or (other,)) if each.file not in layers}
    result = own
    for each in [*layers.values()][1:]:
        result = replace(
            result.with_defaults(each),
            severity={**each.severity, **result.severity},
            per_file_ignores=_combined(each, result),
        )
    return replace(result, layers=tuple(layers.values()))


def _combined(defaults: Configuration, own: Configuration) -> tuple[PerFileIgnore, ...]:
    by_pattern = {each.pattern: each for each in (*defaults.per_file_ignores, *own.per_file_ignores)}
    return tuple(by_pattern.values())


class Configurations:
    """The configurations of a run's extensions. Each file is read once, and its schemas with it.

    If a file is `given`, its configuration applies to every extension.
    """

    def __init__(self, path: str | None = None) -> None:
        """Raises UnreadableError if the given file cannot be read or is invalid."""
        self._known: dict[str, Configuration | None] = {}
        self._reader = _Reader()
        self._given = None if path is None else self._configuration_in(path)

    @property
    def loaded(self) -> tuple[Configuration, ...]:
        """The configurations that have been read, without those that they extend."""
        found = self._known.values() if self._given is None else (self._given,)
        return tuple(each.layers[0] if each.layers else each for each in found if each is not None)

    def of(self, name: str) -> Configuration:
        """Returns the configuration of the folder or archive at a path, or of the nearest folder above it.

        Raises UnreadableError if a configuration file cannot be read or is invalid.
        """
        if self._given is not None:
            return self._given
        for folder in folders_above(name):
            if folder not in self._known:
                sources = sources_in(folder, display_name(name, folder))
                read = map(self._reader.read, sources)
                self._known[folder] = next((each for each in read if each is not None), None)
            found = self._known[folder]
            if found is not None:
                return found
        return NO_CONFIGURATION

    def _configuration_in(self, file: str) -> Configuration:
        source = source_at(file)
        found = self._reader.read(source)
        if found is None:
            raise UnreadableError(f"{file} does not have the key {'.'.join(source.form.keys)}")
        return found


def folders_above(name: str) -> list[str]:
    """Returns the absolute paths of the folder or archive at a path and of each folder above it."""
    return list(with_parents(os.path.abspath(name)))  # symbolic links are not resolved, as in the name


def display_name(name: str, folder: str) -> str:
    """Returns a folder as a user would write it who named a folder below it; empty for the current folder."""
    called = folder if os.path.isabs(name) else os.path.relpath(folder)
    return "" if called == "." else called


class _Reader:
    """Reads configurations, each file once, and those that they extend."""

    def __init__(self) -> None:
        self._known: dict[str, Configuration | None] = {}

    def read(self, source: Source, above: tuple[Source, ...] = ()) -> Configuration | None:
        """Returns the configuration in a file, or None. Raises UnreadableError if it is invalid.

        Each file `above` extends the next one, and the last one extends this file.
        """
        key = os.path.normpath(source.path)
        if key not in self._known:
            found = _written_in(source)
            if found is not None and found.extends:
                chain = (*above, source)
                others = [self._extended(index, found, chain) for index in range(len(found.extends))]
                found = extended(found, others)
            self._known[key] = found
        return self._known[key]

    def _extended(self, index: int, found: Configuration, chain: tuple[Source, ...]) -> Configuration:
        """Returns one of the configurations that the last file of a chain extends."""
        source, text = chain[-1], found.extends[index]
        try:
            candidates = extended_sources(text, source)
            for each in candidates:
                if any(os.path.samefile(each.path, other.path) for other in chain):
                    first, *others = (other.display_path for other in (*chain, each))
                    files = f"{first} extends {', which extends '.join(others)}"
                    raise UsageError(f"a configuration cannot extend itself: {files}")
                if len(chain) > MAX_DEPTH:
                    raise UsageError(f"more than {MAX_DEPTH} configurations extend one another")
                other = self.read(each, chain)
                if other is not None:
                    return other
            raise UsageError(f"no configuration in {candidates[0].display_path}")
        except UsageError as error:
            positions = source.positions()
            position = positions.of(("extends", index)) or positions.of(("extends",))
            raise UnreadableError(f"{source.at(position)}: {error}") from None


def _written_in(source: Source) -> Configuration | None:
    """Returns the configuration in a file, without those that it extends, or None."""
    table = source.table()
    if table is None:
        return None
    from extlint.linting.configuration.keys import read_table

    try:
        values = read_table(table, Place(source.display_folder))
    except ConfigurationError as error:
        position = source.positions().of(error.steps, at_key=error.at_key, part=error.part)
        raise UnreadableError(f"{source.at(position)}: {error.sentence}") from None
    return Configuration(**values, file=source.display_path, folder=source.folder)
