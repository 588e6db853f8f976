"""The bar of runs over many extensions, and pages of rules on a terminal."""

from __future__ import annotations

import io
import re
from contextlib import closing

import pytest

from extlint.commands import progress
from extlint.commands.progress import Bar
from extlint.commands.rendering import rendered
from extlint.commands.rule import _page
from extlint.commands.streams import use_progress
from extlint.package.files import Package, UnreadableError


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(number: int = 3) -> str:
    stream = Terminal()
    packages: list[Package | UnreadableError] = [UnreadableError(str(each)) for each in range(number)]
    with closing(Bar(stream)) as bar:
        for _ in [*bar.found(packages)]:
            bar.ended()
    return stream.getvalue()


def test_a_short_run_shows_nothing() -> None:
    assert run() == ""


def test_a_long_run_shows_a_bar_and_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    shown = run()
    assert [each for each in ("1/3", "2/3", "3/3") if each in shown] == ["1/3", "2/3", "3/3"]
    assert shown.endswith("\x1b[2K")


def test_one_extension_has_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.0)
    assert run(1) == ""


@pytest.mark.parametrize(
    ("stream", "environment", "shown"),
    [
        (Terminal(), {"TERM": "xterm"}, True),
        (io.StringIO(), {"TERM": "xterm"}, False),
        (Terminal(), {"CI": "true"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
    ],
)
def test_where_there_is_a_bar(stream: io.StringIO, environment: dict[str, str], shown: bool) -> None:
    assert use_progress(stream, environment) == shown


def test_a_bar_has_no_thread() -> None:
    import threading

    before = threading.active_count()
    bar = Bar(Terminal())
    bar._draw()
    assert threading.active_count() == before
    bar.close()


def test_a_page_is_rendered() -> None:
    page = rendered(_page("missing-permission"), 80)
    plain = re.sub(r"\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\", "", page)
    assert plain.lstrip().startswith("missing-permission (error)")
    assert "```" not in plain
    assert "\nmanifest.json\n" in plain
    assert all(len(line) <= 80 for line in plain.splitlines())
