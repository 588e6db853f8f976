"""The HTML report in real browsers, opened as a file; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from thorough import some

from extlint.cli.main import main
from extlint_judge.browsers.processes import find
from extlint_judge.report_walk import walk_report

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("browser", some(["chromium", "firefox"], 2))
def test_filters_work_without_browser_errors(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    page = tmp_path / "report of <b>#1.html"
    examples = (str(EXAMPLES / name) for name in ("browsers", "clean", "read-later"))
    assert main(["check", *examples, "--output-format", f"html:{page}"]) == 1
    walk = walk_report(browser, command, tmp_path, page)
    assert walk.findings > 20
    assert walk.problems == ()


def test_policy_violation_is_detected_in_firefox(tmp_path: Path) -> None:
    """Ensures that the other test can fail: injected markup does not run, and the violation is reported."""
    command = find("firefox")
    if command is None:
        pytest.skip("there is no firefox")
    page = tmp_path / "report.html"
    main(["check", str(EXAMPLES / "read-later"), "--output-format", f"html:{page}"])
    attack = "<script>document.querySelectorAll('.finding').forEach(e => e.remove())</script><img src=x>"
    page.write_text(page.read_text("utf-8").replace("<main>", f"<main>{attack}"), "utf-8")
    walk = walk_report("firefox", command, tmp_path, page)
    assert walk.findings == 4
    assert "Content" in " ".join(walk.problems)
