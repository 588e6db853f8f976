"""The workflows and the action: pinned actions, few permissions, all platforms, and what zizmor says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FILES = [*WORKFLOWS, ROOT / "action.yml"]
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
PINNED = re.compile(r"\$/\S+|([\w./-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)")

pytestmark = pytest.mark.skipif(not WORKFLOWS, reason="a source distribution does not have them")


def load(path: Path) -> dict[Any, Any]:
    yaml = pytest.importorskip("yaml")
    content: dict[Any, Any] = yaml.safe_load(path.read_text("utf-8"))
    return content


def uses(path: Path) -> list[str]:
    """The actions that a file uses, with the comments after them."""
    return re.findall(r"^[\s-]*uses: (.+)$", path.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.name))
def test_actions_are_pinned(path: Path) -> None:
    assert [each for each in uses(path) if not PINNED.fullmatch(each)] == []


def test_an_action_has_one_version() -> None:
    versions: dict[str, set[str]] = {}
    for name, version in (each.split("@") for path in FILES for each in uses(path) if "@" in each):
        versions.setdefault(name, set()).add(version)
    assert versions
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: str(path.name))
def test_each_job_names_its_permissions(path: Path) -> None:
    workflow = load(path)
    assert workflow["permissions"] == {}
    assert [name for name, job in workflow["jobs"].items() if "permissions" not in job] == []


def test_supported_versions_of_python_are_tested() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    supported = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)
    jobs = load(ROOT / ".github/workflows/tests.yml")["jobs"]
    matrix = jobs["run"]["strategy"]["matrix"]
    on_macos = [each["python-version"] for each in matrix["include"] if each["system"] == "macos-latest"]
    ends = [supported[0], supported[-1]]
    assert matrix["python-version"] == supported
    assert on_macos == jobs["windows"]["strategy"]["matrix"]["python-version"] == ends


def test_commands_on_musl_name_existing_tests() -> None:
    *_, last = load(ROOT / ".github/workflows/tests.yml")["jobs"]["musl"]["steps"]
    names = last["env"]["TESTS"].split()
    assert len(names) > 3
    assert [name for name in names if not (ROOT / f"tests/test_{name}.py").is_file()] == []


@pytest.mark.parametrize("path", FORMS, ids=lambda path: str(path.stem))
def test_issue_forms_ask_for_the_version(path: Path) -> None:
    form = load(path)
    if path.stem == "config":
        assert form["blank_issues_enabled"] is False
        return
    fields = {field["id"]: field for field in form["body"]}
    assert "extlint --version --verbose" in fields["version"]["attributes"]["label"]
    assert fields["version"]["validations"]["required"]
    assert fields["package"]["attributes"]["label"] == "The smallest package"


def zizmor(*paths: Path) -> subprocess.CompletedProcess[str]:
    """Runs zizmor, which reports workflows that a stranger could misuse. It accesses no network."""
    program = shutil.which("zizmor", path=str(Path(sys.executable).parent)) or shutil.which("zizmor")
    if program is None:
        pytest.skip("zizmor is not installed")
    command = [program, "--offline", "--quiet", "--no-config", *map(str, paths)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_zizmor_reports_nothing() -> None:
    found = zizmor(*FILES, ROOT / ".github/dependabot.yml")
    assert found.returncode == 0, found.stdout + found.stderr


def test_zizmor_reports_an_action_that_is_not_pinned(tmp_path: Path) -> None:
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    for path in WORKFLOWS:
        text = re.sub(r"@[0-9a-f]{40}", "@v1", path.read_text("utf-8"))
        (folder / path.name).write_text(text, "utf-8")
    assert "unpinned-uses" in zizmor(folder).stdout
