"""The command that renews the facts: what it writes, what it says, what its check refuses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from extlint_facts import renew
from extlint_facts.npm import FetchError, Packages


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of schemas with one file that is as it should be, one that is not, and one too many."""
    for name, text in {"chrome/a.json": "1\n", "chrome/b.json": "2\n", "firefox/c.json": "3\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "dialect.schema.json").write_text("{}")
    monkeypatch.setattr(renew, "SCHEMAS", tmp_path)
    chrome, compat = {"chrome/a.json": "1\n", "chrome/b.json": "20\n"}, {"compat/d.json": "4\n"}
    monkeypatch.setattr(renew, "STEPS", (lambda _: chrome, lambda _: compat))
    monkeypatch.setattr(renew, "DERIVED", ())
    return tmp_path


def test_reviewers_are_told_which_files_are_generated() -> None:
    lines = (renew.SCHEMAS.parents[1] / ".gitattributes").read_text().splitlines()
    assert {f"/schemas/extlint_schemas/{folder}/*.json linguist-generated" for folder in renew.FOLDERS} == {
        line for line in lines if line.startswith("/schemas/")
    }


def texts(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*.json")}


def test_a_check_changes_nothing_and_shows_what_differs(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = texts(package)
    assert renew.main(["--check"]) == 1
    assert texts(package) == before
    assert capsys.readouterr().out.splitlines() == [
        "chrome/b.json",
        "  -2",
        "  +20",
        "compat/d.json",
        "  +4",
        "firefox/c.json",
        "  -3",
        "The facts and the packages disagree.",
    ]


def test_what_was_written_passes_the_check(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert renew.main([]) == 0
    assert texts(package) == {
        "chrome/a.json": "1\n",
        "chrome/b.json": "20\n",
        "compat/d.json": "4\n",
        "dialect.schema.json": "{}",
    }
    capsys.readouterr()
    assert renew.main(["--check"]) == 0
    assert capsys.readouterr().out == "3 files are as they should be.\n"


def test_many_differences_are_cut_short(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(renew, "SHOWN", 2)
    assert renew.main(["--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "chrome/b.json",
        "  -2",
        "... and 5 more lines",
        "The facts and the packages disagree.",
    ]


def test_a_package_that_cannot_be_had_is_one_sentence(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_: Packages) -> dict[str, str]:
        raise FetchError("npm is not installed")

    monkeypatch.setattr(renew, "STEPS", (refuse,))
    assert renew.main([]) == 2
    assert capsys.readouterr().err == "renew: npm is not installed\n"


@pytest.mark.skipif("EXTLINT_RENEW" not in os.environ, reason="EXTLINT_RENEW=1 is not set: this needs npm")
def test_the_committed_facts_are_what_the_packages_say(capsys: pytest.CaptureFixture[str]) -> None:
    status = renew.main(["--check"])
    assert (status, capsys.readouterr().out.splitlines()[-1].endswith("as they should be.")) == (0, True)
