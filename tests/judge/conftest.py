"""Configures all tests that query a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from extlint_judge.browsers.chromium import reuse_chromium
from extlint_judge.browsers.firefox import reuse_firefox
from extlint_judge.browsers.processes import find, version_of

ASKED = {"chromium": 156, "firefox": 153}
"""The versions whose results are recorded; older browsers may behave differently."""

_ENDS: list[Callable[[], None]] = []


@pytest.fixture(scope="session", autouse=True)
def _one_of_each_browser() -> Iterator[None]:
    """Shares one instance of each browser, because starting one takes seconds."""
    with reuse_chromium() as end_chromium, reuse_firefox() as end_firefox:
        _ENDS.extend((end_chromium, end_firefox))
        yield
        _ENDS.clear()


@cache
def _version(browser: str) -> int | None:
    """Returns the major version of an installed browser, or None."""
    command = find(browser)
    return None if command is None else int(version_of(command).partition(".")[0])


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips the tests of a browser that is older than the recorded one."""
    for browser, recorded_version in ASKED.items():
        version = _version(browser) if browser in item.name else None
        if version is not None and version < recorded_version:
            pytest.skip(f"{browser} {version} is older than {recorded_version}, which was asked")


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Ends one browser before the tests of the other, or of other folders: they are never quite idle."""
    if (
        nextitem is None
        or nextitem.path.parent != item.path.parent
        or ("firefox" in nextitem.name) is not ("firefox" in item.name)
    ):
        for end in _ENDS:
            end()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps the tests of this folder in one process, which runs each browser once, and Firefox last."""
    folder = Path(__file__).parent
    own = [number for number, each in enumerate(items) if each.path.parent == folder]
    ordered = sorted((items[number] for number in own), key=lambda each: "firefox" in each.name)
    for number, each in zip(own, ordered, strict=True):
        items[number] = each
        each.add_marker("together")
