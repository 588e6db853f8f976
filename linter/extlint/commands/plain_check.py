"""`extlint check` with a command line that is right, which is read without click.

To load click takes a seventh of a short run. It reads what is left, to write help or to say what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from extlint.commands.checking import check
from extlint.commands.exit_status import FAILED
from extlint.commands.options.check import CHECK_OPTIONS, CheckOptions
from extlint.commands.options.group import options_read
from extlint.commands.streams import complain
from extlint.configuration.usage_error import UsageError


def check_plainly(arguments: Sequence[str]) -> int | None:
    """Checks, and gives the exit status; None, with nothing done, for what click has to read."""
    try:
        read = read_plainly(arguments)
        return None if read is None else check(*read)
    except UsageError as error:
        complain(str(error))
        return FAILED


def read_plainly(arguments: Sequence[str]) -> tuple[tuple[str, ...], CheckOptions] | None:
    """The paths and options of a command line, as click reads it; None if only click can tell.

    Raises UsageError for a value that is not right.
    """
    options = {option.name: option for group in CHECK_OPTIONS.values() for option in group.options}
    by_flag = {flag: option for option in options.values() for flag in option.flags}
    given: dict[str, list[str]] = {name: [] for name in options}
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
        given[option.name].append(value)
    values = {name: option.value(given[name]) for name, option in options.items()}
    return tuple(paths), options_read(CheckOptions, CHECK_OPTIONS, values)
