"""Runs the rows of a table together, because pytest's work for a test takes longer than most rows.

A table is a test function whose arguments all come from `parametrize`: only the row differs between calls.
Each row fails by itself, and a failure names its row.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product, repeat
from pathlib import Path
from typing import NamedTuple

import pytest
from thorough import is_thorough

from extlint.analysis.cache.store import MemoryStore

ROWS = 25
"""The number of rows in one test: an idle worker takes over whole tests."""


_stores: list[MemoryStore] = []


def store_of_rows() -> MemoryStore | None:
    """Returns the store of results about scripts that the running rows of a table share, or None."""
    return _stores[-1] if _stores else None


class Row(NamedTuple):
    """The arguments of one call, and the parts of their name in failures: text, or arguments to be shown."""

    parts: Sequence[str | Mapping[str, object]]
    values: Mapping[str, object]

    @property
    def name(self) -> str:
        """The name in failures."""
        return ", ".join(
            each
            if isinstance(each, str)
            else ", ".join(f"{key}={value!r:.200}" for key, value in each.items())
            for each in self.parts
        )


def _shown(values: Mapping[str, object]) -> str:
    return ", ".join(f"{key}={value!r:.200}" for key, value in values.items())


class Table(pytest.Function):
    """Some rows of a table."""

    function_of_rows: Callable[..., object]

    def reportinfo(self) -> tuple[Path, int, str]:
        """Returns the place of the test function, not of the function that calls it."""
        return self.path, self.function_of_rows.__code__.co_firstlineno - 1, self.name


def tables(collector: pytest.Module, name: str, function: object) -> list[Table] | None:
    """Returns tests that run all rows of a function, or None if it is not a table."""
    if not inspect.isfunction(function) or hasattr(function, "is_hypothesis_test"):
        return None
    rows = rows_of(function)
    if rows is None or set(inspect.signature(function).parameters) != set(rows[0].values):
        return None
    found = [_table(collector, name, function, rows, start) for start in range(0, len(rows), ROWS)]
    return None if found[0].fixturenames else found


def _table(
    collector: pytest.Module, name: str, function: Callable[..., object], rows: Sequence[Row], start: int
) -> Table:
    some = rows[start : start + ROWS]

    def run() -> None:
        __tracebackhide__ = True
        run_rows(function, some)

    run.__dict__["pytestmark"] = [mark for mark in _marks(function) if mark.name != "parametrize"]
    label = f"{name}[rows {start + 1}-{start + len(some)}]"
    table: Table = Table.from_parent(collector, name=label, callobj=run)
    table.function_of_rows = function
    table.user_properties.append(("rows", len(some)))
    return table


def run_rows(function: Callable[..., object], rows: Sequence[Row]) -> None:
    """Calls a function with each row, and raises what fails."""
    __tracebackhide__ = True
    failures: list[BaseException] = []
    skipped: list[BaseException] = []
    _stores.append(MemoryStore())
    for row in rows:
        try:
            function(**row.values)
        except pytest.skip.Exception as reason:
            skipped.append(reason)
        except (Exception, pytest.fail.Exception) as failure:
            failure.add_note(f"The row: {row.name}")
            failures.append(failure)
    _stores.pop()
    if len(failures) == 1:
        raise failures[0]
    if failures:
        raise BaseExceptionGroup(f"{len(failures)} of {len(rows)} rows fail", failures)
    if len(skipped) == len(rows):
        raise skipped[0]


def rows_of(function: Callable[..., object]) -> list[Row] | None:
    """Returns the rows of a function, or None if a row has marks of its own.

    A thorough run has the product of all `parametrize` marks. Other runs have each part in some row: the
    product tests the same mechanisms again and again.
    """
    parts = [_part(mark) for mark in _marks(function) if mark.name == "parametrize"]
    known = [each for each in parts if each]
    if not parts or len(known) < len(parts):
        return None
    return [
        Row(
            [each for part in row for each in part.parts],
            {key: part.values[key] for part in row for key in part.values},
        )
        for row in (product(*known) if is_thorough() else _in_turn(known))
    ]


def _in_turn(parts: Sequence[Sequence[Row]]) -> Iterator[tuple[Row, ...]]:
    for at in range(max(map(len, parts))):
        yield tuple(each[at % len(each)] for each in parts)


def _part(mark: pytest.Mark) -> list[Row] | None:
    """Returns the rows that one mark gives."""
    names, found, *others = mark.args
    if others or mark.kwargs.keys() - {"ids"} or not isinstance(found, Collection):
        return None
    if isinstance(names, str):
        names = [each.strip() for each in names.split(",") if each.strip()]
    ids = mark.kwargs.get("ids")
    named = iter(ids) if isinstance(ids, Iterable) else repeat(None)
    rows: list[Row] = []
    for each, name in zip(found, named, strict=False):
        is_param = isinstance(each, type(pytest.param()))
        if is_param and each.marks:
            return None
        values = each.values if is_param else (each,) if len(names) == 1 else each
        by_name = dict(zip(names, values, strict=True))
        given = (each.id if is_param else None) or name
        rows.append(Row([str(given) if given else by_name], by_name))
    return rows


def _marks(function: Callable[..., object]) -> Iterator[pytest.Mark]:
    yield from reversed(vars(function).get("pytestmark", ()))
