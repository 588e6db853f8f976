"""The work of a run is linear: twice the extension never triples the calls of any function."""

from __future__ import annotations

import pytest
from curves.inputs import CURVES, DOUBLINGS, sizes
from curves.work import calls_by_function, check, count_work, exponent, steep_functions
from thorough import some


@pytest.mark.parametrize("name", some(CURVES, 12))
def test_work_grows_linearly(name: str) -> None:
    make, least = CURVES[name]
    check(make(2))  # imports and compiles everything in advance
    smaller, larger = (calls_by_function(make(size), builtins=False) for size in (least // 2, least))
    assert steep_functions(smaller, larger) == {}


def test_exponent_uses_the_last_sizes() -> None:
    assert exponent([1, 2, 4, 8], [9, 2, 4, 8]) == pytest.approx(1)
    assert exponent([1, 2, 4, 8], [1, 4, 16, 64]) == pytest.approx(2)
    assert exponent([1, 2, 4, 8], [101, 102, 104, 108], 100) == pytest.approx(1)


def test_sizes_double() -> None:
    assert sizes(CURVES["pages"]) == [CURVES["pages"].min_size * 2**each for each in range(DOUBLINGS + 1)]


def test_work_counts_are_deterministic() -> None:
    files = CURVES["modules"].make(5)
    check(files)
    found = count_work(files)
    assert found == count_work(files)
    assert found["parses"] >= 6
    assert min(found.values()) > 0
