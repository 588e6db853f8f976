"""Consistency of the output formats: their table, modules, option and snapshots."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from harness import manifest
from test_cli_snapshots import COMMANDS
from test_startup import modules_after
from thorough import some

from extlint.cli.commands.check import check_command
from extlint.report.report import Summary
from extlint.report.reporter import DEFAULT, FORMATS, IN_GITHUB_ACTIONS, Options, reporter_of

BASES = {"github": ["text"], "gitlab": ["json"], "sarif": ["json"]}
"""The formats that another format is based on."""

OPTION = next(each for each in check_command.params if each.name == "output_format")


@pytest.mark.parametrize("name", FORMATS)
def test_format_produces_text(name: str) -> None:
    assert isinstance(reporter_of(name, Options()).output([], Summary()), str)


def test_option_help_lists_every_format() -> None:
    shown = re.findall(r"([\w-]+) \(([^()]+)\)", vars(OPTION)["help"])
    assert shown == [(name, each.about) for name, each in FORMATS.items()]
    assert {DEFAULT, IN_GITHUB_ACTIONS} <= FORMATS.keys()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_snapshot(name: str) -> None:
    formats = {
        found[1] if (found := re.search(r"--output-format ([\w-]+)", each)) else DEFAULT
        for each in COMMANDS.values()
        if each.startswith("check examples/")
    }
    assert name in formats, f"add `check examples/read-later --output-format {name}` to COMMANDS"


@pytest.mark.parametrize("name", some(FORMATS, 3))
def test_only_the_selected_format_is_imported(name: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(manifest())
    status, modules = modules_after("check", str(tmp_path), "--output-format", name)
    assert status == 0
    listed = {each.module for each in FORMATS.values()}
    loaded = {each for each in listed if f"extlint.report.formats.{each}" in modules}
    assert loaded == {FORMATS[each].module for each in (name, *BASES.get(name, ()))}
