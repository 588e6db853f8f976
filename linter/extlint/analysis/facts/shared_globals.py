"""Globals that the scripts of one realm share: the assignments of this script and those of the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum

from msgspec import Struct, field
from msgspec.structs import replace

from extlint.analysis.facts.values import (
    Field,
    ObjectValue,
    Value,
    is_nullish,
    options_of,
    union_of,
)

GLOBAL_OBJECT = "globalThis"
"""The first name in the path of a watched global; no namespace has this name."""

ASSIGNED = ""
"""Follows the name of a global in a fact if a script assigns the global."""


class RealmGlobals(Struct, frozen=True):
    """The assignments of the other scripts of a realm to globals.

    `values` are the values by name, as far as they are or contain the API, or `UNKNOWN` if they may be
    anything. `wanted` are the names whose values in this script the others use. `conditions` are the
    implications of a test of a global, by its name. `parameters` are the API values that importing scripts
    pass to exported functions, by the function's name and the index of the argument. `watched` are globals of
    the platform that are followed as if they were members of the API, below `GLOBAL_OBJECT`.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    wanted: frozenset[str] = frozenset()
    conditions: Mapping[str, Value] = field(default_factory=dict)
    parameters: Mapping[tuple[str, int], Value] = field(default_factory=dict)
    watched: frozenset[str] = frozenset()

    def merged_with(self, other: RealmGlobals) -> RealmGlobals:
        """Returns these globals, with the values and conditions of the others for names missing here."""
        if not (other.values or other.conditions):
            return self
        values, conditions = {**other.values, **self.values}, {**other.conditions, **self.conditions}
        return replace(self, values=values, conditions=conditions)


NOTHING_SHARED = RealmGlobals()


class GlobalQuery(Enum):
    """A query of a script about a global, passed in place of the name of an imported module."""

    IS_NAMED = "\0is named "
    """Whether other scripts name a variable of this one."""

    IMPLIED = "\0implied "
    """The implications of a test of a global that other scripts assign."""

    def about(self, name: str) -> str:
        """Returns the query for a global, as text."""
        return self.value + name


def parse_global_query(query: str) -> tuple[GlobalQuery | None, str]:
    """Returns the kind of query and its global, or None and the name if it is the name of a module."""
    for each in GlobalQuery if query.startswith("\0") else ():
        if query.startswith(each.value):
            return each, query[len(each.value) :]
    return None, query


def merge_values(values: Iterable[Value]) -> Value:
    """Returns the value of a global that several scripts assign; objects are assumed to be one object."""
    fields: dict[str, list[Field]] = {}
    other_values: list[Value] = []
    found_object = False
    for option in (option for value in values for option in options_of(value)):
        if isinstance(option, ObjectValue):
            found_object = True
            for name, each in option.fields.items():
                fields.setdefault(name, []).append(each)
        elif not is_nullish(option):
            other_values.append(option)
    parts = {
        name: each[0] if len(each) == 1 else Field(merge_values(field.value for field in each), each[0].key)
        for name, each in fields.items()
    }
    return union_of([*([ObjectValue(parts, True)] if found_object else []), *other_values])
