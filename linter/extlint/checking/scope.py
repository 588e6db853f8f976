"""Determines the extensions of a run that are checked, according to its options and configurations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from extlint.linting.configuration.configuration import DEFAULTS, Configuration
from extlint.linting.configuration.project_file import Configurations
from extlint.package.discovery.scope import ConfiguredManifests, Scope, SkippedBy
from extlint.package.files import Package, UnreadableError
from extlint.package.paths import is_in, with_slashes
from extlint.queries.query import cached_method
from extlint.report.report import IdleEntry

if TYPE_CHECKING:
    from extlint.checking.idle_entries import IdleEntries
    from extlint.package.git_ignore import GitIgnores


class ConfiguredScope(Scope):
    """Skips extensions that Git ignores or a configuration excludes.

    If a tool names the files, such as pre-commit, parts of a manifest are not checked as manifests, nor are
    files judged that nothing loads, as they were not requested.
    """

    def __init__(
        self, options: Configuration, configurations: Configurations, *, named_by_tool: bool = False
    ) -> None:
        super().__init__()
        self.is_named_by_user = not named_by_tool
        self._options = options
        self._configurations = configurations
        self._idle: IdleEntries | None = None

    def skips(self, folder: str, path: str) -> SkippedBy | None:
        """Returns the reason for skipping the extension with a manifest at a path below a folder, or None."""
        if self._excludes(folder, path):
            return SkippedBy.CONFIGURATION
        configuration = self._configuration(folder)
        own = self._options.with_defaults(configuration).with_defaults(DEFAULTS)
        if not own.gitignore or _has_entry_for(configuration, folder, path):
            return None
        return SkippedBy.GIT if self._git_ignores(folder).has(path) else None

    def entries(self, folder: str) -> Sequence[ConfiguredManifests]:
        """Returns extensions in or below a folder to which `[[extension]]` entries with a manifest apply."""
        configuration = self._configuration(folder)
        if not any(each.manifest for each in configuration.extension):
            return ()
        from extlint.linting.configuration.entries import configured_manifests

        return configured_manifests(configuration, os.path.abspath(folder))

    def entry_with(self, file: str) -> ConfiguredManifests | None:
        """Returns the extension of an entry whose manifest is a file, or whose root contains it, or None."""
        configuration = self._configuration(os.path.dirname(file))
        if not any(each.manifest for each in configuration.extension):
            return None
        from extlint.linting.configuration.entries import configured_manifests

        entries = configured_manifests(configuration, configuration.folder)
        named = next((each for each in entries if file in each.manifests), None)
        if named is not None:
            return ConfiguredManifests(named.root, (file,))
        around = [each for each in entries if is_in(file, each.root)]
        return max(around, key=lambda each: len(each.root), default=None)

    def record_packages(
        self, packages: Iterable[Package | UnreadableError], paths: Sequence[str]
    ) -> Iterator[Package | UnreadableError]:
        """Yields the packages of a run over these paths, and records the configuration entries for them."""
        errors: list[UnreadableError] = []
        for each in packages:
            if self._idle is None and any(map(_has_entries, self._configurations.loaded)):
                from extlint.checking.idle_entries import IdleEntries

                self._idle = IdleEntries(self._configurations, paths)
                for error in errors:
                    self._idle.record(error)
            if self._idle is not None:
                self._idle.record(each)
            elif isinstance(each, UnreadableError):
                errors.append(each)
            yield each

    def idle_entries(self) -> Sequence[IdleEntry]:
        """Returns the entries of configurations that match nothing, after a recorded run."""
        return () if self._idle is None else self._idle.entries(self.skipped)

    def excludes(self, item: Package | UnreadableError) -> bool:
        """Whether a configuration excludes an extension that is found by the name of a file."""
        return isinstance(item, Package) and self._excludes(item.name, item.manifest_path)

    def _excludes(self, folder: str, path: str) -> bool:
        """Whether a configuration of the folder, or of a folder on the path to the file, excludes it."""
        on_the_way = [folder]
        for part in path.split("/")[:-1]:
            on_the_way.append(os.path.join(on_the_way[-1], part))
        file = with_slashes(os.path.join(os.path.abspath(folder), path))
        return any(_is_excluded(self._configuration(each), file) for each in on_the_way)

    def _configuration(self, folder: str) -> Configuration:
        """Returns the configuration of a folder; an invalid one is reported when an extension is checked."""
        try:
            return self._configurations.of(folder)
        except UnreadableError:
            return DEFAULTS

    @cached_method
    def _git_ignores(self, folder: str) -> GitIgnores:
        from extlint.package.git_ignore import GitIgnores

        return GitIgnores(os.path.realpath(folder))


def _has_entries(configuration: Configuration) -> bool:
    """Whether a configuration has globs that extensions or their files may match."""
    return bool(configuration.extension or configuration.exclude or configuration.per_file_ignores)


def _has_entry_for(configuration: Configuration, folder: str, path: str) -> bool:
    """Whether an `[[extension]]` entry applies to an extension with a manifest at a path below a folder."""
    if not configuration.extension:
        return False
    from extlint.linting.configuration.entries import entry_of

    inner, _, manifest = path.rpartition("/")
    place = os.path.join(folder, inner)
    return entry_of(configuration, place, manifest) is not None


def _is_excluded(configuration: Configuration, file: str) -> bool:
    if not configuration.exclude:
        return False
    from extlint.linting.configuration.excluded import excludes

    return excludes(configuration, file)
