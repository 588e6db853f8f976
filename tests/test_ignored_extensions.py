"""The extensions checked below a folder, without those ignored by Git or excluded."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from harness import manifest

from extlint.cli.main import main
from extlint.package.git_ignore import GitIgnores, compile_patterns
from extlint.package.git_index import tracked_paths

SOUND = manifest()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the current folder, which is a Git repository."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    return tmp_path


def write(path: str, *lines: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("".join(f"{line}\n" for line in lines))


def write_extensions(*folders: str) -> None:
    for folder in folders:
        write(f"{folder}/manifest.json", SOUND)


@pytest.fixture
def checked(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[list[str], list[str]]]:
    """Returns a function that returns the extensions that a command checks, and those it skips."""

    def run(*arguments: str) -> tuple[list[str], list[str]]:
        assert main(["check", "--output-format", "json", *arguments]) == 0
        found = json.loads(capsys.readouterr().out)
        return [each["path"] for each in found["extensions"]], [each["path"] for each in found["skipped"]]

    return run


Checked = Callable[..., tuple[list[str], list[str]]]


def git_index(*paths: str, version: int = 2, mode: int = 0o100644) -> bytes:
    """Returns a Git index with these files."""
    data = b"DIRC" + version.to_bytes(4) + len(paths).to_bytes(4)
    before = ""
    for path in paths:
        entry = bytes(24) + mode.to_bytes(4) + bytes(12 + 20) + len(path).to_bytes(2)
        entry += bytes([len(before)]) + path.encode() + b"\0" if version == 4 else path.encode()
        before = path
        data += entry if version == 4 else entry + bytes(8 - len(entry) % 8)
    return data


PATTERNS = {
    "a folder at any depth": (["dist"], ["a"], ["dist", "a/dist/x", "b/dist"]),
    "a folder here": (["/dist/"], ["a", "a/dist/x"], ["dist"]),
    "all but one": (["/*", "!/src/"], ["src"], ["a", "dist"]),
    "the contents of a folder": (["dist/**", "!dist/keep/", "!dist/keep/**"], ["dist/keep"], ["dist/a"]),
    "the last pattern counts": (["out", "!out"], ["out"], []),
    "nothing below an ignored folder is included again": (["out", "!out/keep"], ["a"], ["out/keep"]),
    "an invalid pattern": (["!", "[z-a", "dist"], ["a"], ["dist"]),
}


@pytest.mark.parametrize(("lines", "kept", "ignored"), PATTERNS.values(), ids=PATTERNS.keys())
def test_gitignore_patterns(checked: Checked, lines: list[str], kept: list[str], ignored: list[str]) -> None:
    write(".gitignore", *lines)
    write_extensions(*kept, *ignored)
    found = sorted((*kept, *ignored))
    if kept:
        assert checked() == (sorted(kept), sorted(ignored))
    assert checked("--no-gitignore") == (found, [])
    for each in ignored:
        assert checked(each) == ([each], [])
        assert checked(f"{each}/manifest.json") == ([each], [])


def test_nested_gitignore_overrides_outer_one(checked: Checked) -> None:
    write(".gitignore", "out")
    write("a/.gitignore", "/x")
    write("b/.gitignore", "!out")
    write_extensions("x", "a/x", "b/out", "out")
    assert checked() == (["b/out", "x"], ["a/x", "out"])


def test_local_exclude_file_is_used(checked: Checked) -> None:
    write(".git/info/exclude", "/mine")
    write_extensions("mine", "other")
    assert checked() == (["other"], ["mine"])


def test_repository_gitignore_applies_in_subfolders(
    checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(".gitignore", "/packages/*/dist")
    write_extensions("packages/a/src", "packages/a/dist")
    monkeypatch.chdir("packages/a")
    assert checked() == (["src"], ["dist"])
    monkeypatch.chdir("dist")
    assert checked() == (["."], [])


def test_requested_ignored_folder_is_checked(checked: Checked) -> None:
    write(".gitignore", ".output")
    write_extensions(".output/chrome-mv3", ".output/firefox-mv2")
    assert checked(".output") == ([".output/chrome-mv3", ".output/firefox-mv2"], [])


def test_gitignore_is_used_without_a_repository(checked: Checked, here: Path) -> None:
    (here / ".git").rmdir()
    write(".gitignore", "a/out")
    write("a/.gitignore", "dist")
    write_extensions("a/dist", "a/out", "a/src")
    assert checked() == (["a/src"], ["a/dist", "a/out"])
    assert checked("a") == (["a/out", "a/src"], ["a/dist"])


def test_nested_repository_has_separate_rules(checked: Checked) -> None:
    write(".gitignore", "dist", "/ignored")
    write_extensions("a/dist", "ignored")
    (Path("a") / ".git").mkdir()
    (Path("ignored") / ".git").mkdir()
    assert checked() == (["a/dist"], ["ignored"])
    Path(".git/index").write_bytes(git_index("ignored", mode=0o160000))
    assert checked() == (["a/dist", "ignored"], [])


@pytest.mark.parametrize("version", [2, 3, 4])
def test_tracked_extension_is_not_ignored(checked: Checked, version: int) -> None:
    write(".gitignore", "dist")
    write_extensions("dist/a", "dist/b")
    tracked = git_index("a.js", "dist/a/manifest.json", "dist/b/other.js", version=version)
    Path(".git/index").write_bytes(tracked)
    assert checked() == (["dist/a"], ["dist/b"])
    for length in range(0, len(tracked), 7):
        assert "dist/b/manifest.json" not in tracked_paths(tracked[:length])


def test_git_folder_of_worktree_is_used(checked: Checked, here: Path) -> None:
    (here / ".git").rmdir()
    write(".git", "gitdir: main/worktrees/here")
    write("main/worktrees/here/commondir", "../..")
    write("main/info/exclude", "dist", "out")
    Path("main/worktrees/here/index").write_bytes(git_index("dist/manifest.json"))
    write_extensions("dist", "out", "src")
    assert checked() == (["dist", "src"], ["out"])


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_result_matches_git(here: Path) -> None:
    shutil.rmtree(".git")
    git = ["git", "-c", "init.defaultBranch=main", "-c", "core.excludesFile=/dev/null"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    folders = [f"{a}/{b}/{c}" for a in ("a", "dist") for b in ("x.d", "out") for c in ("b", "y.d")]
    write_extensions(*folders)
    write(".gitignore", "a/**/", "!a/out", "*.d/b", "!dist/x.d/")
    write("a/.gitignore", "/out/*", "!out/b")
    subprocess.run([*git, "add", "--force", "dist/x.d/b/manifest.json"], check=True)
    paths = [f"{each}/manifest.json" for each in folders]
    completed = subprocess.run(
        [*git, "check-ignore", "--stdin"], input="\n".join(paths), capture_output=True, text=True, check=False
    )
    ignores = GitIgnores(here)
    assert [path for path in paths if ignores.has(path)] == completed.stdout.split()


def test_ignored_files_of_an_extension_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    write(".gitignore", "a.js")
    write("manifest.json", manifest(background={"service_worker": "a.js"}))
    write("a.js", "chrome.runtime.getUrl('b')")
    assert main(["check", "--output-format", "concise"]) == 1
    assert "a.js:1:1: error[unknown-api]" in capsys.readouterr().out


def test_closing_line_lists_ignored_extensions(capsys: pytest.CaptureFixture[str]) -> None:
    write(".gitignore", "dist")
    write_extensions("src", "dist")
    assert main(["check"]) == 0
    assert capsys.readouterr().out.endswith("\nnot checked, as Git ignores it: dist\n")
    assert main(["check", ".", "dist"]) == 0
    assert "not checked" not in capsys.readouterr().out
    write_extensions("dist/b", "dist/c", "dist/d", "dist/e")
    assert main(["check"]) == 0
    output = capsys.readouterr().out
    assert output.endswith("\nnot checked, as Git ignores them: dist, dist/b, dist/c and 2 more\n")


def test_error_if_all_extensions_are_ignored(capsys: pytest.CaptureFixture[str]) -> None:
    write(".gitignore", "dist")
    write_extensions("dist")
    assert main(["check"]) == 2
    assert capsys.readouterr().err == (
        "extlint: no manifest.json in or below . but in what Git ignores, `dist`; "
        "--no-gitignore checks that all the same\n"
    )
    write("extlint.toml", 'exclude = "dist"')
    assert main(["check", "--no-gitignore"]) == 2
    assert "what the configuration excludes, `dist`; to check that, give its path" in capsys.readouterr().err


def test_configuration_disables_gitignore(checked: Checked) -> None:
    write(".gitignore", "dist")
    write("extlint.toml", "gitignore = false")
    write_extensions("dist", "src")
    assert checked() == (["dist", "src"], [])


def test_configuration_excludes_extensions(checked: Checked) -> None:
    write("extlint.toml", 'exclude = ["fixtures", "/a/*", "!/a/b"]')
    write_extensions("a/b", "a/c", "src", "src/fixtures/x")
    assert checked() == (["a/b", "src"], ["a/c", "src/fixtures/x"])
    assert checked("src") == (["src"], ["src/fixtures/x"])
    assert checked("src/fixtures/x") == (["src/fixtures/x"], [])
    write("src/fixtures/extlint.toml", "")
    write("a/b/extlint.toml", 'exclude = "."')
    assert checked() == (["a/b", "src"], ["a/c", "src/fixtures/x"])


def test_hook_skips_excluded_files(checked: Checked) -> None:
    write("extlint.toml", 'exclude = "fixtures"')
    write_extensions("src", "fixtures/x")
    write("fixtures/x/a.js", "")
    assert checked("fixtures/x/a.js", "src/manifest.json") == (["fixtures/x", "src"], [])
    named = ["--skip-foreign-files", "fixtures/x/a.js", "src/manifest.json"]
    assert checked(*named) == (["src"], [])


def test_configuration_excludes_files_of_an_extension(capsys: pytest.CaptureFixture[str]) -> None:
    write("extlint.toml", 'exclude = ["vendor/"]')
    write("a/manifest.json", manifest(background={"scripts": ["vendor/a.js", "b.js"]}))
    mistake = "browser.runtime.getUrl('b')"
    write("a/vendor/a.js", mistake)
    write("a/b.js", mistake)
    assert main(["check", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.count("unknown-api") == 1
    write("extlint.toml", 'exclude = "a"')
    assert main(["check", "a", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.count("unknown-api") == 2, "who asks for it means all of it"


def test_too_slow_patterns_are_rejected() -> None:
    assert compile_patterns(["*a*b*c*"]).check_file("abc").include
    assert compile_patterns(["**/a/**/b/*.c/**"]).check_file("a/b/x.c/d").include
    assert compile_patterns(["*a*a*a*a*a*a"]).check_file("a" * 250).include is None
