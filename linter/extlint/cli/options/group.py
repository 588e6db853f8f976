"""Groups of options, and the way a command obtains its options from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct

from extlint.cli.options.option import Option
from extlint.linting.configuration.configuration import Configuration

_Options = TypeVar("_Options", bound=Struct)


class OptionGroup(Struct, frozen=True):
    """Options that belong together, and the Struct with a field for the value of each.

    A further option requires a declaration and a field. `title` is shown above them in the help.
    """

    title: str
    values: type[Struct]
    options: tuple[Option, ...]


def configuration_of_options(*groups: Struct) -> Configuration:
    """Returns the keys that options with their names set."""
    values = {field: getattr(group, field) for group in groups for field in group.__struct_fields__}
    return Configuration(**{key: values[key] for key in Configuration.__struct_fields__ if key in values})


def read_options(
    options: type[_Options], groups: Mapping[str, OptionGroup], values: Mapping[str, Any]
) -> _Options:
    """Returns a Struct with the Struct of each group, from the values of all options by name."""
    read = {
        name: group.values(**{each: values[each] for each in group.values.__struct_fields__})
        for name, group in groups.items()
    }
    return options(**read)
