"""Scripts outside of an extension's folder that a bundler includes: imported, or named by the manifest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from harness import manifest
from packages import write

from extlint.cli.main import main

USE = "chrome.alarms.create('a', { delayInMinutes: 1 });"
WORKER = manifest(background={"service_worker": "background.js"})
BUILD = "esbuild ext/$X/index.ts --bundle --outfile=dist/$X/background.js"
FILES = {
    "package.json": json.dumps({"scripts": {"build": BUILD}}),
    "ext/mv3/manifest.json": WORKER,
    "ext/mv3/index.ts": "import { a } from '../../src/a'; a();",
    "src/a.ts": f"export const a = () => {{ {USE} }};",
    "src/other.ts": f"{USE} chrome.tabs.quary({{}});",
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is a repository."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    return tmp_path


def reported(capsys: pytest.CaptureFixture[str], changes: Mapping[str, str | None]) -> list[tuple[str, str]]:
    """Returns the rules and paths of the findings in a project with these changes."""
    write({path: text for path, text in {**FILES, **changes}.items() if text is not None})
    main(["check", "--target", "chrome", "--output-format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    return [(each["rule"], each["path"]) for each in found]


IMPORTED = {
    "imported": ({}, "src/a.ts"),
    "with a suffix": ({"ext/mv3/index.ts": "import '../../src/a.js';", "src/a.ts": USE}, "src/a.ts"),
    "an index": (
        {"src/a.ts": None, "src/a/index.ts": f"export const a = () => {{ {USE} }};"},
        "src/a/index.ts",
    ),
    "required": (
        {
            "ext/mv3/index.ts": None,
            "ext/mv3/index.js": "require('../../src/a')",
            "src/a.ts": USE,
            "package.json": FILES["package.json"].replace("index.ts", "index.js"),
        },
        "src/a.ts",
    ),
    "imported there": ({"src/a.ts": "import './b'; export const a = () => {};", "src/b.ts": USE}, "src/b.ts"),
    "named by a manifest in another language": (
        {"ext/mv3/manifest.json": WORKER.replace("background.js", "index.ts")},
        "src/a.ts",
    ),
}


@pytest.mark.parametrize(("changes", "path"), IMPORTED.values(), ids=IMPORTED.keys())
def test_imported_script_is_checked(
    changes: Mapping[str, str | None], path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reported(capsys, changes) == [("missing-permission", f"../../{path}")]


NOT_IMPORTED = {
    "nothing builds": {"package.json": None},
    "nothing imports it": {"ext/mv3/index.ts": "chrome.runtime.id;"},
    "only a comment imports it": {"ext/mv3/index.ts": "chrome.runtime.id; \n // import '../../src/a';"},
    "only a test imports it": {
        "ext/mv3/index.ts": "chrome.runtime.id;",
        "ext/mv3/index.test.ts": FILES["ext/mv3/index.ts"],
    },
    "browsers load the extension as it is": {
        "ext/mv3/background.js": "import '../../src/a.js';",
        "ext/mv3/index.ts": None,
        "src/a.js": USE,
        "src/a.ts": None,
    },
}


@pytest.mark.parametrize("changes", NOT_IMPORTED.values(), ids=NOT_IMPORTED.keys())
def test_other_script_is_not(changes: Mapping[str, str | None], capsys: pytest.CaptureFixture[str]) -> None:
    assert not any(path.startswith("../") for _, path in reported(capsys, changes))


PARCEL = {
    "package.json": json.dumps(
        {"scripts": {"build": "parcel build chrome/manifest.json"}, "devDependencies": {"parcel": "2"}}
    ),
    ".parcelrc": '{"extends": "@parcel/config-webextension"}',
    "ext/mv3/manifest.json": None,
    "chrome/manifest.json": manifest(
        background={"service_worker": "../src/a.ts"}, action={"default_popup": "../view/popup.html"}
    ),
    "src/a.ts": USE,
    "view/popup.html": "<p>a</p>",
}


def test_manifest_of_parcel_names_scripts_outside_of_its_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert reported(capsys, PARCEL) == [("missing-permission", "../src/a.ts")]


def test_manifest_without_a_build_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        **PARCEL,
        "package.json": "{}",
        ".parcelrc": None,
        "chrome/manifest.json": manifest(background={"service_worker": "../src/a.js"}),
        "src/a.js": "",
        "src/a.ts": None,
        "src/other.ts": None,
    }
    assert reported(capsys, files) == [("missing-file", "manifest.json")]
