"""A run of many files starts workers. A run of a few files, which is faster without them, does not."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

HERE = Path(__file__).parent
MANY = (os.cpu_count() or 1) + 1
DEFAULT_OPTIONS = {"numprocesses": None, "dist": "no", "capture": "fd"}
NO_SELECTION = {"keyword": "", "markexpr": "", "lf": False, "stepwise": False}


@pytest.mark.parametrize(
    ("named", "options", "workers"),
    [
        pytest.param(["tests"], {}, MANY, id="everything"),
        pytest.param([str(HERE)], {}, MANY, id="everything, by a whole path"),
        pytest.param(["tests/judge", "tests/test_words.py"], {}, MANY, id="a folder and a file"),
        pytest.param(["tests/test_words.py"] * 10, {}, MANY, id="many files"),
        pytest.param(["tests/test_words.py"], {}, None, id="a file"),
        pytest.param(["tests/snapshots"], {}, None, id="a folder without tests"),
        pytest.param(["tests/test_words.py::test_a"] * 10, {}, None, id="single tests"),
        pytest.param(["tests"], {"keyword": "words"}, None, id="tests selected by keyword"),
        pytest.param(["tests"], {"lf": True}, None, id="tests that failed last time"),
        pytest.param(["tests"], {"capture": "no"}, None, id="with what is printed"),
        pytest.param(["tests"], {"numprocesses": 0}, 0, id="one process, set explicitly"),
        pytest.param(["tests/test_words.py"], {"numprocesses": 4}, 4, id="four processes, set explicitly"),
    ],
)
def test_workers_start_only_for_many_files(
    named: list[str], options: dict[str, Any], workers: int | None, pytestconfig: pytest.Config
) -> None:
    (choose,) = (
        each.function
        for each in pytestconfig.hook.pytest_cmdline_main.get_hookimpls()
        if each.plugin_name == str(HERE / "conftest.py")
    )
    config: Any = SimpleNamespace(
        args=named,
        invocation_params=SimpleNamespace(dir=HERE.parent),
        option=SimpleNamespace(**{**DEFAULT_OPTIONS, **NO_SELECTION, **options}),
        pluginmanager=SimpleNamespace(hasplugin=lambda name: name == "xdist"),
    )
    choose(config)
    assert config.option.numprocesses == workers
