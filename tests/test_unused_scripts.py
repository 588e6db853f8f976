"""Scripts that nothing loads require nothing of the manifest, if all that is loaded exists."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

RULES = ["missing-permission", "missing-manifest-key", "wrong-manifest-version", "too-new-api", "unknown-api"]
LOADED = manifest(background={"service_worker": "a.js"}, minimum_chrome_version="100")


def told(files: Files) -> list[tuple[str, str]]:
    return [(each.path, each.rule) for each in lint(files, RULES, "chrome")]


@pytest.mark.parametrize(
    ("use", "rule"),
    [
        pytest.param("chrome.cookies.getAll({});", "missing-permission", id="a permission"),
        pytest.param("chrome.action.getTitle({});", "missing-manifest-key", id="a key"),
        pytest.param("chrome.tabs.executeScript({});", "wrong-manifest-version", id="a version"),
        pytest.param("chrome.runtime.getContexts({});", "too-new-api", id="a browser"),
    ],
)
@pytest.mark.parametrize(
    ("worker", "is_told"),
    [
        pytest.param("", False, id="all that is loaded is there"),
        pytest.param("importScripts('b.js');", True, id="it is loaded"),
        pytest.param("importScripts('c.js');", True, id="something else is not there"),
    ],
)
def test_what_the_manifest_lacks(use: str, rule: str, worker: str, is_told: bool) -> None:
    found = told({"manifest.json": LOADED, "a.js": worker, "b.js": use})
    assert found == ([("b.js", rule)] if is_told else [])


def test_what_no_manifest_gives_is_told_all_the_same() -> None:
    files = {"manifest.json": LOADED, "a.js": "", "b.js": "chrome.runtime.getUrl('a');"}
    assert told(files) == [("b.js", "unknown-api")]
