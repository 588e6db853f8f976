"""`extlint check`: exit statuses, streams, and every kind of input."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import processes
import pytest
from harness import manifest
from packed_program import COMMAND, only_of_python

from extlint.cli.main import main
from extlint.manifest.manifest import Manifest, read_manifest

BROKEN = '{"manifest_version": 3, '
ERRORS = '{"manifest_version": 3, "name": "a", "version": "1", "version": "2"}'
WARNINGS = manifest(permissions=["managment"])
CLEAN = manifest()


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test runs in a separate folder without the user's environment variables."""
    monkeypatch.chdir(tmp_path)
    for name in ("EXTLINT_DEBUG", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


def write(folder: str, **files: str | bytes) -> None:
    """Writes files; `__` in a name stands for a dot."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        Path(folder, name.replace("__", ".")).write_bytes(data)


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        pytest.param(CLEAN, [], 0, id="nothing found"),
        pytest.param(ERRORS, [], 1, id="an error"),
        pytest.param(WARNINGS, [], 0, id="a warning does not fail"),
        pytest.param(WARNINGS, ["--fail-level", "warning"], 1, id="a warning, where warnings fail"),
        pytest.param(WARNINGS, ["--fail-level", "info"], 1, id="a warning, where everything fails"),
        pytest.param(ERRORS, ["--fail-level", "warning"], 1, id="an error, where warnings fail"),
        pytest.param(CLEAN, ["--fail-level", "info"], 0, id="nothing, where everything fails"),
        pytest.param(ERRORS, ["--exit-zero"], 0, id="an error, where nothing fails"),
        pytest.param(ERRORS, ["--ignore", "duplicate-key"], 0, id="the rule is ignored"),
        pytest.param(ERRORS, ["--ignore", "missing-key"], 1, id="another rule is ignored"),
        pytest.param(ERRORS, ["--select", "missing-key"], 0, id="another rule is selected"),
        pytest.param(ERRORS, ["--select", "missing-key,duplicate-key"], 1, id="selected in a list"),
        pytest.param(
            ERRORS, ["--select", "missing-key", "--select", "duplicate-key"], 1, id="selected by itself"
        ),
        pytest.param(
            ERRORS, ["--select", "missing-key", "--extend-select", "duplicate-key"], 1, id="selected as well"
        ),
        pytest.param(
            ERRORS,
            ["--select", "duplicate-key,missing-key", "--ignore", "duplicate-key"],
            0,
            id="to ignore wins",
        ),
        pytest.param(ERRORS, ["--output-format", "json"], 1, id="any format has the same status"),
        pytest.param(ERRORS, ["--quiet"], 1, id="quiet has the same status"),
        pytest.param(ERRORS, ["--target", "reference,reference"], 1, id="a target named twice"),
        pytest.param(ERRORS, ["--nonsense"], 2, id="a bad option"),
    ],
)
def test_exit_status(text: str, options: list[str], status: int) -> None:
    write("ext", manifest__json=text)
    assert main(["check", "ext", *options]) == status


def write_broken_inputs() -> None:
    """Writes one input of each kind under a separate name."""
    write("empty")
    write("no-manifest", a__js="1")
    write("list", manifest__json="[]")
    write("bytes", manifest__json=b'{"name": "\xff\xfe"}')
    write("random", manifest__json=manifest(background={"scripts": ["a.js"]}))
    Path("random/a.js").write_bytes(random.Random(1).randbytes(50_000) + b"chrome.management")
    write("loop")
    Path("loop/manifest.json").symlink_to("manifest.json")
    write("deep", manifest__json="[" * 100_000)
    write("whole", manifest__json=CLEAN)
    with zipfile.ZipFile("whole.zip", "w") as archive:
        archive.writestr("manifest.json", CLEAN)
        archive.writestr("a.js", "1" * 1000)
    Path("cut.zip").write_bytes(Path("whole.zip").read_bytes()[:-40])
    Path("text.zip").write_text("no archive")
    with zipfile.ZipFile("climbing.zip", "w") as archive:
        archive.writestr("manifest.json", CLEAN)
        archive.writestr("../evil.js", "chrome.management.getAll()")


@pytest.mark.parametrize(
    ("path", "status", "expected"),
    [
        pytest.param("nowhere", 2, "no such file or folder: nowhere", id="no such path"),
        pytest.param("", 2, "no such file or folder: the path is empty", id="an empty path"),
        pytest.param("a\0b", 2, "cannot read a\\x00b: ", id="a path with a NUL"),
        pytest.param("empty", 2, "empty is empty", id="an empty folder"),
        pytest.param("no-manifest", 2, "no manifest.json in or below no-manifest", id="no manifest"),
        pytest.param("no-manifest/a.js", 2, "no-manifest/a.js belongs to no extension", id="a stray file"),
        pytest.param("loop", 2, "loop/manifest.json", id="a link to itself"),
        pytest.param("cut.zip", 2, "cut.zip", id="a truncated zip"),
        pytest.param("text.zip", 2, "text.zip", id="no zip at all"),
        pytest.param("climbing.zip", 0, "`../evil.js` was not checked", id="a zip that climbs"),
        pytest.param("list", 1, "error[invalid-value]", id="a manifest that is a list"),
        pytest.param("bytes", 1, "error[invalid-json]", id="broken UTF-8"),
        pytest.param("deep", 1, "error[invalid-json]", id="brackets without end"),
        pytest.param("random", 1, "error[invalid-syntax]", id="a script of random bytes"),
        pytest.param("whole", 0, "No findings in 1 extension (1 file).", id="a sound folder"),
        pytest.param("whole.zip", 0, "No findings in 1 extension (2 files).", id="a sound archive"),
    ],
)
def test_broken_input_is_an_error_message_or_a_finding(
    path: str, status: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_broken_inputs()
    assert main(["check", path, "--output-format", "concise"]) == status
    output = capsys.readouterr()
    assert expected in (output.err if status == 2 else output.out)
    assert "Traceback" not in output.err
    assert output.err.count("\n") == (status == 2)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_file_without_read_permission_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    write("ext", manifest__json=manifest(background={"scripts": ["a.js"]}), a__js="1")
    Path("ext/a.js").chmod(0)
    assert main(["check", "ext"]) == 2
    assert "ext/a.js" in capsys.readouterr().err


def test_broken_package_does_not_affect_others(capsys: pytest.CaptureFixture[str]) -> None:
    write_broken_inputs()
    assert main(["check", "cut.zip", "list", "nowhere", "whole", "--output-format", "json"]) == 2
    output = capsys.readouterr()
    report = json.loads(output.out)
    assert [each["extension"] for each in report["findings"]] == ["list"]
    assert report["summary"]["extensions"] == 2
    assert output.err.count("extlint: ") == output.err.count("\n") == 2


def test_internal_error_does_not_affect_other_packages(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a", manifest__json=CLEAN)
    write("b", manifest__json=ERRORS)

    def fail(path: str, data: bytes) -> Manifest:
        if data == CLEAN.encode():
            raise RecursionError("too deep")
        return read_manifest(path, data)

    monkeypatch.setattr("extlint.checker.read_manifest", fail)
    assert main(["check", "a", "b", "--output-format", "concise"]) == 2
    output = capsys.readouterr()
    assert output.err == "extlint: internal error in a/manifest.json: RecursionError: too deep\n"
    assert "b/manifest.json:1:54: error[duplicate-key]" in output.out
    monkeypatch.setenv("EXTLINT_DEBUG", "1")
    with pytest.raises(RecursionError):
        main(["check", "a", "b"])


def test_internal_error_outside_packages_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> object:
        raise ValueError("no\nway")

    monkeypatch.setattr("extlint.checking.run.find_packages", fail)
    assert main(["check"]) == 2
    assert capsys.readouterr().err == "extlint: internal error: ValueError: no\\x0away\n"
    monkeypatch.setenv("EXTLINT_DEBUG", "1")
    with pytest.raises(ValueError, match="way"):
        main(["check"])


def test_interrupt_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object) -> object:
        raise KeyboardInterrupt

    write("ext", manifest__json=CLEAN)
    monkeypatch.setattr("extlint.program.shared_layout.lay_out", interrupt)
    assert main(["check", "ext"]) == 130
    assert capsys.readouterr().err.strip() == "extlint: interrupted"


def test_extensions_are_sorted_independent_of_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b", "a", "c"):
        write(name, manifest__json=ERRORS)
    main(["check", "c", "a", "b", "--output-format", "concise"])
    one = capsys.readouterr().out
    main(["check", ".", "--output-format", "concise"])
    assert capsys.readouterr().out == one
    assert [line[0] for line in one.splitlines()] == ["a", "b", "c", "F", "[", "c"]


def test_current_folder_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    write(".", manifest__json=ERRORS)
    assert main(["check"]) == 1
    assert capsys.readouterr().out.startswith("manifest.json:1:54: ")


def test_file_argument_checks_its_extension(capsys: pytest.CaptureFixture[str]) -> None:
    write("ext", manifest__json=ERRORS)
    write("ext/js", a__js="1", b__js="2")
    assert main(["check", "ext/js/a.js", "ext/js/b.js", "ext/manifest.json", "-q"]) == 1
    assert capsys.readouterr().out.count("duplicate-key") == 1


@pytest.mark.parametrize(
    ("paths", "status"),
    [
        pytest.param(["stray/build.js"], 0, id="only such files"),
        pytest.param(["stray/build.js", "ext/manifest.json"], 1, id="an extension as well"),
        pytest.param(["stray/nothing.js"], 2, id="a file that is not there"),
        pytest.param(["stray"], 2, id="a folder is not such a file"),
    ],
)
def test_foreign_files_can_be_skipped(paths: list[str], status: int) -> None:
    write("ext", manifest__json=ERRORS)
    write("stray", build__js="1")
    assert main(["check", "--skip-foreign-files", *paths]) == status


@pytest.mark.parametrize(
    ("text", "options", "status", "expected"),
    [
        pytest.param(ERRORS, [], 1, "manifest.json:1:54: error[duplicate-key]", id="a manifest"),
        pytest.param(
            ERRORS, ["--stdin-filename", "manifest.json"], 1, "manifest.json:1:54: error", id="with its name"
        ),
        pytest.param(
            "chrome.management.getSelf(1);",
            ["--stdin-filename", "ext/a.js"],
            1,
            "ext/a.js:1:27: error[invalid-argument]",
            id="a script in place of what the disk has",
        ),
        pytest.param("let a;", [], 2, "standard input is not a manifest", id="no name, and no manifest"),
    ],
)
def test_standard_input(
    text: str,
    options: list[str],
    status: int,
    expected: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("ext", manifest__json=manifest(background={"scripts": ["a.js"]}), a__js="")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["check", "-", *options]) == status
    output = capsys.readouterr()
    assert expected in output.out + output.err


def test_output_file_has_the_same_content_as_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    write("ext", manifest__json=ERRORS)
    main(["check", "ext"])
    expected = capsys.readouterr().out
    Path("out.txt").write_text("what was there before")
    assert main(["check", "ext", "--output-file", "out.txt"]) == 1
    assert capsys.readouterr().out == ""
    assert Path("out.txt").read_text() == expected


@pytest.mark.parametrize("name", ["ext", "nowhere/out.txt"], ids=["a folder", "in no folder"])
def test_unwritable_output_file_is_an_error(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    write("ext", manifest__json=ERRORS)
    assert main(["check", "ext", "--output-file", name]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"extlint: cannot write {name}: ")


def run(
    *arguments: str, stdout: int = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Runs extlint in a separate process."""
    return processes.run(
        [*COMMAND, *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=processes.environment(**environment),
    )


@only_of_python
@pytest.mark.parametrize(
    ("encoding", "name"),
    [("ascii", rb"\u6f22"), ("cp1252", rb"\u6f22"), ("cp437", rb"\u6f22"), ("cp932", "漢".encode("cp932"))],
)
def test_unencodable_output_is_escaped(encoding: str, name: bytes) -> None:
    write("ext", manifest__json='{"manifest_version": 3, "name": "漢", "name": "字", "version": "1"}')
    found = run("check", "ext", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert found.returncode == 1
    assert name in found.stdout
    assert found.stderr == b""


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux alone")
def test_non_unicode_file_names_are_printed() -> None:
    folder = os.fsdecode(b"\xff")
    write(folder, manifest__json=ERRORS)
    assert main(["check", folder]) == 1
    assert run("check", folder).stdout.startswith("\ufffd/manifest.json:1:54: error".encode())
    assert json.loads(run("check", folder, "--output-format", "json").stdout)["summary"]["errors"] == 1


def test_broken_pipe_is_not_an_error() -> None:
    write("ext", manifest__json=ERRORS)
    reading, writing = os.pipe()
    os.close(reading)
    assert run("check", "ext", stdout=writing).stderr == b""
    os.close(writing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_full_disk_is_one_line() -> None:
    write("ext", manifest__json=ERRORS)
    with Path("/dev/full").open("wb") as full:
        found = run("check", "ext", stdout=full.fileno())
    assert (found.returncode, found.stderr) == (2, b"extlint: cannot write: no space left on device\n")


def test_help_lists_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-h"]) == 0
    text = capsys.readouterr().out
    for option in ("--target", "--select", "--ignore", "--output-format", "--fail-level", "--stdin-filename"):
        assert option in text


@pytest.mark.parametrize("arguments", [["--help"], ["-h"]], ids=["long", "short"])
def test_help_lists_the_commands(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert all(f"\n  {name} " in text for name in ("check", "rule", "schema"))


def test_missing_command_prints_help_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "Usage: extlint" in output.err
