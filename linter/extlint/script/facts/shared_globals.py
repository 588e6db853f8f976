"""Globals that the scripts of one world share: what this script gives, and what the others gave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from extlint.script.facts.values import (
    Field,
    Kind,
    Literal,
    ObjectValue,
    Value,
    options_of,
    union_of,
)


class GlobalsOfWorld(Struct, frozen=True):
    """What other scripts of the same world do to globals.

    `values` are what they put there, as far as it is the API or holds it; `UNKNOWN` where they may put
    anything. `wanted` are the names of which they need to know what this script puts there.
    `conditions` tell, by the names of globals, what these tell when they are tested. `parameters` are what
    scripts that import this one pass of the API to what it exports: by its name and the position.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    wanted: frozenset[str] = frozenset()
    conditions: Mapping[str, Value] = field(default_factory=dict)
    parameters: Mapping[tuple[str, int], Value] = field(default_factory=dict)


NOTHING_SHARED = GlobalsOfWorld()


def merged(values: Iterable[Value]) -> Value:
    """What a global holds into which several scripts put something: objects are taken to be one object."""
    fields: dict[str, Field] = {}
    others: list[Value] = []
    found_object = False
    for option in (option for value in values for option in options_of(value)):
        if isinstance(option, ObjectValue):
            found_object = True
            for name, each in option.fields.items():
                known = fields.get(name)
                fields[name] = each if known is None else Field(merged((known.value, each.value)), known.key)
        elif not _is_nullish(option):
            others.append(option)
    return union_of([*([ObjectValue(fields, True)] if found_object else []), *others])


def _is_nullish(value: Value) -> bool:
    return isinstance(value, Literal) and value.kind in {Kind.NULL, Kind.UNDEFINED}
