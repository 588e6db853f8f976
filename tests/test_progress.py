"""The bar for many extensions, the line for a single one, and rule pages on a terminal."""

from __future__ import annotations

import io
import re
from contextlib import closing
from pathlib import Path

import pytest
from harness import manifest
from packages import package_of

from extlint.checking.report_of import Settings, report_of, reporting_progress
from extlint.cli import progress
from extlint.cli.commands.rule import _page, render_markdown
from extlint.cli.progress import LARGE, ProgressBar
from extlint.cli.streams import use_progress
from extlint.finding import Severity
from extlint.package.discovery.folder import open_folder
from extlint.package.files import Package, UnreadableError
from extlint.program import parallel_analysis
from extlint.schema.model import NO_USER_SCHEMAS


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(number: int = 3) -> str:
    stream = Terminal()
    packages: list[Package | UnreadableError] = [UnreadableError(str(each)) for each in range(number)]
    with closing(ProgressBar(stream)) as bar:
        for _ in [*bar.count_found(packages)]:
            bar.count_checked()
    return stream.getvalue()


def test_short_run_shows_nothing() -> None:
    assert run() == ""


def test_long_run_shows_and_removes_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    shown = run()
    assert [each for each in ("1/3", "2/3", "3/3") if each in shown] == ["1/3", "2/3", "3/3"]
    assert shown.endswith("\x1b[2K")


def test_single_extension_has_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.0)
    assert run(1) == ""


def steps(*sizes: int, number: int = 1) -> list[str]:
    """Returns the successive texts that are shown for steps with the given sizes in bytes."""
    stream = Terminal()
    packages: list[Package | UnreadableError] = [UnreadableError(str(each)) for each in range(number)]
    with closing(ProgressBar(stream)) as bar:
        for _ in [*bar.count_found(packages)]:
            for at, size in enumerate(sizes):
                bar.step(f"analyzing {at}.js\x1b[2J", size)
            bar.count_checked()
    return stream.getvalue().split("\r\x1b[K")


def test_single_extension_shows_and_removes_a_line() -> None:
    assert steps(10, LARGE, 10) == ["", "analyzing 1.js\\x1b[2J", ""], "what takes long is shown at once"
    assert steps(10, 10) == [""]
    assert steps(LARGE, number=2) == [""], "there is a bar"


def test_slow_step_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    monkeypatch.setenv("COLUMNS", "13")
    assert steps(10, 10) == ["", "analyzing 0…", "analyzing 1…", ""]


def test_other_processes_show_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    bar = ProgressBar(stream)
    monkeypatch.setattr("os.getpid", lambda: -1)
    bar.step("analyzing a.js", LARGE)
    assert stream.getvalue() == ""


def test_check_reports_its_steps() -> None:
    reports: list[tuple[str, int]] = []
    keys = manifest(content_scripts=[{"matches": ["<all_urls>"], "js": ["a.js"]}])
    package = package_of({"manifest.json": keys, "a.js": "chrome.tabs.query({});"})
    settings = Settings(None, ("unknown-api",), NO_USER_SCHEMAS, Severity.ERROR)
    with reporting_progress(lambda what, size: reports.append((what, size))):
        report_of(package, settings, None)
    report_of(package, settings, None)
    assert reports == [
        ("analyzing a.js", 22),
        ("checking for chrome", 0),
        ("checking for firefox", 0),
        ("checking for reference", 0),
    ]


def test_scripts_analyzed_in_parallel_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_analysis, "MIN_BYTES", 1)
    for name in "abc":
        (tmp_path / f"{name}.js").write_text(f"chrome.tabs.query({{}}); // {name}")
    (tmp_path / "manifest.json").write_text(manifest())
    reports: list[tuple[str, int]] = []
    parallel_analysis.analyze_in_parallel(
        open_folder(tmp_path, "ext"), None, 2, lambda *each: reports.append(each)
    )
    counts = [(f"analyzed {number} of 3 scripts", 0) for number in (1, 2, 3)]
    assert reports == [("analyzed 0 of 3 scripts", 81), *counts]


@pytest.mark.parametrize(
    ("stream", "environment", "shown"),
    [
        (Terminal(), {"TERM": "xterm"}, True),
        (io.StringIO(), {"TERM": "xterm"}, False),
        (Terminal(), {"CI": "true"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
    ],
)
def test_bar_is_shown_only_on_capable_terminals(
    stream: io.StringIO, environment: dict[str, str], shown: bool
) -> None:
    assert use_progress(stream, environment) == shown


def test_bar_starts_no_thread() -> None:
    import threading

    before = threading.active_count()
    bar = ProgressBar(Terminal())
    bar._draw()
    assert threading.active_count() == before
    bar.close()


def test_rule_page_is_rendered() -> None:
    page = render_markdown(_page("missing-permission"), 80)
    plain = re.sub(r"\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\", "", page)
    assert plain.lstrip().startswith("missing-permission (error)")
    assert "```" not in plain
    assert "\nmanifest.json\n" in plain
    assert all(len(line) <= 80 for line in plain.splitlines())
