"""What a group of options is, and how a command gets its options from groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import click
from msgspec import Struct

from extlint.configuration.configuration import Configuration

Declaration: TypeAlias = Callable[[Callable[..., int]], Callable[..., int]]
"""What declares one option: a decorator of click."""


class OptionGroup(Struct, frozen=True):
    """Options that belong together, and the Struct that has a field for the value of each.

    Another option is a declaration and a field. `title` is what help writes above them.
    """

    title: str
    values: type[Struct]
    declarations: tuple[Declaration, ...]


class GroupedCommand(click.Command):
    """A command whose help lists its options under the titles of their groups, and other options last."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options, each group as a section."""
        sections: dict[str, list[tuple[str, str]]] = {}
        titles = getattr(self.callback, "titles_of_options", {})
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections.setdefault(titles.get(parameter.name, "Other"), []).append(record)
        others = sections.pop("Other", [])
        for title, records in [*sections.items(), ("Other", others)]:
            with formatter.section(title):
                formatter.write_dl(records)


def keys_given(*groups: Struct) -> Configuration:
    """What options set of the keys that have their names."""
    given = {field: getattr(group, field) for group in groups for field in group.__struct_fields__}
    return Configuration(**{key: given[key] for key in Configuration.__struct_fields__ if key in given})


def options_in_groups(options: type[Struct], groups: dict[str, OptionGroup]) -> Declaration:
    """Declares the options of these groups. The command gets all of their values as one Struct, `options`.

    Its fields have the names by which the groups are given, and each has the values of its group.
    """

    def declared(command: Callable[..., int]) -> Callable[..., int]:
        def with_options(**given: Any) -> int:
            read = {
                name: group.values(**{each: given.pop(each) for each in group.values.__struct_fields__})
                for name, group in groups.items()
            }
            return command(options=options(**read), **given)

        with_options.__doc__ = command.__doc__
        with_options.titles_of_options = {  # type: ignore[attr-defined]
            field: group.title for group in groups.values() for field in group.values.__struct_fields__
        }
        result: Callable[..., int] = with_options
        for group in reversed(groups.values()):
            for declare in reversed(group.declarations):
                result = declare(result)
        return result

    return declared
