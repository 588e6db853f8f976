"""The command that renews the facts: its files, its output, and the failures of its check."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from extlint_facts import command_line, renewal
from extlint_facts.command_line import main
from extlint_facts.corrections.api import correct
from extlint_facts.corrections.rows import (
    Correction,
    StaleCorrectionError,
    collecting_stale,
    report_stale,
)
from extlint_facts.corrections.versions import correct_versions
from extlint_facts.packages.access import Packages
from extlint_facts.packages.pin import PackageError


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A schemas package with one up-to-date file, one outdated file and one superfluous file."""
    for name, text in {"chrome/a.json": "1\n", "chrome/b.json": "2\n", "firefox/c.json": "3\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "dialect.schema.json").write_text("{}")
    monkeypatch.setattr(renewal, "SCHEMAS", tmp_path)
    chrome, compat = {"chrome/a.json": "1\n", "chrome/b.json": "20\n"}, {"compat/d.json": "4\n"}
    monkeypatch.setattr(renewal, "STEPS", (lambda _: chrome, lambda _: compat))
    monkeypatch.setattr(renewal, "DERIVED", ())
    monkeypatch.setattr(renewal, "sources_file", lambda _: {})
    return tmp_path


def run(*options: str) -> Result:
    return CliRunner().invoke(main, ["renew", *options])


def texts(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*.json")}


def test_check_changes_nothing_and_shows_differences(package: Path) -> None:
    before = texts(package)
    result = run("--check")
    assert result.exit_code == 1
    assert texts(package) == before
    assert result.stdout.splitlines() == [
        "chrome/b.json",
        "  -2",
        "  +20",
        "compat/d.json",
        "  +4",
        "firefox/c.json",
        "  -3",
        "The facts are not what the packages and corrections give: run renew without --check.",
    ]


def test_renewed_facts_pass_the_check(package: Path) -> None:
    assert run().exit_code == 0
    assert texts(package) == {
        "chrome/a.json": "1\n",
        "chrome/b.json": "20\n",
        "compat/d.json": "4\n",
        "dialect.schema.json": "{}",
    }
    result = run("--check")
    assert result.exit_code == 0
    assert result.stdout == "3 files are as they should be.\n"


def test_long_list_of_differences_is_truncated(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line, "MAX_SHOWN", 2)
    result = run("--check")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "chrome/b.json",
        "  -2",
        "... and 5 more lines",
        "The facts are not what the packages and corrections give: run renew without --check.",
    ]


def test_unavailable_package_is_reported_in_one_sentence(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Packages) -> dict[str, str]:
        raise PackageError("npm is not installed")

    monkeypatch.setattr(renewal, "STEPS", (refuse,))
    result = run()
    assert result.exit_code == 2
    assert result.stderr == "extlint_facts: npm is not installed\n"


def test_all_stale_corrections_are_reported_at_once(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def api(_: Packages) -> dict[str, str]:
        rows = [Correction("api", [at], {"optional": True}, "", "") for at in ("tabs", "windows")]
        correct([{"namespace": "menus"}], "firefox", rows)
        return {}

    def versions(_: Packages) -> dict[str, str]:
        row = Correction("versions", ["tabs.get"], {"versions": ["1"]}, "", "")
        correct_versions({"tabs.get": {"firefox": ["1"]}}, "firefox", [row])
        return {}

    monkeypatch.setattr(renewal, "STEPS", (api, api, versions))
    before = texts(package)
    result = run()
    assert result.exit_code == 2
    assert [line.partition(";")[0] for line in result.stderr.splitlines()] == [
        "extlint_facts: corrections: there is no tabs in firefox",
        "extlint_facts: corrections: there is no windows in firefox",
        "extlint_facts: corrections: the packages say the same of tabs.get in firefox",
    ]
    assert texts(package) == before


def test_stale_correction_wins_over_the_errors_that_follow_from_it() -> None:
    def fail(*stale: str) -> None:
        with collecting_stale():
            for each in stale:
                report_stale(each)
            raise KeyError("a part that it would have added")

    with pytest.raises(StaleCorrectionError, match=r"^it is stale$"):
        fail("it is stale")
    with pytest.raises(KeyError):
        fail()


@pytest.mark.skipif("EXTLINT_RENEW" not in os.environ, reason="EXTLINT_RENEW=1 is not set: this needs npm")
def test_committed_facts_match_the_packages() -> None:
    result = run("--check")
    assert (result.exit_code, result.stdout.splitlines()[-1].endswith("as they should be.")) == (0, True)
