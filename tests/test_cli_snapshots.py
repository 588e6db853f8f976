"""Complete outputs of the command line, compared byte for byte with `snapshots/`.

EXTLINT_SNAPSHOTS=write writes the snapshots again.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from extlint.cli.main import main
from extlint.registry import RULES
from extlint.rule import When

ROOT = Path(__file__).parent.parent
SNAPSHOTS = Path(__file__).parent / "snapshots"

UPDATE_HINT = "if it should, run this test file with EXTLINT_SNAPSHOTS=write, and read what `git diff` shows"
"""The instructions for an output that differs from its snapshot."""

COMMANDS = {
    "help": "--help",
    "check-help": "check --help",
    "every-mistake": "check examples/every-mistake",
    "browsers": "check examples/browsers --extend-select stores",
    "stores": "check examples/stores",
    "every-mistake-concise": "check examples/every-mistake --output-format concise --statistics",
    "every-mistake-json": "check examples/every-mistake --output-format json",
    "read-later-grouped": "check examples/read-later --output-format grouped",
    "read-later-json-lines": "check examples/read-later --output-format json-lines",
    "read-later-sarif": "check examples/read-later --output-format sarif",
    "read-later-github": "check examples/read-later --output-format github",
    "read-later-gitlab": "check examples/read-later --output-format gitlab",
    "read-later-junit": "check examples/read-later --output-format junit",
    "read-later-checkstyle": "check examples/read-later --output-format checkstyle",
    "read-later-markdown": "check examples/read-later --output-format markdown --statistics",
    "read-later-html": "check examples/read-later --output-format html",
    "every-mistake-color": "check examples/every-mistake --select duplicate-key --color always",
    "every-mistake-quiet": "check examples/every-mistake --select invalid-argument --quiet",
    "broken-manifest": "check examples/broken-manifest",
    "incomplete": "check examples/incomplete",
    "incomplete-select": "check examples/incomplete --select missing-permission",
    "old-theme": "check examples/old-theme --extend-select stores",
    "clean": "check examples/clean",
    "clean-json": "check examples/clean --output-format json",
    "diff": "check examples/every-mistake --diff",
    "diff-unsafe": "check examples/every-mistake --diff --unsafe-fixes",
    "manifest-2": "check examples/manifest-2",
    "several": "check examples --output-format concise --fail-level info",
    "unreadable": "check examples/clean examples/nowhere",
    "config": "config examples/every-mistake examples/clean",
    "config-options": "config examples/clean --target chrome>=120 --select manifest --fail-level info",
    "config-json": "config examples/every-mistake --select missing-key,unknown-api --output-format json",
    "config-help": "config --help",
    "init": "init examples/clean --print",
    "init-several": "init examples --print --file pyproject.toml",
    "init-package": "init examples/clean --print --file package.json",
    "init-help": "init --help",
    "rules": "rule",
    "rules-of-stores": "rule stores",
    "rule": "rule missing-key",
    "rule-of-stores": "rule long-name",
    "rule-json": "rule missing-key --output-format json",
}


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("EXTLINT_DEBUG", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


VERSION = re.compile(r'(?<="semanticVersion": )"[^"]*"')
PAGE = re.compile(r'"(fullDescription|help)": \{"text": (?:[^"{}]|"(?:[^"\\]|\\.)*")*\}')


CONTENT = re.compile(r"(?s)(?<=<style>).*?(?=</style>)|(?<=<script>).*?(?=</script>)|(?<='sha256-)[^']+")


def without_volatile_parts(output: str) -> str:
    """Returns an output without volatile parts: the version, the pages of rules, scripts and styles."""
    output = CONTENT.sub("...", output)
    return PAGE.sub(r'"\1": {...}', VERSION.sub('"..."', output))


@pytest.mark.parametrize("name", COMMANDS)
def test_output_matches_snapshot(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(COMMANDS[name].split())
    output = capsys.readouterr()
    errors = f"[standard error]\n{output.err}" if output.err else ""
    text = f"$ extlint {COMMANDS[name]}\n{without_volatile_parts(output.out)}{errors}[exit status {status}]\n"
    snapshot = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("EXTLINT_SNAPSHOTS") == "write":
        snapshot.write_text(text, "utf-8", newline="\n")
    assert snapshot.exists(), f"{name}.txt does not exist; {UPDATE_HINT}"
    assert snapshot.read_bytes().decode() == text, (
        f"{name}.txt (left) differs from the output (right); {UPDATE_HINT}"
    )


def test_configuration_schema_file_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    """Editors load the schema from this file."""
    assert main(["config", "--schema"]) == 0
    text = capsys.readouterr().out
    file = ROOT / "extlint.schema.json"
    if os.environ.get("EXTLINT_SNAPSHOTS") == "write":
        file.write_text(text, "utf-8", newline="\n")
    assert file.read_bytes().decode() == text, f"{file.name} (left) differs; {UPDATE_HINT}"


def test_every_snapshot_has_a_command() -> None:
    found = {path.stem for path in SNAPSHOTS.glob("*.txt")}
    assert found == set(COMMANDS), (
        "each command has a file, and each file a command; delete a file that has none"
    )


def test_examples_cover_every_rule() -> None:
    text = "".join(
        (SNAPSHOTS / f"{name}.txt").read_text("utf-8")
        for name in (
            "every-mistake",
            "broken-manifest",
            "browsers",
            "incomplete",
            "manifest-2",
            "old-theme",
            "stores",
        )
    )
    reported_rules = re.findall(r"^[^ ].*?: (?:error|warning|info)\[(.+?)\]", text, re.MULTILINE)
    of_archives = {name for name, rule in RULES.items() if rule.requires(When.TOP_FOLDER)}
    assert set(reported_rules) == set(RULES) - of_archives, (
        "add a mistake for each missing rule to a folder in examples/"
    )
