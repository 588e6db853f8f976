"""Runs the rows of a table together, because pytest's work for a test takes longer than most rows.

A table is a test function with arguments that come from `parametrize`. Its other arguments are fixtures, and
each row gets new ones. Each row fails by itself, and a failure names its row.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product, repeat
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from _pytest.tmpdir import tmppath_result_key
from thorough import is_thorough

from extlint.analysis.cache.store import MemoryStore

ROWS = 25
"""The number of rows in one test: an idle worker takes over whole tests."""

ROWS_WITH_FIXTURES = 8
"""The same for rows with fixtures, which take longer."""


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


class Table(pytest.Function):
    """Some rows of a table."""

    function_of_rows: Callable[..., object]

    def reportinfo(self) -> tuple[Path, int, str]:
        """Returns the place of the test function, not of the function that calls it."""
        return self.path, self.function_of_rows.__code__.co_firstlineno - 1, self.name

    def fixture_definitions(self) -> list[pytest.FixtureDef[Any]]:
        """Returns the definitions of the fixtures that a row uses."""
        return [found[-1] for found in self._fixtureinfo.name2fixturedefs.values()]

    def renew_fixtures(self) -> Mapping[str, object]:
        """Ends the fixtures of a row, and returns those of the next one by name."""
        self.stash.setdefault(tmppath_result_key, {})
        for each in self.fixture_definitions():
            if each.scope == "function":
                each.finish(self._request)  # type: ignore[arg-type]
        self._initrequest()
        self.setup()
        return {name: self.funcargs[name] for name in self.asked}

    @property
    def asked(self) -> Sequence[str]:
        """The names of the fixtures that the test function has as arguments."""
        return self._fixtureinfo.argnames


def tables(collector: pytest.Module, name: str, function: object) -> list[Table] | None:
    """Returns tests that run all rows of a function, or None if it is not a table."""
    if not inspect.isfunction(function) or hasattr(function, "is_hypothesis_test"):
        return None
    rows = rows_of(function)
    if rows is None or not set(rows[0].values) <= set(inspect.signature(function).parameters):
        return None
    (first, *_) = _tables(collector, name, function, rows, ROWS)
    if not first.fixturenames:
        return _tables(collector, name, function, rows, ROWS)
    if not _can_be_renewed(first, rows[0].values):
        return None
    return _tables(collector, name, function, rows, ROWS_WITH_FIXTURES)


def _can_be_renewed(table: Table, values: Collection[str]) -> bool:
    """Whether each row can get the fixtures anew: none is shared by tests, or differs between rows."""
    own = [each for each in table.fixture_definitions() if not each.func.__module__.startswith("_pytest.")]
    return "request" not in table.asked and all(
        each.scope == "function" and each.params is None and not {"request", *values} & {*each.argnames}
        for each in own
    )


def _tables(
    collector: pytest.Module, name: str, function: Callable[..., object], rows: Sequence[Row], size: int
) -> list[Table]:
    return [
        _table(collector, name, function, rows[start : start + size], start)
        for start in range(0, len(rows), size)
    ]


def _table(
    collector: pytest.Module, name: str, function: Callable[..., object], rows: Sequence[Row], start: int
) -> Table:
    def run(**fixtures: object) -> None:
        __tracebackhide__ = True
        if table.fixturenames:
            run_rows_with_fixtures(function, rows, fixtures, table.renew_fixtures)
        else:
            run_rows(function, rows)

    signature = inspect.signature(function)
    given = [each for key, each in signature.parameters.items() if key not in rows[0].values]
    run.__dict__["__signature__"] = signature.replace(parameters=given)
    run.__dict__["pytestmark"] = [mark for mark in _marks(function) if mark.name != "parametrize"]
    label = f"{name}[rows {start + 1}-{start + len(rows)}]"
    table: Table = Table.from_parent(collector, name=label, callobj=run)
    table.function_of_rows = function
    table.user_properties.append(("rows", len(rows)))
    return table


def run_rows(function: Callable[..., object], rows: Sequence[Row]) -> None:
    """Calls a function with each row, and raises what fails. The rows share a store of results."""
    __tracebackhide__ = True
    _stores.append(MemoryStore())
    try:
        _run_each(rows, lambda row: function(**row.values))
    finally:
        _stores.pop()


def run_rows_with_fixtures(
    function: Callable[..., object],
    rows: Sequence[Row],
    fixtures: Mapping[str, object],
    renew: Callable[[], Mapping[str, object]],
) -> None:
    """Calls a function with each row, and raises what fails. The first row has `fixtures`."""
    __tracebackhide__ = True
    first = rows[0]
    _run_each(rows, lambda row: function(**row.values, **(fixtures if row is first else renew())))


def _run_each(rows: Sequence[Row], run: Callable[[Row], object]) -> None:
    __tracebackhide__ = True
    failures: list[BaseException] = []
    skipped: list[BaseException] = []
    for row in rows:
        try:
            run(row)
        except pytest.skip.Exception as reason:
            skipped.append(reason)
        except (Exception, pytest.fail.Exception) as failure:
            failure.add_note(f"The row: {row.name}")
            failures.append(failure)
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
