"""The age of the facts about browsers: in the version, and for browsers that are newer."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from harness import manifest
from packages import write
from packed_program import only_of_python

from extlint import __version__
from extlint.cli.main import main
from extlint.cli.version import describe_version
from extlint_schemas import date_of_facts, newest_releases, versions_of_facts

CHROME = int(newest_releases()["chrome"])
FIREFOX = int(newest_releases()["firefox"])


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def gecko(version: int) -> dict[str, object]:
    return {
        "browser_specific_settings": {"gecko": {"id": "a@b.example", "strict_min_version": f"{version}.0"}}
    }


NEWER = {
    "no version": ({}, ["chrome"], {}),
    "a known version": ({}, [f"chrome>={CHROME}"], {}),
    "an option": ({}, [f"chrome>={CHROME + 1}"], {"chrome": CHROME + 1}),
    "only the newest version": ({}, [f"chrome<={CHROME + 1}"], {}),
    "another browser": ({}, [f"chrome>={CHROME + 1}", f"firefox>={FIREFOX}"], {"chrome": CHROME + 1}),
    "minimum_chrome_version": (
        {"minimum_chrome_version": f"{CHROME + 2}.0.1"},
        ["chrome"],
        {"chrome": CHROME + 2},
    ),
    "strict_min_version": (gecko(FIREFOX + 3), ["firefox"], {"firefox": FIREFOX + 3}),
    "a version for another browser": (gecko(FIREFOX + 3), ["chrome"], {}),
}


@pytest.mark.parametrize(("keys", "targets", "newer"), NEWER.values(), ids=NEWER.keys())
def test_newer_browsers_are_in_the_summary(
    keys: dict[str, object], targets: list[str], newer: dict[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    write({"manifest.json": manifest(**keys)})
    options = [option for target in targets for option in ("--target", target)]
    assert main(["check", *options, "--output-format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["findings"] == []
    assert report["summary"].get("newer_than_facts", {}) == newer


def test_closing_line_is_written_once(capsys: pytest.CaptureFixture[str]) -> None:
    write({f"{name}/manifest.json": manifest(minimum_chrome_version=f"{CHROME + 5}") for name in "ab"})
    arguments = ["check", "--target", "chrome", "--target", f"firefox>={FIREFOX + 1}"]
    assert main(arguments) == 0
    line = (
        f"the facts of {date_of_facts()} describe browsers up to chrome {CHROME} and firefox {FIREFOX}, "
        f"not chrome {CHROME + 5} and firefox {FIREFOX + 1}: a newer extlint may find more"
    )
    assert capsys.readouterr().out.splitlines().count(line) == 1
    assert main([*arguments, "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_verbose_version_shows_the_age_of_the_facts(capsys: pytest.CaptureFixture[str]) -> None:
    day = date.fromisoformat(date_of_facts())
    text = describe_version(day.replace(year=day.year + 1))
    assert text.startswith(f"extlint {__version__}\nPython ")
    assert f"facts about browsers: of {day}, 36" in text
    assert f"chrome {CHROME}" in text
    assert all(f"{name} {version}" in text for name, version in versions_of_facts().items())
    assert "0 days old" in describe_version(day.replace(year=day.year - 1))


@only_of_python
@pytest.mark.parametrize("arguments", [["--version", "--verbose"], ["--verbose", "--version"]])
def test_verbose_version_is_a_command_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    assert capsys.readouterr().out == describe_version()


@pytest.mark.parametrize("arguments", [["--verbose"], ["--verbose", "check"]])
def test_verbose_requires_version(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err == "extlint: --verbose requires --version, and no other arguments\n"
