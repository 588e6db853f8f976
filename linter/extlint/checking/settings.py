"""The extensions of a run that are checked, and the settings of each: by options and configurations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from extlint.checking.report_of import Settings
from extlint.finding import Severity
from extlint.linting.configuration.configuration import DEFAULTS, Configuration, excludes
from extlint.linting.configuration.project_file import Configurations
from extlint.linting.configuration.usage_error import UsageError, expand_rule_names
from extlint.package.discovery.scope import ConfiguredManifests, Scope, SkippedBy
from extlint.package.disk import is_in, with_slashes
from extlint.package.files import Package, UnreadableError
from extlint.project.target_detection.choice import Choice, chosen_by_configuration, chosen_by_option
from extlint.queries.query import cached_method
from extlint.registry import RULES
from extlint.report.report import IdleEntry
from extlint.schema.model import NO_USER_SCHEMAS

if TYPE_CHECKING:
    from extlint.checking.baselines import Baselines, BaselineUse
    from extlint.checking.idle_entries import IdleEntries
    from extlint.package.git_ignore import GitIgnores


class ConfiguredScope(Scope):
    """Skips extensions that Git ignores or a configuration excludes.

    If a tool names the files, such as pre-commit, parts of a manifest are not checked as manifests, nor are
    files judged that nothing loads, as they were not requested.
    """

    def __init__(
        self,
        options: Configuration,
        configurations: Configurations,
        *,
        named_by_tool: bool = False,
        reads_projects: bool = False,
    ) -> None:
        super().__init__()
        self.is_named_by_user = not named_by_tool
        self.reads_projects = reads_projects
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
    return excludes(configuration, file)


NO_RULE = "no rules to run: --ignore excludes every selected rule"


class SettingsOf:
    """Returns the settings of an extension. Options override the keys with the same names."""

    def __init__(self, options: Configuration, file: str | None = None, *, writes: bool = False) -> None:
        """Raises UsageError for options that leave nothing to do, and for unusable files.

        `file` is the configuration, and `writes` is true if baselines are written.
        """
        self.options = options
        try:
            self.configurations = Configurations(file)
        except UnreadableError as error:
            raise UsageError(str(error)) from None
        if not chosen_rules(options, packed=True):
            raise UsageError(NO_RULE)
        self._writes = writes
        self._baselines = None if options.baseline is None else self._all_baselines()

    def __call__(self, package: Package) -> Settings:
        """Returns the settings. Raises UnreadableError for an invalid configuration."""
        own = self.configurations.of(package.name)
        if own.extension:
            from extlint.linting.configuration.entries import for_extension

            own = for_extension(own, package.name, package.manifest_path)
        found = self.options.with_defaults(own).with_defaults(DEFAULTS)
        rules = chosen_rules(found, packed=package.packed)
        if not rules:
            raise UnreadableError(f"{found.file}: {NO_RULE}")
        assert found.fail_level is not None
        choice: Choice | None = None
        if self.options.target:
            choice = chosen_by_option(self.options.target)
        elif own.target:
            choice = chosen_by_configuration(own.target, own.file)
        level = Severity[found.fail_level.upper()]
        schemas = found.schemas or NO_USER_SCHEMAS
        return Settings(choice, rules, schemas, level, found, self._baseline(own))

    def by_manifest(self, package: Package) -> list[tuple[Package, Settings]]:
        """Returns the variants of a package, or itself, each with its settings. Raises as a call does."""
        if not package.variants:
            return [(package, self(package))]
        from extlint.checking.variants import settings_of_variants

        return settings_of_variants(package, self)

    def _baseline(self, own: Configuration) -> BaselineUse | None:
        if self._baselines is None:
            if own.baseline is None and not self._writes:
                return None
            self._baselines = self._all_baselines()
        return self._baselines.baseline_for(own)

    def _all_baselines(self) -> Baselines:
        from extlint.checking.baselines import Baselines

        return Baselines(self.options.baseline, writes=self._writes)


def chosen_rules(configuration: Configuration, *, packed: bool) -> tuple[str, ...]:
    """Returns the rules that run. Those for packed archives run on others only if they are selected."""
    default = [name for name, rule in RULES.items() if packed or not rule.group.only_packed]
    chosen = {
        *(expand_rule_names(configuration.select) or default),
        *expand_rule_names(configuration.extend_select),
    }
    ignored = expand_rule_names(configuration.ignore)
    return tuple(name for name in RULES if name in chosen and name not in ignored)
