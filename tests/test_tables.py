"""Tables whose rows run together: which functions are tables, and how a row fails."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from tables import (
    ROWS,
    ROWS_WITH_FIXTURES,
    Row,
    Table,
    run_rows,
    run_rows_with_fixtures,
    store_of_rows,
    tables,
)


@pytest.fixture
def module(request: pytest.FixtureRequest) -> pytest.Module:
    found = request.node.getparent(pytest.Module)
    assert isinstance(found, pytest.Module)
    return found


@pytest.mark.parametrize("number", range(2 * ROWS + 1))
def numbers(number: int) -> None:
    assert number not in (3, ROWS, ROWS + 4)


@pytest.mark.parametrize(("one", "two"), [(1, 2), pytest.param(3, 4, id="a name")])
@pytest.mark.parametrize("three", ["a", "b"], ids=["one", "two"])
@pytest.mark.skipif(os.name == "none", reason="never")
def product(one: int, two: int, three: str) -> None:
    pytest.fail(f"{one} {two} {three}")


@pytest.mark.parametrize("number", range(3))
def some_skipped(number: int) -> None:
    if number != 1:
        pytest.skip(f"{number} is skipped")
    raise ValueError(number)


@pytest.mark.parametrize("number", range(2))
def all_skipped(number: int) -> None:
    pytest.skip(f"{number} is skipped")


def of(module: pytest.Module, function: Callable[..., object]) -> list[Table]:
    found = tables(module, function.__name__, function)
    assert found is not None
    return found


def test_each_row_runs_once_and_failures_name_their_rows(module: pytest.Module) -> None:
    first, second, last = of(module, numbers)
    assert [each.name for each in (first, last)] == ["numbers[rows 1-25]", "numbers[rows 51-51]"]
    with pytest.raises(AssertionError) as failure:
        first.obj()
    assert failure.value.__notes__ == ["The row: number=3"]
    with pytest.raises(ExceptionGroup, match=f"2 of {ROWS} rows fail") as failures:
        second.obj()
    notes = [note for each in failures.value.exceptions for note in each.__notes__]
    assert notes == [f"The row: number={ROWS}", f"The row: number={ROWS + 4}"]
    last.obj()


def test_each_parameter_is_in_some_row(module: pytest.Module, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.is_thorough", lambda: False)
    (table,) = of(module, product)
    with pytest.raises(BaseExceptionGroup) as failures:
        table.obj()
    assert [str(each) for each in failures.value.exceptions] == ["1 2 a", "3 4 b"]


def test_rows_of_a_thorough_run_are_the_product(
    module: pytest.Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.is_thorough", lambda: True)
    (table,) = of(module, product)
    with pytest.raises(BaseExceptionGroup) as failures:
        table.obj()
    assert [str(each) for each in failures.value.exceptions] == ["1 2 a", "1 2 b", "3 4 a", "3 4 b"]
    notes = [note for each in failures.value.exceptions for note in each.__notes__]
    assert notes == [
        f"The row: {each}"
        for each in ("one=1, two=2, one", "one=1, two=2, two", "a name, one", "a name, two")
    ]
    assert [mark.name for mark in table.iter_markers()] == ["skipif"]
    assert table.reportinfo()[:2] == (Path(__file__), product.__code__.co_firstlineno - 1)


def test_skipped_rows_hide_no_failure(module: pytest.Module) -> None:
    (table,) = of(module, some_skipped)
    with pytest.raises(ValueError, match="1"):
        table.obj()
    (table,) = of(module, all_skipped)
    with pytest.raises(pytest.skip.Exception, match="0 is skipped"):
        table.obj()


_ended: list[str] = []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    _ended.append(tmp_path.name)


@pytest.mark.parametrize("number", range(3))
def test_row_has_fixtures_of_its_own(number: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Path.cwd() == folder
    assert list(folder.iterdir()) == []
    assert len({*_ended, folder.name}) == len(_ended) + 1
    sys.stdout.write(f"{number}\n")
    assert capsys.readouterr().out == f"{number}\n"
    (folder / "file").touch()
    os.chdir(folder.parent)
    sys.stdout.write("more")


@pytest.mark.parametrize("number", range(ROWS_WITH_FIXTURES + 2))
def with_fixtures(number: int, folder: Path) -> None: ...


@pytest.fixture
def half(number: int) -> float:
    return number / 2


@pytest.mark.parametrize("number", [1])
def with_fixture_of_a_row(number: int, half: float) -> None: ...


@pytest.fixture(scope="module")
def shared() -> int:
    return 1


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("number", [1])
def with_shared_fixture(number: int) -> None: ...


@pytest.mark.parametrize("number", [1])
def with_request(number: int, request: pytest.FixtureRequest) -> None: ...


@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.skip)])
def with_marked_row(number: int) -> None: ...


@pytest.mark.parametrize("module", [1], indirect=True)
def with_indirect_parameter(module: int) -> None: ...


@pytest.mark.parametrize("number", [])
def without_rows(number: int) -> None: ...


def without_parameters() -> None: ...


@pytest.mark.parametrize(
    "function",
    [
        with_fixture_of_a_row,
        with_shared_fixture,
        with_request,
        with_marked_row,
        with_indirect_parameter,
        without_rows,
        without_parameters,
    ],
)
def test_other_functions_stay_separate_tests(function: Callable[..., object], module: pytest.Module) -> None:
    assert tables(module, function.__name__, function) is None


def test_tables_with_fixtures_are_smaller(module: pytest.Module) -> None:
    names = [each.name for each in of(module, with_fixtures)]
    assert names == ["with_fixtures[rows 1-8]", "with_fixtures[rows 9-10]"]


def test_failure_to_renew_fixtures_names_its_row() -> None:
    def renew() -> Mapping[str, object]:
        raise OSError

    seen = []
    with pytest.raises(OSError) as failure:  # noqa: PT011
        run_rows_with_fixtures(
            lambda **given: seen.append(given), [Row([each], {"row": each}) for each in "ab"], {"f": 1}, renew
        )
    assert seen == [{"row": "a", "f": 1}]
    assert failure.value.__notes__ == ["The row: b"]


def test_a_failing_row_is_not_the_end_of_its_table() -> None:
    seen = []

    def row(number: int) -> None:
        seen.append(number)
        assert number

    with pytest.raises(AssertionError):
        run_rows(row, [Row([str(each)], {"number": each}) for each in range(2)])
    assert seen == [0, 1]


def test_rows_share_a_store_of_results() -> None:
    seen = []
    run_rows(lambda: seen.append(store_of_rows()), [Row([], {})] * 2)
    assert seen[0] is seen[1] is not None
    assert store_of_rows() is None
