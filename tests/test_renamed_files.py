"""Files that a command renames when it packs an extension with one of its manifests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from harness import manifest

from extlint.cli.main import main

V3 = manifest(background={"service_worker": "b.js"}, action={})
V2 = json.dumps(
    {
        "manifest_version": 2,
        "name": "Test",
        "version": "1",
        "background": {"scripts": ["b.js"]},
        "browser_action": {},
    }
)
FILES = {
    "manifest.json": V3,
    "manifest_v2.json": V2,
    "b.js": "chrome.action.onClicked.addListener(() => {});",
    "b_v2.js": "chrome.browserAction.onClicked.addListener(() => {});",
}
WRONG = [("b.js", "wrong-manifest-version")]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(files: Mapping[str, str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    for path, text in files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)
    main(
        ["check", "--no-cache", "--output-format", "json", "--select", "wrong-manifest-version,missing-file"]
    )
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def findings(files: Mapping[str, str], capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    return [(each["path"], each["rule"]) for each in report(files, capsys)["findings"]]


RENAMING = {
    "another folder": {"package.sh": "cp b_v2.js out/b.js\ncp manifest_v2.json out/manifest.json\n"},
    "within the folder": {"package.sh": "cd out; cp ../b_v2.js b.js; cp ../manifest_v2.json manifest.json"},
    "a variable": {"pack.sh": "D=out/ff; cp manifest_v2.json $D/manifest.json && cp -f b_v2.js $D/b.js"},
    "a parameter": {"pack.sh": 'cp "manifest_$1.json" out/manifest.json\ncp "b_$1.js" out/b.js\n'},
    "the same folder for both": {
        "pack.sh": "cp manifest.json out/manifest.json; cp b.js out/b.js; zip -r a.zip out\n"
        "cp manifest_v2.json out/manifest.json; cp b_v2.js out/b.js; zip -r b.zip out\n"
    },
    "the folder of the sources": {"switch.sh": "mv manifest_v2.json manifest.json; mv b_v2.js b.js"},
    "npm": {
        "package.json": '{"scripts": {"ff": "cp manifest_v2.json o/manifest.json && cp b_v2.js o/b.js"}}'
    },
    "make": {"Makefile": "ff:\n\tcp manifest_v2.json out/manifest.json\n\tcp b_v2.js out/b.js\n"},
}


@pytest.mark.parametrize("files", RENAMING.values(), ids=RENAMING.keys())
def test_renamed_script_runs_with_its_manifest(
    files: Mapping[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert findings({**FILES, **files}, capsys) == []


@pytest.mark.parametrize("files", RENAMING.values(), ids=RENAMING.keys())
def test_mistake_in_renamed_script_is_reported(
    files: Mapping[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {**FILES, **files, "b_v2.js": FILES["b.js"]}
    assert findings(wrong, capsys) == [("b_v2.js", "wrong-manifest-version")]


OTHERS = {
    "nothing": {},
    "another manifest": {"package.sh": "cp b_v2.js out/b.js\ncp manifest_v3.json out/manifest.json\n"},
    "another file": {"package.sh": "cp c_v2.js out/b.js\ncp manifest_v2.json out/manifest.json\n"},
    "another variable": {"pack.sh": 'cp "manifest_$1.json" out/manifest.json\ncp "$1.js" out/b.js\n'},
    "the same name": {"package.sh": "cp b.js out/b.js\ncp manifest_v2.json out/manifest.json\n"},
    "a comment": {"package.sh": "# cp b_v2.js out/b.js\ncp manifest_v2.json out/manifest.json\n"},
}


@pytest.mark.parametrize("files", OTHERS.values(), ids=OTHERS.keys())
def test_other_command_renames_nothing(files: Mapping[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert findings({**FILES, **files}, capsys) == WRONG


def test_script_is_not_missing_under_its_new_name(capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        each: text for each, text in FILES.items() if not each.startswith("manifest_") and each != "b.js"
    }
    packing = {"package.sh": "cp b_v2.js out/b.js\ncp manifest.json out/manifest.json\n"}
    assert findings({**files, **packing}, capsys) == [("b_v2.js", "wrong-manifest-version")]


def test_script_of_one_manifest_is_known_to_run(capsys: pytest.CaptureFixture[str]) -> None:
    packing = {"package.sh": "cp b_v2.js out/b.js\ncp manifest_v2.json out/manifest.json\n"}
    (extension,) = report({**FILES, **packing}, capsys)["extensions"]
    assert "unchecked" not in extension or extension["unchecked"] == []
    (extension,) = report({**FILES, "package.sh": ""}, capsys)["extensions"]
    assert "b_v2.js" in json.dumps(extension)
