"""`extlint config`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from extlint.checking.run import explain_missing_manifest
from extlint.checking.settings import ConfiguredScope, SettingsOf
from extlint.cli.check_options import RULE_OPTIONS, RuleOptions
from extlint.cli.click_options import GroupedCommand, declare_grouped_options, declare_option
from extlint.cli.option import Option, configuration_of_options, format_option
from extlint.cli.process import FAILED, SUCCESS
from extlint.cli.streams import complain, write
from extlint.package.discovery.find import find_packages
from extlint.package.discovery.scope import Skipped, SkippedBy
from extlint.package.files import Package, UnreadableError, path_below

if TYPE_CHECKING:
    from extlint.cli.in_force import ConfigurationInForce


class ConfigOptions(Struct, frozen=True):
    """The options of `extlint check` that determine the checks of extensions."""

    rules: RuleOptions


@click.command("config", cls=GroupedCommand, short_help="Show the configuration in force.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@declare_option(format_option({"text": "for people", "json": "for programs"}))
@declare_option(Option(("--schema",), "Print the JSON Schema of configurations, for editors."))
@declare_grouped_options(ConfigOptions, {"rules": RULE_OPTIONS})
def config_command(paths: tuple[str, ...], options: ConfigOptions, output_format: str, schema: bool) -> int:
    """Show what is in force for each extension in a PATH, and where each value comes from.

    That is what `extlint check` uses with the same PATH and the same options. Without a PATH, it is the
    current folder.
    """
    if schema:
        from extlint.linting.configuration.keys import configuration_schema

        write(_as_json(configuration_schema()))
        return SUCCESS
    from extlint.cli.in_force import configuration_in_force

    settings = SettingsOf(configuration_of_options(options.rules), options.rules.config)
    found = []
    complaints: dict[str, None] = {}
    scope = ConfiguredScope(settings.options, settings.configurations, reads_projects=True)
    left_out: list[Skipped] = []
    for place in _extensions_and_folders(paths or (".",), scope):
        try:
            if isinstance(place, UnreadableError):
                raise place
            if isinstance(place, Package) and place.variants:
                checked, skipped_manifests = _variants_in_force(place, settings)
                found += checked
                left_out += skipped_manifests
            else:
                found.append(configuration_in_force(place, settings))
        except UnreadableError as error:
            complaints[str(error)] = None
    for each in complaints:
        complain(each)
    from extlint.cli.in_force import as_plain, as_text

    skipped = sorted((*scope.skipped, *left_out), key=lambda each: each.path)
    unused = scope.idle_entries()
    if output_format == "json":
        write(_as_json({"version": 1, **as_plain(found, skipped, unused)}))
    else:
        write(as_text(found, skipped, unused))
    return FAILED if complaints else SUCCESS


def _extensions_and_folders(
    paths: tuple[str, ...], scope: ConfiguredScope
) -> Iterator[Package | str | UnreadableError]:
    """Yields the extensions at paths, and each folder without any."""
    seen = set()
    for path in dict.fromkeys(paths):
        has_any = False
        for found in scope.record_packages(find_packages([path], scope), paths):
            if not isinstance(found, Package):
                yield explain_missing_manifest(found)
                continue
            has_any = True
            key = (found.name, found.manifest_path, tuple(found.variants))
            if key not in seen:
                seen.add(key)
                yield found
        if not has_any and Path(path).is_dir():
            yield path


def _variants_in_force(
    package: Package, settings: SettingsOf
) -> tuple[list[ConfigurationInForce], list[Skipped]]:
    """Returns the configuration in force for each checked manifest of an extension, and skipped manifests."""
    from extlint.checking.variants import settings_of_variants
    from extlint.cli.in_force import configuration_in_force

    checked = settings_of_variants(package, settings)
    skipped = {package.manifest_path, *package.variants} - {each.manifest_path for each, _ in checked}
    return (
        [configuration_in_force(each, settings, own.choice) for each, own in checked],
        [Skipped(path_below(package.name, each), SkippedBy.TARGET) for each in sorted(skipped)],
    )


def _as_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
