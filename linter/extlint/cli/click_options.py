"""Options for click, which parses the command lines of most commands and writes the help of all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import click
from msgspec import Struct

from extlint.cli.option import Option, OptionGroup, read_options

Declaration: TypeAlias = Callable[[Callable[..., int]], Callable[..., int]]
"""A decorator of click that declares one option."""


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
        other_options = sections.pop("Other", [])
        for title, records in [*sections.items(), ("Other", other_options)]:
            with formatter.section(title):
                formatter.write_dl(records)


def declare_option(option: Option) -> Declaration:
    """Returns a decorator that declares an option of a command."""
    meaning, completions = option.parse, option.completions
    default: dict[str, Any] = {} if option.default is None else {"default": option.default}
    return click.option(
        *option.flags,
        option.name,
        is_flag=True if option.metavar is None else None,  # False would make the value optional
        multiple=option.is_repeatable,
        metavar=option.metavar,
        help=option.help,
        **default,
        callback=None if meaning is None else lambda _context, _parameter, given: meaning(given),
        shell_complete=shell_completion(completions),
    )


def shell_completion(
    completions: Callable[[str], list[str]] | None,
) -> Callable[[click.Context, click.Parameter, str], list[str]] | None:
    """Returns the completion function of an option for shells, in the form for click."""
    return None if completions is None else lambda _context, _parameter, incomplete: completions(incomplete)


def declare_grouped_options(options: type[Struct], groups: dict[str, OptionGroup]) -> Declaration:
    """Returns a decorator that declares the options of these groups.

    The command receives their values in a Struct, `options`.

    Its fields have the names of the groups, and each contains the values of its group.
    """
    titles = {option.name: group.title for group in groups.values() for option in group.options}

    def declare(command: Callable[..., int]) -> Callable[..., int]:
        def with_options(**given: Any) -> int:
            other_values = {name: value for name, value in given.items() if name not in titles}
            return command(options=read_options(options, groups, given), **other_values)

        with_options.__doc__ = command.__doc__
        with_options.titles_of_options = titles  # type: ignore[attr-defined]
        result: Callable[..., int] = with_options
        for group in reversed(groups.values()):
            for option in reversed(group.options):
                result = declare_option(option)(result)
        return result

    return declare
