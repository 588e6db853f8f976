"""Unknown keys of the manifest that the extension itself reads, and those that nothing reads."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import lint, manifest

HELPER = "export const entry = () => chrome.runtime.getManifest().content_scripts.find((a) => a.js.length);"
READ: Mapping[str, dict[str, str]] = {
    "a member": {"b.js": "show(chrome.runtime.getManifest().content_scripts[0].keys);"},
    "a member by its name": {"b.js": 'show(browser.runtime.getManifest().content_scripts[0]["keys"]);'},
    "a pattern": {"b.js": "for (const { keys } of chrome.runtime.getManifest().content_scripts) show(keys);"},
    "a member of a variable": {
        "b.js": "const all = chrome.runtime.getManifest(); all.content_scripts.forEach((a) => show(a.keys));"
    },
    "what a helper returns": {
        "helper.js": HELPER,
        "b.js": 'import { entry } from "./helper.js"; show(entry().keys);',
    },
    "what another function gets": {
        "b.js": "const show = (a) => log(a.keys); search(chrome.runtime.getManifest(), show);"
    },
}
UNREAD: Mapping[str, dict[str, str]] = {
    "no script that reads the manifest": {"b.js": "show(options.keys);"},
    "another key": {"b.js": "show(chrome.runtime.getManifest().version, options.keys);"},
    "another part": {"b.js": "search(chrome.runtime.getManifest().permissions); show(options.keys);"},
    "a comment": {"b.js": "search(chrome.runtime.getManifest()); // has a.keys"},
}


def findings_of(scripts: Mapping[str, str], key: str, target: str) -> list[str]:
    entry = {"matches": ["*://a.example/*"], "js": ["c.js"], key: ["a"]}
    background = {"service_worker": "b.js", "scripts": ["b.js"], "type": "module"}
    text = manifest(content_scripts=[entry], background=background)
    found = lint({"manifest.json": text, "c.js": "", **scripts}, ["unknown-key"], target)
    return [each.severity.name.lower() for each in found]


@pytest.mark.parametrize("scripts", READ.values(), ids=READ.keys())
def test_key_that_a_script_reads_is_a_comment(scripts: Mapping[str, str]) -> None:
    assert findings_of(scripts, "keys", "reference") == []
    assert findings_of(scripts, "keys", "chrome") == []
    assert findings_of(scripts, "keys", "firefox") == ["info"]


@pytest.mark.parametrize("scripts", UNREAD.values(), ids=UNREAD.keys())
def test_key_that_no_script_reads_is_reported(scripts: Mapping[str, str]) -> None:
    assert findings_of(scripts, "keys", "reference") == ["warning"]
    assert findings_of(scripts, "keys", "firefox") == ["warning"]


def test_misspelled_key_is_reported_unless_a_script_certainly_reads_it() -> None:
    passed_on = {"b.js": "search(chrome.runtime.getManifest()); show(options.all_frame);"}
    read = {"b.js": "show(chrome.runtime.getManifest().content_scripts[0].all_frame);"}
    assert findings_of(passed_on, "all_frame", "chrome") == ["warning"]
    assert findings_of(read, "all_frame", "chrome") == []
