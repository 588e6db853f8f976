"""Runs the steps of the GitHub action in a shell, like its runner, except for those of other actions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step.get("name", step.get("uses", "")): step for step in ACTION["runs"]["steps"]}
BASH = shutil.which("bash")

pytestmark = pytest.mark.skipif(BASH is None, reason="there is no bash")


def run_step(step: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a step like a GitHub runner: bash ends at the first command that fails."""
    return subprocess.run(
        [str(BASH), "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[step]["run"]],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "GITHUB_ACTIONS": "true", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def run_check_step(folder: Path, paths: str = ".", arguments: str = "") -> subprocess.CompletedProcess[str]:
    extlint = folder / "extlint-command"
    extlint.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m extlint "$@"\n')
    extlint.chmod(0o755)
    return run_step(
        "Check extensions",
        folder,
        EXTLINT=str(extlint),
        EXTLINT_PATHS=paths,
        EXTLINT_ARGUMENTS=arguments,
        EXTLINT_SARIF="out.sarif",
    )


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    for name in ("an extension", "another"):
        shutil.copytree(ROOT / "examples" / "read-later", tmp_path / name)
    return tmp_path


def test_findings_become_annotations_and_a_sarif_file(extension: Path) -> None:
    ended = run_check_step(extension, "an extension\n")
    assert ended.returncode == 1
    assert "::error " in ended.stdout
    assert "file=an extension/background.js" in ended.stdout
    log = json.loads((extension / "out.sarif").read_text())
    assert len(log["runs"][0]["results"]) == 4


def test_paths_and_arguments_are_split_into_lines(extension: Path) -> None:
    ended = run_check_step(extension, "an extension\n\nanother\n", "--select=unknown-api\n--quiet\n")
    log = json.loads((extension / "out.sarif").read_text())
    assert ended.returncode == 1
    assert [each["ruleId"] for each in log["runs"][0]["results"]] == ["unknown-api", "unknown-api"]


@pytest.mark.parametrize("paths", ["$(touch pwned)", "; touch pwned", "`touch pwned`", "--config=x"])
def test_paths_cannot_inject_commands(extension: Path, paths: str) -> None:
    assert run_check_step(extension, paths).returncode == 2
    assert not (extension / "pwned").exists()


def test_scripts_contain_no_expressions() -> None:
    assert not [name for name, step in STEPS.items() if "${{" in step.get("run", "")]


def test_installs_into_a_separate_environment(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(
        '#!/bin/sh\nmkdir -p "$3/bin"\n'
        'printf \'#!/bin/sh\\necho "$@"\\n\' > "$3/bin/pip"; chmod +x "$3/bin/pip"\n'
    )
    python.chmod(0o755)
    outputs = tmp_path / "outputs"
    ended = run_step(
        "Install extlint",
        tmp_path,
        PYTHON=str(python),
        RUNNER_TEMP=str(tmp_path / "temp"),
        GITHUB_ACTION_PATH="/action",
        GITHUB_OUTPUT=str(outputs),
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "install --quiet --disable-pip-version-check /action[re2]\n"
    assert outputs.read_text() == f"path={tmp_path}/temp/extlint/bin/extlint\n"
