"""An unknown name is reported in one line that suggests the nearest existing name."""

from __future__ import annotations

import pytest

from extlint.cli.main import main
from extlint.report.reporter import FORMATS
from extlint.text.wording import listed


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(
            ["help"], "no such command: help; did you mean extlint --help?", id="an option of other commands"
        ),
        pytest.param(["chek"], "no such command: chek; did you mean check?", id="a command"),
        pytest.param(
            ["frobnicate"],
            "no such command: frobnicate; the commands are check, rule, schema, config, init, permissions,"
            " lsp, serve, scan and report",
            id="no near command",
        ),
        pytest.param(
            ["examples"],
            "no such command: examples; did you mean extlint check examples?",
            id="a path instead of a command",
        ),
        pytest.param(
            ["check", "--selct", "x"], "no such option: --selct; did you mean --select?", id="an option"
        ),
        pytest.param(
            ["check", "--frobnicate"],
            "no such option: --frobnicate; see extlint check --help",
            id="no near option",
        ),
        pytest.param(
            ["--versoin"], "no such option: --versoin; did you mean --version?", id="a global option"
        ),
        pytest.param(
            ["check", "--select", "missing-permision"],
            "no such rule: missing-permision; did you mean missing-permission?",
            id="a rule to select",
        ),
        pytest.param(
            ["check", "--ignore", "missing-key,unknown-apy"],
            "no such rule: unknown-apy; did you mean unknown-api?",
            id="a rule to ignore, in a list",
        ),
        pytest.param(
            ["check", "--extend-select", "missing_key"],
            "no such rule: missing_key; did you mean missing-key?",
            id="a rule to select as well",
        ),
        pytest.param(
            ["check", "--select", "manifst"],
            "no such rule: manifst; did you mean manifest?",
            id="a group to select",
        ),
        pytest.param(
            ["check", "--ignore", "store"],
            "no such rule: store; did you mean stores?",
            id="a group to ignore",
        ),
        pytest.param(["rule", "file"], "no such rule: file; did you mean files?", id="a group to list"),
        pytest.param(
            ["check", "--target", "refrence"],
            "no such target: refrence; did you mean reference?",
            id="a target",
        ),
        pytest.param(
            ["check", "--output-format", "jsno"],
            "no such output format: jsno; did you mean json?",
            id="an output format",
        ),
        pytest.param(
            ["check", "--output-format", "yaml"],
            f"no such output format: yaml; the output formats are {listed(list(FORMATS), 'and')}",
            id="no near output format",
        ),
        pytest.param(
            ["check", "--fail-level", "warnings"],
            "no such fail level: warnings; did you mean warning?",
            id="a fail level",
        ),
        pytest.param(
            ["rule", "missing-ky"], "no such rule: missing-ky; did you mean missing-key?", id="rule"
        ),
        pytest.param(["check", "--select"], "option '--select' requires an argument", id="no value"),
        pytest.param(
            ["check", "--select", ","], "option --select requires the name of a rule", id="an empty list"
        ),
        pytest.param(
            ["check", "--select", "missing-key", "--ignore", "missing-key"],
            "no rules to run: --ignore excludes every selected rule",
            id="no rule left",
        ),
        pytest.param(
            ["check", "--stdin-filename", "a.js"],
            "--stdin-filename requires the path -",
            id="a name for nothing",
        ),
        pytest.param(
            ["check", "-", "examples"],
            "standard input (-) cannot be combined with other paths",
            id="standard input and a path",
        ),
        pytest.param(
            ["check", "--select", "\x1b[2J"], "no such rule: \\x1b[2J; extlint rule lists", id="hostile names"
        ),
    ],
)
def test_unknown_name_gets_a_suggestion(
    arguments: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    monkeypatch.chdir(pytestconfig.rootpath)
    status = main(arguments)
    output = capsys.readouterr()
    assert (status, output.out) == (2, "")
    assert output.err.startswith(f"extlint: {sentence}")
    assert output.err.count("\n") == 1
