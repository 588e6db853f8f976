"""Files whose findings may hide others, which the closing lines name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import manifest
from packages import write

from extlint.cli.main import main

BROKEN = {
    "nothing": ({}, []),
    "another mistake": ({"a.js": "chrome.tabs.qery({});"}, []),
    "a script": ({"a.js": "let x = = 3;"}, ["a.js"]),
    "a manifest": ({"manifest.json": '{"manifest_version": 3,, "name": "a"}'}, ["manifest.json"]),
    "a manifest without an object": ({"manifest.json": '["manifest_version"]'}, ["manifest.json"]),
    "an unknown version": ({"manifest.json": manifest(manifest_version=4)}, ["manifest.json"]),
    "a version that is text": ({"manifest.json": manifest(manifest_version="3")}, ["manifest.json"]),
    "another value": ({"manifest.json": manifest(name=3)}, []),
    "a version that a build adds": (
        {"manifest.json": manifest(manifest_version="{{version}}", name=3), "package.json": "{}"},
        [],
    ),
    "a locale": (
        {"manifest.json": manifest(default_locale="en"), "_locales/en/messages.json": '{"a": 3,}}'},
        ["_locales/en/messages.json"],
    ),
}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("files", "broken"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_files_are_named(
    files: dict[str, str], broken: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    worker = manifest(background={"service_worker": "a.js"})
    write({"manifest.json": worker, "a.js": "", **files})
    main(["check", ".", "--target", "chrome", "--output-format", "json"])
    extension = json.loads(capsys.readouterr().out)["extensions"][0]
    assert extension["broken"] == broken


def test_closing_line_names_each_file_once(capsys: pytest.CaptureFixture[str]) -> None:
    invalid = '{"manifest_version": 3,, "name": "a"}'
    valid = manifest(background={"service_worker": "a.js"})
    write({"x/manifest.json": valid, "x/a.js": "let x = = 3;", "y/manifest.json": invalid})
    main(["check", "."])
    line = "fix x/a.js and y/manifest.json first: the errors there may hide other findings"
    assert capsys.readouterr().out.count(f"\n{line}\n") == 1
    main(["check", ".", "--quiet"])
    assert "hide" not in capsys.readouterr().out


def test_suppressed_error_is_not_named(capsys: pytest.CaptureFixture[str]) -> None:
    write({"manifest.json": '{"manifest_version": 3, "name": "a",, "version": "1"}'})
    main(["check", ".", "--ignore", "invalid-json"])
    assert "may hide" not in capsys.readouterr().out


def test_manifest_of_each_browser_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    write(
        {
            "manifest.chrome.json": manifest(manifest_version=4),
            "manifest.firefox.json": manifest(manifest_version=5),
        }
    )
    main(["check", ".", "--output-format", "json"])
    extension = json.loads(capsys.readouterr().out)["extensions"][0]
    assert extension["broken"] == ["manifest.chrome.json", "manifest.firefox.json"]
