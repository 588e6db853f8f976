"""The values that scripts take from others: the exports of modules, and the globals of their realm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, IntEnum
from typing import Protocol, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from extlint.analysis.facts.omissions import Omission
from extlint.analysis.facts.values import Field, ObjectValue, Value, is_nullish, options_of, union_of

Exports: TypeAlias = Mapping[str, Value]
"""The summaries of the values that a module exports, by name."""


class OwnExports(Struct, frozen=True):
    """The exports of a script, without the rest of its facts, and any omission in their analysis."""

    exports: Exports
    omission: Omission | None = None
    star_exports: tuple[str, ...] = ()
    """The names of the modules in `export * from`, whose exports are not in `exports`."""


class _NoExports(dict[str, Value]):
    """The exports of no script; a singleton, even after it is copied from bytes, and equal only to itself."""

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        return self is other

    def __reduce__(self) -> str:
        return "NO_EXPORTS"


NO_EXPORTS: Exports = _NoExports()


class Demand(IntEnum):
    """The exports of a script that other scripts request; each level includes the previous ones."""

    NONE = 0
    """No script is known to import it."""

    OF_API = 1
    """Exports that are the API, contain it or return it."""

    ALL = 2
    """Also constants and the implications of conditions."""


class ImportResolver(Protocol):
    """Finds the exports of a module by the name in an import."""

    def __call__(self, name: str, *, of_api: bool = False) -> Exports:
        """Returns the exports, or `NO_EXPORTS` itself if the name refers to no script of the package.

        `of_api` requests only those that are the API, contain it or return it; a script that cannot name the
        API is then not parsed.
        """
        ...


def no_modules(name: str, *, of_api: bool = False) -> Exports:  # noqa: ARG001
    """Returns no exports, for a script that is analyzed by itself."""
    return NO_EXPORTS


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
