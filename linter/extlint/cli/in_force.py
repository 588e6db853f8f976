"""The configuration in force for an extension, with the origin of each value, as text and for programs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from extlint.checking.report_of import severity_of
from extlint.checking.settings import SettingsOf, chosen_rules
from extlint.linting.configuration.configuration import DEFAULTS, Configuration, ExtensionEntry
from extlint.linting.configuration.entries import entry_of
from extlint.linting.configuration.keys import KEYS
from extlint.linting.configuration.source import Positions, source_at, sources_in
from extlint.linting.configuration.toml import toml_value
from extlint.linting.configuration.usage_error import Step
from extlint.manifest.manifest import read_manifest
from extlint.package.discovery.scope import Skipped, SkippedBy
from extlint.package.files import Package, path_below
from extlint.project.target_detection.choice import Choice, Origin
from extlint.registry import GROUPS, RULES, rules_in
from extlint.report.formats.json_output import unused_entry
from extlint.report.report import IdleEntry
from extlint.report.visible import visible
from extlint.text.positions import Position


class Value(Struct, frozen=True):
    """The value of a key, in the form of TOML and JSON, or None if it is not set.

    `origin` is "option", "extension" for a `[[extension]]` entry, "configuration", "default", or, for targets
    that extlint detects, "manifest" or "name", in which case `reason` explains it. `position` is its position
    in `file`, the configuration or one that it extends.
    """

    value: object
    origin: str
    position: Position | None = None
    reason: str | None = None
    file: str | None = None


class ConfigurationInForce(Struct, frozen=True):
    """The configuration in force for the extension at a path, or for that folder without a `manifest`.

    `file` is its configuration, empty without one, `entry` the position of the `[[extension]]` entry in it
    that applies to the extension, and `ignored_files` are the ignored configurations in the same folder.
    `rules` contains the severity of each rule that runs.
    """

    path: str
    manifest: str | None
    file: str
    entry: Position | None
    ignored_files: tuple[str, ...]
    values: Mapping[str, Value]
    rules: Mapping[str, str]


def configuration_in_force(
    place: Package | str, settings: SettingsOf, choice: Choice | None = None
) -> ConfigurationInForce:
    """Returns the configuration in force for an extension, or in a folder. Raises UnreadableError.

    `choice` contains the targets for one of several manifests.
    """
    options = settings.options
    package = place if isinstance(place, Package) else None
    name = place.name if isinstance(place, Package) else place
    configuration = settings.configurations.of(name)
    entry = None
    if package is not None and configuration.extension:
        entry = entry_of(configuration, name, package.manifest_path)
    files = [_File(each) for each in configuration.layers or (configuration,)]
    values = {key: _value(key, options, configuration, entry, files) for key in KEYS}
    if values["target"].value is None and package is not None:
        values["target"] = _detected_targets(package) if choice is None else _chosen_targets(choice)
    elif choice is not None:
        values["target"] = replace(values["target"], value=[each.text for each in choice.targets])
    own = configuration if entry is None else entry.configuration.with_defaults(configuration)
    found = options.with_defaults(own).with_defaults(DEFAULTS)
    running = chosen_rules(found, packed=package is not None and package.packed)
    rules = {each: str(severity_of(each, found.severity, RULES[each].severity)) for each in running}
    return ConfigurationInForce(
        name,
        None if package is None else package.manifest_path,
        configuration.file,
        None
        if entry is None
        else _entries(files).position_of("extension", configuration.extension.index(entry)),
        tuple(_ignored_files(configuration)),
        values,
        rules,
    )


class _File:
    """The file of a configuration: its values and their positions."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self._source = None
        if configuration.file:
            self._source = source_at(str(Path(configuration.folder, Path(configuration.file).name)))
        self._table = None if self._source is None else self._source.table()
        self._positions: Positions | None = None

    def value_at(self, *steps: Step) -> Any:
        """Returns the value at some steps."""
        found: Any = self._table
        for step in steps:
            found = found[step]
        return found

    def value(self, origin: str, *steps: Step) -> Value:
        """Returns the value at some steps with its position."""
        return Value(self.value_at(*steps), origin, self.position_of(*steps), file=self.configuration.file)

    def position_of(self, *steps: Step) -> Position | None:
        """Returns the position of its key."""
        if self._source is None:
            return None
        if self._positions is None:
            self._positions = self._source.positions()
        return self._positions.of(steps, at_key=isinstance(steps[-1], str))


def _entries(files: Sequence[_File]) -> _File:
    """Returns the file whose `[[extension]]` entries apply."""
    return next(each for each in files if each.configuration.extension)


def _value(
    name: str,
    options: Configuration,
    configuration: Configuration,
    entry: ExtensionEntry | None,
    files: Sequence[_File],
) -> Value:
    key = KEYS[name]
    if options.has(key.field):
        return Value(_plain(options, key.field), "option", reason=f"--{name}")
    if entry is not None and entry.configuration.has(key.field):
        steps: tuple[Step, ...] = ("extension", configuration.extension.index(entry), name)
        return _entries(files).value("extension", *steps)
    having = [each for each in files if each.configuration.has(key.field)]
    if not having:
        return Value(
            _plain(DEFAULTS, key.field) if key.field in ("fail_level", "gitignore") else None, "default"
        )
    found = having[0].value("configuration", name)
    tables = [each.value_at(name) for each in reversed(having)]
    if all(isinstance(each, dict) for each in tables):
        return replace(found, value={step: each for table in tables for step, each in table.items()})
    return found


