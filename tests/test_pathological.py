"""Files that are slow, deep, large or endless: each run ends and finds the mistake in another file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from thorough import some

from extlint_fuzz.oracles import check_planted
from extlint_fuzz.pathological import PATHOLOGICAL, pathological_case
from extlint_fuzz.process import Process
from extlint_fuzz.trial import Trial

pytestmark = pytest.mark.together

PATIENCE = 20
"""A time factor for all cases, which only serves to end a hanging run on any machine."""


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    process = Process(tmp_path_factory.mktemp("process"), patience=PATIENCE)
    yield process
    process.close()


@pytest.mark.parametrize("name", some(PATHOLOGICAL, 3))
def test_mistake_in_another_file_is_found(name: str, process: Process, tmp_path: Path) -> None:
    case = pathological_case(name, PATHOLOGICAL[name].small)
    check_planted(Trial(case, [process], tmp_path / "root", frozenset()).base)


def test_full_sizes_are_larger() -> None:
    assert all(kind.small <= kind.full for kind in PATHOLOGICAL.values())
