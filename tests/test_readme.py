"""What the README says is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from extlint.commands.main import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
OUTPUTS = re.findall(r"^```console\n\$ extlint (.+)\n((?:.*\n)+?)```$", README, re.MULTILINE)


def test_there_is_output_to_compare() -> None:
    assert OUTPUTS


@pytest.mark.parametrize(("command", "expected"), OUTPUTS)
def test_output_is_real(
    command: str,
    expected: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    for name in ("EXTLINT_DEBUG", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    main(command.split())
    assert capsys.readouterr().out == expected


def test_the_check_that_must_pass_runs_the_command_of_the_readme() -> None:
    commands = re.findall(r"^python3 -m venv .*pytest$", README, re.MULTILINE)
    assert len(commands) == 1
    script = (ROOT / ".ci/run").read_text("utf-8")
    written = commands[0].replace(".venv", '"$VENV"').replace("pip install", "pip install --quiet")
    assert written in script.splitlines()
