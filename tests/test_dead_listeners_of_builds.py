"""Listeners of events that never come, in the sources of a build and in projects of frameworks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import Files, manifest
from packages import package_in, write

from extlint.checker import check_package
from extlint.cli.main import main
from extlint.schema.targets import target_of

RULE = "dead-listener"
CLICK = "chrome.action.onClicked.addListener((tab: chrome.tabs.Tab) => show(tab));"
ALARM = "chrome.alarms.onAlarm.addListener((alarm: chrome.alarms.Alarm) => show(alarm));"
CHANGES = "chrome.action.setPopup({ popup: '' });"
MERGES = "const manifest = require('./src/manifest.json');"

SOURCES: dict[str, tuple[str, Files, bool]] = {
    "a popup": (CLICK, {}, True),
    "no alarm": (ALARM, {}, True),
    "a library of web pages": (f"import React from 'react'; {CLICK}", {}, True),
    "a library for extensions": (f"import a from 'webext-x'; {CLICK}", {}, False),
    "an unknown module": (f"import a from 'unknown'; {CLICK}", {}, False),
    "a popup that is removed": (f"{CLICK} {CHANGES}", {}, False),
    "a popup that outer code removes": (CLICK, {"lib/popup.ts": CHANGES}, False),
    "outer code that uses the API": (CLICK, {"lib/popup.ts": "chrome.runtime.reload();"}, True),
    "an alarm of outer code": (ALARM, {"lib/a.ts": "chrome.alarms.create('a', { when: 1 });"}, False),
    "a build that removes the key": (CLICK, {"build.js": f"{MERGES} delete manifest.action;"}, False),
    "a build that writes the key": (CLICK, {"build.js": f"{MERGES} manifest.action = {{}};"}, False),
    "a build that changes another key": (CLICK, {"build.js": f"{MERGES} manifest.version = '1';"}, True),
}


@pytest.mark.parametrize(("source", "others", "is_reported"), SOURCES.values(), ids=SOURCES.keys())
def test_sources_of_a_build(source: str, others: Files, is_reported: bool) -> None:
    config = {"scripts": {"build": "webpack"}, "dependencies": {"react": "18", "webext-x": "1"}}
    text = manifest(
        action={"default_popup": "popup.html"},
        background={"service_worker": "background.bundle.js"},
        permissions=["alarms"],
    )
    files: Files = {
        "package.json": json.dumps(config),
        "src/manifest.json": text,
        "src/background.ts": source,
        "src/popup.html": "<p>",
        **others,
    }
    target = target_of("chrome")
    assert target is not None
    found = check_package(package_in(files, "src/"), [target], [RULE]).findings
    assert [each.path for each in found] == ["background.ts"] * is_reported


POPUP = "export default () => null;"
PROJECTS = {
    "Plasmo": ("plasmo", {"background.ts": CLICK, "popup.tsx": POPUP}, True),
    "Plasmo without a popup": ("plasmo", {"background.ts": CLICK, "options.tsx": POPUP}, False),
    "WXT": ("wxt", {"entrypoints/background.ts": CLICK, "entrypoints/popup/index.html": "<p>"}, True),
    "WXT without a popup": ("wxt", {"entrypoints/background.ts": CLICK}, False),
    "WXT with a computed key": (
        "wxt",
        {
            "entrypoints/background.ts": CLICK,
            "entrypoints/popup.html": "<p>",
            "wxt.config.ts": "export default { manifest: { action: actionOf(mode) } };",
        },
        False,
    ),
    "WXT with a program": (
        "wxt",
        {
            "entrypoints/background.ts": CLICK,
            "entrypoints/popup.html": "<p>",
            "wxt.config.ts": "export default { hooks: { f: (_, manifest) => { delete manifest.action } } };",
        },
        False,
    ),
}


@pytest.mark.parametrize(("name", "files", "is_reported"), PROJECTS.values(), ids=PROJECTS.keys())
def test_popup_of_a_framework(
    name: str,
    files: dict[str, str],
    is_reported: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / str(len(files)) / name
    folder.mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(folder)
    config = {"scripts": {"build": f"{name} build"}, "devDependencies": {name: "1"}}
    write({"package.json": json.dumps(config), **files})
    main(["check", "--target=chrome", f"--select={RULE}"])
    assert (RULE in capsys.readouterr().out) == is_reported
