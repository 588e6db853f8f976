"""The page about addons-linter names the rule for each of its codes, and addons-linter reports the code."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from add_on_codes import CASES, OPTIONS
from harness import lint
from packages import open_archive
from thorough import some

from extlint.checker import check_package
from extlint.registry import GROUPS, RULES
from extlint.schema.targets import Target

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "addons-linter.md").read_text("utf-8")
PINNED = TESTS.parent / "tools" / "extlint_facts" / "packages" / "pinned.json"
ROWS = {
    code: (severity, re.findall(r"\[`([a-z-]+)`\]", extlint))
    for code, severity, extlint in re.findall(r"^\| `([A-Z_]+)` \| (\w+) \| (.+?) \|$", PAGE, re.MULTILINE)
}
NEVER_REPORTED = re.findall(
    r"^\| `([A-Z_]+)` .* (?:addons-linter never reports it|extlint does not know libraries) \|$",
    PAGE,
    re.MULTILINE,
)
"""The codes that addons-linter reports about no add-on, or only about copies of libraries."""


def reporting_rules(code: str, folder: Path) -> set[str]:
    """Returns the rules that report the add-on of a code, in any group."""
    case = CASES[code]
    target = "firefox_android" if "ANDROID" in code else "firefox"
    if not isinstance(case, bytes):
        return {finding.rule for finding in lint(case, tuple(RULES), target)}
    path = folder / f"{code}.zip"
    path.write_bytes(case)
    report = check_package(open_archive(path, path.name), [Target(target)], tuple(RULES))
    return {finding.rule for finding in report.findings}


def test_each_row_has_a_case() -> None:
    assert set(ROWS) == {*CASES, *NEVER_REPORTED}
    assert not set(CASES) & set(NEVER_REPORTED)


@pytest.mark.parametrize("code", [code for code, (_, rules) in ROWS.items() if rules])
def test_rules_of_each_row_report_its_case(code: str, tmp_path: Path) -> None:
    assert set(ROWS[code][1]) <= reporting_rules(code, tmp_path)


def test_page_names_only_existing_rules() -> None:
    assert {name for _, names in ROWS.values() for name in names} <= {*RULES, *GROUPS}


def version() -> str:
    """Returns the pinned version of addons-linter."""
    pins: list[dict[str, str]] = json.loads(PINNED.read_text("utf-8"))
    return next(each["version"] for each in pins if each["package"] == "addons-linter")


@cache
def installed() -> Path:
    """Returns the folder in which npm has installed addons-linter, in the user's cache. Skips without npm."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("Node.js is not installed")
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "extlint-tests"
    folder = caches / f"addons-linter-{version()}"
    if not folder.is_dir():
        caches.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=caches) as fresh:
            command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
            done = subprocess.run(
                [*command, "--prefix", f"{fresh}/new", f"addons-linter@{version()}"],
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode != 0:
                pytest.skip(f"npm cannot install addons-linter: {done.stderr.strip()}")
            try:
                Path(fresh, "new").rename(folder)
            except OSError:
                assert folder.is_dir(), "another run has installed it"
    return folder


ASKED = some(CASES, 8)
"""The codes whose add-ons addons-linter checks."""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """Returns what addons-linter reports about the add-on of each code: the severities of each message."""
    home = installed()
    folder = tmp_path_factory.mktemp("add-ons")
    requests = []
    for code in ASKED:
        case = CASES[code]
        path = folder / (f"{code}.zip" if isinstance(case, bytes) else code)
        if isinstance(case, bytes):
            path.write_bytes(case)
        else:
            for name, content in case.items():
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                (path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        requests.append({"name": code, "path": str(path), "options": OPTIONS.get(code, {})})
    done = subprocess.run(
        ["node", str(TESTS / "addons_linter.mjs"), str(home)],
        input=json.dumps(requests),
        capture_output=True,
        text=True,
        check=True,
    )
    found: Mapping[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.together
@pytest.mark.parametrize("code", ASKED)
def test_addons_linter_reports_each_case(code: str, reports: Mapping[str, Any]) -> None:
    assert ROWS[code][0] in reports[code].get(code, ())


@pytest.mark.together
def test_page_has_all_codes_of_addons_linter() -> None:
    script = installed() / "node_modules" / "addons-linter" / "dist" / "addons-linter.js"
    codes = re.findall(r'\bcode: ?[\'"]([A-Z_]{6,})[\'"]', script.read_text("utf-8"))
    assert len(set(codes)) > 60
    assert set(codes) <= set(ROWS)
