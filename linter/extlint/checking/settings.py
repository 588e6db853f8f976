"""The settings of an extension: from the options of a run, and from its configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from extlint.checking.report_of import Settings
from extlint.finding import Severity
from extlint.linting.configuration.configuration import DEFAULTS, Configuration
from extlint.linting.configuration.names import expand_rule_names
from extlint.linting.configuration.project_file import Configurations
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.files import Package, UnreadableError
from extlint.project.target_detection.choice import Choice, chosen_by_configuration, chosen_by_option
from extlint.registry import RULES
from extlint.schema.model import NO_USER_SCHEMAS

if TYPE_CHECKING:
    from extlint.checking.baselines import Baselines, BaselineUse

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
