"""What holds for all tests: how slow the machine is decides nothing, and many tests run side by side."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from extlint.cache.folder import VARIABLE

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

MANY = 10
"""From so many files on there are workers: each takes seconds to find the tests."""

PICKING = ("keyword", "markexpr", "lf", "stepwise")
"""The options that pick from the tests of the files."""


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes what the user's own runs keep."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(tmp_path_factory.mktemp("cache") / "extlint"))
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """One process for each processor where nobody says how many (`-n`), and many files are tested."""
    if not config.pluginmanager.hasplugin("xdist") or hasattr(config, "workerinput"):
        return
    if config.option.numprocesses is None and config.option.dist == "no" and is_worth_workers(config):
        config.option.numprocesses = "auto"
        config.option.dist = "worksteal"


def is_worth_workers(config: pytest.Config) -> bool:
    """Whether many files are tested, all that is in them, and nobody watches what they print."""
    options = vars(config.option)
    if any(options.get(each) for each in PICKING) or options["capture"] == "no":
        return False
    named = [config.invocation_params.dir / each for each in config.args if "::" not in each]
    return sum(1 if path.is_file() else sum(1 for _ in path.rglob("test_*.py")) for path in named) >= MANY
