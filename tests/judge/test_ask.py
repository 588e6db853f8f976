"""The command that queries one member: its report on contexts, facts and calls."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from click.testing import CliRunner
from thorough import some

from extlint_judge.browsers.processes import COMMANDS, find
from extlint_judge.command_line import main
from extlint_judge.commands import ask
from extlint_judge.extensions import Case, full_and_bare_cases
from extlint_judge.members import real_calls

ALL_CONTEXTS = {
    "firefox": "background page, extension page",
    "chromium": "extension page, service worker",
}


@pytest.mark.parametrize(
    ("arguments", "is_right"),
    [
        ("", True),
        ("1", True),
        ("{active: true}, () => {}", True),
        ("...[1, 2]", True),
        ("1 // one", True),
        ("1,", True),
        (")(", False),
        ("1], [2", False),
        ("1]); ([2", False),
        ("{active: }", False),
        ("let a = 1", False),
    ],
)
def test_only_arguments_of_one_call_are_accepted(arguments: str, is_right: bool) -> None:
    assert real_calls.is_argument_list(arguments) == is_right


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["tabs.query", "--browser", "firefox", "--call", ")("], "`)(` is not a list of arguments"),
        (["tabs.query()", "--browser", "firefox"], "`tabs.query()` is not the name of a member"),
        (["tabs.query", "--browser", "opera"], "'opera' is not one of"),
        (["tabs.query"], "Missing option '--browser'"),
    ],
)
def test_invalid_query_is_rejected(options: list[str], expected: str) -> None:
    result = CliRunner().invoke(main, ["ask", *options])
    assert result.exit_code == 2
    assert expected in result.stderr


@pytest.mark.parametrize("browser", some(sorted(COMMANDS), 2))
def test_member_is_found_and_called_in_the_browser(browser: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if find(browser) is None:
        pytest.skip(f"there is no {browser}")
    monkeypatch.setattr(
        ask, "full_and_bare_cases", lambda *requested: _manifest_v3_cases(full_and_bare_cases(*requested))
    )
    question = ["ask", "history.getVisits", "--browser", browser, "--permission", "history"]
    calls = ["--call", '{url: "http://127.0.0.1/"}', "--call", "{ulr: 1}"]
    result = CliRunner().invoke(main, [*question, *calls])
    assert result.exit_code == 0, result.output
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert lines[0].startswith(f"{browser} ")
    with_history = next(line for line in lines if line.startswith("manifest version 3 with history: "))
    nothing = next(line for line in lines if line.startswith("manifest version 3 with nothing: "))
    assert with_history.endswith(f"function in {ALL_CONTEXTS[browser]}")
    assert "function" not in nothing
    assert "extlint says the same" in lines
    right, wrong = lines[-2:]
    assert json.loads(right.partition(" gives ")[2]) == []
    assert wrong.startswith("history.getVisits({ulr: 1}) fails: ")


def _manifest_v3_cases(cases: Iterable[Case]) -> list[Case]:
    return [each for each in cases if each.manifest["manifest_version"] == 3]


def test_generated_firefox_calls_are_compared_with_extlint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if find("firefox") is None:
        pytest.skip("there is no firefox")
    monkeypatch.setattr(
        ask, "full_and_bare_cases", lambda *requested: list(full_and_bare_cases(*requested))[2:3]
    )
    result = CliRunner().invoke(main, ["ask", "tabs.hide", "--browser", "firefox", "--all"])
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert "tabs.hide(3) is accepted" in lines
    assert any(line.startswith("tabs.hide({}) is refused: ") for line in lines)
    assert not any("; extlint: " in line for line in lines)