def _plain(configuration: Configuration, field: str) -> object:
    """Returns a value that an option has set, as a file would contain it."""
    value = getattr(configuration, field)
    match field:
        case "target":
            return [each.text for each in value]
        case "schemas":
            return sorted({str(each.get("namespace")) for each in value.parts})
    return list(value) if isinstance(value, tuple) else value


def _detected_targets(package: Package) -> Value:
    """Returns the targets that extlint detects."""
    from extlint.package.tolerant import TolerantPackage
    from extlint.project.target_detection.detect import detect_targets

    files = TolerantPackage(package)
    return _chosen_targets(
        detect_targets(package, read_manifest(files.manifest_path, files.read(files.manifest_path)))
    )


def _chosen_targets(choice: Choice) -> Value:
    origin = choice.origin.value if choice.origin is not Origin.DEFAULT else "default"
    return Value(list(choice.names), origin, reason=choice.reason)


def _ignored_files(configuration: Configuration) -> list[str]:
    """Returns the other files in the folder of a configuration that also contain one, which is ignored."""
    if not configuration.file:
        return []
    folder = Path(configuration.file).parent.as_posix()
    sources = sources_in(configuration.folder, "" if folder == "." else folder)
    return [
        each.display_path
        for each in sources
        if each.display_path != configuration.file and each.may_have_table
    ]


_MAX_WIDTH = 50
"""The maximum width of a value that determines the column of the comments."""

_REASONS = {
    SkippedBy.GIT: "Git ignores it",
    SkippedBy.CONFIGURATION: "the configuration excludes it",
    SkippedBy.TARGET: "it is for none of the targets",
    SkippedBy.NAME: "no browser is in its name",
    SkippedBy.COPY: "it is an old copy of the extension",
}


def as_text(
    found: Sequence[ConfigurationInForce], skipped: Iterable[Skipped], unused: Iterable[IdleEntry]
) -> str:
    """Returns the configuration in force as TOML, with a comment on the origin of each value.

    Comments at the end list the extensions that are not checked, and the entries that match nothing.
    """
    blocks = [list(_lines(each)) for each in found]
    blocks.append(
        [
            *(f"# {each.path} is not checked, because {_REASONS[each.by]}" for each in skipped),
            *(f"# {each.file}:{each.position.line}: {each.sentence}" for each in unused),
        ]
    )
    return "\n".join("".join(f"{visible(line)}\n" for line in block) for block in blocks if block)


def _lines(found: ConfigurationInForce) -> Iterator[str]:
    yield f"# {_name(found)}"
    yield f"# {_file(found)}"
    for each in found.ignored_files:
        yield f"# {each} is ignored, because {found.file} is in the same folder"
    rows = [
        (f"{name} = {toml_value(value.value)}", _origin(value))
        for name, value in found.values.items()
        if value.value is not None and name != "extension"
    ]
    width = max((len(text) for text, _ in rows if len(text) <= _MAX_WIDTH), default=0)
    yield from (f"{text:{width}}  # {origin}" for text, origin in rows)
    unset = [name for name, value in found.values.items() if value.value is None and name != "extension"]
    if unset:
        yield f"# not set: {', '.join(unset)}"
    idle = [each for each in RULES if each not in found.rules]
    if not idle:
        yield "# all rules run"
    elif len(idle) < len(found.rules):
        yield f"# all rules run, except {', '.join(_grouped(idle))}"
    else:
        yield f"# only these rules run: {', '.join(_grouped(found.rules))}"


def _name(found: ConfigurationInForce) -> str:
    if found.manifest is None:
        return f"{found.path} contains no extension"
    if found.manifest == "manifest.json":
        return found.path
    return f"{found.path}, with the manifest {path_below(found.path, found.manifest)}"


def _file(found: ConfigurationInForce) -> str:
    if not found.file:
        return "no configuration"
    entry = "" if found.entry is None else f", with the [[extension]] entry in line {found.entry.line}"
    return f"configuration: {found.file}{entry}"


def _origin(value: Value) -> str:
    if value.position is not None:
        return f"{value.file}:{value.position.line}"
    if value.origin == "option":
        return str(value.reason)
    if value.origin == "default":
        return "default" if value.reason is None else f"default: {value.reason}"
    return str(value.reason)


def _grouped(rules: Collection[str]) -> list[str]:
    """Returns the rules, with those of an entire group replaced by the group's name."""
    groups = [group for group in GROUPS if set(rules).issuperset(rules_in(group))]
    whole = {rule for group in groups for rule in rules_in(group)}
    return [*groups, *(rule for rule in rules if rule not in whole)]


def as_plain(
    found: Iterable[ConfigurationInForce], skipped: Iterable[Skipped], unused: Iterable[IdleEntry]
) -> dict[str, Any]:
    """Returns the same for programs."""
    return {
        "extensions": list(map(_extension, found)),
        "skipped": [{"path": each.path, "reason": each.by.value} for each in skipped],
        "unused_entries": list(map(unused_entry, unused)),
    }


def _extension(found: ConfigurationInForce) -> dict[str, Any]:
    return {
        "path": found.path,
        "manifest": found.manifest,
        "configuration": found.file or None,
        "extension_entry": None if found.entry is None else _position(found.entry),
        "ignored_files": list(found.ignored_files),
        "values": {name: _plain_text(value) for name, value in found.values.items()},
        "rules": dict(found.rules),
    }


def _plain_text(value: Value) -> dict[str, Any]:
    place = None if value.position is None else _position(value.position)
    return {
        "value": value.value,
        "from": value.origin,
        "file": value.file,
        "start": place,
        "reason": value.reason,
    }


def _position(position: Any) -> Mapping[str, int]:
    return {"line": position.line, "column": position.column}
