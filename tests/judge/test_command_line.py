"""The command line: every subcommand is documented, and reports missing browsers and failures."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import NoReturn

import pytest
from click.testing import CliRunner

from extlint_judge import options, query
from extlint_judge.browsers.processes import COMMANDS, BrowserError
from extlint_judge.command_line import main
from extlint_judge.commands import members
from extlint_judge.members.calls import calls
from extlint_judge.members.record import ContextMembers, Record, write

README = (Path(options.__file__).with_name("README.md")).read_text("utf-8")
QUERYING = [name for name, each in main.commands.items() if any(p.name == "browser" for p in each.params)]
QUERY_ARGUMENTS = {"ask": ["tabs.query"], "html-report": [__file__]}


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_subcommand_is_in_the_readme_and_has_help(name: str) -> None:
    assert f"`{name}" in README or f" {name} " in README
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    help_text = main.commands[name].get_short_help_str(limit=60)
    assert help_text.endswith(".")
    assert not help_text.endswith("...")


@pytest.mark.parametrize("browser", sorted(COMMANDS))
@pytest.mark.parametrize("name", sorted(QUERYING))
def test_missing_browser_is_reported(name: str, browser: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "find", lambda _: None)
    result = CliRunner().invoke(main, [name, *QUERY_ARGUMENTS.get(name, []), "--browser", browser])
    assert result.exit_code == 0
    assert result.stdout == f"{' or '.join(COMMANDS[browser])} is not installed, so nothing is asked\n"


@pytest.mark.parametrize("name", ["embedded-schemas", "locales"])
def test_missing_chromium_is_reported(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "find", lambda _: None)
    result = CliRunner().invoke(main, [name])
    assert result.exit_code == 0
    assert result.stdout == "chromium or chromium-browser is not installed, so nothing is asked\n"


def test_browser_failure_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise BrowserError("Firefox did not start")

    monkeypatch.setattr(options, "find", lambda _: "firefox")
    monkeypatch.setattr(query, "session", fail)
    result = CliRunner().invoke(main, ["user-agent", "--browser", "firefox"])
    assert result.exit_code == 2
    assert result.stderr == "extlint_judge: Firefox did not start\n"


@pytest.mark.parametrize("browser", sorted(COMMANDS))
def test_record_is_compared_without_a_browser(
    browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "find", lambda _: None)
    monkeypatch.setattr(members, "calls", lambda schemas, **how: islice(calls(schemas, **how), 100))
    places = [ContextMembers({"manifest_version": 3}, "extension page", {"aNewEvent": "event"})]
    write(Record(browser, "156.0", places, [], ["a page"]), tmp_path / "record.json")
    recorded = ["members", "--browser", browser, "--recorded", str(tmp_path / "record.json"), "--compare"]
    result = CliRunner().invoke(main, recorded)
    assert result.exit_code == 1
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert lines[:2] == ["1 contexts seen, 0 calls answered", "not seen: a page"]
    assert any(line.startswith("aNewEvent: browser says event, facts say ") for line in lines)
