"""The parts of a release: its notes, what must agree before it, and the names that it creates."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from extlint_release import artifacts, changelog, distributions, steps, tree
from extlint_release.command_line import main

ROOT = Path(__file__).parent.parent
CHANGELOG = """# Changelog

## 1.3.0 (unreleased)

* Newer: [a page](docs/new.md).

### Fixes

* One.

## 1.2.0 (2026-01-31)

* [A site](https://example.com).
"""

pytest.importorskip("hatchling")


def test_notes_are_the_section_of_a_version() -> None:
    link = "https://github.com/extlint/extlint/blob/v1.3.0/docs/new.md"
    assert changelog.notes(CHANGELOG, "1.3.0") == f"* Newer: [a page]({link}).\n\n### Fixes\n\n* One.\n"
    assert changelog.notes(CHANGELOG, "1.2.0") == "* [A site](https://example.com).\n"


@pytest.mark.parametrize(
    ("text", "version", "problem"),
    [
        (CHANGELOG, "1.1.0", "the changelog says nothing about 1.1.0"),
        ("## 1.2.0 (2026-01-31)\n", "1.2.0", "the changelog says nothing about 1.2.0"),
        ("## Unreleased\n", "1.2.0", "a heading of the changelog names no version and date: ## Unreleased"),
    ],
)
def test_missing_notes_are_rejected(text: str, version: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        changelog.notes(text, version)


def test_changelog_has_notes_for_the_next_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest, *older = changelog.sections(text)
    assert all(each.date for each in older)
    assert len(changelog.notes(text, newest.version)) > 100


def test_date_is_added_only_before_the_release() -> None:
    dated = changelog.with_date(CHANGELOG, date(2026, 3, 1))
    assert dated == CHANGELOG.replace("(unreleased)", "(2026-03-01)")
    assert changelog.with_date(dated, date(2026, 4, 1)) == dated


def write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    """A tree in the state of a release, with the files that name the version."""
    source = tmp_path / "source"
    write(source, "hatch_version.py", (ROOT / "hatch_version.py").read_text("utf-8"))
    write(source, "CHANGELOG.md", CHANGELOG)
    write(source, "linter/extlint/__init__.py", '__version__ = "1.3.0.dev0"\n')
    for name in ("package.json", "package-lock.json"):
        write(source, f"editors/vscode/{name}", json.dumps({"version": "1.3.0"}))
    git(source, "init", "--quiet")
    git(source, "add", "--all")
    git(source, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "All")
    (clones := tmp_path / "clones").mkdir()
    return tree.rehearse_tag(clones, date(2026, 3, 1), source)


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True)


def test_rehearsed_tag_can_be_released(tagged: Path) -> None:
    assert list(tree.problems(tagged)) == []
    assert "## 1.3.0 (2026-03-01)\n" in (tagged / "CHANGELOG.md").read_text("utf-8")


PROBLEMS = {
    "no date": (
        "CHANGELOG.md",
        CHANGELOG,
        "CHANGELOG.md has no date for 1.3.0",
    ),
    "another version": (
        "CHANGELOG.md",
        "## 1.2.0 (2026-01-31)\n\n* Old.\n",
        "the newest section of CHANGELOG.md is about 1.2.0, and the tag names 1.3.0",
    ),
    "no notes": (
        "CHANGELOG.md",
        "## 1.3.0 (2026-03-01)\n",
        "CHANGELOG.md says nothing about 1.3.0",
    ),
    "the source": (
        "linter/extlint/__init__.py",
        '__version__ = "1.2.0.dev0"\n',
        "linter/extlint/__init__.py must say 1.3.0.dev0",
    ),
    "the editor": (
        "editors/vscode/package.json",
        '{"version": "1.2.0"}',
        "editors/vscode/package.json must have the version 1.3.0",
    ),
}


@pytest.mark.parametrize(("name", "text", "problem"), PROBLEMS.values(), ids=PROBLEMS)
def test_disagreement_with_the_tag_is_a_problem(tagged: Path, name: str, text: str, problem: str) -> None:
    write(tagged, name, text)
    assert list(tree.problems(tagged)) == [problem]


def test_commit_without_a_tag_is_not_released(tagged: Path) -> None:
    git(tagged, "tag", "--delete", "v1.3.0")
    write(tagged, "CHANGELOG.md", CHANGELOG)
    [problem] = tree.problems(tagged)
    assert problem.startswith("the commit has no tag of a release: its version is 1.3.0.dev0+g")


def test_checksums_are_those_of_sha256sum(tmp_path: Path) -> None:
    write(tmp_path, "b.txt", "b")
    write(tmp_path, "a.txt", "a")
    for _ in range(2):
        artifacts.write_checksums(tmp_path)
        assert (tmp_path / "SHA256SUMS").read_text() == (
            f"{sha256(b'a').hexdigest()}  a.txt\n{sha256(b'b').hexdigest()}  b.txt\n"
        )
    assert artifacts.listing(tmp_path) == "    0.00 MB  a.txt\n    0.00 MB  b.txt\n"


def test_program_of_another_version_is_rejected() -> None:
    program = [sys.executable, "-c", "print('extlint 1.2.0')"]
    distributions.expect_version(program, "1.2.0")
    with pytest.raises(ValueError, match=r"not the version 1\.3\.0"):
        distributions.expect_version(program, "1.3.0")


def test_program_that_misses_mistakes_is_rejected() -> None:
    distributions.expect_findings([sys.executable, "-m", "extlint"], ROOT / "examples" / "read-later")
    with pytest.raises(ValueError, match="does not find the mistakes"):
        distributions.expect_findings([sys.executable, "-m", "extlint"], ROOT / "examples" / "clean")


@pytest.mark.parametrize(
    ("ci", "expected"), [("", "image: skipped: no Docker daemon runs here\n"), ("true", None)]
)
def test_a_skipped_step_fails_only_in_ci(
    ci: str,
    expected: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CI", ci)
    arguments = [str(tmp_path / "files"), "--step", "image"]
    if expected is None:
        with pytest.raises(SystemExit, match="no Docker daemon runs here"):
            main(arguments, standalone_mode=False)
    else:
        main(arguments, standalone_mode=False)
        assert expected in capsys.readouterr().out


def test_page_lists_the_steps_in_their_order() -> None:
    page = (ROOT / "docs/development/release.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [*steps.STEPS]


def workflow() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    path = ROOT / ".github/workflows/release.yml"
    if not path.is_file():
        pytest.skip("a source distribution does not have it")
    content: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return content


def commands(job: dict[str, Any]) -> str:
    return "\n".join(step.get("run", step.get("uses", "")) for step in job.get("steps", [job]))


def test_workflow_runs_every_step() -> None:
    run = "\n".join(commands(job) for job in workflow()["jobs"].values())
    packed = {
        "program": "extlint_pack program",
        "npm": "extlint_pack npm",
        "manifests": "extlint_pack manifests",
    }
    assert [name for name in steps.STEPS if packed.get(name, f"--step {name}") not in run] == []


def test_nothing_is_published_before_everything_is_made_and_tried() -> None:
    jobs = workflow()["jobs"]
    publishing = {name for name, job in jobs.items() if "write" in job["permissions"].values()}
    making = {name for name in jobs if name not in publishing}

    def before(name: str) -> set[str]:
        needs = jobs[name].get("needs", [])
        direct = {needs} if isinstance(needs, str) else set(needs)
        return direct.union(*(before(each) for each in direct))

    assert publishing == {"pypi", "npm", "image", "github"}
    assert [name for name in publishing if not making <= before(name)] == []
