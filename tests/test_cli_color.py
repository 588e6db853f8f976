"""Color, links and width of the output."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from extlint.cli.main import main
from extlint.cli.streams import opens_paths, use_color, use_links, width_of


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "terminal", "environment", "expected"),
    [
        pytest.param("auto", True, {}, True, id="a terminal"),
        pytest.param("auto", False, {}, False, id="a pipe"),
        pytest.param("auto", True, {"NO_COLOR": "1"}, False, id="NO_COLOR"),
        pytest.param("auto", True, {"NO_COLOR": "0"}, False, id="NO_COLOR counts whatever it says"),
        pytest.param("auto", True, {"NO_COLOR": ""}, True, id="NO_COLOR without text does not"),
        pytest.param("auto", False, {"FORCE_COLOR": "1"}, True, id="FORCE_COLOR"),
        pytest.param("auto", False, {"FORCE_COLOR": ""}, False, id="FORCE_COLOR without text does not count"),
        pytest.param("auto", True, {"FORCE_COLOR": "0"}, False, id="FORCE_COLOR=0 forces it off"),
        pytest.param("auto", True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, id="NO_COLOR wins"),
        pytest.param("auto", True, {"TERM": "dumb"}, False, id="a dumb terminal"),
        pytest.param("auto", True, {"TERM": "dumb", "FORCE_COLOR": "1"}, True, id="a dumb terminal, forced"),
        pytest.param("always", False, {"NO_COLOR": "1", "TERM": "dumb"}, True, id="always means always"),
        pytest.param("never", True, {"FORCE_COLOR": "1"}, False, id="never means never"),
    ],
)
def test_use_color(choice: str, terminal: bool, environment: dict[str, str], expected: bool) -> None:
    stream = Terminal() if terminal else io.StringIO()
    assert use_color(choice, stream, environment) is expected


@pytest.mark.parametrize("output_format", ["text", "concise", "json"])
@pytest.mark.parametrize("color", ["always", "never"])
def test_color_option_overrides_detection(
    output_format: str, color: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifest.json").write_text("[]")
    main(["check", str(tmp_path), "--color", color, "--output-format", output_format])
    expected = color == "always" and output_format != "json"
    assert ("\x1b[" in capsys.readouterr().out) is expected


def test_color_environment_variables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "manifest.json").write_text("[]")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(["check", str(tmp_path)])
    assert "\x1b[" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    main(["check", str(tmp_path)])
    assert "\x1b[" not in capsys.readouterr().out


def test_output_file_has_color_only_if_requested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "manifest.json").write_text("[]")
    monkeypatch.setenv("FORCE_COLOR", "1")
    output = tmp_path / "out.txt"
    main(["check", str(tmp_path), "--output-file", str(output)])
    assert "\x1b[" not in output.read_text()
    main(["check", str(tmp_path), "--output-file", str(output), "--color", "always"])
    assert "\x1b[" in output.read_text()


@pytest.mark.parametrize(
    ("color", "terminal", "environment", "expected"),
    [
        pytest.param(True, True, {"TERM": "xterm-kitty"}, True, id="a terminal by its TERM"),
        pytest.param(True, True, {"TERM_PROGRAM": "iTerm.app"}, True, id="a terminal by its name"),
        pytest.param(True, True, {"WT_SESSION": "1"}, True, id="a terminal by a variable of its own"),
        pytest.param(True, True, {"VTE_VERSION": "7600"}, True, id="a terminal of GNOME"),
        pytest.param(True, True, {"VTE_VERSION": "5000"}, False, id="one that links make crash"),
        pytest.param(True, True, {"TERM": "xterm-256color"}, False, id="a terminal that nothing is known of"),
        pytest.param(True, False, {"TERM": "xterm-kitty"}, False, id="a pipe"),
        pytest.param(False, True, {"TERM": "xterm-kitty"}, False, id="no color"),
        pytest.param(False, False, {"FORCE_HYPERLINK": "1"}, True, id="FORCE_HYPERLINK"),
        pytest.param(True, True, {"FORCE_HYPERLINK": "0", "WT_SESSION": "1"}, False, id="FORCE_HYPERLINK=0"),
    ],
)
def test_use_links(color: bool, terminal: bool, environment: dict[str, str], expected: bool) -> None:
    stream = Terminal() if terminal else io.StringIO()
    assert use_links(color, stream, environment) is expected


def test_terminals_that_open_paths_at_lines() -> None:
    assert opens_paths({"TERM_PROGRAM": "vscode"})
    assert not opens_paths({"TERM_PROGRAM": "iTerm.app"})


def test_only_terminals_have_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    assert width_of(Terminal()) == 72
    assert width_of(io.StringIO()) is None
