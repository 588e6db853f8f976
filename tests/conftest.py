"""What holds for all tests: how slow the machine is decides nothing, and many tests run side by side."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from _pytest.runner import runtestprotocol

from extlint.cache.folder import VARIABLE

if sys.dont_write_bytecode:
    # The tests, and each process that they start, are compiled again and again where there is no bytecode.
    # Who wants none beside the sources has it beside what pytest keeps.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

MAX_UNCOLLECTED_OBJECTS = 300_000
"""As in each run of extlint, so that not the first test that makes one decides it for those after it."""

MANY = 10
"""From so many files on there are workers: each takes seconds to find the tests."""

PICKING = ("keyword", "markexpr", "lf", "stepwise")
"""The options that pick from the tests of the files."""


def pytest_configure(config: pytest.Config) -> None:
    """Hypothesis counts no seconds. What only starts workers does not import it."""
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        return
    from hypothesis import HealthCheck, settings

    gc.set_threshold(MAX_UNCOLLECTED_OBJECTS)
    settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("any machine")
    _leave_the_user_alone(config)


def _leave_the_user_alone(config: pytest.Config) -> None:
    """No test reads or writes what the user's own runs keep, or finds out that it runs in CI.

    This is no fixture: each test would ask for it.
    """
    folder, patch = TemporaryDirectory(prefix="extlint-"), pytest.MonkeyPatch()
    config.add_cleanup(folder.cleanup)
    config.add_cleanup(patch.undo)
    patch.setenv(VARIABLE, str(Path(folder.name, "extlint")))
    for name in ("FORCE_HYPERLINK", "GITHUB_ACTIONS"):
        patch.delenv(name, raising=False)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those that belong together come first: a process that has nothing left takes another's last ones."""
    items.sort(key=lambda each: each.get_closest_marker("together") is None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays, and need not be looked through whenever garbage is."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Pytest looks for garbage five times at the end, and Python once, in all that tests have left."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A worker sends one report of a test that passes, not three: they cost as much as a small test."""
    if not hasattr(item.config, "workerinput") or wants_all_reports(item.config):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def wants_all_reports(config: pytest.Config) -> bool:
    """Whether somebody wants to know when a test starts, or about what is before and after it."""
    options = vars(config.option)
    return options["verbose"] > 0 or any(options.get(each) for each in ("durations", "setupshow", "xmlpath"))


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """One process more than processors where nobody says how many (`-n`), and many files are tested.

    One of them mostly waits for a browser.
    """
    if not config.pluginmanager.hasplugin("xdist") or hasattr(config, "workerinput"):
        return
    if config.option.numprocesses is None and config.option.dist == "no" and is_worth_workers(config):
        config.option.numprocesses = (os.cpu_count() or 1) + 1
        config.option.dist = "worksteal"


def is_worth_workers(config: pytest.Config) -> bool:
    """Whether many files are tested, all that is in them, and nobody watches what they print."""
    options = vars(config.option)
    if any(options.get(each) for each in PICKING) or options["capture"] == "no":
        return False
    named = [config.invocation_params.dir / each for each in config.args if "::" not in each]
    return sum(1 if path.is_file() else sum(1 for _ in path.rglob("test_*.py")) for path in named) >= MANY
