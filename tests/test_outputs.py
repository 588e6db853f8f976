"""Several outputs of one run, their destinations, and the default format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import manifest

from extlint.cli.check_options import OutputOptions
from extlint.cli.checking import outputs_of
from extlint.cli.main import main

TEXT = "No findings in 1 extension (1 file).\nchecked for reference: nothing names a browser\n"


@pytest.fixture(autouse=True)
def _extension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "manifest.json").write_text(manifest())


@pytest.mark.parametrize(
    ("options", "on_standard_output", "files"),
    [
        pytest.param(["--output-format", "text"], TEXT, {}, id="one"),
        pytest.param(["--output-format", "concise:out"], "", {"out": TEXT}, id="one in a file"),
        pytest.param(
            ["--output-format", "gitlab:out", "--output-format", "text"], TEXT, {"out": "[]\n"}, id="both"
        ),
        pytest.param(
            ["--output-format", "gitlab:a", "--output-format", "text:b"],
            "",
            {"a": "[]\n", "b": TEXT},
            id="two in files",
        ),
        pytest.param(
            ["--output-format", "gitlab:a", "--output-format", "text", "--output-file", "b"],
            "",
            {"a": "[]\n", "b": TEXT},
            id="a file for the one that has none of its own",
        ),
        pytest.param(["--output-format", "text:a:b"], "", {"a:b": TEXT}, id="a colon in the file's name"),
        pytest.param(
            ["--output-format", r"text:C:\out"], "", {r"C:\out": TEXT}, id="a drive letter is not a format"
        ),
    ],
)
def test_outputs_are_written_to_their_destinations(
    options: list[str], on_standard_output: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *options]) == 0
    assert capsys.readouterr() == (on_standard_output, "")
    assert {name: Path(name).read_text("utf-8") for name in files} == files


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            ["--output-format", "json", "--output-format", "text"],
            "only one output goes to standard output; write the others as FORMAT:FILE",
        ),
        (
            ["--output-format", "json:out", "--output-format", "text:./out"],
            "two output formats have the same file: ./out",
        ),
        (
            ["--output-format", "json:out", "--output-file", "out", "--output-format", "text"],
            "two output formats have the same file: out",
        ),
        (
            ["--output-format", "json:a", "--output-file", "b"],
            "--output-file is given, but each output format has a file of its own",
        ),
        (["--output-format", "json:"], "--output-format json: requires the name of a file after the colon"),
        (["--output-format", "jsno:out"], "no such output format: jsno; did you mean json?"),
        (
            ["--output-format", "text", "--output-format", "json:nowhere/out"],
            "cannot write nowhere/out: no such file or directory",
        ),
    ],
)
def test_unwritable_output_is_reported_before_the_run(
    options: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(Path.cwd().iterdir())
    assert main(["check", *options]) == 2
    assert capsys.readouterr() == ("", f"extlint: {expected}\n")
    assert sorted(Path.cwd().iterdir()) == before


def test_unwritable_output_leaves_existing_files(capsys: pytest.CaptureFixture[str]) -> None:
    """All outputs are checked before the run, so that a second one does not fail after the first."""
    Path("a").write_text("old")
    Path("b").mkdir()
    assert main(["check", "--output-format", "json:a", "--output-format", "text:b"]) == 2
    assert Path("a").read_text() == "old"


@pytest.mark.parametrize(
    ("environment", "options", "expected"),
    [
        pytest.param({}, {}, "TextReporter", id="outside a workflow"),
        pytest.param({"GITHUB_ACTIONS": "true"}, {}, "GithubReporter", id="in a workflow"),
        pytest.param({"GITHUB_ACTIONS": "false"}, {}, "TextReporter", id="a workflow variable set to false"),
        pytest.param(
            {"GITHUB_ACTIONS": "true"}, {"output_file": "out"}, "TextReporter", id="a file instead of the log"
        ),
        pytest.param(
            {"GITHUB_ACTIONS": "true"},
            {"output_format": (("concise", None),)},
            "ConciseReporter",
            id="a format that is chosen",
        ),
    ],
)
def test_default_format_depends_on_the_environment(
    environment: dict[str, str], options: dict[str, object], expected: str
) -> None:
    values = {
        "output_format": (),
        "output_file": None,
        "color": "auto",
        "quiet": False,
        "statistics": False,
        "exit_zero": False,
    }
    (output,) = outputs_of(OutputOptions(**{**values, **options}), environment)  # type: ignore[arg-type]
    assert type(output.reporter).__name__ == expected


def test_workers_contribute_to_all_outputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text(manifest(permissions=[name]))
    formats = ("json:{}.json", "gitlab:{}.gitlab", "concise:{}.txt")
    for jobs in ("1", "3"):
        options = [f"--output-format={each.format(jobs)}" for each in formats]
        assert main(["check", "one", "two", "three", "--jobs", jobs, *options]) == 0
    for each in formats:
        first, second = (Path(each.format(jobs).partition(":")[2]).read_bytes() for jobs in "13")
        assert first == second
    assert len(json.loads(Path("3.gitlab").read_text())) == 3
