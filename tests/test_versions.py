"""The version of a tree: of a tag, of a shallow clone, of an archive, and of a commit between releases."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import extlint

ROOT = Path(__file__).parent.parent
VERSIONS = runpy.run_path(str(ROOT / "hatch_version.py"))
RELEASED = "# Changelog\n\n## 1.2.0 (2026-01-31)\n\n* New.\n\n## 1.1.0 (2025-12-01)\n\n* Old.\n"
UNRELEASED = "# Changelog\n\n## 1.3.0 (unreleased)\n\n* Newer.\n" + RELEASED.removeprefix("# Changelog\n")


@pytest.mark.parametrize(
    ("tag", "commit", "changelog", "expected"),
    [
        ("v1.2.0", "12345678", RELEASED, "1.2.0"),
        ("", "12345678", RELEASED, "1.2.0"),
        ("", "", RELEASED, "1.2.0"),
        ("", "12345678", UNRELEASED, "1.3.0.dev0+g12345678"),
        ("", "", UNRELEASED, "1.3.0.dev0"),
        ("v1.3.0", "12345678", UNRELEASED, "1.3.0"),
    ],
)
def test_version_of_a_tree(tag: str, commit: str, changelog: str, expected: str) -> None:
    assert VERSIONS["version_of"](tag, commit, changelog) == expected


@pytest.mark.parametrize("changelog", ["", "## Unreleased\n", "## 1.2.0\n", "## 1.2.0 (soon)\n"])
def test_changelog_without_a_version_is_rejected(changelog: str) -> None:
    with pytest.raises(ValueError, match="has no section like"):
        VERSIONS["version_of"]("", "", changelog)


def write_tree(folder: Path, changelog: str) -> Path:
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "hatch_version.py", folder)
    (folder / "CHANGELOG.md").write_text(changelog)
    return folder


def git(folder: Path, *arguments: str) -> str:
    author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        ["git", *author, *arguments],
        cwd=folder,
        env={**inherited, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def commit_tree(folder: Path) -> None:
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "All")


def version_in(folder: Path) -> str:
    found = runpy.run_path(str(folder / "hatch_version.py"))["version"]()
    assert isinstance(found, str)
    return found


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@needs_git
def test_tag_of_a_clone_is_its_version(tmp_path: Path) -> None:
    tree = write_tree(tmp_path / "tree", UNRELEASED)
    commit_tree(tree)
    git(tree, "tag", "unrelated")
    assert version_in(tree) == "1.3.0.dev0+g" + git(tree, "rev-parse", "--short=8", "HEAD")
    git(tree, "tag", "--annotate", "--message", "First", "v1.3.0")
    assert version_in(tree) == "1.3.0"
    git(tree, "commit", "--quiet", "--allow-empty", "--message", "More")
    assert version_in(tree) == "1.3.0.dev0+g" + git(tree, "rev-parse", "--short=8", "HEAD")


@needs_git
def test_shallow_clone_without_tags_has_the_version_of_the_changelog(tmp_path: Path) -> None:
    tree = write_tree(tmp_path / "tree", RELEASED)
    commit_tree(tree)
    git(tree, "tag", "v1.2.0")
    git(tmp_path, "clone", "--quiet", "--depth=1", "--no-tags", tree.as_uri(), "clone")
    assert version_in(tmp_path / "clone") == "1.2.0"


@needs_git
def test_archive_in_another_repository_does_not_get_its_tag(tmp_path: Path) -> None:
    tree = write_tree(tmp_path / "vendor" / "tree", UNRELEASED)
    commit_tree(tmp_path)
    git(tmp_path, "tag", "v9.9.9")
    assert version_in(tree) == "1.3.0.dev0"


def test_version_does_not_require_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = write_tree(tmp_path / "tree", UNRELEASED)
    (tree / ".git").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert version_in(tree) == "1.3.0.dev0"


def test_checkout_names_the_next_version() -> None:
    newest, _ = VERSIONS["newest_section"]((ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert re.fullmatch(r"\d+\.\d+\.\d+", newest)
    source = (ROOT / "linter/extlint/__init__.py").read_text("utf-8")
    assert f'\n__version__ = "{newest}.dev0"\n' in source


def test_version_option_prints_the_version() -> None:
    path = os.pathsep.join(each for each in sys.path if each)
    printed = subprocess.run(
        [sys.executable, "-m", "extlint", "--version"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed == f"extlint {extlint.__version__}\n"
