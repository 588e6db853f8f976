"""Subjects of commits: the check itself, the hook that runs it, and the commits of this repository."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from plain_english import bad_words

from commit_subject import problem, subject_of

ROOT = Path(__file__).parent.parent
CHECK = "tools/commit_subject.py"


@pytest.mark.parametrize(
    "subject",
    [
        "Add the option --watch",
        "Fix locations of findings in files with CRLF line ends",
        "Speed up the search for callers",
        "Test " + "x" * 55,
        'Revert "Let a configuration change nothing in what its build has made"',
        "Merge branch 'watch'",
        "fixup! Add the option --watch",
    ],
)
def test_good_subject_has_no_problem(subject: str) -> None:
    assert problem(subject) is None


@pytest.mark.parametrize(
    ("subject", "part"),
    [
        ("", "must start with"),
        ("Take a video for no script", "must start with"),
        ("add the option --watch", "must start with"),
        ("Adds the option --watch", "must start with"),
        ("Speed", "must start with"),
        ("Test " + "x" * 56, "61 characters"),
        ("Fix the cache.", "period"),
    ],
)
def test_bad_subject_has_a_problem(subject: str, part: str) -> None:
    assert part in (problem(subject) or "")


def test_subject_is_the_first_line_that_is_not_a_comment() -> None:
    assert subject_of("# comment\n\n  Fix the cache \n\nbody\n") == "Fix the cache"
    assert subject_of("# comment\n") == ""


@pytest.mark.skipif(find_spec("pre_commit") is None, reason="pre-commit is not installed")
@pytest.mark.parametrize(("subject", "status"), [("Fix the cache", 0), ("Mend the cache", 1)])
def test_pre_commit_runs_the_check_as_a_commit_msg_hook(subject: str, status: int, tmp_path: Path) -> None:
    for name in (".pre-commit-config.yaml", CHECK):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    message = tmp_path / "message"
    message.write_text(f"{subject}\n", "utf-8")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "add", "."], check=True)
    options = ["--hook-stage", "commit-msg", "--commit-msg-filename", str(message)]
    ran = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", *options],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    assert ran.returncode == status, ran.stdout + ran.stderr


def test_commits_since_the_check_was_added_have_good_subjects() -> None:
    def git(*arguments: str) -> list[str]:
        ran = subprocess.run(
            ["git", "-C", ROOT, *arguments], check=False, capture_output=True, encoding="utf-8"
        )
        if ran.returncode:
            pytest.skip("this is not a Git checkout with commits")
        return ran.stdout.splitlines()

    if git("rev-parse", "--show-toplevel") != [str(ROOT.resolve())]:
        pytest.skip("this is not a Git checkout of its own")
    added = git("log", "--diff-filter=A", "--format=%H", "--", CHECK)
    subjects = git("log", "--no-merges", "--format=%s", f"{added[-1]}..HEAD") if added else []
    assert [f"{each}: {wrong}" for each in subjects if (wrong := problem(each))] == []
    assert [wrong for each in subjects for wrong in bad_words(each)] == []
