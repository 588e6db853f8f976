"""Runs `extlint check` with a valid command line, which is parsed without click.

Loading click takes a seventh of a short run. It parses the remaining command lines, to write help or error
messages.
"""

from __future__ import annotations

from collections.abc import Sequence

from extlint.cli.checking import check
from extlint.cli.exit_status import FAILED
from extlint.cli.options.check import CHECK_OPTIONS, CheckOptions
from extlint.cli.options.group import read_options
from extlint.cli.streams import complain
from extlint.linting.configuration.usage_error import UsageError


def check_without_click(arguments: Sequence[str]) -> int | None:
    """Checks and returns the exit status.

    For command lines that click must parse, it does nothing and returns None.
    """
    try:
        read = parse_without_click(arguments)
        return None if read is None else check(*read)
    except UsageError as error:
        complain(str(error))
        return FAILED


def parse_without_click(arguments: Sequence[str]) -> tuple[tuple[str, ...], CheckOptions] | None:
    """Returns the paths and options of a command line, as click parses it.

    Returns None if only click can parse it.

    Raises UsageError for an invalid value.
    """
    options = {option.name: option for group in CHECK_OPTIONS.values() for option in group.options}
    by_flag = {flag: option for option in options.values() for flag in option.flags}
    texts_by_name: dict[str, list[str]] = {name: [] for name in options}
    paths: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "-" or not argument.startswith("-"):
            paths.append(argument)
            continue
        flag, equals, value = argument.partition("=")
        option = by_flag.get(flag)
        if option is None or (equals and option.metavar is None):
            return None
        if option.metavar is not None and not equals:
            value = next(rest, "-")
            if value.startswith("-"):
                return None
        texts_by_name[option.name].append(value)
    values = {name: option.value(texts_by_name[name]) for name, option in options.items()}
    return tuple(paths), read_options(CheckOptions, CHECK_OPTIONS, values)
