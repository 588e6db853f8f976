"""Finds entries of configurations that match nothing, in a run that covers everything they may apply to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from posixpath import join

from extlint.linting.configuration.configuration import Configuration, PerFileIgnore
from extlint.linting.configuration.project_file import Configurations
from extlint.linting.configuration.source import Positions, source_at
from extlint.package.discovery.scope import Skipped
from extlint.package.disk import is_folder
from extlint.package.files import MANIFEST, Package, UnreadableError
from extlint.package.surroundings import OUTPUT_FOLDERS
from extlint.report.report import IdleEntry
from extlint.text.json.values import Step
from extlint.text.wording import quoted

_WILD = frozenset("*?[")
_EntryKey = tuple[tuple[Step, ...], str]
"""The steps to the table or list of an entry, and the text of the entry there."""


class IdleEntries:
    """Receives the extensions of a run, and finds the entries that match none of them.

    Only configurations inside the folders of the run count, as others apply to more than these. Files that a
    build generates, or that Git ignores, may exist at another time.
    """

    def __init__(self, configurations: Configurations, paths: Iterable[str]) -> None:
        self._configurations = configurations
        self._folders = tuple(os.path.abspath(path) for path in paths if is_folder(path))
        self._used: dict[str, set[_EntryKey]] = {}
        self._is_sure = bool(self._folders)

    def record(self, package: Package | UnreadableError) -> None:
        """Records the entries that apply to an extension. If one cannot be read, nothing is certain."""
        if not self._is_sure:
            return
        try:
            if isinstance(package, UnreadableError):
                raise package
            configuration = self._configurations.of(package.name)
            if configuration.folder and self._covers(configuration):
                used = self._used.setdefault(configuration.folder, set())
                used.update(_used_by(configuration, package, used))
        except UnreadableError:
            self._is_sure = False

    def entries(self, skipped: Sequence[Skipped]) -> list[IdleEntry]:
        """Returns the entries that match nothing, once extensions are recorded and skipped ones are known."""
        found: list[IdleEntry] = []
        for each in self._configurations.loaded if self._is_sure else ():
            if each.file and self._covers(each):
                found += _idle_entries(each, self._used.get(each.folder, set()), skipped)
        return sorted(found, key=lambda each: (each.file, each.position))

    def _covers(self, configuration: Configuration) -> bool:
        place = Path(configuration.folder)
        return any(place.is_relative_to(folder) for folder in self._folders)


def _used_by(configuration: Configuration, package: Package, known: set[_EntryKey]) -> Iterator[_EntryKey]:
    """Yields the entries that match an extension or one of its files, except those already known."""
    from extlint.linting.configuration.entries import entry_of

    own: set[tuple[Step, ...]] = {()}
    for manifest in (package.manifest_path, *package.variants):
        entry = entry_of(configuration, package.name, manifest) if configuration.extension else None
        if entry is not None:
            own.add(("extension", configuration.extension.index(entry)))
    for steps, each in _sections(configuration):
        if steps not in own:
            continue
        yield steps, ""
        for pattern in each.exclude:
            key = ((*steps, "exclude"), pattern)
            if key not in known and _excludes(configuration, pattern, _files_of(package)):
                yield key
        for ignore in each.per_file_ignores:
            key = ((*steps, "per-file-ignores", ignore.pattern), "")
            if key not in known and _applies_to(ignore, package):
                yield key


def _sections(configuration: Configuration) -> Iterator[tuple[tuple[Step, ...], Configuration]]:
    """Yields the configuration of the project, and of each `[[extension]]` entry, with the steps to it."""
    yield (), configuration
    for index, entry in enumerate(configuration.extension):
        yield ("extension", index), entry.configuration


def _files_of(package: Package) -> Iterator[str]:
    top = os.path.abspath(package.name)
    return (f"{top}/{path}" for path in package.paths)


def _excludes(configuration: Configuration, pattern: str, files: Iterable[str]) -> bool:
    from extlint.package.git_ignore import compile_patterns

    spec = compile_patterns([pattern.removeprefix("!")])
    top = join(configuration.folder, "")
    return next(iter(spec.match_files(each.removeprefix(top) for each in files)), None) is not None


def _applies_to(ignore: PerFileIgnore, package: Package) -> bool:
    """Whether rules are ignored in an existing file, at a value that it has."""
    from pathspec import GitIgnoreSpec

    from extlint.linting.suppression.ignores import value_span

    named = GitIgnoreSpec.from_lines([ignore.glob]).match_files(package.paths)
    if not ignore.steps:
        return next(iter(named), None) is not None
    return any(value_span(package, path, ignore.steps) is not None for path in named)


def _idle_entries(
    configuration: Configuration, used: set[_EntryKey], skipped: Sequence[Skipped]
) -> Iterator[IdleEntry]:
    """Yields the entries of a configuration that match nothing."""
    written = _ConfigurationFile(configuration)
    places = [os.path.abspath(each.path) for each in skipped]
    for steps, each in _sections(configuration):
        entry = None if not steps else configuration.extension[int(steps[-1])]
        if (
            entry is not None
            and (steps, "") not in used
            and not written.may_match_later(entry.path or entry.manifest)
        ):
            yield written.entry(steps, "", "this [[extension]] entry applies to no extension")
        for pattern in each.exclude:
            place = (*steps, "exclude")
            left_out = chain(places, (f"{path}/{MANIFEST}" for path in places))
            if (
                (place, pattern) not in used
                and not written.may_match_later(pattern)
                and not _excludes(configuration, pattern, left_out)
            ):
                yield written.entry(
                    place, pattern, f"{quoted(pattern)} in exclude matches nothing of an extension"
                )
        for ignore in each.per_file_ignores:
            place = (*steps, "per-file-ignores", ignore.pattern)
            if (place, "") not in used and not written.may_match_later(ignore.glob):
                what = "no value in a file of an extension" if ignore.steps else "no file of an extension"
                yield written.entry(place, "", f"{quoted(ignore.pattern)} in per-file-ignores matches {what}")


class _ConfigurationFile:
    """The file of a configuration, with the positions of its entries."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._positions: Positions | None = None
        self._git: Callable[[str], bool] | None = None

    def entry(self, steps: tuple[Step, ...], part: str, sentence: str) -> IdleEntry:
        """Returns an entry that matches nothing, at its position."""
        if self._positions is None:
            name = Path(self._configuration.file).name
            self._positions = source_at(str(Path(self._configuration.folder, name))).positions()
        at_key = not part and isinstance(steps[-1], str)
        position = self._positions.of(steps, at_key=at_key, part=part or None)
        assert position is not None
        return IdleEntry(self._configuration.file, position, sentence)

    def may_match_later(self, glob: str | None) -> bool:
        """Whether a glob refers to files that builds generate, or that Git ignores."""
        parts = [each for each in (glob or "").split("/") if each]
        if not OUTPUT_FOLDERS.isdisjoint(parts) or "node_modules" in parts:
            return True
        fixed = [each for each in parts if _WILD.isdisjoint(each)]
        if not fixed:
            return False
        if self._git is None:
            from extlint.package.git_ignore import GitIgnores

            self._git = GitIgnores(os.path.realpath(self._configuration.folder)).has
        return self._git("/".join((*fixed, MANIFEST)))
