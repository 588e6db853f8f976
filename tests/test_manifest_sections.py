"""Manifests that consist of sections, which a build merges into one for each browser."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint

from extlint.manifest.manifest import read_manifest
from extlint.project.target_detection.markers import markers_in
from extlint.schema.targets import Target

RULES = ("missing-key", "missing-permission", "unknown-key", "wrong-manifest-version")
COMMON = {"manifest_version": 3, "permissions": ["alarms"], "background": {"type": "module"}}
CHROME = {
    "permissions": ["storage"],
    "action": {"default_popup": "a.html"},
    "background": {"service_worker": "a.js"},
}
FIREFOX = {"permissions": ["menus"], "manifest_version": 2, "background": {"scripts": ["a.js"]}}
SECTIONS = {"all": COMMON, "chrome": CHROME, "firefox": FIREFOX}


def files_of(manifest: object, script: str) -> Files:
    return {"manifest.json": json.dumps(manifest), "a.js": script, "a.html": ""}


@pytest.mark.parametrize(
    ("script", "browsers"),
    [
        pytest.param("chrome.alarms.getAll(() => 0);", [], id="a permission for all"),
        pytest.param("chrome.storage.local.get(() => 0);", [], id="a permission for one"),
        pytest.param("chrome.cookies.getAll({}, () => 0);", ["chrome", "edge", "firefox"], id="none"),
        pytest.param("chrome.action.onClicked.addListener(() => 0);", ["firefox"], id="another version"),
    ],
)
def test_script_is_checked_with_the_sections_of_its_browser(script: str, browsers: list[str]) -> None:
    files = files_of(SECTIONS, script)
    assert [each for each in ("chrome", "edge", "firefox") if lint(files, RULES, each)] == browsers


@pytest.mark.parametrize("target", ["chrome", "firefox", "reference"])
def test_keys_of_sections_are_checked(target: str) -> None:
    assert lint(files_of(SECTIONS, ""), RULES, target) == []
    wrong = {**SECTIONS, "all": {**COMMON, "actoin": {}}}
    assert [each.rule for each in lint(files_of(wrong, ""), RULES, target)] == ["unknown-key"]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({**SECTIONS, "manifest_version": 3}, id="a key outside"),
        pytest.param({**SECTIONS, "mobile": {}}, id="another section"),
        pytest.param({**SECTIONS, "chrome": []}, id="not an object"),
    ],
)
def test_other_manifest_is_not_in_sections(other: object) -> None:
    assert len(lint(files_of(other, ""), ("unknown-key",), "chrome")) >= len(SECTIONS)


def test_sections_are_merged_as_by_the_build() -> None:
    manifest = read_manifest("manifest.json", json.dumps(SECTIONS).encode())
    assert manifest.for_target(Target("chrome")).plain == {
        "manifest_version": 3,
        "permissions": ["alarms", "storage"],
        "action": {"default_popup": "a.html"},
        "background": {"type": "module", "service_worker": "a.js"},
    }
    assert manifest.for_target(Target("firefox")).version == 2
    assert manifest.permissions == {"alarms", "storage", "menus"}
    assert set(markers_in(manifest)) == {"chrome", "firefox"}
