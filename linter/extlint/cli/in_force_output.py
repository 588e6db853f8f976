"""Formats the configuration in force, as text and for programs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from extlint.cli.in_force import ConfigurationInForce, Value
from extlint.linting.configuration.toml import toml_value
from extlint.package.discovery.scope import Skipped, SkippedBy
from extlint.package.files import path_below
from extlint.registry import GROUPS, RULES, rules_in
from extlint.report.formats.json_output import unused_entry
from extlint.report.report import IdleEntry
from extlint.report.visible import visible

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
        "values": {name: _plain(value) for name, value in found.values.items()},
        "rules": dict(found.rules),
    }


def _plain(value: Value) -> dict[str, Any]:
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
