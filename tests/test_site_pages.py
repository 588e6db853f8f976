"""What the pages of the site show is so: their files are written and their commands run, top to bottom.

EXTLINT_SNAPSHOTS=write writes the outputs in them anew.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from test_cli_snapshots import WRITE_ANEW

from extlint.commands.main import main

DOCS = Path(__file__).parent.parent / "docs"
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGES = [
    path.relative_to(DOCS).as_posix()
    for path in sorted(DOCS.rglob("*.md"))
    if "```console\n" in path.read_text("utf-8")
]


class Shell:
    """Runs commands in the current folder, as a user's shell would."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._status = 0

    def output(self, command: str) -> str:
        """What a command prints."""
        if command == "echo $?":
            return f"{self._status}\n"
        if command.startswith("extlint "):
            self._status = main(command.split()[1:])
            captured = self._capsys.readouterr()
            return captured.out + captured.err
        ran = subprocess.run(["bash", "-c", command], check=False, capture_output=True, encoding="utf-8")
        self._status = ran.returncode
        return ran.stdout + ran.stderr


def replayed(page: str, shell: Shell) -> str:
    """A page with the outputs that its commands really have. Writes its files into the current folder."""

    def replay(block: re.Match[str]) -> str:
        language, name, text = block[1], block[2], block[3]
        if name is not None:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text, "utf-8")
        if language != "console":
            return block[0]
        commands = re.findall(r"^\$ (.+)\n", text, re.MULTILINE)
        shown = "".join(f"$ {each}\n{shell.output(each)}" for each in commands)
        return f"```console\n{shown}```"

    return _BLOCK.sub(replay, page)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("EXTLINT_DEBUG", "FORCE_COLOR", "NO_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.com")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_happens(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = DOCS / page
    text = path.read_text("utf-8")
    expected = replayed(text, Shell(capsys))
    if os.environ.get("EXTLINT_SNAPSHOTS") == "write":
        path.write_text(expected, "utf-8", newline="\n")
    else:
        assert text == expected, WRITE_ANEW
