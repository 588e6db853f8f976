"""What the README says is so.

EXTLINT_SNAPSHOTS=write writes the outputs and the tables in it anew.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from test_cli_snapshots import WRITE_ANEW

from extlint.commands.check import check_command
from extlint.commands.main import main
from extlint.configuration.keys import KEYS
from extlint.registry import GROUPS
from extlint.reporter.registry import FORMATS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
OUTPUTS = dict(re.findall(r"^```console\n\$ extlint (.+)\n((?:.*\n)+?)```$", README, re.MULTILINE))
BLOCKS = re.findall(r"^```sh\n((?:.*\n)+?)```$", README, re.MULTILINE)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line.startswith("extlint ")]
OPTIONS = re.search(r"^\| option of `check` \|.*\n((?:\|.*\n)+)", README, re.MULTILINE)


TABLES = {
    "output format": [(each.name, each.about) for each in FORMATS.values()],
    "group": [(each.name, each.about) for each in GROUPS.values()],
}
"""The rows of the tables that come from the program, by the heading of their first column."""


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for name in ("EXTLINT_DEBUG", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


def test_there_is_something_to_compare() -> None:
    assert OUTPUTS
    assert COMMANDS
    assert OPTIONS is not None


def test_one_command_installs_and_checks_and_one_installs_and_tests() -> None:
    in_environment = "python3 -m venv .venv && .venv/bin/pip install "
    lines = [line for block in BLOCKS for line in block.splitlines()]
    assert f"{in_environment}. && .venv/bin/extlint check examples/read-later" in lines
    assert f"{in_environment}-e '.[dev]' && .venv/bin/pytest" in lines


def test_no_block_has_another_block_in_it() -> None:
    fences = re.findall(r"^```(\w*)$", README, re.MULTILINE)
    assert not any(closing for _, closing in zip(fences[::2], fences[1::2], strict=True))


@pytest.mark.parametrize("command", OUTPUTS)
def test_output_is_real(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(shlex.split(command))
    output = capsys.readouterr().out
    if os.environ.get("EXTLINT_SNAPSHOTS") == "write":
        path = ROOT / "README.md"
        before = f"\n$ extlint {command}\n"
        text = path.read_text("utf-8").replace(f"{before}{OUTPUTS[command]}```", f"{before}{output}```")
        path.write_text(text, "utf-8", newline="\n")
    else:
        assert OUTPUTS[command] == output, f"the README (left) differs from the output; {WRITE_ANEW}"


@pytest.mark.parametrize("heading", TABLES)
def test_a_table_has_what_the_program_has(heading: str) -> None:
    expected = "".join(f"| `{name}` | {about} |\n" for name, about in TABLES[heading])
    table = re.compile(rf"^(\| {heading} \|.*\n\|---\|---\|\n)((?:\|.*\n)+)", re.MULTILINE)
    if os.environ.get("EXTLINT_SNAPSHOTS") == "write":
        path = ROOT / "README.md"
        text = table.sub(lambda found: found[1] + expected, path.read_text("utf-8"))
        path.write_text(text, "utf-8", newline="\n")
    else:
        assert [rows for _, rows in table.findall(README)] == [expected], f"the README differs; {WRITE_ANEW}"


def test_the_table_of_keys_has_each_key() -> None:
    expected = "".join(
        f"| `{key.name}` | {key.about} | {key.kind.words} | {key.default} |\n" for key in KEYS.values()
    )
    table = re.compile(r"^(\| key \|.*\n\|---.*\n)((?:\|.*\n)*)", re.MULTILINE)
    if os.environ.get("EXTLINT_SNAPSHOTS") == "write":
        path = ROOT / "README.md"
        text = table.sub(lambda found: found[1] + expected, path.read_text("utf-8"))
        path.write_text(text, "utf-8", newline="\n")
    else:
        assert [rows for _, rows in table.findall(README)] == [expected], f"the README differs; {WRITE_ANEW}"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_works_in_a_checkout(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(shlex.split(command, comments=True)[1:])
    except SystemExit as ending:
        status = int(ending.code or 0)
    assert status in (0, 1)
    assert capsys.readouterr().err == ""


def test_every_option_has_a_row_and_each_row_is_of_an_option() -> None:
    assert OPTIONS is not None
    rows = [re.findall(r"`(--[\w-]+)`", row.split("|")[1]) for row in OPTIONS[1].splitlines()[1:]]
    options = {name for each in check_command.params for name in each.opts if name.startswith("--")}
    assert sorted(name for row in rows for name in row) == sorted(options)


def test_the_check_that_must_pass_runs_the_command_of_the_readme() -> None:
    commands = re.findall(r"^python3 -m venv .*pytest$", README, re.MULTILINE)
    assert len(commands) == 1
    script = (ROOT / ".ci/run").read_text("utf-8")
    written = commands[0].replace(".venv", '"$VENV"').replace("pip install", "pip install --quiet")
    assert written in script.splitlines()
