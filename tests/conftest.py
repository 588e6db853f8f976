"""Configures all tests: results do not depend on the speed of the machine, and many tests run in parallel."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from _pytest.runner import runtestprotocol
from packed_program import use_packed_program
from tables import Table, tables
from thorough import examples, request_all

from extlint.analysis.cache.cache import VARIABLE

if sys.dont_write_bytecode:
    # Without bytecode, the tests and each process that they start are compiled again and again.
    # If it is not wanted next to the sources, it is stored in pytest's cache folder.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

MAX_UNCOLLECTED_OBJECTS = 3_000_000
"""The number of new objects before Python collects garbage, also when a test runs the command line.

That is ten times the number of a run, because collections take a tenth of the tests.
"""

MANY = 10
"""The number of files from which workers are used: each takes seconds to collect the tests."""

PICKING = ("keyword", "markexpr", "lf", "stepwise")
"""The options that select a subset of the tests in the files."""


EXAMPLES = 100
"""The number of examples of a property in a thorough run, unless the test names another."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that requests all cases."""
    parser.addoption("--thorough", action="store_true", help="test all cases, not only a part")


def pytest_configure(config: pytest.Config) -> None:
    """Prepares this process for tests, unless it only starts workers: that one does not import Hypothesis."""
    request_all(config.getoption("thorough"))
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        return
    from hypothesis import HealthCheck, settings

    from extlint.cli import main as command_line

    command_line._MAX_UNCOLLECTED_OBJECTS = MAX_UNCOLLECTED_OBJECTS
    gc.set_threshold(MAX_UNCOLLECTED_OBJECTS)
    settings.register_profile(
        "any machine",
        deadline=None,
        max_examples=examples(EXAMPLES),
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("any machine")
    _leave_the_user_alone(config)
    use_packed_program()


def _leave_the_user_alone(config: pytest.Config) -> None:
    """Keeps tests from reading or writing the user's own cache, and from detecting CI.

    This is not a fixture, because every test would have to request it.
    """
    folder, patch = TemporaryDirectory(prefix="extlint-"), pytest.MonkeyPatch()
    config.add_cleanup(folder.cleanup)
    config.add_cleanup(patch.undo)
    patch.setenv(VARIABLE, str(Path(folder.name, "extlint")))
    for name in ("FORCE_HYPERLINK", "GITHUB_ACTIONS"):
        patch.delenv(name, raising=False)


def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> list[Table] | None:
    """Runs the rows of a table together, unless the user selects some of them."""
    if not name.startswith("test") or type(collector) is not pytest.Module or selects_rows(collector.config):
        return None
    return tables(collector, name, obj)


def selects_rows(config: pytest.Config) -> bool:
    """Whether the user selects tests by their names, which may be those of rows."""
    return bool(vars(config.option)["keyword"]) or any("::" in each for each in config.args)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the number of rows: pytest counts the tests that run them."""
    passed = terminalreporter.stats.get("passed", ())
    rows = [count for each in passed for name, count in each.user_properties if name == "rows"]
    if rows:
        terminalreporter.write_line(f"{sum(rows) + len(passed) - len(rows)} cases passed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Runs tests that belong together first: an idle worker takes over the last tests of another."""
    items.sort(key=lambda each: each.get_closest_marker("together") is None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exempts collected items, which stay alive, from later garbage collections."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Collects garbage once; otherwise Pytest does so five times at the end, and Python once, over all
    remaining objects.
    """
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Sends one report per passing test from a worker, not three: they cost as much as a small test."""
    if not hasattr(item.config, "workerinput") or wants_all_reports(item.config):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def wants_all_reports(config: pytest.Config) -> bool:
    """Whether the user requested reports about the start of tests, or their setup and teardown."""
    options = vars(config.option)
    return options["verbose"] > 0 or any(options.get(each) for each in ("durations", "setupshow", "xmlpath"))


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Uses one more process than processors if `-n` is not given and many files are tested.

    One of them mostly waits for a browser.
    """
    if not config.pluginmanager.hasplugin("xdist") or hasattr(config, "workerinput"):
        return
    if config.option.numprocesses is None and config.option.dist == "no" and is_worth_workers(config):
        config.option.numprocesses = (os.cpu_count() or 1) + 1
        config.option.dist = "worksteal"


def is_worth_workers(config: pytest.Config) -> bool:
    """Whether many files are tested completely, and their output is captured."""
    options = vars(config.option)
    if any(options.get(each) for each in PICKING) or options["capture"] == "no":
        return False
    named = [config.invocation_params.dir / each for each in config.args if "::" not in each]
    return sum(1 if path.is_file() else sum(1 for _ in path.rglob("test_*.py")) for path in named) >= MANY
