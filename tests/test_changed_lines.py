"""Findings on the lines that changed since a revision of Git."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from harness import manifest
from packages import write

from extlint.checking.changed_lines import Lines, changed_lines
from extlint.cli.main import main
from extlint.text.positions import Position, Span

MISTAKE = "chrome.tabs.qery({});\n"
OTHER = "chrome.tabs.creat({});\n"
MANIFEST = manifest(background={"service_worker": "a.js"})


@pytest.fixture(autouse=True)
def _in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test runs in a repository with one commit, tagged `old`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-configuration"))
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    git("init", "-q", "-b", "main")
    write({"manifest.json": MANIFEST, "a.js": f"{MISTAKE}self();\n{MISTAKE}"})
    commit("old")


def git(*command: str) -> None:
    user = ("-c", "user.name=a", "-c", "user.email=a@a.example")
    subprocess.run(["git", *user, *command], check=True, capture_output=True)


def commit(tag: str) -> None:
    git("add", "-A")
    git("commit", "-q", "-m", "a")
    git("tag", tag)


def found(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[list[tuple[str, int]], int]:
    """Returns the path and line of each error, and the number of findings that are left out."""
    assert main(["check", "--output-format", "json", "--changed-since", *(options or ("old",))]) in (0, 1)
    report = json.loads(capsys.readouterr().out)
    errors = [each for each in report["findings"] if each["severity"] == "error"]
    return [(each["path"], each["start"]["line"]) for each in errors], report["summary"].get("unchanged", 0)


CHANGES = {
    "nothing": ({}, [], 2),
    "a line after it": ({"a.js": f"{MISTAKE}stop();\n{MISTAKE}"}, [], 2),
    "a new line": ({"a.js": f"{MISTAKE}self();\n{MISTAKE}{OTHER}"}, [("a.js", 4)], 2),
    "lines before it": ({"a.js": f"stop();\n{MISTAKE}self();\n{MISTAKE}"}, [], 2),
    "the line itself": ({"a.js": f"{MISTAKE}self();\n  {MISTAKE}"}, [("a.js", 3)], 1),
    "other line ends": (
        {"a.js": f"{MISTAKE}self();\n{MISTAKE}".replace("\n", "\r\n")},
        [("a.js", 1), ("a.js", 3)],
        0,
    ),
    "a removed line": ({"a.js": f"{MISTAKE}{MISTAKE}"}, [], 2),
    "a line that looks like a header": (
        {"a.js": f"let i = 0;\n++ i;\n-- i;\n{MISTAKE}self();\n{MISTAKE}{OTHER}"},
        [("a.js", 7)],
        2,
    ),
}


@pytest.mark.parametrize(("files", "errors", "left_out"), CHANGES.values(), ids=CHANGES.keys())
@pytest.mark.parametrize("is_committed", [False, True], ids=["uncommitted", "committed"])
def test_only_findings_on_changed_lines_are_reported(
    files: dict[str, str],
    errors: list[tuple[str, int]],
    left_out: int,
    is_committed: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in files.items():
        Path(name).write_bytes(text.encode())
    if is_committed and files:
        commit("new")
    assert found(capsys) == (errors, left_out)


@pytest.mark.parametrize("name", ["b.js", "a folder/ä b.js", 'a"b\\c.js', "tab\t.js"])
def test_untracked_file_is_new_and_renamed_one_is_not(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    filler = "".join(f"f({number});\n" for number in range(20))
    write({"a.js": filler + MISTAKE})
    commit("filled")
    worker = manifest(background={"scripts": ["a.js", name]}, manifest_version=2)
    write({"manifest.json": worker, name: MISTAKE})
    errors, _ = found(capsys, "filled")
    assert [each for each in errors if each[0] != "manifest.json"] == [(name, 1)]
    git("rm", "-q", "--cached", "a.js")
    write({name: filler + MISTAKE + OTHER, "manifest.json": worker.replace("a.js", "c.js"), "c.js": ""})
    Path("a.js").unlink()
    commit("renamed")
    errors, _ = found(capsys, "filled")
    assert [each for each in errors if each[0] != "manifest.json"] == [(name, 22)]


def test_changes_of_the_other_branch_do_not_count(capsys: pytest.CaptureFixture[str]) -> None:
    git("checkout", "-q", "-b", "topic")
    write({"b.txt": "b"})
    commit("topic-commit")
    git("checkout", "-q", "main")
    write({"a.js": f"self();\n{MISTAKE}"})
    commit("main-commit")
    git("checkout", "-q", "topic")
    assert found(capsys, "main") == ([], 2)


def test_finding_counts_if_its_explanation_changed(capsys: pytest.CaptureFixture[str]) -> None:
    text = '{\n"manifest_version": 3,\n"version": "1",\n"name": "a",\n"author": "b",\n"name": "a"\n}'
    write({"manifest.json": text})
    commit("duplicate")
    write({"manifest.json": text.replace('"name": "a",', '"name": "c",')})
    errors, _ = found(capsys, "duplicate")
    assert errors == [("manifest.json", 6)]


def test_syntax_error_counts_if_its_file_changed(capsys: pytest.CaptureFixture[str]) -> None:
    write({"a.js": "if (x) {\n" + "self();\n" * 9 + "}\n"})
    commit("valid")
    write({"a.js": "if (x) {{\n" + "self();\n" * 9 + "}\n"})
    errors, _ = found(capsys, "valid")
    assert len(errors) == 1
    assert errors[0][1] > 1


def test_binary_text_is_new_as_a_whole(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.js").write_bytes(f"{MISTAKE}self();\n".encode("utf-16"))
    commit("utf-16")
    Path("a.js").write_bytes(f"{MISTAKE}stop();\n".encode("utf-16"))
    assert found(capsys, "utf-16") == ([("a.js", 1)], 0)


def test_removed_lines_count_inside_of_a_finding() -> None:
    lines = Lines((), (4,))
    assert lines.touch(Span(Position(3, 1), Position(5, 2)))
    assert not lines.touch(Span(Position(3, 1), Position(4, 2)))
    assert not lines.touch(Span(Position(5, 1), Position(6, 2)))


def test_span_that_ends_at_the_start_of_a_line_does_not_include_it() -> None:
    lines = Lines(((5, 5),))
    assert not lines.touch(Span(Position(3, 1), Position(5, 1)))
    assert lines.touch(Span(Position(3, 1), Position(5, 2)))


def test_deleted_file_has_no_changed_lines() -> None:
    diff = b"diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-a"
    assert list(changed_lines(diff.split(b"\n"))) == []


def test_closing_line_counts_other_findings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--changed-since", "old"]) == 0
    text = capsys.readouterr().out
    assert "\n2 findings were left out, as their lines did not change\n" in text
    write({"a.js": f"{OTHER}self();\n{MISTAKE}"})
    assert main(["check", "--changed-since=old"]) == 1
    assert "\n1 finding was left out, as its line did not change\n" in capsys.readouterr().out


def test_programs_of_the_repository_do_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    for key in ("diff.external", "core.fsmonitor", "core.pager", "diff.text.textconv"):
        git("config", key, str(program))
    write({".gitattributes": "*.js diff=text\n", "a.js": OTHER})
    assert found(capsys)[0] == [("a.js", 1)]
    assert not (tmp_path / "ran").exists()


ERRORS = {
    "an unknown revision": (["--changed-since", "nope"], "--changed-since: no such revision in Git: nope"),
    "an option of Git": (
        ["--changed-since=--output=x"],
        "--changed-since: no such revision in Git: --output=x",
    ),
    "with fixes": (
        ["--changed-since", "old", "--fix"],
        "--changed-since cannot be combined with --fix or --diff",
    ),
    "with a baseline to write": (
        ["--changed-since", "old", "--write-baseline"],
        "--changed-since cannot be combined with --write-baseline",
    ),
    "standard input": (
        ["--changed-since", "old", "-"],
        "--changed-since cannot be combined with standard input (-)",
    ),
}


@pytest.mark.parametrize(("arguments", "sentence"), ERRORS.values(), ids=ERRORS.keys())
def test_error_is_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *arguments]) == 2
    assert capsys.readouterr().err == f"extlint: {sentence}\n"


def test_folder_outside_of_a_repository_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / ".git").rename(tmp_path / "git")
    assert main(["check", "--changed-since", "old"]) == 2
    assert "--changed-since: not a git repository" in capsys.readouterr().err


def test_missing_git_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["check", "--changed-since", "old"]) == 2
    assert capsys.readouterr().err == "extlint: --changed-since requires Git, which is not installed\n"


def test_shallow_clone_is_an_error_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"a.js": OTHER})
    commit("new")
    git("clone", "-q", "--depth", "1", f"file://{tmp_path}", "clone")
    monkeypatch.chdir(tmp_path / "clone")
    assert main(["check", "--changed-since", "old"]) == 2
    assert capsys.readouterr().err == (
        "extlint: --changed-since: no such revision in Git: old; this clone is shallow, "
        "so fetch its history: git fetch --unshallow\n"
    )


def test_branches_without_a_common_ancestor_are_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    git("checkout", "-q", "--orphan", "other")
    write({"a.js": OTHER})
    commit("unrelated")
    assert main(["check", "--changed-since", "old"]) == 2
    assert capsys.readouterr().err == (
        "extlint: --changed-since: old and the current commit have no common ancestor\n"
    )


def test_archive_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    git("archive", "--format=zip", "-o", "a.zip", "old")
    assert main(["check", "--changed-since", "old", "a.zip"]) == 2
    sentence = "--changed-since requires a folder in a Git repository, not a.zip"
    assert capsys.readouterr().err == f"extlint: {sentence}\n"
