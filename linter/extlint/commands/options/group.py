"""What a group of options is, and how a command gets its options from groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct

from extlint.commands.options.option import Option
from extlint.configuration.configuration import Configuration

_Options = TypeVar("_Options", bound=Struct)


class OptionGroup(Struct, frozen=True):
    """Options that belong together, and the Struct that has a field for the value of each.

    Another option is a declaration and a field. `title` is what help writes above them.
    """

    title: str
    values: type[Struct]
    options: tuple[Option, ...]


def keys_given(*groups: Struct) -> Configuration:
    """What options set of the keys that have their names."""
    given = {field: getattr(group, field) for group in groups for field in group.__struct_fields__}
    return Configuration(**{key: given[key] for key in Configuration.__struct_fields__ if key in given})


def options_read(
    options: type[_Options], groups: Mapping[str, OptionGroup], values: Mapping[str, Any]
) -> _Options:
    """The Struct that has the Struct of each group, from the values of all options by their names."""
    read = {
        name: group.values(**{each: values[each] for each in group.values.__struct_fields__})
        for name, group in groups.items()
    }
    return options(**read)
